package pools

import (
	"context"
	"time"
)

const (
	// auditEvery is how often auditPools pools are compared with the chain, in turn.
	auditEvery = time.Minute
	auditPools = 100
)

// auditor is the position of the audit.
type auditor struct {
	last time.Time
	next int
}

// audit compares the state of some pools with the chain. A difference means that a node withheld logs: all pools are then read again.
func (f *tracker) audit(ctx context.Context) error {
	w := f.state
	if f.clock.Now().Sub(f.auditor.last) < auditEvery || len(w.entries) == 0 {
		return nil
	}
	f.auditor.last = f.clock.Now()
	var places []int
	var onChain []entry
	for range min(auditPools, len(w.entries)) {
		f.auditor.next = (f.auditor.next + 1) % len(w.entries)
		if e := w.entries[f.auditor.next]; e.state != nil {
			places, onChain = append(places, f.auditor.next), append(onChain, e)
		}
	}
	if err := f.node.readHeads(ctx, w.head.number, pointers(onChain)); err != nil {
		return err
	}
	for i, place := range places {
		if !agree(w.entries[place].state, onChain[i].state) {
			f.log.Warn("the state of a pool differs from its logs; all are read again",
				"pool", onChain[i].Address.String(), "block", w.head.number, "since", w.entries[place].since)
			w.restart(w.head)
			return f.node.rereadStale(ctx, w)
		}
	}
	return nil
}

// agree compares a stored state with one that was read without ticks.
func agree(kept, onChain state) bool {
	k, okKept := kept.(*position)
	s, okOnChain := onChain.(*position)
	if !okKept || !okOnChain {
		return kept != nil && onChain != nil && kept.equal(onChain)
	}
	return k.sqrtPrice == s.sqrtPrice && k.liquidity == s.liquidity && k.tick == s.tick
}
