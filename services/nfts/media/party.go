package media

import (
	"slices"
	"sync"
)

// party is the callers that wait for one run of work, which may run in the turn of any of them. It is safe for concurrent use.
type party struct {
	mu    sync.Mutex
	turns []turn
	// charged is the turn that the work runs in; until it runs, the one that began it.
	charged turn
	// slots is what the work waits for, if it does.
	slots *slots
}

func newParty(by turn) *party { return &party{turns: []turn{by}, charged: by} }

// join adds a caller.
func (p *party) join(by turn) {
	p.mu.Lock()
	p.turns = append(p.turns, by)
	s := p.slots
	p.mu.Unlock()
	if s != nil {
		s.retry()
	}
}

// leave removes a caller.
func (p *party) leave(by turn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.turns, by); i >= 0 {
		p.turns = slices.Delete(p.turns, i, i+1)
	}
}

// waiting returns the callers.
func (p *party) waiting() []turn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.turns)
}

func (p *party) waitFor(s *slots) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slots = s
}

func (p *party) charge(by turn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.charged, p.slots = by, nil
}

// isOf reports whether the work runs in a turn of the caller's network.
func (p *party) isOf(by turn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.charged.caller.Network == by.caller.Network
}
