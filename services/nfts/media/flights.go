package media

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

// linger is how long work continues after the last of its callers left: so that a document which comes a little later than a listing waits is there
// for the next one.
const linger = time.Second

// flights shares one run of work between concurrent callers, and cancels it when no caller waits any more. It is safe for concurrent use.
type flights[V any] struct {
	linger time.Duration

	mu   sync.Mutex
	runs map[string]*flight[V]
}

// flight is one run of work.
type flight[V any] struct {
	key    string
	party  *party
	done   chan struct{}
	value  V
	err    error
	cancel context.CancelFunc

	waiting int
	// leaving cancels the run, unless another caller comes.
	leaving *time.Timer
}

func newFlights[V any]() *flights[V] {
	return &flights[V]{linger: linger, runs: map[string]*flight[V]{}}
}

// do returns the result of the run for a key, which it starts if none is in progress. A run that waits continues in the turn of any caller that joined
// it; one that was refused because of another caller is repeated for this one. The error is that of work or of ctx.
func (s *flights[V]) do(ctx context.Context, key string, by turn, work func(context.Context, *party) (V, error)) (V, error) {
	f := s.join(ctx, key, by, work)
	defer s.leave(f, by)
	select {
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	case <-f.done:
	}
	if errors.Is(f.err, errBusy) && !f.party.isOf(by) {
		return s.do(ctx, key+" for "+by.caller.Network.String(), by, work)
	}
	return f.value, f.err
}

func (s *flights[V]) join(ctx context.Context, key string, by turn, work func(context.Context, *party) (V, error)) *flight[V] {
	s.mu.Lock()
	f := s.runs[key]
	if f == nil {
		defer s.mu.Unlock()
		return s.start(ctx, key, by, work)
	}
	f.waiting++
	if f.leaving != nil {
		f.leaving.Stop()
	}
	s.mu.Unlock()
	f.party.join(by)
	return f
}

// start starts a run. The caller holds mu.
func (s *flights[V]) start(ctx context.Context, key string, by turn, work func(context.Context, *party) (V, error)) *flight[V] {
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight[V]{key: key, party: newParty(by), done: make(chan struct{}), cancel: cancel, waiting: 1}
	s.runs[key] = f
	routine.Go(run, func() error {
		defer cancel()
		f.err = routine.Call(run, func() (err error) {
			f.value, err = work(run, f.party)
			return err
		})
		s.mu.Lock()
		s.remove(f)
		s.mu.Unlock()
		close(f.done)
		return nil
	})
	return f
}

func (s *flights[V]) leave(f *flight[V], by turn) {
	f.party.leave(by)
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		f.leaving = time.AfterFunc(s.linger, func() { s.end(f) })
	}
}

// end cancels a run that no caller waits for.
func (s *flights[V]) end(f *flight[V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.waiting == 0 {
		s.remove(f)
		f.cancel()
	}
}

// remove makes the next call for the key of a run start another one. The caller holds mu.
func (s *flights[V]) remove(f *flight[V]) {
	if s.runs[f.key] == f {
		delete(s.runs, f.key)
	}
}
