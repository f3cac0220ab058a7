package execution

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// signSingle signs a permit of Permit2 for the UniversalRouter with a key of the node, and returns it as callers send it.
func (w *world) signSingle(t *testing.T, token, owner evm.Address, amount *uint256.Int, deadline time.Time) string {
	t.Helper()
	grant := w.granted(t, token, owner)
	typed, err := Permit2TypedData(w.chain.CAIP2, token, w.universal.Router, amount, grant.Nonce, deadline)
	if err != nil {
		t.Fatal(err)
	}
	var signature string
	if err := json.Unmarshal(w.chain.Call(t, "eth_signTypedData_v4", owner.String(), json.RawMessage(typed)), &signature); err != nil {
		t.Fatal(err)
	}
	until := uint256.NewInt(uint64(deadline.Unix()))
	for _, n := range []*uint256.Int{amount, until, uint256.NewInt(grant.Nonce), until} {
		word := n.Bytes32()
		signature += hex.EncodeToString(word[:])
	}
	return signature
}

func (w *world) granted(t *testing.T, token, owner evm.Address) Permit2Grant {
	t.Helper()
	grant, err := NewAllowances(w.connect).Permit2(t.Context(), w.chain.CAIP2, token, owner, w.universal.Router)
	if err != nil {
		t.Fatal(err)
	}
	return grant
}

// sellOrder returns a sale of a token through the UniversalRouter. A quarter of these orders pay a referral. The owner
// holds the amount and has approved Permit2.
func (w *world) sellOrder(t *testing.T, from, to, owner evm.Address, sold *uint256.Int, referral *Referral) Order {
	t.Helper()
	w.give(t, from, owner, sold)
	w.mustSend(t, owner, approve(from, Permit2, sold))
	v := w.view(t)
	plan, err := w.plan(t, v, from, to, sold, within(both, harbour))
	if err != nil {
		t.Fatal(err)
	}
	o := order(v, plan, from, to, owner)
	o.Universal, o.Recipient, o.Referral = true, w.account(t), referral
	o.MinOut = new(uint256.Int).Sub(&plan.Out, o.Fee())
	return o
}

