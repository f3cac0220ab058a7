package prices

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/balances/depth"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// fakeVendor is a vendor with the prices that a test sets.
type fakeVendor struct {
	prices    map[Coin]Price
	err       error
	requested int
}

func (*fakeVendor) Name() string { return "seller" }

func (s *fakeVendor) USDPrices(_ context.Context, assets []Coin) (map[Coin]Price, error) {
	s.requested += len(assets)
	return s.prices, s.err
}

func TestVendorPricesAreRequestedInTheBackground(t *testing.T) {
	w := clocktest.StoppedAt(time.Unix(1_000_000, 0))
	known, unknown, absurd := Coin{"eip155:1", "0x1"}, Coin{"eip155:1", "0x2"}, Coin{"eip155:1", "0x3"}
	s := &fakeVendor{prices: map[Coin]Price{known: {Amount: 7, At: w.Now()}, absurd: {Amount: math.Inf(1)}}}
	b := NewVendorCache(s, w, slog.New(slog.DiscardHandler))
	fetched := func(a Coin) (Price, bool) {
		_, _ = b.Price(a, Demand{})
		b.fetch(t.Context())
		return b.Price(a, Demand{})
	}

	if _, ok := b.Price(known, Demand{}); ok || s.requested != 0 {
		t.Error("price waited for the vendor")
	}
	if p, ok := fetched(known); !ok || p.Amount != 7 || p.Source != "seller" {
		t.Errorf("got %+v, %v", p, ok)
	}
	for _, a := range []Coin{unknown, absurd} {
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
	w.Pass(vendorLifetime + time.Second)
	fetched(known)
	fetched(unknown)
	if s.requested != before+1 {
		t.Errorf("after a minute %d prices were requested, want 1", s.requested-before)
	}
}

func TestAPriceThatTheVendorConfirmsHasNoLimit(t *testing.T) {
	w := clocktest.StoppedAt(time.Unix(1_000_000, 0))
	agreed, other, unknown := Asset{"eip155:1", [20]byte{1}}, Asset{"eip155:1", [20]byte{2}}, Asset{"eip155:1", [20]byte{3}}
	s := &fakeVendor{prices: map[Coin]Price{agreed.coin(): {Amount: 7}, other.coin(): {Amount: 7}}}
	table := &Table{clock: w, pools: newPoolTable(nil, w)}
	table.UseVendor(s, slog.New(slog.DiscardHandler))
	for asset, amount := range map[Asset]float64{agreed: 4, other: 3, unknown: 7} {
		table.pools.tokens[asset] = &tokenPools{price: &Price{Amount: amount, Source: SourcePool, At: w.Now(), Market: &depth.Market{}}}
		if p, ok := table.Price(asset, "usd", Demand{}); !ok || p.Market == nil {
			t.Errorf("a price of pools before the vendor answers: %+v, %t", p, ok)
		}
	}
	table.vendor.fetch(t.Context())
	for asset, limited := range map[Asset]bool{agreed: false, other: true, unknown: true} {
		if p, ok := table.Price(asset, "usd", Demand{}); !ok || p.Source != SourcePool || (p.Market != nil) != limited {
			t.Errorf("%v: got %+v, %t, want limited %t", asset, p, ok, limited)
		}
	}
}

func TestFailedVendorRequestIsRetried(t *testing.T) {
	w := clocktest.StoppedAt(time.Unix(1_000_000, 0))
	a := Coin{"eip155:1", "0x1"}
	s := &fakeVendor{err: errors.New("down")}
	b := NewVendorCache(s, w, slog.New(slog.DiscardHandler))
	_, _ = b.Price(a, Demand{})
	b.fetch(t.Context())
	s.err, s.prices = nil, map[Coin]Price{a: {Amount: 2, At: w.Now()}}
	b.fetch(t.Context())
	if p, ok := b.Price(a, Demand{}); !ok || p.Amount != 2 {
		t.Errorf("got %+v, %v", p, ok)
	}
	w.Pass(time.Hour)
	if p, ok := b.Price(a, Demand{}); ok {
		t.Errorf("an hour later the price is still %+v", p)
	}
}

func TestWithoutAVendorThereIsNoPrice(t *testing.T) {
	var b *VendorCache
	if _, ok := b.Price(Coin{}, Demand{}); ok {
		t.Error("got a price without a vendor")
	}
}

func TestOneCallerDoesNotHoldUpThePricesOfOthers(t *testing.T) {
	s := &fakeVendor{prices: map[Coin]Price{}}
	b := NewVendorCache(s, clocktest.StoppedAt(time.Unix(1_000_000, 0)), slog.New(slog.DiscardHandler))
	greedy, other := limit.CallerOf("p", "192.0.2.1"), limit.CallerOf("p", "192.0.2.2")
	for n := range 2 * maxVendorTokens {
		b.Price(Coin{"eip155:1", strconv.Itoa(n)}, Demand{Caller: greedy})
	}
	if b.named.n != maxVendorTokens/2 {
		t.Errorf("%d tokens of one caller wait", b.named.n)
	}
	b.Price(Coin{"eip155:1", "named"}, Demand{Caller: other})
	b.Price(Coin{"eip155:1", "held"}, Demand{Held: true, Caller: other})
	next := b.nextBatch()
	if len(next) != vendorBatch || next[0].Address != "held" || next[2].Address != "named" {
		t.Errorf("the next ones are %v", next)
	}
	for n := range 3 * vendorBatch {
		b.Price(Coin{"eip155:1", "h" + strconv.Itoa(n)}, Demand{Held: true, Caller: other})
	}
	held := 0
	for _, c := range b.nextBatch() {
		if c.Address[0] == 'h' {
			held++
		}
	}
	if held != vendorBatch-namedPerBatch {
		t.Errorf("%d of the next ones are held", held)
	}
}

func TestATokenInTheBacklogOfAnotherIsRequestedSoon(t *testing.T) {
	s := &fakeVendor{prices: map[Coin]Price{}}
	b := NewVendorCache(s, clocktest.StoppedAt(time.Unix(1_000_000, 0)), slog.New(slog.DiscardHandler))
	shared, named := Coin{"eip155:1", "shared"}, Coin{"eip155:1", "named"}
	for n := range 1_000 {
		b.Price(Coin{"eip155:1", strconv.Itoa(n)}, Demand{Held: true, Caller: limit.CallerOf(strconv.Itoa(n), "198.51.100.7")})
	}
	b.Price(shared, Demand{Held: true, Caller: limit.CallerOf("p", "198.51.100.7")})
	b.Price(shared, Demand{Held: true, Caller: limit.CallerOf("p", "192.0.2.1")})
	b.Price(named, Demand{Caller: limit.CallerOf("p", "192.0.2.1")})
	has := func(batch []wanted, coin Coin) bool {
		return slices.ContainsFunc(batch, func(w wanted) bool { return w.Coin == coin })
	}
	s.err = errors.New("down")
	b.fetch(t.Context())
	s.err = nil
	if b.named.n != 1 {
		t.Errorf("%d tokens wait that are only named", b.named.n)
	}
	for range 2 {
		b.Price(shared, Demand{Held: true, Caller: limit.CallerOf("p", "192.0.2.1")})
		if batch := b.nextBatch(); !has(batch, shared) {
			t.Error("a token waits behind the backlog of another caller")
		}
	}
	// What was requested for one caller is not requested again for another.
	b.Price(shared, Demand{Held: true, Caller: limit.CallerOf("p", "192.0.2.1")})
	for b.held.n > 0 {
		b.fetch(t.Context())
	}
	if s.requested > 1_000+vendorBatch+2 {
		t.Errorf("%d prices are requested", s.requested)
	}
}

func TestPricesThatWereRequestedFirstAreDropped(t *testing.T) {
	w := clocktest.StoppedAt(time.Unix(1_000_000, 0))
	s := &fakeVendor{prices: map[Coin]Price{}}
	b := NewVendorCache(s, w, slog.New(slog.DiscardHandler))
	for n := range maxVendorTokens {
		b.known[Coin{"eip155:1", strconv.Itoa(n)}] = vendorPrice{requested: w.Now().Add(time.Duration(n))}
	}
	b.Price(Coin{"eip155:1", "new"}, Demand{})
	b.fetch(t.Context())
	_, first := b.known[Coin{"eip155:1", "0"}]
	_, last := b.known[Coin{"eip155:1", strconv.Itoa(maxVendorTokens - 1)}]
	if _, known := b.known[Coin{"eip155:1", "new"}]; first || !last || !known {
		t.Errorf("the first is kept: %t, the last: %t, the new one: %t", first, last, known)
	}
}
