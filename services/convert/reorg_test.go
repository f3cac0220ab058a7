package convert

import (
	"context"
	"testing"

	"github.com/hawser-dev/hawser/services/convert/engine"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// late returns a view from before a reorganisation once.
type late struct {
	engine.Views
	before *pools.View
}

func (l *late) View(ctx context.Context, chainID string, about ...evm.Address) (*pools.View, error) {
	if v := l.before; v != nil {
		l.before = nil
		return v, nil
	}
	return l.Views.View(ctx, chainID, about...)
}

func TestAQuoteOfAReplacedBlockIsFoundAgainAtTheNewest(t *testing.T) {
	w := open(t)
	w.follow(t)
	r := w.quoteRequest(t, "400000000000000000000", "ETH", "tUSD")
	view := func() *pools.View {
		v, err := w.engine.Views.View(t.Context(), w.chain.CAIP2, evm.Native, evm.MustAddress(w.chain.Token(t, "tUSD").Address))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before := *view()
	w.swap(t, w.quoteRequest(t, "100000000000000000000", "ETH", "tUSD"), "tUSD")
	honest := w.quote(t, r)
	// Another block, without a swap, was at the newest height.
	before.Block.Number, before.Block.Hash = view().Block.Number, "0x00"
	w.engine.Views = &late{w.engine.Views, &before}
	got := w.quote(t, r)
	if !got.GetConfirmed() || got.GetToAmount() != honest.GetToAmount() || got.GetId() != honest.GetId() {
		t.Errorf("got %v, want %v", got, honest)
	}
}
