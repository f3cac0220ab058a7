package quota

import (
	"sync"
	"time"
)

// pace gives those that come turns, in the order in which they come: some at once, and the others one after the other. It is safe for concurrent use.
type pace struct {
	// every is the time between two turns, and early how long before its turn one may begin if few have come before.
	every, early time.Duration
	// longest is how long one waits at most.
	longest time.Duration

	mu sync.Mutex
	// next is when the next turn is.
	next time.Time
}

// newPace returns a pace of so many turns a second. As many as come in half a second have their turns at once if none came before.
func newPace(perSecond float64, longest time.Duration) *pace {
	return &pace{every: time.Duration(float64(time.Second) / perSecond), early: time.Second / 2, longest: longest}
}

// reserve takes a turn, and returns how long it is until then. One that would wait for longer than the longest time waits as long, and takes no turn.
func (p *pace) reserve(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if earliest := now.Add(-p.early); p.next.Before(earliest) {
		p.next = earliest
	}
	wait := p.next.Sub(now)
	if wait > p.longest {
		return p.longest
	}
	p.next = p.next.Add(p.every)
	return max(0, wait)
}
