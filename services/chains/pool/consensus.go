package pool

import (
	"cmp"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/chains/rpc"
)

// clockMargin is how far the clocks of nodes and of this machine may differ.
const clockMargin = 5 * time.Second

// chooseHead selects the chain's head among the heads that its nodes returned, and reports whether two nodes support
// it; it returns nil if no head is plausible.
//
// The head is the highest block that a second node supports: of the first two nodes whose heads are at most maxLag
// apart, the lower one. Without such a pair a single node is trusted, but only up to the height that the last agreed
// height can have grown to. Among several of them it is the lowest whose block is recent, or, on chains whose heads
// have no timestamp, the lowest that moved since its last probe, so that neither a stalled node nor one that runs ahead
// decides.
func (p *Pool) chooseHead(results []probeResult) (best *probeResult, agreed bool) {
	if len(results) == 0 {
		return nil, false
	}
	results = slices.Clone(results)
	slices.SortStableFunc(results, func(a, b probeResult) int {
		return cmp.Or(cmp.Compare(b.head.Number, a.head.Number), cmp.Compare(a.node.index, b.node.index))
	})
	for i := range results[1:] {
		if number := results[i+1].head.Number; results[i].head.Number-number <= p.maxLag() {
			best, agreed = p.chooseHash(results, number)
			// Slots of Solana have no parent hash by which a later slot could confirm an earlier one.
			return best, agreed || p.chain.IsSolana() && results[i].head.Number > number
		}
	}
	return p.chooseSingle(results), false
}

// chooseHash selects among the heads with one number: the one with the most support, by nodes that return it or a child
// of it; then the known one, so that two nodes that disagree do not make the chain alternate; then that of the
// preferred node.
func (p *Pool) chooseHash(results []probeResult, number uint64) (best *probeResult, agreed bool) {
	known, most := p.probes.lastHead().Hash, 0
	for i, r := range results {
		if r.head.Number != number {
			continue
		}
		support := 0
		for _, other := range results {
			if other.head.Hash == r.head.Hash || other.head.ParentHash == r.head.Hash {
				support++
			}
		}
		if support > most || support == most && r.head.Hash == known {
			best, most = &results[i], support
		}
	}
	return best, most > 1
}

// chooseSingle selects among heads that no second node supports.
func (p *Pool) chooseSingle(results []probeResult) *probeResult {
	now := p.clock.Now()
	var plausible []*probeResult
	for i, r := range results {
		if len(p.nodes) == 1 || p.chain.Dev || p.height.isPlausible(r.head.Number, p.chain.BlockTime, now) {
			plausible = append(plausible, &results[i])
		}
	}
	if len(plausible) == 0 {
		return nil
	}
	if p.chain.Dev {
		// The owner of a development chain moves its clock too.
		return plausible[0]
	}
	for _, r := range slices.Backward(plausible) {
		if p.isRecent(r.head, now) || !p.chain.IsEVM() && r.moved {
			return r
		}
	}
	return plausible[0]
}

// isRecent reports whether a block is about as recent as the newest block of a growing chain, allowing for clock
// differences. It is false for a block without a timestamp.
func (p *Pool) isRecent(h rpc.Head, now time.Time) bool {
	if h.Timestamp == 0 {
		return false
	}
	return now.Sub(time.Unix(h.Timestamp, 0)).Abs() <= clockMargin+time.Duration(p.maxLag()+2)*p.chain.BlockTime
}
