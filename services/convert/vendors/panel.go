package vendors

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// DefaultPatience is the default deadline of a panel.
const DefaultPatience = 1200 * time.Millisecond

// Panel requests quotes from all sources in parallel.
type Panel struct {
	members []*member
	// patience is how long sources have to answer.
	patience time.Duration
}

// member is a source and its recent failures.
type member struct {
	Source
	health health
}

// NewPanel returns a panel whose sources have patience to answer.
func NewPanel(sources []Source, patience time.Duration, c clock.Clock, log *slog.Logger) *Panel {
	p := &Panel{patience: patience}
	for _, s := range sources {
		p.members = append(p.members, &member{s, health{name: s.Name(), clock: c, log: log}})
	}
	return p
}

// Status describes the sources, for operators.
func (p *Panel) Status() (described []*statusv1.Vendor) {
	for _, m := range p.members {
		pause := m.health.pause()
		described = append(described, &statusv1.Vendor{Kind: "swap", Name: m.Name(), PausedSeconds: int64((pause + time.Second - 1) / time.Second)})
	}
	return described
}

// Answers are the results of all sources.
type Answers struct {
	// Quotes are sorted by output, the largest first.
	Quotes []Quote
	// Failures are the errors of the other sources that serve the chain, by vendor.
	Failures map[string]error
}

// Quotes requests a quote from every source that serves the chain. It returns when all have answered, or at the deadline.
func (p *Panel) Quotes(ctx context.Context, r Request) Answers {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	all := Answers{Failures: map[string]error{}}
	var requested []*member
	for _, m := range p.members {
		switch {
		case !m.Serves(r.ChainID):
		case m.health.paused(), m.health.avoids(r):
			all.Failures[m.Name()] = fmt.Errorf("%s: %w", m.Name(), ErrPaused)
		default:
			requested = append(requested, m)
		}
	}
	type outcome struct {
		quote Quote
		err   error
	}
	outcomes := routine.Collect(ctx, len(requested), func(i int) (outcome, error) {
		q, err := requested[i].quote(ctx, r)
		return outcome{q, err}, nil
	})
	for i, o := range outcomes {
		name := requested[i].Name()
		switch {
		case o.Err != nil:
			all.Failures[name] = fmt.Errorf("%s: %w: %w", name, ErrBroken, o.Err)
		case o.Value.err != nil:
			all.Failures[name] = o.Value.err
		default:
			all.Quotes = append(all.Quotes, o.Value.quote)
		}
	}
	slices.SortStableFunc(all.Quotes, func(x, y Quote) int { return cmp.Or(y.Out.Cmp(x.Out), cmp.Compare(x.Vendor, y.Vendor)) })
	return all
}

// Quote requests a quote from one source by its name, even if it is paused.
func (p *Panel) Quote(ctx context.Context, r Request, vendor string) (Quote, error) {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	m, err := p.member(vendor)
	if err != nil {
		return Quote{}, err
	}
	return m.quote(ctx, r)
}

// Build requests the transaction of a quote from its vendor, even if it is paused.
func (p *Panel) Build(ctx context.Context, r Request, q Quote) (Transaction, error) {
	m, err := p.member(q.Vendor)
	if err != nil {
		return Transaction{}, err
	}
	t, err := m.Build(ctx, r, q)
	m.health.noteBuild(ctx, r, err)
	return t, err
}

func (p *Panel) member(vendor string) (*member, error) {
	for _, m := range p.members {
		if m.Name() == vendor {
			return m, nil
		}
	}
	return nil, fmt.Errorf("%w: no vendor %q is configured", ErrRejected, vendor)
}

func (m *member) quote(ctx context.Context, r Request) (Quote, error) {
	q, err := m.Quote(ctx, r)
	m.health.note(ctx, err)
	return q, err
}