func TestTheUniversalRouterSellsTokensByPermit(t *testing.T) {
	w, a, b, c := universalMarket(t)
	s := NewSimulator(w.connect)
	owner := evm.MustAddress(w.accounts[5].Address)
	random := rand.New(rand.NewPCG(22, 20))
	tokens := []evm.Address{a, b, c}
	crossed, split, native, stored := 0, 0, 0, 0
	for trial := range 40 {
		from := tokens[random.IntN(len(tokens))]
		to := append(tokens, evm.Native, w.wrapped)[random.IntN(5)]
		if from == to {
			continue
		}
		sold := uint256.NewInt(1 + random.Uint64N(1e18))
		sold.Mul(sold, uint256.NewInt([]uint64{1, 1_000, 100_000}[random.IntN(3)]))
		var referral *Referral
		treasury := w.account(t)
		if trial%4 == 0 {
			referral = &Referral{BPS: 50, Recipient: treasury}
		}
		o := w.sellOrder(t, from, to, owner, sold, referral)
		text := w.signSingle(t, from, owner, sold, o.Deadline)
		permit, err := ParsePermit(text)
		if err != nil {
			t.Fatal(err)
		}
		// Every third order uses a stored allowance, without a permit in its transaction.
		if trial%3 == 0 {
			w.mustSend(t, owner, Call{To: Permit2, Value: new(uint256.Int), Data: encodeCall(
				"permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)", owner,
				[]any{[]any{from, sold, permit.Single.Expiration, permit.Single.Nonce}, w.universal.Router, permit.Deadline}, permit.signature())})
			stored++
		} else {
			o.Permit = permit
		}
		if approvals := Approvals(o); len(approvals) != 1 || approvals[0].Spender != Permit2 || !approvals[0].Amount.Eq(sold) {
			t.Fatalf("%d: the approvals are %v", trial, approvals)
		}
		o.View.Block.Number = 0 // the approvals are newer than the view
		calls, outcome, err := s.Confirm(t.Context(), o)
		if err != nil || !outcome.Confirmed || !outcome.Paid.Eq(o.MinOut) || len(calls) != 1 || !calls[0].Value.IsZero() {
			t.Fatalf("%d: the simulation of %d calls says %+v %v, the plan %s", trial, len(calls), outcome, err, o.MinOut)
		}
		before, feeBefore := w.balance(t, to, o.Recipient), w.balance(t, to, treasury)
		w.wait(t)
		gas, ok := w.send(t, owner, calls...)
		if paid := new(uint256.Int).Sub(w.balance(t, to, o.Recipient), before); !ok || !paid.Eq(o.MinOut) || gas > outcome.Gas {
			t.Fatalf("%d: paid %s with %d gas, planned %s with %d", trial, paid, gas, o.MinOut, outcome.Gas)
		}
		if fee := new(uint256.Int).Sub(w.balance(t, to, treasury), feeBefore); !fee.Eq(o.Fee()) {
			t.Errorf("%d: the operator got %s, want %s", trial, fee, o.Fee())
		}
		for _, token := range append(tokens, evm.Native, w.wrapped) {
			if left := w.balance(t, token, w.universal.Router); !left.IsZero() {
				t.Errorf("%d: %s of %s stay in the router", trial, left, token)
			}
		}
		if left := w.granted(t, from, owner); !left.Amount.IsZero() || !w.balance(t, from, owner).IsZero() {
			t.Errorf("%d: Permit2 still lets the router take %s", trial, left.Amount)
		}
		if to == evm.Native {
			native++
		}
		if crosses(o.View, o.Plan) {
			crossed++
		}
		if len(o.Plan.Paths) > 1 {
			split++
		}
	}
	t.Logf("%d plans crossed venues, %d were split, %d paid ether, %d used a stored allowance", crossed, split, native, stored)
	if crossed < 5 || split < 5 || native < 3 || stored < 5 {
		t.Error("the orders are not varied enough")
	}
}

func TestAPermitOfPermit2IsUsedOnceAndInTime(t *testing.T) {
	w, a, _, c := universalMarket(t)
	s := NewSimulator(w.connect)
	owner, sold := evm.MustAddress(w.accounts[6].Address), uint256.NewInt(7e18)
	o := w.sellOrder(t, a, c, owner, sold, nil)
	text := w.signSingle(t, a, owner, sold, o.Deadline)
	permit, err := ParsePermit(text)
	if err != nil {
		t.Fatal(err)
	}
	o.Permit = permit
	o.View.Block.Number = 0
	refused := func(name string, change func(*Permit, *Order)) {
		t.Helper()
		changed, single, order := *permit, *permit.Single, o
		changed.Single = &single
		change(&changed, &order)
		order.Permit = &changed
		calls, outcome, err := s.Confirm(t.Context(), order)
		if err != nil || outcome.Confirmed || !outcome.Refused || !strings.Contains(outcome.Why, "permit") {
			t.Errorf("%s: the simulation says %+v %v", name, outcome, err)
		}
		if _, ok := w.send(t, order.Sender, calls...); ok {
			t.Errorf("%s: the swap went through", name)
		}
	}
	one := uint256.NewInt(1)
	refused("more than was signed", func(p *Permit, _ *Order) { p.Value = new(uint256.Int).Add(p.Value, one) })
	refused("a later expiration", func(p *Permit, _ *Order) { p.Single.Expiration = new(uint256.Int).Add(p.Single.Expiration, one) })
	refused("a later deadline", func(p *Permit, _ *Order) { p.Deadline = new(uint256.Int).Add(p.Deadline, one) })
	refused("another nonce", func(p *Permit, _ *Order) { p.Single.Nonce = new(uint256.Int).Add(p.Single.Nonce, one) })
	refused("another signature", func(p *Permit, _ *Order) { p.R, p.S = p.S, p.R })
	other := w.account(t)
	w.give(t, a, other, sold)
	w.mustSend(t, other, approve(a, Permit2, sold))
	refused("another owner", func(_ *Permit, o *Order) { o.Sender = other })
	expired, err := ParsePermit(w.signSingle(t, a, owner, sold, o.View.Block.Time.Add(-time.Hour)))
	if err != nil {
		t.Fatal(err)
	}
	refused("an expired one", func(p *Permit, _ *Order) { *p = *expired })

	calls, outcome, err := s.Confirm(t.Context(), o)
	if err != nil || !outcome.Confirmed {
		t.Fatalf("got %+v %v", outcome, err)
	}
	w.wait(t)
	if gas, ok := w.send(t, owner, calls...); !ok || gas > outcome.Gas {
		t.Fatalf("the swap: went through %v with %d gas of %d", ok, gas, outcome.Gas)
	}
	w.give(t, a, owner, sold)
	w.mustSend(t, owner, approve(a, Permit2, sold))
	o.MinOut = uint256.NewInt(1)
	refused("a used one", func(*Permit, *Order) {})
}

