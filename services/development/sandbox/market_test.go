package sandbox

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/development/sandbox/seller"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

func TestTokensOfAnUnreachableChainAreUnavailable(t *testing.T) {
	w := onSQLite(t)
	s := w.sellers[0]
	quote := func(chainID string) error {
		_, err := s.Quotes(t.Context(), ramp.Ask{Pay: ramp.Amount{Value: decimal.NewFromInt(100), Currency: "USD"}, Symbol: "tUSD", ChainID: chainID})
		return err
	}
	partial := func() bool {
		o, err := s.Options(t.Context(), ramp.Region{})
		if err != nil {
			t.Fatal(err)
		}
		return o.Partial
	}
	w.nodes.away.Store(one)
	if err := quote(one); !errors.Is(err, ramp.ErrUnavailable) {
		t.Errorf("on the chain that is away: %v", err)
	}
	if err := quote(two); errors.Is(err, ramp.ErrUnavailable) {
		t.Errorf("on the other one: %v", err)
	}
	if !partial() {
		t.Error("the options are said to be all there are")
	}
	w.nodes.away.Store("")
	w.clock.Pass(seller.ReadingLifetime)
	if err := quote(one); err != nil || partial() {
		t.Errorf("once it is back: %v, partial %t", err, partial())
	}
}

func TestAFailureOfAllChainsIsCached(t *testing.T) {
	w := onSQLite(t)
	var calls atomic.Int64
	refuse := func([]byte) error { calls.Add(1); return errors.New("away") }
	w.nodes.refuse.Store(&refuse)
	assets := func(ctx context.Context) error {
		_, err := w.market.Assets(ctx)
		return err
	}

	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := assets(gone); err == nil {
		t.Error("the caller that left has an answer")
	}
	calls.Store(0)
	if err := assets(t.Context()); !errors.Is(err, ramp.ErrUnavailable) || calls.Load() == 0 {
		t.Errorf("after a caller that left: %v, %d calls", err, calls.Load())
	}
	calls.Store(0)
	if err := assets(t.Context()); !errors.Is(err, ramp.ErrUnavailable) || calls.Load() != 0 {
		t.Errorf("at once: %v, %d calls", err, calls.Load())
	}
	w.nodes.refuse.Store(nil)
	w.clock.Pass(seller.ReadingLifetime)
	if err := assets(t.Context()); err != nil {
		t.Errorf("later: %v", err)
	}
}

func TestAChainThatHangsDoesNotHideTheTokensOfAnother(t *testing.T) {
	w := onSQLite(t)
	w.nodes.hangs.Store(one)
	_, err := w.sellers[0].Quotes(t.Context(), ramp.Ask{Pay: ramp.Amount{Value: decimal.NewFromInt(100), Currency: "USD"}, Symbol: "tUSD", ChainID: two})
	if err != nil {
		t.Error(err)
	}
}
