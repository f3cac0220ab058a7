package catalog

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/ramp"
)

// Sellers are the providers, in their order of preference.
type Sellers struct {
	// All returns the current providers: those of the sandbox depend on the local chains.
	All func() []ramp.Provider
	// Patience bounds the wait for the slowest.
	Patience time.Duration
}

// Named returns the provider of a name.
func (s Sellers) Named(name string) (ramp.Provider, bool) {
	all := s.All()
	i := slices.IndexFunc(all, func(p ramp.Provider) bool { return p.Name() == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}

// Behind returns the provider of a seller, which is the seller itself or a marketplace, and the seller's display name.
func (s Sellers) Behind(ctx context.Context, seller string) (p ramp.Provider, title string, ok bool) {
	all := s.All()
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

// Result is the response of one provider.
type Result[T any] struct {
	Provider ramp.Provider
	Value    T
	Err      error
}

// QueryAll calls all providers that have a capability at once, and returns their results in order. Those that do not respond within the
// patience fail with the error of the deadline.
func QueryAll[Capability, T any](ctx context.Context, s Sellers, question func(context.Context, Capability) (T, error)) []Result[T] {
	ctx, cancel := context.WithTimeout(ctx, s.Patience)
	defer cancel()
	var asked []ramp.Provider
	for _, p := range s.All() {
		if _, able := p.(Capability); able {
			asked = append(asked, p)
		}
	}
	type answer struct {
		place int
		Result[T]
	}
	// Buffered, so late responses do not leak a goroutine.
	answers := make(chan answer, len(asked))
	for i, p := range asked {
		routine.Send(ctx, answers, func() answer {
			is, err := question(ctx, p.(Capability))
			return answer{i, Result[T]{p, is, err}}
		}, func(err error) answer { return answer{i, Result[T]{Provider: p, Err: err}} })
	}
	all := make([]Result[T], len(asked))
	for range asked {
		select {
		case a := <-answers:
			all[a.place] = a.Result
		case <-ctx.Done():
			return timedOut(ctx, asked, all)
		}
	}
	return all
}

// timedOut fills in the error of the providers that did not respond.
func timedOut[T any](ctx context.Context, asked []ramp.Provider, all []Result[T]) []Result[T] {
	for i, p := range asked {
		if all[i].Provider == nil {
			all[i] = Result[T]{Provider: p, Err: ctx.Err()}
		}
	}
	return all
}
