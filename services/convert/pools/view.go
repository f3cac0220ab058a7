package pools

import (
	"time"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Kind is the arithmetic of a pool.
type Kind uint8

// The kinds of pools.
const (
	// V2 is a constant-product pool, as of Uniswap v2.
	V2 Kind = iota + 2
	// V3 has liquidity concentrated between ticks, as of Uniswap v3.
	V3
	// Algebra is V3 with a fee that changes in the first swap of a block, as of Algebra V1.
	Algebra
)

// String returns v2, v3 or algebra.
func (k Kind) String() string { return kindNames[k] }

var kindNames = map[Kind]string{V2: "v2", V3: "v3", Algebra: "algebra"}

// Block is the block of a view.
type Block struct {
	Number uint64
	// Hash is 0x and 64 hex digits.
	Hash string
	// Time is the block's timestamp.
	Time time.Time
}

// Pool holds the properties of a pool that never change.
type Pool struct {
	Address evm.Address
	// Token0 and Token1 are in the order of their addresses.
	Token0, Token1 evm.Address
	// Venue is its index in the chain's venues.
	Venue int
	Kind  Kind
	// Fee is in hundredths of a basis point; 0 if it changes, see [View.Fee].
	Fee uint32
}

// View is the graph of one chain at one block. It is immutable and safe for concurrent use.
type View struct {
	Chain dex.Chain
	Block Block
	// Checked is when a node last reported Block as the newest; the age of the view is measured from it.
	Checked time.Time
	Graph   *route.Graph

	layout *Layout
}

// Layout maps tokens and pools to their indexes in a graph. Views of successive blocks share it.
type Layout struct {
	places map[evm.Address]route.Token
	tokens []evm.Address
	pools  []Pool
}

// NewLayout returns the layout of a graph whose tokens and pools have the given order.
func NewLayout(tokens []evm.Address, pools []Pool) *Layout {
	l := &Layout{places: make(map[evm.Address]route.Token, len(tokens)), tokens: tokens, pools: pools}
	for i, token := range tokens {
		l.places[token] = route.Token(i)
	}
	return l
}

// NewView returns the view of a graph, which was not checked yet.
func NewView(chain dex.Chain, block Block, graph *route.Graph, l *Layout) *View {
	return &View{Chain: chain, Block: block, Graph: graph, layout: l}
}

// Token returns a token's index in the graph; that of the wrapped token for the native currency. It returns false for a
// token without pools.
func (v *View) Token(a evm.Address) (route.Token, bool) {
	if a == evm.Native {
		a = v.Chain.Wrapped
	}
	t, ok := v.layout.places[a]
	return t, ok
}

// Address returns the token at an index of the graph.
func (v *View) Address(t route.Token) evm.Address { return v.layout.tokens[t] }

// Pool returns the pool at an index of the graph.
func (v *View) Pool(i int) Pool { return v.layout.pools[i] }

// Fee returns the fee of the pool at an index of the graph at the view's block, in hundredths of a basis point.
func (v *View) Fee(i int) uint32 {
	if p := v.Pool(i); p.Kind != Algebra {
		return p.Fee
	}
	if m, ok := v.Graph.Pool(i).Model.(*route.Concentrated); ok {
		return m.Fee()
	}
	return 0
}

// Pools returns the number of pools in the graph.
func (v *View) Pools() int { return len(v.layout.pools) }
