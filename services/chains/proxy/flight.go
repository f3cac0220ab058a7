package proxy

import (
	"context"
	"errors"
	"sync"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// flights joins concurrent equal reads.
type flights struct {
	memory *limit.Memory

	mu   sync.Mutex
	open map[string]*flight
}

func newFlights(m *limit.Memory) *flights { return &flights{memory: m, open: map[string]*flight{}} }

// flight is one read, for one caller or several. It is cancelled, and its bytes are given back, when the last of them leaves.
type flight struct {
	caller limit.Caller
	bytes  *limit.Bytes
	cancel context.CancelFunc
	// done is closed when outcome and err are set.
	done    chan struct{}
	outcome pool.Outcome
	err     error

	// users is guarded by the lock of flights.
	users int
}

// join returns the outcome of read, which may run for another caller already. A read that was refused bytes because of the other caller is
// repeated for this one.
func (f *flights) join(ctx context.Context, key string, read func(context.Context) (pool.Outcome, error)) (pool.Outcome, error) {
	who, _ := limit.From(ctx)
	it := f.enter(ctx, key, who, read)
	defer f.leave(key, it)
	select {
	case <-ctx.Done():
		return pool.Outcome{}, ctx.Err()
	case <-it.done:
	}
	if errors.Is(it.err, limit.ErrMemory) && it.caller.Network != who.Network {
		return f.join(ctx, key+" for "+who.Network.String(), read)
	}
	return it.outcome, it.err
}

// enter finds or starts the flight of a key.
func (f *flights) enter(ctx context.Context, key string, who limit.Caller, read func(context.Context) (pool.Outcome, error)) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	it := f.open[key]
	if it == nil {
		flying, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedTimeout)
		it = &flight{caller: who, bytes: f.memory.HoldAtMost(who, answerBudget), cancel: cancel, done: make(chan struct{})}
		f.open[key] = it
		flying = limit.WithBytes(flying, it.bytes)
		routine.Go(flying, func() error {
			it.err = routine.Call(flying, func() (err error) {
				it.outcome, err = read(flying)
				return err
			})
			// Later callers start a new flight.
			f.forget(key, it)
			close(it.done)
			return nil
		})
	}
	it.users++
	return it
}

func (f *flights) leave(key string, it *flight) {
	f.mu.Lock()
	it.users--
	last := it.users == 0
	if last && f.open[key] == it {
		delete(f.open, key)
	}
	f.mu.Unlock()
	if last {
		it.cancel()
		it.bytes.Close()
	}
}

func (f *flights) forget(key string, it *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open[key] == it {
		delete(f.open, key)
	}
}
