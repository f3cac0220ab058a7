package pool

import (
	"cmp"
	"slices"
	"time"
)

const (
	// maxLagTime is how far behind the newest block a node may be and still be tried for it. maxLagBlocks is the same
	// bound in blocks.
	maxLagTime   = 30 * time.Second
	maxLagBlocks = 8
	// A node whose latency is over slowFactor times that of the fastest, plus slowMargin, loses its place in the operator's order.
	slowFactor = 2
	slowMargin = 20 * time.Millisecond
)

// Ranks of nodes at one moment, the best first.
const (
	rankHealthy = iota
	rankSlow
	// rankFailing is the rank of a node of whose latest calls many failed, although not the last ones.
	rankFailing
	// rankOffHeight is the rank of a node below the chain's height, or so far above it that no other node confirms it.
	rankOffHeight
	rankAvoided
	rankBackingOff
)

// order lists the nodes to try, the best first, and reports whether the first is healthy.
func (p *Pool) order(c Call) (nodes []*Node, healthy bool) {
	now := p.clock.Now()
	states := make([]nodeState, 0, len(p.nodes))
	for _, n := range p.nodes {
		s := n.state(now)
		if p.canProbe() && s.identity != identityRight || s.forked {
			continue
		}
		states = append(states, s)
	}
	fastest := fastestOf(states)
	top, lag := p.height.get(), p.maxLag()
	least := max(c.MinHeight, min(c.minSlot, top))
	rank := func(s nodeState) int {
		switch {
		case s.backoff > 0:
			return rankBackingOff
		case slices.Contains(c.Avoid, s.node):
			return rankAvoided
		case s.head < top || len(p.nodes) > 1 && s.head-top > lag:
			return rankOffHeight
		case s.errors >= failingRate:
			return rankFailing
		case s.latency > slowFactor*fastest+slowMargin:
			return rankSlow
		default:
			return rankHealthy
		}
	}
	states = slices.DeleteFunc(states, func(s nodeState) bool {
		return s.head < least || c.NeedsNewest && s.head < top && top-s.head > lag || slices.Contains(c.exclude, s.node)
	})
	slices.SortStableFunc(states, func(a, b nodeState) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.backoff, b.backoff), cmp.Compare(a.node.index, b.node.index))
	})
	nodes = make([]*Node, len(states))
	for i, s := range states {
		nodes[i] = s.node
	}
	return nodes, len(states) > 0 && rank(states[0]) <= rankFailing
}

// canProbe reports whether the chain and the height of the chain's nodes can be requested.
func (p *Pool) canProbe() bool { return p.protocol.head != nil }

// maxLag returns how many blocks a node may be behind and still be tried for the newest block.
func (p *Pool) maxLag() uint64 {
	if p.chain.BlockTime <= 0 {
		return maxLagBlocks
	}
	return max(1, min(maxLagBlocks, uint64(maxLagTime/p.chain.BlockTime)))
}
