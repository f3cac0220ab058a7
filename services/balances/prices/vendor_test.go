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

// seller is a vendor that knows what a test says.
type seller struct {
	says  map[Asset]Price
	fails error
	asked int
}

func (*seller) Name() string { return "seller" }

func (s *seller) Dollars(_ context.Context, assets []Asset) (map[Asset]Price, error) {
	s.asked += len(assets)
	return s.says, s.fails
}

// watch is a clock that a test moves.
type watch struct{ now time.Time }

func (w *watch) Now() time.Time { return w.now }

func TestAVendorIsAskedLaterForWhatIsWanted(t *testing.T) {
	w := &watch{time.Unix(1_000_000, 0)}
	known, unknown, absurd := Asset{"eip155:1", evm.Address{1}}, Asset{"eip155:1", evm.Address{2}}, Asset{"eip155:1", evm.Address{3}}
	s := &seller{says: map[Asset]Price{known: {Amount: 7, At: w.now}, absurd: {Amount: math.Inf(1)}}}
	b := newVendorBook(s, w, slog.New(slog.DiscardHandler))
	look := func(a Asset) (Price, bool) {
		_, _ = b.price(a)
		b.ask(t.Context())
		return b.price(a)
	}

	if _, ok := b.price(known); ok || s.asked != 0 {
		t.Error("somebody waited for the vendor")
	}
	if p, ok := look(known); !ok || p.Amount != 7 || p.Source != "seller" {
		t.Errorf("got %+v, %v", p, ok)
	}
	for _, a := range []Asset{unknown, absurd} {
		if p, ok := look(a); ok {
			t.Errorf("got %+v", p)
		}
	}
	before := s.asked
	look(known)
	look(unknown)
	if s.asked != before {
		t.Error("the vendor was asked again at once")
	}
	w.now = w.now.Add(vendorLifetime + time.Second)
	look(known)
	look(unknown)
	if s.asked != before+1 {
		t.Errorf("after a minute the vendor was asked for %d more", s.asked-before)
	}
}

func TestWhatAVendorFailedToSayIsStillWanted(t *testing.T) {
	w := &watch{time.Unix(1_000_000, 0)}
	a := Asset{"eip155:1", evm.Address{1}}
	s := &seller{fails: errors.New("down")}
	b := newVendorBook(s, w, slog.New(slog.DiscardHandler))
	_, _ = b.price(a)
	b.ask(t.Context())
	s.fails, s.says = nil, map[Asset]Price{a: {Amount: 2, At: w.now}}
	b.ask(t.Context())
	if p, ok := b.price(a); !ok || p.Amount != 2 {
		t.Errorf("got %+v, %v", p, ok)
	}
	w.now = w.now.Add(time.Hour)
	if p, ok := b.price(a); ok {
		t.Errorf("an hour later the price is still %+v", p)
	}
}

func TestWithoutAVendorNobodyIsAsked(t *testing.T) {
	var b *vendorBook
	if _, ok := b.price(Asset{}); ok {
		t.Error("nobody named a price")
	}
}
