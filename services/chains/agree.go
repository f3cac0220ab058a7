package chains

import (
	"cmp"
	"slices"
	"time"
)

// clockMargin is how far the clocks of nodes and of this machine may differ.
const clockMargin = 5 * time.Second

// decide chooses the chain's head among what its nodes showed, and reports whether two of them bear it out; nil is none that can be
// believed.
//
// The head is the highest block that a second node supports: of the nodes that are next to one another (no further apart than a node may
// lag), the lower of the first two. A node that stands alone is believed when there is no such pair, but only as far above what two nodes
// showed last as blocks were due; and among several that stand alone, the lowest whose block is recent, so that neither a node that stands
// still nor one that runs ahead decides.
func (p *pool) decide(answers []probed) (best *probed, agreed bool) {
	if len(answers) == 0 {
		return nil, false
	}
	answers = slices.Clone(answers)
	slices.SortStableFunc(answers, func(a, b probed) int {
		return cmp.Or(cmp.Compare(b.head.number, a.head.number), cmp.Compare(a.node.place, b.node.place))
	})
	for i := range answers[1:] {
		if number := answers[i+1].head.number; answers[i].head.number-number <= p.lagAllowed() {
			return p.atHeight(answers, number)
		}
	}
	return p.alone(answers), false
}

// atHeight chooses among the heads of one number: the one that most nodes bear out, by showing it or a child of it; then the one that is known, so that
// two nodes that disagree do not make the chain waver; then that of the preferred node.
func (p *pool) atHeight(answers []probed, number uint64) (best *probed, agreed bool) {
	known, most := p.looks.last().hash, 0
	for i, a := range answers {
		if a.head.number != number {
			continue
		}
		support := 0
		for _, other := range answers {
			if other.head.hash == a.head.hash || other.head.parentHash == a.head.hash {
				support++
			}
		}
		if support > most || support == most && a.head.hash == known {
			best, most = &answers[i], support
		}
	}
	return best, most > 1
}

// alone chooses among nodes each of which stands alone.
func (p *pool) alone(answers []probed) *probed {
	now := p.clock.Now()
	var believed []*probed
	for i, a := range answers {
		if len(p.nodes) == 1 || p.network.Dev || p.height.isPlausible(a.head.number, p.network.BlockTime, now) {
			believed = append(believed, &answers[i])
		}
	}
	if len(believed) == 0 {
		return nil
	}
	if p.network.Dev {
		// Its owner moves its clock as well.
		return believed[0]
	}
	for _, a := range slices.Backward(believed) {
		if p.isRecent(a.head, now) {
			return a
		}
	}
	return believed[0]
}

// isRecent reports whether a block is about as young as the newest block of a chain that moves, given that clocks differ.
func (p *pool) isRecent(h head, now time.Time) bool {
	return now.Sub(time.Unix(h.timestamp, 0)).Abs() <= clockMargin+time.Duration(p.lagAllowed()+2)*p.network.BlockTime
}
