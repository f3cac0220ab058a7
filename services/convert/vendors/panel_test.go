package vendors_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scripted is a source with scripted answers.
type scripted struct {
	name     string
	quote    func(ctx context.Context) (int64, error)
	requests atomic.Int32
	absent   bool
	// perSecond is the vendor's rate; 0 is no limit.
	perSecond float64
}

func (s *scripted) Name() string               { return s.name }
func (s *scripted) RequestsPerSecond() float64 { return s.perSecond }

func (s *scripted) Serves(string) bool { return !s.absent }

func (s *scripted) Quote(ctx context.Context, _ vendors.Request) (vendors.Quote, error) {
	s.requests.Add(1)
	out, err := s.quote(ctx)
	return vendors.Quote{Vendor: s.name, Out: big.NewInt(out)}, err
}

func (s *scripted) Build(ctx context.Context, _ vendors.Request, _ vendors.Quote) (vendors.Transaction, error) {
	s.requests.Add(1)
	_, err := s.quote(ctx)
	return vendors.Transaction{}, err
}

func pays(name string, out int64) *scripted {
	return &scripted{name: name, quote: func(context.Context) (int64, error) { return out, nil }}
}

func fails(name string, err error) *scripted {
	return &scripted{name: name, quote: func(context.Context) (int64, error) { return 0, fmt.Errorf("%s: %w", name, err) }}
}

func hangs(name string) *scripted {
	return &scripted{name: name, quote: func(ctx context.Context) (int64, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	}}
}

func panel(w *clocktest.Stopped, patience time.Duration, log *slog.Logger, sources ...vendors.Source) *vendors.Panel {
	return vendors.NewPanel(sources, patience, limit.NewLocal(w, 0), w, log)
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

const patient = time.Minute

func TestQuotesSortsByOutputAndReturnsFailures(t *testing.T) {
	p := panel(&clocktest.Stopped{}, patient, quiet(), pays("few", 10), fails("dry", vendors.ErrNoLiquidity), pays("many", 30), pays("also-many", 30), &scripted{name: "elsewhere", absent: true})

	all := p.Quotes(t.Context(), ask())

	var order []string
	for _, q := range all.Quotes {
		order = append(order, q.Vendor)
	}
	if strings.Join(order, " ") != "also-many many few" {
		t.Errorf("quoted by %v", order)
	}
	if len(all.Failures) != 1 || !errors.Is(all.Failures["dry"], vendors.ErrNoLiquidity) {
		t.Errorf("failed %v", all.Failures)
	}
}

func TestAPanelWithoutVendorsHasNoQuotes(t *testing.T) {
	if all := panel(&clocktest.Stopped{}, patient, quiet()).Quotes(t.Context(), ask()); len(all.Quotes) != 0 || len(all.Failures) != 0 {
		t.Errorf("said %+v", all)
	}
}

func TestQuotesReturnsAtTheDeadline(t *testing.T) {
	stubborn := &scripted{name: "stubborn"}
	release := make(chan struct{})
	stubborn.quote = func(context.Context) (int64, error) {
		<-release
		return 99, nil
	}
	p := panel(&clocktest.Stopped{}, 20*time.Millisecond, quiet(), pays("quick", 10), hangs("slow"), stubborn)

	all := p.Quotes(t.Context(), ask())
	close(release)

	if len(all.Quotes) != 1 || all.Quotes[0].Vendor != "quick" {
		t.Errorf("quoted %+v", all.Quotes)
	}
	for _, name := range []string{"slow", "stubborn"} {
		if err := all.Failures[name]; !errors.Is(err, vendors.ErrBroken) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s failed with %v", name, err)
		}
	}
}

func TestAnUnsafeTransactionPausesItsVendorAtOnceForItsTokens(t *testing.T) {
	w, vendor := &clocktest.Stopped{}, pays("unsafe", 99)
	p := panel(w, patient, quiet(), vendor, pays("honest", 10))
	best := func() string { return p.Quotes(t.Context(), ask()).Quotes[0].Vendor }
	if got := best(); got != "unsafe" {
		t.Fatalf("%s pays most", got)
	}
	vendor.quote = func(context.Context) (int64, error) { return 0, vendors.ErrUnsafe }
	if _, err := p.Build(t.Context(), ask(), vendors.Quote{Vendor: "unsafe"}); !errors.Is(err, vendors.ErrUnsafe) {
		t.Fatalf("built, with %v", err)
	}
	vendor.quote = func(context.Context) (int64, error) { return 99, nil }
	if got := best(); got != "honest" {
		t.Errorf("the next quote is of %s again", got)
	}
	other := ask()
	other.From, other.To = other.To, other.From
	if got := p.Quotes(t.Context(), other).Quotes[0].Vendor; got != "unsafe" {
		t.Errorf("for other tokens, %s pays most", got)
	}
	w.Pass(time.Minute)
	if got := best(); got != "unsafe" {
		t.Errorf("after its rest %s pays most", got)
	}
}

func TestQuotesRequestsInParallel(t *testing.T) {
	var met sync.WaitGroup
	met.Add(3)
	var sources []vendors.Source
	for _, name := range []string{"a", "b", "c"} {
		sources = append(sources, &scripted{name: name, quote: func(context.Context) (int64, error) {
			met.Done()
			met.Wait() // until the other sources are called as well
			return 1, nil
		}})
	}
	if all := panel(&clocktest.Stopped{}, patient, quiet(), sources...).Quotes(t.Context(), ask()); len(all.Quotes) != 3 {
		t.Errorf("quoted %+v", all)
	}
}

