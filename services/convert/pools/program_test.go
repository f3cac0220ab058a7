package pools

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// bothWays reads pools with the program and with calls, and returns the result of the program.
func (h *testChain) bothWays(f *tracker, pools []entry) []entry {
	h.t.Helper()
	byCalls := slices.Clone(pools)
	if left, err := f.node.readByProgram(h.t.Context(), f.state.head.number, pointers(pools)); err != nil || len(left) > 0 {
		h.t.Fatalf("%d pools are left: %v", len(left), err)
	}
	if err := f.node.readCalls(h.t.Context(), f.state.head.number, pointers(byCalls)); err != nil {
		h.t.Fatal(err)
	}
	for i, p := range pools {
		if s := p.state; s == nil && byCalls[i].state != nil || s != nil && !s.equal(byCalls[i].state) {
			h.t.Errorf("pool %s of fee %d:\nby the program %s\nby calls %s", p.Address, p.Fee, spelt(s), spelt(byCalls[i].state))
		}
	}
	return pools
}

func TestTheProgramReadsTheSameAsCalls(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.turn(f, l.token)
	for range 12 {
		l.happen()
		l.happen()
		l.turn(f)
		l.bothWays(f, slices.Clone(f.state.entries))
	}
}

func TestTheProgramReadsNegativeTicks(t *testing.T) {
	h := newTestChain(t)
	f := h.tracker()
	h.turn(f)
	a := h.token("A")
	one := new(big.Int).Lsh(big.NewInt(1), 96)
	for _, fee := range []uint32{500, 10_000} {
		v3 := f.state.factories[1]
		pool := h.main.EmptyPool(t, a, h.hub, int64(fee), int64(v3.v3.Spacing[fee]))
		before := exchangetest.StateV3{}
		spacing := int64(v3.v3.Spacing[fee])
		for _, tick := range []int64{0, -1, 1, -spacing, 255 * spacing, 256 * spacing, -256 * spacing, -257 * spacing, 40_000, -40_001} {
			most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 127), big.NewInt(1))
			state := exchangetest.StateV3{SqrtPrice: one, Liquidity: big.NewInt(5), Tick: tick, Ticks: map[int64]*big.Int{}}
			for i, word := range []int64{-3, -1, 0, 1, 7} {
				compressed := tick/spacing + word*256 + int64(i)*51
				state.Ticks[compressed*spacing] = []*big.Int{most, new(big.Int).Neg(most), big.NewInt(1), big.NewInt(-1)}[i%4]
			}
			h.main.SetState(t, pool, spacing, before, state)
			before = state
			h.chain.Call(t, "anvil_mine", "0x1")
			if err := f.turn(t.Context(), nil, nil); err != nil {
				t.Fatal(err)
			}
			c := candidate{factory: v3, pair: pairOf(evm.MustAddress(a), evm.MustAddress(h.hub)), fee: fee, address: evm.MustAddress(pool)}
			found := h.bothWays(f, []entry{{Pool: c.pool(), factory: v3}})
			if p, ok := found[0].state.(*position); !ok || len(p.ladder.ticks) != 5 {
				t.Errorf("tick %d of fee %d: %s", tick, fee, spelt(found[0].state))
			}
		}
	}
}

func TestAPoolThatUsesTooMuchGasIsReadByCalls(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.turn(f, l.token)
	pools := slices.Clone(f.state.entries)
	full := f.node.send
	for _, gas := range []string{"0x2dc6c0", "0x19f0a0", "0xf4240"} {
		f.node.send = func(ctx context.Context, body []byte) ([]byte, error) {
			return full(ctx, bytes.ReplaceAll(body, []byte(`"to":"`+programAddress.String()), []byte(`"gas":"`+gas+`","to":"`+programAddress.String())))
		}
		for i := range pools {
			pools[i].state = nil
		}
		left, err := f.node.readByProgram(t.Context(), f.state.head.number, pointers(pools))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pools {
			isLeft := slices.ContainsFunc(left, func(e *entry) bool { return e.Address == p.Address })
			if isLeft == (p.state != nil) {
				t.Errorf("gas %s: pool %s is left: %v, read: %s", gas, p.Address, isLeft, spelt(p.state))
			}
		}
		if gas == "0xf4240" && len(left) != len(pools) {
			t.Errorf("with next to no gas: %d pools are left", len(left))
		}
		if err := f.node.read(t.Context(), f.state.head.number, pools); err != nil {
			t.Fatal(err)
		}
		for i, e := range f.state.entries {
			if !same(e.state, pools[i].state) {
				t.Errorf("gas %s: pool %s: %s", gas, e.Address, spelt(pools[i].state))
			}
		}
	}
}

func TestNodesThatDoNotRunTheProgramAreReadByCalls(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 10, h.wrapped, 10)
	h.v3(3000, a, h.wrapped, 10, 5)
	f := h.tracker()
	full, tries := f.node.send, 0
	f.node.send = func(ctx context.Context, body []byte) ([]byte, error) {
		if strings.Contains(string(body), programAddress.String()) {
			tries++
			body = bytes.ReplaceAll(body, []byte(programCode), []byte("0x")) // as if state overrides did not exist
		}
		return full(ctx, body)
	}
	for i := range refusals + 2 {
		f.state, f.looked = nil, newPairSet()
		if v := h.turn(f, a); v.Pools() != 2 {
			t.Errorf("turn %d: %d pools", i, v.Pools())
		}
	}
	if tries != refusals {
		t.Errorf("the program was tried %d times", tries)
	}
}

func TestOtherOutputThanTheProgramsIsRefused(t *testing.T) {
	v2 := &factory{kind: V2}
	pool := func() []*entry { return []*entry{{Pool: Pool{Kind: V2}, factory: v2}} }
	word := func(n byte) []byte { return append(make([]byte, 31), n) }
	for what, out := range map[string][]byte{
		"nothing":        nil,
		"half a word":    make([]byte, 16),
		"too many pools": slices.Concat(word(2), word(1), word(1), word(1), word(1)),
		"half a pool":    slices.Concat(word(1), word(1)),
		"too long":       slices.Concat(word(1), word(1), word(1), word(1)),
	} {
		if _, err := readOutput(out, pool()); !errors.Is(err, errOutput) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if n, err := readOutput(slices.Concat(word(1), word(3), word(4)), pool()); n != 1 || err != nil {
		t.Errorf("a sound output: got %d %v", n, err)
	}
}
