package convert

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/evm"
)

// Swap is what somebody wants.
type Swap struct {
	// ChainID is the CAIP-2 id.
	ChainID string
	// From is sold and To bought; [evm.Native] is the chain's own currency.
	From, To evm.Address
	// Amount is what is sold, in base units.
	Amount *uint256.Int
	// User swaps and receives; zero while nobody is connected.
	User evm.Address
	// GasPrice is what gas costs, in wei; nil: what the chain asks.
	GasPrice *uint256.Int
	// SlippageBPS is how much less than found is accepted, in hundredths of a percent.
	SlippageBPS uint32
	// Batch says that the account carries out several calls at once or not at all (EIP-5792).
	Batch bool
	// AnySpender lets the answer name whom to allow; otherwise only the chain's primary router is used where something must be allowed.
	AnySpender bool
	// Only is the source to be used; nil: the best.
	Only *SourceID
	// Floor is the least that was promised, in base units of the bought token; nil: nothing was.
	Floor *uint256.Int
	// Permit is an approval that the user signed; nil: none.
	Permit *execution.Permit
}

// sellsNative says that the own currency is sold, so that nothing must be allowed.
func (s Swap) sellsNative() bool { return s.From == evm.Native }

// least is what is accepted when so much is expected: what slippage leaves of it, rounded up so that it is never nothing, and no less than
// was promised.
func (s Swap) least(out *uint256.Int) *uint256.Int {
	// It is no more than out, so that it cannot overflow.
	slips, _ := new(uint256.Int).MulDivOverflow(out, uint256.NewInt(uint64(s.SlippageBPS)), uint256.NewInt(wholeBPS))
	least := slips.Sub(out, slips)
	if s.Floor != nil && least.Lt(s.Floor) {
		return s.Floor
	}
	return least
}

// keeps says whether so much is what was promised.
func (s Swap) keeps(out *uint256.Int) bool { return s.Floor == nil || !out.Lt(s.Floor) }

// wholeBPS is one whole in hundredths of a percent.
const wholeBPS = 10_000

// onchain is the source that asks nobody but the chain.
const onchain = "onchain"

// SourceID names who found a quote, and what carries it out. Its text is the quote's id.
type SourceID struct {
	// Source is onchain or a vendor.
	Source string
	// Venue is the router's; empty for a vendor, for a batch over several, and for the wrapper of the own currency.
	Venue string
	// Batch says that several calls are made.
	Batch bool
}

const (
	batchMark = "batch"
	idMark    = "/"
)

// errSourceID says that a text is no quote's id.
var errSourceID = errors.New("not a quote's id")

// String is the id's text, such as `onchain/Uniswap`, `onchain/batch` or `kyberswap`.
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

// ParseSourceID reads what [SourceID.String] wrote.
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
	if id.Source == "" || len(rest) > 0 || slices.Contains(parts[1:], "") || (id.Source != onchain && len(parts) > 1) {
		return SourceID{}, errSourceID
	}
	return id, nil
}

// Hop is one pool on a path, for display.
type Hop struct {
	Pool     evm.Address
	Venue    string
	Kind     string
	Fee      float64 // in percent
	From, To evm.Address
}

// Path is a share of the amount, in percent, and its pools.
type Path struct {
	Share float64
	Hops  []Hop
}

// Offer is what one source would pay.
type Offer struct {
	ID SourceID
	// Out is expected and Min accepted, in base units of the bought token.
	Out, Min *uint256.Int
	// Gas is in units, GasPrice and NetworkFee in wei; NetworkFee has what a rollup asks for data.
	Gas        uint64
	GasPrice   *uint256.Int
	NetworkFee *uint256.Int
	// Fee is what the operator keeps, in base units of the bought token.
	Fee *uint256.Int
	// Spender must be allowed to take the sold token; zero: nobody must.
	Spender evm.Address
	// Confirmed says that the very calls were simulated and paid Out to the user, to a hundredth of a percent; Because says why not.
	Confirmed bool
	Because   string
	// Block is where it holds; 0 for a vendor.
	Block uint64
	// BoundBPS is the proven distance from the best, in hundredths of a percent; nil for a vendor.
	BoundBPS *float64
	// RouterBoundBPS is the same without pools that the offer's router cannot trade.
	RouterBoundBPS *float64
	// Impact is in percent; nil where it is not known.
	Impact *float64
	Route  []Path
	// Calls carry the swap out; nil in a vendor's offer that was not built.
	Calls    []execution.Call
	Deadline time.Time
	// approvals are what routers must be allowed to take; reset says that the token refuses to change an allowance.
	approvals []execution.Approval
	reset     bool
	// net is what is left of Out after gas, in base units of the bought token, for comparison only.
	net float64
}

// Rejection is why a source has no offer.
type Rejection struct {
	Source string
	Reason error
}

// Answer is the best offer, and what the others said.
type Answer struct {
	Best     Offer
	Others   []Offer
	Rejected []Rejection
}
