package onramp

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/ramp"
)

// sellers are the providers, in their order of preference.
type sellers struct {
	// all returns the current providers: those of the sandbox depend on the local chains.
	all func() []ramp.Provider
	// patience bounds the wait for the slowest.
	patience time.Duration
}

// named returns the provider of a name.
func (s sellers) named(name string) (ramp.Provider, bool) {
	all := s.all()
	i := slices.IndexFunc(all, func(p ramp.Provider) bool { return p.Name() == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}

// behind returns the provider of a seller, which is the seller itself or a marketplace, and the seller's display name.
func (s sellers) behind(ctx context.Context, seller string) (p ramp.Provider, title string, ok bool) {
	all := s.all()
	for _, p := range all {
		if strings.EqualFold(p.Name(), seller) {
			return p, p.Profile().Title, true
		}
	}
	for _, p := range all {
		m, ok := p.(ramp.Marketplace)
		if !ok {
			continue
		}
		if title, ok := m.Resells(ctx, seller); ok {
			return p, title, true
		}
	}
	return nil, "", false
}

// result is the response of one provider.
type result[T any] struct {
	by  ramp.Provider
	is  T
	err error
}

// queryAll calls all providers that have a capability at once, and returns their results in order. Those that do not respond within the
// patience fail with the error of the deadline.
func queryAll[Capability, T any](ctx context.Context, s sellers, question func(context.Context, Capability) (T, error)) []result[T] {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	var asked []ramp.Provider
	for _, p := range s.all() {
		if _, able := p.(Capability); able {
			asked = append(asked, p)
		}
	}
	type answer struct {
		place int
		result[T]
	}
	// Buffered, so late responses do not leak a goroutine.
	answers := make(chan answer, len(asked))
	for i, p := range asked {
		routine.Send(ctx, answers, func() answer {
			is, err := question(ctx, p.(Capability))
			return answer{i, result[T]{p, is, err}}
		}, func(err error) answer { return answer{i, result[T]{by: p, err: err}} })
	}
	all := make([]result[T], len(asked))
	for range asked {
		select {
		case a := <-answers:
			all[a.place] = a.result
		case <-ctx.Done():
			return timedOut(ctx, asked, all)
		}
	}
	return all
}

// timedOut fills in the error of the providers that did not respond.
func timedOut[T any](ctx context.Context, asked []ramp.Provider, all []result[T]) []result[T] {
	for i, p := range asked {
		if all[i].by == nil {
			all[i] = result[T]{by: p, err: ctx.Err()}
		}
	}
	return all
}