func TestThreeFailuresPauseAVendor(t *testing.T) {
	for _, kind := range []error{vendors.ErrBroken, vendors.ErrRateLimited, vendors.ErrKey, vendors.ErrUnsafe} {
		t.Run(kind.Error(), func(t *testing.T) {
			w, log := clocktest.StoppedAt(time.Unix(1_763_660_000, 0)), &strings.Builder{}
			broken, fine := fails("broken", kind), pays("fine", 10)
			p := panel(w, patient, slog.New(slog.NewTextHandler(log, nil)), broken, fine)
			for range 5 {
				p.Quotes(t.Context(), ask())
			}
			if broken.requests.Load() != 3 || fine.requests.Load() != 5 {
				t.Fatalf("requested %d times, the other %d", broken.requests.Load(), fine.requests.Load())
			}
			if all := p.Quotes(t.Context(), ask()); !errors.Is(all.Failures["broken"], vendors.ErrPaused) || len(all.Quotes) != 1 {
				t.Errorf("said %+v", all)
			}
			if s := p.Status(); len(s) != 2 || s[0].GetName() != "broken" || s[0].GetPausedSeconds() != 30 || s[1].GetPausedSeconds() != 0 {
				t.Errorf("its status is %v", s)
			}
			if strings.Count(log.String(), "swap vendor paused") != 1 {
				t.Errorf("logged %s", log)
			}

			for i, rest := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 8 * time.Minute} {
				w.Pass(rest - time.Nanosecond)
				p.Quotes(t.Context(), ask())
				w.Pass(time.Nanosecond)
				p.Quotes(t.Context(), ask())
				p.Quotes(t.Context(), ask())
				if want := int32(4 + i); broken.requests.Load() != want {
					t.Fatalf("requested %d times, want %d: it rests for %s, and one failure more is the next in the row", broken.requests.Load(), want, rest)
				}
			}

			w.Pass(8 * time.Minute)
			broken.quote = func(context.Context) (int64, error) { return 5, nil }
			p.Quotes(t.Context(), ask())
			broken.quote = func(context.Context) (int64, error) { return 0, kind }
			p.Quotes(t.Context(), ask())
			p.Quotes(t.Context(), ask())
			if all := p.Quotes(t.Context(), ask()); errors.Is(all.Failures["broken"], vendors.ErrPaused) {
				t.Error("what it said between two failures is forgotten")
			}
		})
	}
}

func TestAVendorWithoutLiquidityIsNotPaused(t *testing.T) {
	for _, kind := range []error{vendors.ErrNoLiquidity, vendors.ErrToken, vendors.ErrChain, vendors.ErrRejected, vendors.ErrMoved, context.Canceled} {
		dry := fails("dry", kind)
		p := panel(&clocktest.Stopped{}, patient, quiet(), dry)
		for range 5 {
			p.Quotes(t.Context(), ask())
		}
		if dry.requests.Load() != 5 {
			t.Errorf("%v: asked %d times", kind, dry.requests.Load())
		}
	}
}

func TestACancelledRequestPausesNoVendor(t *testing.T) {
	slow := &scripted{name: "slow"}
	p := panel(&clocktest.Stopped{}, patient, quiet(), slow)
	for range 5 {
		ctx, leave := context.WithCancel(t.Context())
		slow.quote = func(ctx context.Context) (int64, error) {
			leave()
			<-ctx.Done()
			return 0, fmt.Errorf("%w: %w", vendors.ErrBroken, ctx.Err())
		}
		p.Quotes(ctx, ask())
	}
	if slow.requests.Load() != 5 {
		t.Errorf("requested %d times", slow.requests.Load())
	}
}

func TestBuildIsSentToTheVendorOfTheQuote(t *testing.T) {
	resting, other := fails("resting", vendors.ErrBroken), pays("other", 10)
	p := panel(&clocktest.Stopped{}, patient, quiet(), resting, other)
	for range 4 {
		p.Quotes(t.Context(), ask())
	}
	if _, err := p.Build(t.Context(), ask(), vendors.Quote{Vendor: "resting"}); !errors.Is(err, vendors.ErrBroken) || resting.requests.Load() != 4 {
		t.Errorf("failed with %v after %d questions", err, resting.requests.Load())
	}
	if _, err := p.Build(t.Context(), ask(), vendors.Quote{Vendor: "other"}); err != nil {
		t.Error(err)
	}
	if _, err := p.Build(t.Context(), ask(), vendors.Quote{Vendor: "nobody"}); !errors.Is(err, vendors.ErrRejected) {
		t.Errorf("failed with %v", err)
	}
}

func TestQuoteRequestsOneVendorOnly(t *testing.T) {
	one, other := fails("one", vendors.ErrBroken), pays("other", 10)
	p := panel(&clocktest.Stopped{}, patient, quiet(), one, other)
	for range 4 {
		p.Quotes(t.Context(), ask())
	}
	if _, err := p.Quote(t.Context(), ask(), "one"); !errors.Is(err, vendors.ErrBroken) || one.requests.Load() != 4 || other.requests.Load() != 4 {
		t.Errorf("failed with %v, after %d questions and %d to the other", err, one.requests.Load(), other.requests.Load())
	}
	if q, err := p.Quote(t.Context(), ask(), "other"); err != nil || q.Out.Int64() != 10 {
		t.Errorf("quoted %+v, %v", q, err)
	}
	if _, err := p.Quote(t.Context(), ask(), "nobody"); !errors.Is(err, vendors.ErrRejected) {
		t.Errorf("failed with %v", err)
	}
}

func TestQuoteHasTheDeadlineOfThePanel(t *testing.T) {
	p := panel(&clocktest.Stopped{}, time.Millisecond, quiet(), hangs("slow"))
	if _, err := p.Quote(t.Context(), ask(), "slow"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("failed with %v", err)
	}
}
