package engine

import (
	"context"
	"log/slog"
	"math/big"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// slowSource is a vendor that answers this many requests in a second, and counts them.
type slowSource struct {
	name      string
	perSecond float64
	requests  int
}

func (s *slowSource) Name() string               { return s.name }
func (s *slowSource) RequestsPerSecond() float64 { return s.perSecond }
func (s *slowSource) Serves(string) bool         { return true }

func (s *slowSource) Quote(context.Context, vendors.Request) (vendors.Quote, error) {
	s.requests++
	return vendors.Quote{Vendor: s.name, Out: big.NewInt(int64(s.requests))}, nil
}

func (s *slowSource) Build(context.Context, vendors.Request, vendors.Quote) (vendors.Transaction, error) {
	return vendors.Transaction{}, vendors.ErrRejected
}

func TestAnswersThatLackWhatACallerUsedUpAreCachedForItAlone(t *testing.T) {
	w, metered, free := &clocktest.Stopped{}, &slowSource{name: "metered", perSecond: 1e6}, &slowSource{name: "free"}
	source := func(s *slowSource) Vendors {
		return CacheQuotes(vendors.NewPanel([]vendors.Source{s, free}, time.Minute, limit.NewLocal(w, 0), w, slog.New(slog.DiscardHandler)))
	}
	cached := source(metered)
	a := caller.NewIncomingContext(t.Context(), caller.Caller{Project: "p", Address: "192.0.2.1"})
	b := caller.NewIncomingContext(t.Context(), caller.Caller{Project: "p", Address: "192.0.2.2"})
	r := vendors.Request{ChainID: "eip155:1", From: evm.Address{1}, To: evm.Address{2}, Amount: new(big.Int)}
	for {
		// The time passes for what all may use, and not for what the caller may.
		w.Pass(2 * time.Microsecond)
		r.Amount = new(big.Int).Add(r.Amount, big.NewInt(1))
		all := cached.Quotes(a, r)
		if some, _ := all.HasShares(); some {
			break
		}
		if r.Amount.Cmp(big.NewInt(100)) > 0 {
			t.Fatal("the caller's share is not used up")
		}
	}
	w.Pass(2 * time.Microsecond)
	before := free.requests
	if all := cached.Quotes(a, r); len(all.Quotes) != 1 || free.requests != before {
		t.Errorf("the caller is answered %+v, after %d requests more", all, free.requests-before)
	}
	if all := cached.Quotes(b, r); len(all.Quotes) != 2 {
		t.Errorf("another caller is answered %+v", all)
	}
	if all := cached.Quotes(a, r); len(all.Quotes) != 2 {
		t.Errorf("the caller is not given what another one paid for: %+v", all)
	}
}
