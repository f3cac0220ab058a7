package pools

import (
	"context"
	"time"
)

const (
	// auditEvery is how often some pools are read although nothing is in doubt, and auditPools how many: each in its turn.
	auditEvery = time.Minute
	auditPools = 100
)

// auditor goes round the pools.
type auditor struct {
	last time.Time
	next int
}

// audit compares what some pools are kept to hold with what they say. A node that keeps back logs is found out here, and then everything is
// read again.
func (f *tracker) audit(ctx context.Context) error {
	w := f.state
	if f.clock.Now().Sub(f.auditor.last) < auditEvery || len(w.entries) == 0 {
		return nil
	}
	f.auditor.last = f.clock.Now()
	var places []int
	var said []entry
	for range min(auditPools, len(w.entries)) {
		f.auditor.next = (f.auditor.next + 1) % len(w.entries)
		if e := w.entries[f.auditor.next]; e.state != nil {
			places, said = append(places, f.auditor.next), append(said, e)
		}
	}
	if err := f.node.readHeads(ctx, w.head.number, pointers(said)); err != nil {
		return err
	}
	for i, place := range places {
		if !agree(w.entries[place].state, said[i].state) {
			f.log.Warn("a pool holds something else than the logs of blocks told; all are read again",
				"pool", said[i].Address.String(), "block", w.head.number, "since", w.entries[place].since)
			w.restart(w.head)
			return f.node.clear(ctx, w)
		}
	}
	return nil
}

// agree compares a state with one that was read without its ticks.
func agree(kept, said state) bool {
	k, okKept := kept.(*position)
	s, okSaid := said.(*position)
	if !okKept || !okSaid {
		return kept != nil && said != nil && kept.equal(said)
	}
	return k.sqrtPrice == s.sqrtPrice && k.liquidity == s.liquidity && k.tick == s.tick
}
