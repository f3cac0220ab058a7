package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/ramp"
)

// Shelf keeps lists that change rarely. Many who want the same one at once ask once; a failure is not kept.
type Shelf[T any] struct {
	clock    clock.Clock
	lifetime time.Duration
	ask      routine.Flights

	mu   sync.Mutex
	kept map[string]keptList[T]
}

type keptList[T any] struct {
	list  T
	until time.Time
}

// shelfLimit is how many lists are kept: more than there are countries.
const shelfLimit = 512

// NewShelf returns a shelf that keeps lists for so long.
func NewShelf[T any](c clock.Clock, lifetime time.Duration) *Shelf[T] {
	return &Shelf[T]{clock: c, lifetime: lifetime, kept: map[string]keptList[T]{}}
}

// Get returns the list of a key, asking for it if it is not there. What is asked is not given up when one of those who wait leaves.
func (s *Shelf[T]) Get(ctx context.Context, key string, ask func(context.Context) (T, error)) (T, error) {
	if list, ok := s.find(key); ok {
		return list, nil
	}
	asked := s.ask.DoChan(ctx, key, func() (any, error) {
		list, err := ask(context.WithoutCancel(ctx))
		if err == nil {
			s.keep(key, list)
		}
		return list, err
	})
	select {
	case <-ctx.Done():
		var none T
		return none, gone(ctx)
	case answer := <-asked:
		list, _ := answer.Val.(T)
		return list, answer.Err
	}
}

func (s *Shelf[T]) find(key string) (T, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.kept[key]
	return k.list, ok && s.clock.Now().Before(k.until)
}

func (s *Shelf[T]) keep(key string, list T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= shelfLimit {
		clear(s.kept)
	}
	s.kept[key] = keptList[T]{list, s.clock.Now().Add(s.lifetime)}
}

// gone is why somebody does not wait any longer.
func gone(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fmt.Errorf("%w: %w", ramp.ErrUnavailable, ctx.Err())
}