func TestAStoredAllowanceOfPermit2CoversAnAmountUntilItExpires(t *testing.T) {
	w, a, _, _ := universalMarket(t)
	owner := evm.MustAddress(w.accounts[7].Address)
	until := time.Unix(2_000_000_000, 0)
	if grant := w.granted(t, a, owner); grant.Covers(uint256.NewInt(1), until) || grant.Contract {
		t.Errorf("nothing was approved: got %+v", grant)
	}
	w.mustSend(t, owner, Call{To: Permit2, Value: new(uint256.Int), Data: encodeCall(
		"approve(address,address,uint160,uint48)", a, w.universal.Router, uint256.NewInt(50), uint64(until.Unix()))})
	grant := w.granted(t, a, owner)
	for _, at := range []struct {
		amount uint64
		until  time.Time
		want   bool
	}{{50, until, true}, {51, until, false}, {50, until.Add(time.Second), false}, {1, until.Add(-time.Hour), true}} {
		if got := grant.Covers(uint256.NewInt(at.amount), at.until); got != at.want {
			t.Errorf("%d until %s: got %v, want %v", at.amount, at.until, got, at.want)
		}
	}
	if grant := w.granted(t, a, w.universal.Router); !grant.Contract {
		t.Error("a contract is taken for an account without code")
	}
}

func TestOnlyTheRouterOfAPermitCarriesIt(t *testing.T) {
	w, a, _, c := universalMarket(t)
	owner, sold := evm.MustAddress(w.accounts[3].Address), uint256.NewInt(1e18)
	o := w.sellOrder(t, a, c, owner, sold, nil)
	single, err := ParsePermit(w.signSingle(t, a, owner, sold, o.Deadline))
	if err != nil {
		t.Fatal(err)
	}
	token := *single
	token.Single = nil
	o.Permit = &token
	if _, err := Build(o); !errors.Is(err, ErrPermitRefused) {
		t.Errorf("a permit of the token through the UniversalRouter: got %v, want ErrPermitRefused", err)
	}
	plan, err := w.plan(t, o.View, a, c, sold, within(both))
	if err != nil {
		t.Fatal(err)
	}
	o.Permit, o.Universal, o.Plan = single, false, plan
	if _, err := Build(o); !errors.Is(err, ErrPermitRefused) {
		t.Errorf("a permit of Permit2 through another router: got %v, want ErrPermitRefused", err)
	}
	if _, err := Permit2TypedData(w.chain.CAIP2, a, owner, new(uint256.Int).Lsh(sold, 160), 0, o.Deadline); !errors.Is(err, ErrAmountOver) {
		t.Errorf("an amount of more than 160 bits: got %v, want ErrAmountOver", err)
	}
}
