package vendors_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// metered is a vendor that answers this many requests in each second, and refuses those beyond.
func metered(perSecond float64) (source *scripted, refused *atomic.Int32) {
	var mu sync.Mutex
	inSecond := map[int64]float64{}
	refused = new(atomic.Int32)
	source = pays("metered", 10)
	source.perSecond = perSecond
	source.quote = func(context.Context) (int64, error) {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now().Unix()
		if inSecond[now]++; inSecond[now] > perSecond {
			refused.Add(1)
			return 0, fmt.Errorf("metered: %w", vendors.ErrRateLimited)
		}
		return 10, nil
	}
	return source, refused
}

func metering(sources ...vendors.Source) *vendors.Panel {
	return vendors.NewPanel(sources, vendors.DefaultPatience, limit.NewLocal(clock.System{}, 0), clock.System{}, quiet())
}

func of(ctx context.Context, project, address string) context.Context {
	return caller.NewIncomingContext(ctx, caller.Caller{Project: project, Address: address})
}

// flood requests quotes of other amounts as a number of sites, each many at once and with many projects, until stop is called.
func flood(t *testing.T, p *vendors.Panel, sites int) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var flooding sync.WaitGroup
	for n := range sites {
		for i := range 5 {
			flooding.Go(func() {
				r := ask()
				for ctx.Err() == nil {
					r.Amount = new(big.Int).Add(r.Amount, big.NewInt(1))
					p.Quotes(of(ctx, fmt.Sprintf("project %d", i), fmt.Sprintf("192.0.2.%d", n)), r)
					time.Sleep(50 * time.Millisecond)
				}
			})
		}
	}
	return func() {
		cancel()
		flooding.Wait()
	}
}

func TestACallerThatFloodsLeavesTheVendorToOthers(t *testing.T) {
	for _, sites := range []int{1, 5, 40} {
		t.Run(fmt.Sprintf("%d sites", sites), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				vendor, refused := metered(4)
				p := metering(vendor)
				stop := flood(t, p, sites)
				defer stop()
				time.Sleep(10 * time.Second)
				for n := range 5 {
					if all := p.Quotes(of(t.Context(), "p", "198.51.100.1"), ask()); len(all.Quotes) != 1 {
						t.Fatalf("quote %d of another caller: %v", n, all.Failures)
					}
					time.Sleep(3 * time.Second)
				}
				if _, err := p.Build(of(t.Context(), "p", "198.51.100.1"), ask(), vendors.Quote{Vendor: "metered"}); err != nil {
					t.Errorf("a transaction of another caller: %v", err)
				}
				if refused.Load() != 0 {
					t.Errorf("the vendor refused %d of %d requests", refused.Load(), vendor.requests.Load())
				}
			})
		})
	}
}

func TestACallerOverItsShareIsToldWhenToTryAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		vendor, _ := metered(4)
		free := pays("free", 5)
		p := metering(vendor, free)
		a := of(t.Context(), "p", "2001:db8::1")
		over := 0
		for range 40 {
			all := p.Quotes(a, ask())
			if err := all.Failures["metered"]; err != nil {
				over++
				some, none := all.HasShares()
				if !errors.Is(err, vendors.ErrShare) || !errors.Is(err, vendors.ErrRateLimited) || !some || none || len(all.Quotes) != 1 {
					t.Fatalf("answered %+v", all)
				}
			}
		}
		if over < 20 {
			t.Errorf("%d of 40 quotes are over the share", over)
		}
		_, err := p.Quote(of(t.Context(), "q", "2001:db8:0:1::1"), ask(), "metered")
		if f, ok := errors.AsType[*fault.Error](err); !ok || f.Code != codes.ResourceExhausted || f.RetryAfter <= 0 {
			t.Errorf("another project and network of the site: %v", err)
		}
		if s := p.Status(); s[0].GetPausedSeconds() != 0 {
			t.Errorf("what was not requested pauses the vendor: %v", s)
		}
		if all := metering(vendor).Quotes(a, ask()); len(all.Quotes) != 1 {
			t.Errorf("a caller that has used nothing: %+v", all)
		}
	})
}

// Two callers whose requests wait have turns, however many each has.
func TestCallersThatWaitTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		vendor, _ := metered(1)
		p := vendors.NewPanel([]vendors.Source{vendor}, time.Minute, limit.NewLocal(clock.System{}, 0), clock.System{}, quiet())
		var mu sync.Mutex
		var order string
		var waiting sync.WaitGroup
		request := func(name, address string) {
			waiting.Go(func() {
				if all := p.Quotes(of(t.Context(), "p", address), ask()); len(all.Quotes) == 1 {
					mu.Lock()
					defer mu.Unlock()
					order += name
				}
			})
			synctest.Wait()
		}
		for range 3 {
			request("a", "192.0.2.1")
		}
		for range 3 {
			request("b", "192.0.2.2")
		}
		waiting.Wait()
		if order != "ababab" {
			t.Errorf("served %s", order)
		}
	})
}
