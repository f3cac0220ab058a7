package engine

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Swap is a request for a quote or a transaction.
type Swap struct {
	// ChainID is the CAIP-2 id.
	ChainID string
	// From is the sold token and To the bought one; [evm.Native] is the native currency.
	From, To evm.Address
	// Amount is sold, in base units of From.
	Amount *uint256.Int
	// User sells and receives; zero if no account is connected.
	User evm.Address
	// GasPrice is the price of a unit of gas in wei; nil for the chain's.
	GasPrice *uint256.Int
	// SlippageBPS is how much less than the quote is accepted, in basis points.
	SlippageBPS uint32
	// Batch says that the account can make several calls atomically (EIP-5792).
	Batch bool
	// AnySpender allows offers of every router and vendor; otherwise only the chain's primary router may need an approval.
	AnySpender bool
	// Permit2 allows offers of the UniversalRouter that sell a token: the account approves Permit2 and signs its permits.
	Permit2 bool
	// Only restricts the swap to one source; nil for the best.
	Only *SourceID
	// Floor is the minimum of an earlier quote, in base units of To; nil for none.
	Floor *uint256.Int
	// Permit is an approval that User has signed; nil for none.
	Permit *execution.Permit
}

// sellsNative says that the native currency is sold, which needs no approval.
func (s Swap) sellsNative() bool { return s.From == evm.Native }

// minimum returns the least output to accept where out is expected: out less the slippage, rounded up so that it is never zero, and at least Floor.
func (s Swap) minimum(out *uint256.Int) *uint256.Int {
	// It is at most out, so that it cannot overflow.
	slips, _ := new(uint256.Int).MulDivOverflow(out, uint256.NewInt(uint64(s.SlippageBPS)), uint256.NewInt(wholeBPS))
	least := slips.Sub(out, slips)
	if s.Floor != nil && least.Lt(s.Floor) {
		return s.Floor
	}
	return least
}

// keeps reports whether an output is at least Floor.
func (s Swap) keeps(out *uint256.Int) bool { return s.Floor == nil || !out.Lt(s.Floor) }

// wholeBPS is 100 percent in basis points.
const wholeBPS = 10_000

// Onchain is the source of offers through the chain's own pools.
const Onchain = "onchain"

// SourceID names the source of a quote and the router that executes it. Its text is the quote's id.
type SourceID struct {
	// Source is [Onchain] or the name of a vendor.
	Source string
	// Venue is the name of the router's venue; empty for a vendor, for a batch over several, and for wrapping the native currency.
	Venue string
	// Batch says that the swap is several calls.
	Batch bool
}

const (
	batchMark = "batch"
	idMark    = "/"
)

// errSourceID is the error of a text that is not a quote's id.
var errSourceID = errors.New("not a quote's id")

// String returns the id's text, such as `onchain/Uniswap`, `onchain/batch` or `1inch`.
func (id SourceID) String() string {
	parts := []string{id.Source}
	if id.Batch {
		parts = append(parts, batchMark)
	}
	if id.Venue != "" {
		parts = append(parts, id.Venue)
	}
	return strings.Join(parts, idMark)
}

// ParseSourceID parses a text of [SourceID.String].
func ParseSourceID(text string) (SourceID, error) {
	parts := strings.Split(text, idMark)
	id := SourceID{Source: parts[0]}
	rest := parts[1:]
	if len(rest) > 0 && rest[0] == batchMark {
		id.Batch, rest = true, rest[1:]
	}
	if len(rest) > 0 {
		id.Venue, rest = rest[0], rest[1:]
	}
	if id.Source == "" || len(rest) > 0 || slices.Contains(parts[1:], "") || (id.Source != Onchain && len(parts) > 1) {
		return SourceID{}, errSourceID
	}
	return id, nil
}

// Hop is one pool of a path, for display.
type Hop struct {
	Pool     evm.Address
	Venue    string
	Kind     string
	Fee      float64 // in percent
	From, To evm.Address
}

// Path is a share of the amount in percent, and the pools that it goes through.
type Path struct {
	Share float64
	Hops  []Hop
}

// Offer is a swap that one source offers.
type Offer struct {
	ID SourceID
	// Out is the expected output and Min the least accepted, in base units of the bought token.
	Out, Min *uint256.Int
	// Gas is in units, GasPrice and NetworkFee in wei; NetworkFee includes the data fee of a rollup.
	Gas        uint64
	GasPrice   *uint256.Int
	NetworkFee *uint256.Int
	// Fee is the operator's share, in base units of the bought token.
	Fee *uint256.Int
	// Spender needs an allowance for the sold token; zero for none.
	Spender evm.Address
	// Confirmed says that a simulation of Calls paid Out to the user, to a basis point; Because, Cause and Detail say why not.
	Confirmed bool
	Because   string
	Cause     execution.Cause
	Detail    string
	// Block is the block of the quote; 0 for a vendor.
	Block uint64
	// BoundBPS bounds how far Out is below the best possible output, in basis points; nil for a vendor.
	BoundBPS *float64
	// RouterBoundBPS is the same among the pools that the offer's router can trade.
	RouterBoundBPS *float64
	// Impact is the price impact in percent; nil if it is not known.
	Impact *float64
	Route  []Path
	// Calls execute the swap; nil in a vendor's offer that was not built.
	Calls    []execution.Call
	Deadline time.Time
	// approvals are the allowances that routers need; reset says that the token refuses to change an allowance that is not zero.
	approvals []execution.Approval
	reset     bool
	// net is Out less the cost of gas, in base units of the bought token, for ranking only.
	net float64
}

// Rejection is a source without an offer, and the reason.
type Rejection struct {
	Source string
	Reason error
}

// Answer is the best offer, the other offers, and the sources without one.
type Answer struct {
	Best     Offer
	Others   []Offer
	Rejected []Rejection
}
