package vendors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// DefaultPatience is the default deadline of a panel.
const DefaultPatience = 1200 * time.Millisecond

const (
	// quoteTurn is the part of the patience of a panel that a request for quotes waits for its turn, as a divisor.
	quoteTurn = 2
	// buildTurn is how long a request of one quote or transaction waits for its turn: somebody has chosen the vendor.
	buildTurn = 5 * time.Second
)

// Panel requests quotes from all sources in parallel. What a caller requests is bounded by its share of the vendor's rate.
type Panel struct {
	members []*member
	// patience is how long sources have to answer.
	patience time.Duration
}

// member is a source, how its rate is shared, and its recent failures.
type member struct {
	Source
	share  *share
	health health
}

// NewPanel returns a panel whose sources have patience to answer. The limiter counts what callers request.
func NewPanel(sources []Source, patience time.Duration, l limit.Limiter, c clock.Clock, log *slog.Logger) *Panel {
	p := &Panel{patience: patience}
	for _, s := range sources {
		p.members = append(p.members, &member{s, newShare(l, s.Name(), s.RequestsPerSecond()), health{name: s.Name(), clock: c, log: log}})
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

// HasShares reports whether a failure is one of the caller, so that other callers may have another answer; and whether all are, and there is no quote.
func (a Answers) HasShares() (some, all bool) {
	all = len(a.Quotes) == 0
	for _, err := range a.Failures {
		isShare := errors.Is(err, ErrShare)
		some, all = some || isShare, all && isShare
	}
	return some, some && all
}

// Quotes requests a quote from every source that serves the chain, and of which the caller has a request left. It returns when all have answered, or at the
// deadline.
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
		q, err := requested[i].quote(ctx, r, p.patience/quoteTurn)
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

// Quote requests a quote from one source by its name, even if it is paused. It fails with [ErrShare] if the caller has no request left.
func (p *Panel) Quote(ctx context.Context, r Request, vendor string) (Quote, error) {
	m, err := p.member(vendor)
	if err != nil {
		return Quote{}, err
	}
	if err := m.take(ctx, buildTurn); err != nil {
		return Quote{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	q, err := m.Quote(ctx, r)
	m.health.note(ctx, err)
	return q, err
}

// Build requests the transaction of a quote from its vendor, even if it is paused. It fails with [ErrShare] if the caller has no request left.
func (p *Panel) Build(ctx context.Context, r Request, q Quote) (Transaction, error) {
	m, err := p.member(q.Vendor)
	if err != nil {
		return Transaction{}, err
	}
	if err := m.take(ctx, buildTurn); err != nil {
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

// quote requests a quote after the caller's turn, for which it waits at most this long.
func (m *member) quote(ctx context.Context, r Request, turn time.Duration) (Quote, error) {
	begun := time.Now()
	if err := m.take(ctx, turn); err != nil {
		return Quote{}, err
	}
	waited := time.Since(begun) > turn/2
	q, err := m.Quote(ctx, r)
	if waited && ctx.Err() != nil {
		return q, err // The vendor had less time than it should have, so that it is not its failure.
	}
	m.health.note(ctx, err)
	return q, err
}

// take waits for the caller's turn, at most this long.
func (m *member) take(ctx context.Context, turn time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, turn)
	defer cancel()
	if err := m.share.take(ctx); err != nil {
		return fmt.Errorf("%s: %w", m.Name(), err)
	}
	return nil
}
