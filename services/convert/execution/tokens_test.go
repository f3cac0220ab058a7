package execution

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/balances/exchangetest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// contract adds a token of the Uniswap packages. Pools and accounts receive their balances from its whole supply.
func (w *world) contract(t *testing.T, name string) evm.Address {
	t.Helper()
	return w.add(w.uniswap.Contract(t, "v2-periphery/build/"+name+".json", exchangetest.Units(1_000_000_000, 18)))
}

// fill opens a pool. The balance of its first token cannot be set by a storage slot, so that token is transferred.
func (w *world) fill(t *testing.T, venue int, token evm.Address, units int64, other evm.Address, unitsOther int64) {
	t.Helper()
	w.exchange(venue).Open(t, amount(token, units), amount(other, unitsOther))
	w.v2At(t, venue, token, other)
}

func TestAFeeOnTransfersIsFound(t *testing.T) {
	for _, venue := range []int{both, harbour} {
		w := newWorld(t)
		s, taxed, a := NewSimulator(w.connect), w.contract(t, "DeflatingERC20"), w.token(t, "AAA")
		w.fill(t, venue, taxed, 1_000_000, a, 1_000_000)
		w.v2(t, venue, w.wrapped, 1_000, a, 1_000_000)
		v := w.view(t)
		for name, ends := range map[string][2]evm.Address{
			"sold": {taxed, a}, "bought": {a, taxed}, "bought for the native currency": {evm.Native, taxed}, "sold for the native currency": {taxed, evm.Native},
		} {
			plan, err := w.plan(t, v, ends[0], ends[1], uint256.NewInt(1e18), nil)
			if err != nil {
				t.Fatal(err)
			}
			o := order(v, plan, ends[0], ends[1], w.account(t))
			for _, part := range []uint64{100, 90} { // of the output as the minimum: 90 percent would be enough
				o.MinOut = percent(&plan.Out, part)
				_, outcome, err := s.Confirm(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				if !outcome.Refused || outcome.Fee == nil || outcome.Fee.Token != taxed || outcome.Fee.BPS < 99 || outcome.Fee.BPS > 100 {
					t.Errorf("venue %d, %s, minimum %d %%: got %+v, want a fee of 1 %%", venue, name, part, outcome)
				}
			}
		}
	}
}

func TestAnAllowanceThatMustBeResetIsFoundBySimulation(t *testing.T) {
	w := newWorld(t)
	s, allowances := NewSimulator(w.connect), NewAllowances(w.connect)
	tether := w.add(w.chain.Token(t, "tUSDT").Address)
	plain := w.token(t, "AAA")
	w.v2(t, both, tether, 1_000_000, w.wrapped, 1_000)
	w.v2(t, both, plain, 1_000_000, w.wrapped, 1_000)
	v, account, one := w.view(t), w.account(t), uint256.NewInt(1e18)
	router := w.venues[both].Router
	for token, refuses := range map[evm.Address]bool{tether: true, plain: false} {
		w.give(t, token, account, one)
		for _, allowed := range []uint64{0, 5} {
			w.mustSend(t, account, approve(token, router, uint256.NewInt(0)))
			w.mustSend(t, account, approve(token, router, uint256.NewInt(allowed)))
			if got, err := allowances.Of(t.Context(), w.chain.CAIP2, token, account, router); err != nil || got.Uint64() != allowed {
				t.Fatalf("allowance: got %v %v, want %d", got, err, allowed)
			}
			reset := refuses && allowed > 0
			plan, err := w.plan(t, v, token, w.wrapped, one, nil)
			if err != nil {
				t.Fatal(err)
			}
			o := order(v, plan, token, w.wrapped, account)
			o.View.Block.Number = 0 // the approvals are newer than the view
			if _, outcome, err := s.Confirm(t.Context(), o); err != nil || !outcome.Confirmed || outcome.Reset != reset {
				t.Errorf("allowed %d, token refuses %v: the simulation says %+v %v", allowed, refuses, outcome, err)
			}
			approval, err := allowances.Approve(t.Context(), w.chain.CAIP2, token, account, router, one)
			if err != nil || approval.Reset() != reset {
				t.Fatalf("allowed %d, token refuses %v: the approval is %+v %v", allowed, refuses, approval, err)
			}
			for i, call := range approval.Calls {
				if gas, ok := w.send(t, account, call); !ok || gas > approval.Gas[i] {
					t.Errorf("approval %d: went through %v with %d gas of %d", i, ok, gas, approval.Gas[i])
				}
			}
			if got, _ := allowances.Of(t.Context(), w.chain.CAIP2, token, account, router); got == nil || !got.Eq(one) {
				t.Errorf("after the approval: %v", got)
			}
		}
	}
	if native, err := allowances.Of(t.Context(), w.chain.CAIP2, evm.Native, account, router); err != nil || native.BitLen() != 256 {
		t.Errorf("the native currency: got %v %v", native, err)
	}
}

func TestAPermitReplacesTheApproval(t *testing.T) {
	w := newWorld(t)
	s, permits := NewSimulator(w.connect), NewPermits(w.connect)
	token := w.contract(t, "ERC20")
	plain := w.token(t, "AAA")
	w.fill(t, both, token, 1_000_000, w.wrapped, 1_000)
	v, owner, one := w.view(t), evm.MustAddress(w.accounts[4].Address), uint256.NewInt(1e18)
	plan, err := w.plan(t, v, token, w.wrapped, one, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := permits.TypedData(t.Context(), w.chain.CAIP2, plain, owner, owner, one, v.Block.Time); !errors.Is(err, ErrNoPermit) {
		t.Errorf("a token without permits: got %v", err)
	}
	among := permits.Among(t.Context(), w.chain.CAIP2, []evm.Address{plain, token, evm.Native, owner})
	if !among[token] || among[plain] || among[evm.Native] || among[owner] {
		t.Errorf("tokens with permits: got %v, want only %s", among, token)
	}
	deadline := v.Block.Time.Add(time.Hour)
	typed, err := permits.TypedData(t.Context(), w.chain.CAIP2, token, owner, Spenders(v, plan)[0], one, deadline)
	if err != nil {
		t.Fatal(err)
	}
	var signature string
	if err := json.Unmarshal(w.chain.Call(t, "eth_signTypedData_v4", owner.String(), json.RawMessage(typed)), &signature); err != nil {
		t.Fatal(err)
	}
	value, until := one.Bytes32(), uint256.NewInt(uint64(deadline.Unix())).Bytes32()
	text := signature + hex.EncodeToString(value[:]) + hex.EncodeToString(until[:])
	o := order(v, plan, token, w.wrapped, owner)
	if o.Permit, err = ParsePermit(text); err != nil {
		t.Fatal(err)
	}
	calls, outcome, err := s.Confirm(t.Context(), o)
	if err != nil || !outcome.Confirmed || !outcome.Paid.Eq(&plan.Out) || len(Approvals(o)) != 0 {
		t.Fatalf("got %+v %v", outcome, err)
	}
	forged := o
	forged.Permit = &Permit{Value: one, Deadline: o.Permit.Deadline, V: 27, R: o.Permit.S, S: o.Permit.R}
	if _, outcome, err := s.Confirm(t.Context(), forged); err != nil || !outcome.Refused || !strings.Contains(outcome.Why, "permit") {
		t.Errorf("a forged permit: got %+v %v", outcome, err)
	}
	w.uniswap.Spend(t, token.String(), owner.String(), one.ToBig())
	if gas, ok := w.send(t, owner, calls...); !ok || gas > outcome.Gas {
		t.Errorf("the swap: went through %v with %d gas of %d", ok, gas, outcome.Gas)
	}
	if !w.balance(t, token, owner).IsZero() {
		t.Error("the amount was not sold")
	}
}

func TestParsePermitReadsEachForm(t *testing.T) {
	r, sig := strings.Repeat("11", 32), strings.Repeat("22", 32)
	word := func(n int64) string { return hex.EncodeToString(big.NewInt(n).FillBytes(make([]byte, 32))) }
	for _, text := range []string{
		"0x" + r + sig + "1b" + word(5) + word(1893456000),
		"0x" + r + sig + "00" + word(5) + word(1893456000),
		"0x" + word(1) + word(2) + word(5) + word(1893456000) + word(27) + r + sig,
	} {
		p, err := ParsePermit(text)
		if err != nil || p.V != 27 || p.Value.Uint64() != 5 || p.Deadline.Uint64() != 1893456000 || p.R[0] != 0x11 || p.S[31] != 0x22 {
			t.Errorf("%s: got %+v %v", text, p, err)
		}
	}
	const max48 = 1<<48 - 1
	p, err := ParsePermit("0x" + r + sig + "1c" + word(5) + word(max48) + word(3) + word(1893456000))
	if err != nil || p.V != 28 || p.Value.Uint64() != 5 || p.Single.Expiration.Uint64() != max48 || p.Single.Nonce.Uint64() != 3 || p.Deadline.Uint64() != 1893456000 {
		t.Errorf("a permit of Permit2: got %+v %v", p, err)
	}
	for _, text := range []string{
		"0x" + r + sig + "1c" + word(5) + word(max48+1) + word(3) + word(6), "0x" + r + sig + "1c" + word(5) + word(6) + word(max48+1) + word(6),
		"0x" + r + sig + "1c" + strings.Repeat("f", 64) + word(6) + word(3) + word(6),
		"", "0x", "0x" + r + sig + "1b", r + sig + "1b" + word(5) + word(6), "0x" + r + sig + "05" + word(5) + word(6), "0x" + strings.Repeat("zz", 129),
	} {
		if p, err := ParsePermit(text); err == nil {
			t.Errorf("%q: got %+v, want an error", text, p)
		}
	}
}
