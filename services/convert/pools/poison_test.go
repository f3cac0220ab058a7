package pools

import (
	"errors"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	revertsAlways = "0x60006000fd"
	loopsForEver  = "0x5b600056"
	// returnsMax is code that answers every call with 256 bytes of 0xff.
	returnsMax = "0x6000195f5260001960205260001960405260001960605260001960805260001960a05260001960c05260001960e0526101006000f3"
)

func TestMalformedPoolsAreLeftOut(t *testing.T) {
	h := newTestChain(t)
	sound := h.token("SOUND")
	h.v2(sound, 10, h.wrapped, 10)
	h.v3(3000, sound, h.wrapped, 10, 5)
	for i, code := range []string{revertsAlways, loopsForEver, returnsMax, "0x"} {
		token := h.token("BAD")
		h.v2(token, 10, h.wrapped, 10)
		h.v3(3000, token, h.wrapped, 10, 5)
		pair := h.main.Ask(t, h.main.V2, "getPair(address,address)", evm.Word(evm.MustAddress(token)), evm.Word(evm.MustAddress(h.wrapped)))
		pool := h.main.Ask(t, h.main.V3, "getPool(address,address,uint24)",
			evm.Word(evm.MustAddress(token)), evm.Word(evm.MustAddress(h.wrapped)), number(big.NewInt(3000)))
		for _, answer := range [][]byte{pair, pool} {
			h.chain.Call(t, "anvil_setCode", evm.Address(answer[12:32]).String(), code)
		}
		h.chain.Call(t, "anvil_mine", "0x1")
		f := h.tracker()
		if v := h.turn(f, sound, token); v.Pools() != 2 {
			t.Errorf("pool %d: the view has %d pools, want the sound ones", i, v.Pools())
		}
		h.sell(0, sound, h.wrapped, 1)
		h.turn(f)
		h.expectFresh(f)
	}
}

func TestAPoolWithInconsistentTicksIsLeftOut(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	pool := h.main.EmptyPool(t, a, h.wrapped, 3000, 60)
	one := new(big.Int).Lsh(big.NewInt(1), 96)
	// The liquidity that ends at the tick above exceeds the liquidity at the price.
	h.main.SetState(t, pool, 60, exchangetest.StateV3{}, exchangetest.StateV3{
		SqrtPrice: one, Liquidity: big.NewInt(1000), Ticks: map[int64]*big.Int{-60: big.NewInt(1000), 60: big.NewInt(-2000)},
	})
	h.chain.Call(t, "anvil_mine", "0x1")
	f := h.tracker()
	if v := h.turn(f, a); v.Pools() != 0 {
		t.Errorf("%d pools", v.Pools())
	}
	h.takeRequests()
	h.turn(f)
	if n := reads(h.takeRequests()); n != 0 {
		t.Errorf("a pool that cannot be is read again and again: %d times", n)
	}
}

func TestEmptyPoolsAreTrackedButNotInViews(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.main.Pair(t, a, h.wrapped)
	h.main.EmptyPool(t, a, h.wrapped, 3000, 60)
	f := h.tracker()
	if v := h.turn(f, a); v.Pools() != 0 {
		t.Fatalf("%d pools", v.Pools())
	}
	h.position(3000, a, h.wrapped, 10, -5, 5)
	if v := h.turn(f); v.Pools() != 1 {
		t.Errorf("with a first position: %d pools", v.Pools())
	}
	h.expectFresh(f)
	h.main.Withdraw(t, h.main.Positions(t), 100)
	if v := h.turn(f); v.Pools() != 0 {
		t.Errorf("without it: %d pools", v.Pools())
	}
	h.expectFresh(f)
}

func TestATokenWithoutATradablePoolHasNone(t *testing.T) {
	h := newTestChain(t)
	revert, burns := h.chain.Token(t, "RVRT").Address, h.chain.Token(t, "BURN").Address
	noPool := "0x00000000000000000000000000000000deadbeef"
	f := h.tracker()
	if v := h.turn(f, revert, burns, noPool, "0x0000000000000000000000000000000000000000"); v.Pools() != 0 {
		t.Errorf("%d pools", v.Pools())
	}
	if _, err := h.keeper().View(t.Context(), h.chain.CAIP2, addresses(noPool, noPool)...); err != nil {
		t.Error(err)
	}
}

func TestAnUnreachableNodeRejectsNoRouter(t *testing.T) {
	h := newTestChain(t)
	h.down.Store(true)
	f := h.tracker()
	if err := f.turn(t.Context(), nil, nil); !errors.Is(err, errDown) || f.state != nil {
		t.Errorf("got %v", err)
	}
	h.down.Store(false)
	h.turn(f)
	if len(f.state.factories) != 3 {
		t.Errorf("%d factories", len(f.state.factories))
	}
}

func TestTheShallowestPoolsAreDroppedFirst(t *testing.T) {
	h := newTestChain(t)
	h.config.MaxPools = 10
	h.v2(h.hub, 100, h.wrapped, 300)
	deep, shallow := h.token("DEEP"), h.token("SHALLOW")
	h.v2(deep, 1, h.hub, 50) // worth 150 of the wrapped currency
	h.v2(shallow, 1_000_000, h.hub, 2)
	var about []string
	for range 9 {
		token := h.token("T")
		h.v2(token, 1, h.wrapped, 100)
		about = append(about, token)
	}
	f := h.tracker()
	v := h.turn(f, append(about, deep, shallow)...)
	if v.Pools() != 9 || len(f.state.entries) != 9 {
		t.Errorf("%d pools shown, %d kept", v.Pools(), len(f.state.entries))
	}
	if _, kept := v.Token(evm.MustAddress(shallow)); kept {
		t.Error("the shallowest pool is kept")
	}
	if _, kept := v.Token(evm.MustAddress(deep)); !kept {
		t.Error("a deep pool is gone")
	}
	h.sell(0, deep, h.hub, 1)
	h.turn(f)
	h.expectFresh(f)
}
