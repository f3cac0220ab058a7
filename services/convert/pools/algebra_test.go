package pools

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/dex"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// algebraChain returns a testChain with the exchanges of the local chain, including one of Algebra V1, and two tokens
// that are traded there.
func algebraChain(t *testing.T) (h *testChain, a, b string) {
	t.Helper()
	h = newTestChain(t)
	path := filepath.Join(t.TempDir(), "devnet.json")
	if err := os.WriteFile(path, devnettest.Start(t).Raw, 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := dex.Load(dex.Config{}, devnet.Open(path, slog.Default()), slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	h.table, _ = table.On(h.chain.CAIP2)
	return h, h.chain.Token(t, "tGOLD").Address, h.chain.Token(t, "tDAI").Address
}

// algebraPools returns the indexes of a view's pools whose fees change.
func algebraPools(v *View) (places []int) {
	for i := range v.Pools() {
		if v.Pool(i).Kind == Algebra {
			places = append(places, i)
		}
	}
	return places
}

func TestAnAlgebraPoolHasTheFeeOfTheNextBlock(t *testing.T) {
	h, a, b := algebraChain(t)
	f := h.tracker()
	v := h.turn(f, a, b)
	places := algebraPools(v)
	if len(places) == 0 {
		t.Fatal("no pool of Algebra is known")
	}
	for _, i := range places {
		if fee := v.Fee(i); fee == 0 || fee > 65_535 {
			t.Errorf("pool %s takes %d", v.Pool(i).Address, fee)
		}
	}
	ours := slices.DeleteFunc(slices.Clone(f.state.entries), func(e entry) bool { return e.Kind != Algebra })
	for _, e := range h.bothWays(f, ours) {
		if p := e.state.(*position); len(p.ladder.ticks) == 0 {
			t.Errorf("pool %s has no ticks", e.Address)
		}
	}
}

func TestAPoolWithAnUnknownFeeIsNotTraded(t *testing.T) {
	h, a, b := algebraChain(t)
	f := h.tracker()
	ask := f.node.send
	f.node.send = func(ctx context.Context, body []byte) ([]byte, error) {
		return ask(ctx, bytes.ReplaceAll(body, []byte(feeCode), []byte("0x")))
	}
	v := h.turn(f, a, b)
	if places := algebraPools(v); len(places) > 0 || v.Pools() == 0 {
		t.Errorf("%d of %d pools have a fee that was not read", len(places), v.Pools())
	}
}
