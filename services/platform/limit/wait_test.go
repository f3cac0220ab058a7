package limit_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// asked counts how often it is asked.
type asked struct {
	limit.Limiter
	times atomic.Int64
}

func (l *asked) Take(ctx context.Context, c limit.Caller, r limit.Rate, n int) time.Duration {
	l.times.Add(1)
	return l.Limiter.Take(ctx, c, r, n)
}

// A caller has thousands of connections, which all wait for its rate.
func TestManyWhoWaitForARateAskSeldom(t *testing.T) {
	const waiting = 2000
	synctest.Test(t, func(t *testing.T) {
		l := &asked{Limiter: limit.NewLocal(clock.System{}, 0)}
		r := limit.Rate{Name: "requests", PerSecond: 500, Burst: 100}
		begun := time.Now()
		var all sync.WaitGroup
		for range waiting {
			all.Go(func() {
				if err := limit.Wait(t.Context(), l, limit.CallerOf("p", "192.0.2.1"), r, 1); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		// It takes 3.8 seconds at the rate.
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("they waited %s", took)
		}
		if n := l.times.Load(); n > 100*waiting {
			t.Errorf("%d asked %d times", waiting, n)
		}
	})
}
