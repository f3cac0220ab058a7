package onramp

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/ramp"
)

// sellers are the providers, in the operator's order.
type sellers struct {
	// all lists them as they are now: those of the sandbox come and go with the local chains.
	all func() []ramp.Provider
	// patience is how long the slowest is waited for.
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

// behind returns the provider that sells under a seller's name, itself or as the marketplace that passes purchases on, and that seller's name
// for people.
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

// said is what one provider answered.
type said[T any] struct {
	by  ramp.Provider
	is  T
	err error
}

// everyone asks all providers that have a capability at once, and returns what they said within the patience, in the operator's order.
func everyone[Capability, T any](ctx context.Context, s sellers, question func(context.Context, Capability) (T, error)) []said[T] {
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
		said[T]
	}
	// Whoever answers too late finds room, and goes.
	answers := make(chan answer, len(asked))
	for i, p := range asked {
		routine.Ask(ctx, answers, func() answer {
			is, err := question(ctx, p.(Capability))
			return answer{i, said[T]{p, is, err}}
		}, func(err error) answer { return answer{i, said[T]{by: p, err: err}} })
	}
	all := make([]said[T], len(asked))
	for range asked {
		select {
		case a := <-answers:
			all[a.place] = a.said
		case <-ctx.Done():
			return late(ctx, asked, all)
		}
	}
	return all
}

// late says of those who did not answer why nobody waits for them any longer.
func late[T any](ctx context.Context, asked []ramp.Provider, all []said[T]) []said[T] {
	for i, p := range asked {
		if all[i].by == nil {
			all[i] = said[T]{by: p, err: ctx.Err()}
		}
	}
	return all
}
