package catalog

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Sellers are the providers, in their order of preference.
type Sellers struct {
	// All returns the current providers: those of the sandbox depend on the local chains.
	All func() []ramp.Provider
	// Patience bounds the wait for the slowest.
	Patience time.Duration
}

// Provider returns the provider with a name.
func (s Sellers) Provider(name string) (ramp.Provider, bool) {
	all := s.All()
	i := slices.IndexFunc(all, func(p ramp.Provider) bool { return p.Name() == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}

// ProviderOf returns the provider of a seller, which is the seller itself or a marketplace, and the seller's display name.
func (s Sellers) ProviderOf(ctx context.Context, seller string) (p ramp.Provider, title string, ok bool) {
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

// QueryAll calls all providers that have a capability in parallel, and returns their results in the order of the
// providers. It waits at most Patience; the result of a provider that has not returned by then is the error of the
// context.
func QueryAll[Capability, T any](ctx context.Context, s Sellers, query func(context.Context, Capability) (T, error)) []Result[T] {
	ctx, cancel := context.WithTimeout(ctx, s.Patience)
	defer cancel()
	var able []ramp.Provider
	for _, p := range s.All() {
		if _, ok := p.(Capability); ok {
			able = append(able, p)
		}
	}
	all := make([]Result[T], len(able))
	for i, r := range routine.Collect(ctx, len(able), func(i int) (T, error) { return query(ctx, able[i].(Capability)) }) {
		all[i] = Result[T]{able[i], r.Value, r.Err}
	}
	return all
}
