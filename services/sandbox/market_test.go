package sandbox

import (
	"errors"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/ramp"
	"github.com/hawser-dev/hawser/services/sandbox/seller"
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

func TestAChainThatHangsDoesNotHideTheTokensOfAnother(t *testing.T) {
	w := onSQLite(t)
	w.nodes.hangs.Store(one)
	_, err := w.sellers[0].Quotes(t.Context(), ramp.Ask{Pay: ramp.Amount{Value: decimal.NewFromInt(100), Currency: "USD"}, Symbol: "tUSD", ChainID: two})
	if err != nil {
		t.Error(err)
	}
}
