package vendors

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// DefaultPatience is how long a panel waits for the slowest vendor.
const DefaultPatience = 1200 * time.Millisecond

// Panel asks all sources at once.
type Panel struct {
	members  []*member
	patience time.Duration
}

// member is a source and how it did lately.
type member struct {
	Source
	health health
}

// NewPanel returns a panel that waits so long for its slowest source.
func NewPanel(sources []Source, patience time.Duration, c clock.Clock, log *slog.Logger) *Panel {
	p := &Panel{patience: patience}
	for _, s := range sources {
		p.members = append(p.members, &member{s, health{name: s.Name(), clock: c, log: log}})
	}
	return p
}

// Answers is what a panel said.
type Answers struct {
	// Quotes are of those who pay something, best first.
	Quotes []Quote
	// Failures say why another vendor that serves the chain has no quote, by name.
	Failures map[string]error
}

type answer struct {
	vendor string
	quote  Quote
	err    error
}

// Ask asks every source that serves the chain, and returns when all have answered or the panel's patience is over. No failure fails the panel.
func (p *Panel) Ask(ctx context.Context, a Ask) Answers {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	all := Answers{Failures: map[string]error{}}
	// Whoever answers too late finds room, and goes.
	answers := make(chan answer, len(p.members))
	waiting := map[string]*member{}
	for _, m := range p.members {
		switch {
		case !m.Serves(a.ChainID):
		case m.health.resting():
			all.Failures[m.Name()] = fmt.Errorf("%s: %w", m.Name(), ErrResting)
		default:
			waiting[m.Name()] = m
			routine.Ask(ctx, answers, func() answer { return m.quote(ctx, a) },
				func(err error) answer {
					return answer{vendor: m.Name(), err: fmt.Errorf("%s: %w: %w", m.Name(), ErrBroken, err)}
				})
		}
	}
	for len(waiting) > 0 {
		select {
		case said := <-answers:
			delete(waiting, said.vendor)
			all.add(said)
		case <-ctx.Done():
			for name := range waiting {
				all.add(answer{vendor: name, err: fmt.Errorf("%s: %w: %w", name, ErrBroken, ctx.Err())})
			}
			waiting = nil
		}
	}
	slices.SortStableFunc(all.Quotes, func(x, y Quote) int { return cmp.Or(y.Out.Cmp(x.Out), cmp.Compare(x.Vendor, y.Vendor)) })
	return all
}

// AskOne asks one source by its name, even while it rests: whoever chose it waits for it.
func (p *Panel) AskOne(ctx context.Context, a Ask, vendor string) (Quote, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	m, err := p.member(vendor)
	if err != nil {
		return Quote{}, err
	}
	said := m.quote(ctx, a)
	return said.quote, said.err
}

// Build has the vendor of a quote make its transaction. Unlike a quote it is asked for even while the vendor rests.
func (p *Panel) Build(ctx context.Context, a Ask, q Quote) (Transaction, error) {
	m, err := p.member(q.Vendor)
	if err != nil {
		return Transaction{}, err
	}
	t, err := m.Build(ctx, a, q)
	m.health.noteBuild(ctx, err)
	return t, err
}

func (p *Panel) member(vendor string) (*member, error) {
	for _, m := range p.members {
		if m.Name() == vendor {
			return m, nil
		}
	}
	return nil, fmt.Errorf("%w: no vendor %q is asked", ErrRejected, vendor)
}

func (m *member) quote(ctx context.Context, a Ask) answer {
	q, err := m.Quote(ctx, a)
	m.health.note(ctx, err)
	return answer{m.Name(), q, err}
}

func (a *Answers) add(said answer) {
	if said.err != nil {
		a.Failures[said.vendor] = said.err
		return
	}
	a.Quotes = append(a.Quotes, said.quote)
}
