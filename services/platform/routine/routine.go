// Package routine starts goroutines whose panics do not end the process: a panic is recovered, counted, logged with its stack and trace ids,
// and returned to the owner of the goroutine as an error.
//
// Its types replace those of sync, errgroup and singleflight, whose goroutines end the process. No other package starts goroutines.
package routine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"
)

// panics counts the panics that were recovered: hawser_panics_total.
var panics = sync.OnceValue(func() metric.Int64Counter {
	counter, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter("hawser.panics", metric.WithDescription("Panics that were recovered"))
	if err != nil {
		otel.Handle(err)
	}
	return counter
})

// Measure exports the counter of panics with the value 0, so that Prometheus sees the first panic as an increase.
func Measure(ctx context.Context) { panics().Add(ctx, 0) }

// Recovered counts and logs a panic, and returns it as an error; value is what recover returned. Call it where the panic is recovered, so
// that the stack is that of the panic.
func Recovered(ctx context.Context, value any) error {
	panics().Add(ctx, 1)
	slog.ErrorContext(ctx, "panic", "panic", fmt.Sprint(value), "stack", string(debug.Stack()))
	return fmt.Errorf("panic: %v", value)
}

// Call runs work and returns its error, or its panic as one.
func Call(ctx context.Context, work func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Recovered(ctx, p)
		}
	}()
	return work()
}

// Go runs work in a new goroutine. The channel receives its error or panic; it is buffered, so it need not be read.
func Go(ctx context.Context, work func() error) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- Call(ctx, work) }()
	return ended
}

// Send runs work in a new goroutine and sends its result. If work panics, it sends the result of failed.
func Send[T any](ctx context.Context, answers chan<- T, work func() T, failed func(error) T) {
	go func() {
		var answer T
		if err := Call(ctx, func() error { answer = work(); return nil }); err != nil {
			answer = failed(err)
		}
		answers <- answer
	}()
}

// Result is what one call of [Collect] returned.
type Result[T any] struct {
	Value T
	Err   error
}

// Collect calls work with every index below n at once, each in a new goroutine, and returns the results in the order of
// the indexes: when all calls have returned, or when ctx ends. The result of a call that has not returned when ctx ends
// is the error of ctx. A panic is the error of its call.
func Collect[T any](ctx context.Context, n int, work func(i int) (T, error)) []Result[T] {
	type indexed struct {
		index int
		Result[T]
	}
	// Buffered, so that late calls do not leak.
	returned := make(chan indexed, n)
	all := make([]Result[T], n)
	for i := range n {
		all[i].Err = errPending
		Send(ctx, returned, func() indexed {
			value, err := work(i)
			return indexed{i, Result[T]{value, err}}
		}, func(err error) indexed { return indexed{i, Result[T]{Err: err}} })
	}
	for range n {
		select {
		case r := <-returned:
			all[r.index] = r.Result
		case <-ctx.Done():
			for i := range all {
				if errors.Is(all[i].Err, errPending) {
					all[i].Err = ctx.Err()
				}
			}
			return all
		}
	}
	return all
}

// errPending marks the results of calls that have not returned.
var errPending = errors.New("the call has not returned")

// WaitGroup waits for goroutines, as sync.WaitGroup does.
type WaitGroup struct{ running sync.WaitGroup }

// Go runs work in a new goroutine. If work panics, it calls each of failed.
func (g *WaitGroup) Go(ctx context.Context, work func(), failed ...func(error)) {
	g.running.Go(func() {
		err := Call(ctx, func() error { work(); return nil })
		if err == nil {
			return
		}
		for _, f := range failed {
			f(err)
		}
	})
}

// Add adds to the count of running work; [WaitGroup.Done] subtracts from it.
func (g *WaitGroup) Add(delta int) { g.running.Add(delta) }

// Done subtracts 1 from the count of running work.
func (g *WaitGroup) Done() { g.running.Done() }

// Wait waits until all work has ended.
func (g *WaitGroup) Wait() { g.running.Wait() }

// Group runs goroutines that fail together, as errgroup.Group does: Wait returns the first error, or panic.
type Group struct {
	group *errgroup.Group
	ctx   context.Context
}

// NewGroup returns a group, and a context that ends when the first of its goroutines fails or all have ended.
func NewGroup(ctx context.Context) (*Group, context.Context) {
	g, ctx := errgroup.WithContext(ctx)
	return &Group{g, ctx}, ctx
}

// SetLimit bounds how many goroutines run at once.
func (g *Group) SetLimit(n int) { g.group.SetLimit(n) }

// Go runs work in a new goroutine, once the limit permits it.
func (g *Group) Go(work func() error) {
	g.group.Go(func() error { return Call(g.ctx, work) })
}

// Wait waits until all goroutines have ended, and returns the first error.
func (g *Group) Wait() error { return g.group.Wait() }

// Flights shares one run of work between concurrent callers, as singleflight.Group does.
type Flights struct{ flights singleflight.Group }

// DoChan runs work unless a run for the key is in progress, and returns a channel that receives the result of that run.
func (f *Flights) DoChan(ctx context.Context, key string, work func() (any, error)) <-chan singleflight.Result {
	return f.flights.DoChan(key, func() (result any, err error) {
		failed := Call(ctx, func() error {
			result, err = work()
			return nil
		})
		if failed != nil {
			return nil, failed
		}
		return result, err
	})
}

// Forget makes the next call for a key run its own work.
func (f *Flights) Forget(key string) { f.flights.Forget(key) }
