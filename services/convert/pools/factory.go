package pools

import (
	"encoding/binary"
	"log/slog"
	"slices"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// factory is a contract that creates pools, and the venue that trades them.
type factory struct {
	venue   int
	kind    Kind
	address evm.Address
	v2      *dex.V2
	v3      *dex.V3
	algebra *dex.Algebra
	// derives says that the pools' addresses are computed from the hash of their code; refuted says that this gives
	// wrong addresses.
	derives, refuted bool
}

var (
	factoryCall   = evm.Selector("factory()")
	factoryV2Call = evm.Selector("factoryV2()")
	amountCall    = evm.Selector("getAmountOut(uint256,uint256,uint256)")
	spacingCall   = evm.Selector("feeAmountTickSpacing(uint24)")
	pairCall      = evm.Selector("getPair(address,address)")
	poolCall      = evm.Selector("getPool(address,address,uint24)")
	poolByPair    = evm.Selector("poolByPair(address,address)")
)

// gasHop is the estimated gas of one hop, by kind.
var gasHop = map[Kind]uint64{V2: 65_000, V3: 90_000, Algebra: 120_000}

// algebraSpacing is the distance of usable ticks in every pool of Algebra V1.
const algebraSpacing = 60

// millionth is the denominator of fees.
const millionth = 1_000_000

// proof verifies a factory of the table of venues before it is used. The contracts take precedence over the table.
type proof struct {
	*factory
	venue dex.Venue
}

// proofs returns the proofs of a chain's factories, in the order of the venues and v2 before v3.
func proofs(chain dex.Chain) (all []proof) {
	for i, v := range chain.Venues {
		for _, f := range factoriesOf(i, v) {
			all = append(all, proof{f, v})
		}
	}
	return all
}

// questions returns the calls of the proof, always in the same order.
func (p proof) questions() (questions []chainclient.Call) {
	named := factoryCall
	if p.kind == V2 && p.venue.Kind == dex.SwapRouter02 {
		named = factoryV2Call
	}
	questions = append(questions, newestCall(p.venue.Router, named))
	if p.venue.Kind == dex.V2Router {
		questions = append(questions, newestCall(p.venue.Router, slices.Concat(amountCall, numberWord(millionth), deepReserve, deepReserve)))
	}
	if p.kind == V3 {
		for _, fee := range p.v3.Fees {
			questions = append(questions, newestCall(p.address, slices.Concat(spacingCall, numberWord(uint64(fee)))))
		}
	}
	return questions
}

// deepReserve is a reserve so large that the measured amount does not move the price: 2^96.
var deepReserve = append(make([]byte, 19), append([]byte{1}, make([]byte, 12)...)...)

func newestCall(to evm.Address, data []byte) chainclient.Call {
	return chainclient.Call{Method: "eth_call", Params: []any{map[string]string{"to": to.String(), "data": hexutil.Encode(data)}, "latest"}}
}

func numberWord(n uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 24, 32), n) }

// confirm decodes the answers. It returns false if the router names another factory, or none. It returns an error if a
// node did not answer.
func (p proof) confirm(answers []chainclient.Result, log *slog.Logger) (bool, error) {
	words := make([][]byte, len(answers))
	for i, a := range answers {
		said, err := a.Bytes()
		if _, failed := a.Executed(); err != nil && !failed {
			return false, err
		}
		if len(said) == wordSize {
			words[i] = said
		}
	}
	log = log.With("venue", p.venue.Name, "router", p.venue.Router.String(), "factory", p.address.String())
	if !slices.Equal(words[0], evm.Word(p.address)) {
		log.Warn("a router does not name the factory that the table gives it; its pools are left out")
		return false, nil
	}
	if p.venue.Kind == dex.V2Router {
		p.measureFee(words[1], log)
	}
	if p.kind == V3 {
		p.learnSpacings(words[1:])
	}
	return true, nil
}

