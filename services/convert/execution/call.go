package execution

import (
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Call is one call that an account makes.
type Call struct {
	To   evm.Address
	Data []byte
	// Value is sent with the call, in wei; never nil.
	Value *uint256.Int
}

// hop is one pool of a path.
type hop struct {
	// concentrated is true for a v3 pool and false for a v2 pool.
	concentrated bool
	fee          uint32 // of a v3 pool, in hundredths of a basis point
	from, to     evm.Address
}

// leg is a share of the amount, and the pools of one router that it goes through.
type leg struct {
	in, out *uint256.Int
	hops    []hop
}

// swap is the part of an order that one router executes. Its legs have the wrapped token in place of the native currency.
type swap struct {
	venue      int // its index in the chain's venues
	router     evm.Address
	nativeName string // of the native currency in the router's function names
	legs       []leg
	payNative  bool // the sold token is the native currency
	getNative  bool // the bought token is the native currency
	recipient  evm.Address
	minimum    *uint256.Int
	deadline   uint64 // in seconds since 1970
	permit     *Permit
	referral   *Referral
	// paysOut makes the router hold the output and compare it with the minimum.
	paysOut bool
}

func (s *swap) sold() evm.Address { return s.legs[0].hops[0].from }

func (s *swap) bought() evm.Address { return s.legs[0].hops[len(s.legs[0].hops)-1].to }

// amount returns the input of all legs.
func (s *swap) amount() *uint256.Int {
	sum := new(uint256.Int)
	for _, l := range s.legs {
		sum.Add(sum, l.in)
	}
	return sum
}

// out returns the expected output of all legs.
func (s *swap) out() *uint256.Int {
	sum := new(uint256.Int)
	for _, l := range s.legs {
		sum.Add(sum, l.out)
	}
	return sum
}

// value returns the wei to send with the call.
func (s *swap) value() *uint256.Int {
	if s.payNative {
		return s.amount()
	}
	return new(uint256.Int)
}

// pooled reports whether the router collects the outputs of all legs and pays them out together, with one check of the
// minimum.
func (s *swap) pooled() bool {
	return len(s.legs) > 1 || s.getNative || s.referral != nil || s.paysOut
}

// shares divides the minimum among the legs in proportion to their outputs.
func (s *swap) shares() []*uint256.Int {
	outputs := make([]*uint256.Int, len(s.legs))
	for i, l := range s.legs {
		outputs[i] = l.out
	}
	return share(s.minimum, outputs)
}

// share divides an amount in proportion to weights; the remainder of the rounding goes to the last.
func share(amount *uint256.Int, weights []*uint256.Int) []*uint256.Int {
	whole := new(uint256.Int)
	for _, w := range weights {
		whole.Add(whole, w)
	}
	parts := make([]*uint256.Int, len(weights))
	left := amount.Clone()
	for i, w := range weights[:len(weights)-1] {
		parts[i], _ = new(uint256.Int).MulDivOverflow(amount, w, whole)
		left.Sub(left, parts[i])
	}
	parts[len(weights)-1] = left
	return parts
}

// segments splits a leg between v2 and v3 pools: one function of a router trades pools of one kind only.
func (l leg) segments() [][]hop {
	var all [][]hop
	for i, h := range l.hops {
		if i == 0 || h.concentrated != l.hops[i-1].concentrated {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], h)
	}
	return all
}

// tokens lists the tokens along hops, the sold one first.
func tokens(hops []hop) []evm.Address {
	all := []evm.Address{hops[0].from}
	for _, h := range hops {
		all = append(all, h.to)
	}
	return all
}

// joined encodes a path of Algebra, which has one pool for each pair: the tokens.
func joined(hops []hop) (path []byte) {
	for _, token := range tokens(hops) {
		path = append(path, token[:]...)
	}
	return path
}

// packed encodes a path of v3 pools: tokens with fees between them.
func packed(hops []hop) []byte {
	path := append([]byte{}, hops[0].from[:]...)
	for _, h := range hops {
		path = append(path, byte(h.fee>>16), byte(h.fee>>8), byte(h.fee))
		path = append(path, h.to[:]...)
	}
	return path
}

// wordSize is the size of an EVM word in bytes.
const wordSize = 32

// encodeCall encodes a call of the function with the given signature, such as `approve(address,uint256)`; see [calldata.Function.Write].
func encodeCall(signature string, values ...any) []byte {
	return calldata.Parse(signature).Write(values...)
}
