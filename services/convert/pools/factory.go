package pools

import (
	"encoding/binary"
	"log/slog"
	"slices"

	"github.com/hawser-dev/hawser/services/convert/venues"
	"github.com/hawser-dev/hawser/services/evm"
)

// factory is one maker of pools, and the venue that trades them.
type factory struct {
	venue   int
	kind    Kind
	address evm.Address
	v2      *venues.V2
	v3      *venues.V3
	// derives says that the pools' addresses are known to follow from the hash of their code; refuted that they do not.
	derives, refuted bool
}

var (
	factoryCall   = evm.Selector("factory()")
	factoryV2Call = evm.Selector("factoryV2()")
	pairCall      = evm.Selector("getPair(address,address)")
	poolCall      = evm.Selector("getPool(address,address,uint24)")
)

// gasHop estimates what one hop costs, by kind.
var gasHop = map[Kind]uint64{V2: 65_000, V3: 90_000}

// routerQuestions ask each router which factories it trades, in the order of the venues and v2 before v3.
func routerQuestions(chain venues.Chain) (questions []evm.Question) {
	for _, v := range chain.Venues {
		for _, f := range factoriesOf(0, v) {
			call := factoryCall
			if f.kind == V2 && v.Kind == venues.SwapRouter02 {
				call = factoryV2Call
			}
			questions = append(questions, evm.Question{
				Method: "eth_call", Params: []any{map[string]string{"to": v.Router.String(), "data": evm.Hex(call)}, "latest"},
			})
		}
	}
	return questions
}

// confirmed are the factories that their routers name themselves; a factory that several venues have belongs to the first.
// The error is for a node that would not answer.
func confirmed(chain venues.Chain, answers []evm.Result, log *slog.Logger) (all []*factory, err error) {
	for i, v := range chain.Venues {
		for _, f := range factoriesOf(i, v) {
			said, err := answers[0].Bytes()
			if _, failed := answers[0].Executed(); err != nil && !failed {
				return nil, err
			}
			answers = answers[1:]
			if err != nil || !slices.Equal(said, f.address.Word()) {
				log.Warn("a router does not name the factory that the table gives it; its pools are left out",
					"venue", v.Name, "router", v.Router.String(), "factory", f.address.String())
				continue
			}
			if !slices.ContainsFunc(all, func(other *factory) bool { return other.address == f.address }) {
				all = append(all, f)
			}
		}
	}
	return all, nil
}

// factoriesOf are the factories that a venue should have, v2 before v3.
func factoriesOf(place int, v venues.Venue) (all []*factory) {
	if v.V2 != nil {
		all = append(all, &factory{venue: place, kind: V2, address: v.V2.Factory, v2: v.V2})
	}
	if v.V3 != nil {
		all = append(all, &factory{venue: place, kind: V3, address: v.V3.Factory, v3: v.V3})
	}
	return all
}

// fees are those that a pool of the factory may have, in hundredths of a basis point.
func (f *factory) fees() []uint32 {
	if f.kind == V3 {
		return f.v3.Fees
	}
	left := (f.v2.FeeDenominator - f.v2.FeeNumerator) * 1_000_000 / f.v2.FeeDenominator
	return []uint32{uint32(left)}
}

func (f *factory) terms(fee uint32) terms {
	if f.kind == V3 {
		return terms{spacing: f.v3.Spacing[fee]}
	}
	return terms{numerator: f.v2.FeeNumerator, denominator: f.v2.FeeDenominator}
}

// hasHash says that the table gives a hash of the pools' code.
func (f *factory) hasHash() bool {
	return f.kind == V2 && f.v2.InitCodeHash != nil || f.kind == V3 && f.v3.InitCodeHash != nil
}

// derived is where a pool stands if the hash of the pools' code is right.
func (f *factory) derived(p pair, fee uint32) evm.Address {
	if f.kind == V3 {
		return f.v3.Pool(p[0], p[1], fee)
	}
	return f.v2.Pair(p[0], p[1])
}

// lookUp is the call that asks the factory for a pool.
func (f *factory) lookUp(p pair, fee uint32) []byte {
	if f.kind == V2 {
		return slices.Concat(pairCall, p[0].Word(), p[1].Word())
	}
	return slices.Concat(poolCall, p[0].Word(), p[1].Word(), binary.BigEndian.AppendUint32(make([]byte, 28, 32), fee))
}

// learn compares what the factory answered with what follows from the hash of its pools' code.
func (f *factory) learn(answered, derived evm.Address) {
	switch {
	case answered != derived:
		f.derives, f.refuted = false, true
	case !f.refuted:
		f.derives = true
	}
}
