package prices

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
)

// fakeVendor is a vendor with the prices that a test sets.
type fakeVendor struct {
	prices    map[Asset]Price
	err       error
	requested int
}

func (*fakeVendor) Name() string { return "seller" }

func (s *fakeVendor) USDPrices(_ context.Context, assets []Asset) (map[Asset]Price, error) {
	s.requested += len(assets)
	return s.prices, s.err
}

// fakeClock is a clock that a test sets.
type fakeClock struct{ now time.Time }

func (w *fakeClock) Now() time.Time { return w.now }

func TestVendorPricesAreRequestedInTheBackground(t *testing.T) {
	w := &fakeClock{time.Unix(1_000_000, 0)}
	known, unknown, absurd := Asset{"eip155:1", evm.Address{1}}, Asset{"eip155:1", evm.Address{2}}, Asset{"eip155:1", evm.Address{3}}
	s := &fakeVendor{prices: map[Asset]Price{known: {Amount: 7, At: w.now}, absurd: {Amount: math.Inf(1)}}}
	b := newVendorCache(s, w, slog.New(slog.DiscardHandler))
	fetched := func(a Asset) (Price, bool) {
		_, _ = b.price(a)
		b.fetch(t.Context())
		return b.price(a)
	}

	if _, ok := b.price(known); ok || s.requested != 0 {
		t.Error("price waited for the vendor")
	}
	if p, ok := fetched(known); !ok || p.Amount != 7 || p.Source != "seller" {
		t.Errorf("got %+v, %v", p, ok)
	}
	for _, a := range []Asset{unknown, absurd} {
		if p, ok := fetched(a); ok {
			t.Errorf("got %+v", p)
		}
	}
	before := s.requested
	fetched(known)
	fetched(unknown)
	if s.requested != before {
		t.Error("an unexpired price was requested again")
	}
	w.now = w.now.Add(vendorLifetime + time.Second)
	fetched(known)
	fetched(unknown)
	if s.requested != before+1 {
		t.Errorf("after a minute %d prices were requested, want 1", s.requested-before)
	}
}

func TestFailedVendorRequestIsRetried(t *testing.T) {
	w := &fakeClock{time.Unix(1_000_000, 0)}
	a := Asset{"eip155:1", evm.Address{1}}
	s := &fakeVendor{err: errors.New("down")}
	b := newVendorCache(s, w, slog.New(slog.DiscardHandler))
	_, _ = b.price(a)
	b.fetch(t.Context())
	s.err, s.prices = nil, map[Asset]Price{a: {Amount: 2, At: w.now}}
	b.fetch(t.Context())
	if p, ok := b.price(a); !ok || p.Amount != 2 {
		t.Errorf("got %+v, %v", p, ok)
	}
	w.now = w.now.Add(time.Hour)
	if p, ok := b.price(a); ok {
		t.Errorf("an hour later the price is still %+v", p)
	}
}

func TestWithoutAVendorThereIsNoPrice(t *testing.T) {
	var b *vendorCache
	if _, ok := b.price(Asset{}); ok {
		t.Error("got a price without a vendor")
	}
}