// measureFee computes the fee from the router's output for a millionth of very large, equal reserves, which is slightly
// less than the input after the fee.
func (p proof) measureFee(said []byte, log *slog.Logger) {
	if said == nil {
		return
	}
	left := new(uint256.Int).SetBytes(said).Uint64() + 1
	expected := (p.v2.FeeNumerator*millionth + p.v2.FeeDenominator - 1) / p.v2.FeeDenominator
	if left > millionth || left == expected {
		return
	}
	log.Warn("a router counts with another fee than the table", "left_of_a_million", left)
	measured := *p.v2
	measured.FeeNumerator, measured.FeeDenominator = left, millionth
	p.v2 = &measured
}

// learnSpacings reads the tick spacings from the factory, and removes fees that the factory does not have.
func (p proof) learnSpacings(said [][]byte) {
	learned := *p.v3
	learned.Fees, learned.Spacing = nil, map[uint32]int32{}
	for i, fee := range p.v3.Fees {
		if said[i] == nil {
			return // the factory has no such function
		}
		if spacing := new(uint256.Int).SetBytes(said[i]).Uint64(); spacing > 0 && spacing <= maxTick {
			learned.Fees = append(learned.Fees, fee)
			learned.Spacing[fee] = int32(spacing)
		}
	}
	p.v3 = &learned
}

// confirmed returns the verified factories. A factory that several venues share belongs to the first of them.
func confirmed(proofs []proof, answers []chainclient.Result, log *slog.Logger) (all []*factory, err error) {
	for _, p := range proofs {
		n := len(p.questions())
		ok, err := p.confirm(answers[:n], log)
		if err != nil {
			return nil, err
		}
		answers = answers[n:]
		if ok && !slices.ContainsFunc(all, func(other *factory) bool { return other.address == p.address }) {
			all = append(all, p.factory)
		}
	}
	return all, nil
}

// factoriesOf returns the factories of a venue by the table, v2 before v3.
func factoriesOf(place int, v dex.Venue) (all []*factory) {
	if v.V2 != nil {
		all = append(all, &factory{venue: place, kind: V2, address: v.V2.Factory, v2: v.V2})
	}
	if v.V3 != nil {
		all = append(all, &factory{venue: place, kind: V3, address: v.V3.Factory, v3: v.V3})
	}
	if v.Algebra != nil {
		all = append(all, &factory{venue: place, kind: Algebra, address: v.Algebra.Factory, algebra: v.Algebra})
	}
	return all
}

// fees returns the fees that a pool of the factory may have, in hundredths of a basis point.
func (f *factory) fees() []uint32 {
	switch f.kind {
	case V3:
		return f.v3.Fees
	case Algebra:
		return []uint32{0} // one pool a pair, which changes its fee
	}
	left := (f.v2.FeeDenominator - f.v2.FeeNumerator) * millionth / f.v2.FeeDenominator
	return []uint32{uint32(left)}
}

func (f *factory) terms(fee uint32) terms {
	switch f.kind {
	case V3:
		return terms{spacing: f.v3.Spacing[fee]}
	case Algebra:
		return terms{spacing: algebraSpacing, isFeeRead: true}
	}
	return terms{numerator: f.v2.FeeNumerator, denominator: f.v2.FeeDenominator}
}

// hasHash reports whether the table has the hash of the pools' code.
func (f *factory) hasHash() bool {
	return f.kind == V2 && f.v2.InitCodeHash != nil || f.kind == V3 && f.v3.InitCodeHash != nil
}

// derived returns the address of a pool by the hash of the pools' code.
func (f *factory) derived(p pair, fee uint32) evm.Address {
	if f.kind == V3 {
		return f.v3.Pool(p[0], p[1], fee)
	}
	return f.v2.Pair(p[0], p[1])
}

// lookUp returns the call that reads the address of a pool from the factory.
func (f *factory) lookUp(p pair, fee uint32) []byte {
	switch f.kind {
	case V2:
		return slices.Concat(pairCall, evm.Word(p[0]), evm.Word(p[1]))
	case Algebra:
		return slices.Concat(poolByPair, evm.Word(p[0]), evm.Word(p[1]))
	}
	return slices.Concat(poolCall, evm.Word(p[0]), evm.Word(p[1]), numberWord(uint64(fee)))
}

// learn compares an address that the factory returned with the derived one.
func (f *factory) learn(answered, derived evm.Address) {
	switch {
	case answered != derived:
		f.derives, f.refuted = false, true
	case !f.refuted:
		f.derives = true
	}
}
