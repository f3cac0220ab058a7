package execution

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// pair returns a world with one v2 pool of two plain tokens, and an order that sells a thousandth of the first token's
// reserve.
func pair(t *testing.T) (w *world, o Order) {
	t.Helper()
	w = newWorld(t)
	a, b := w.token(t, "AAA"), w.token(t, "BBB")
	w.v2(t, both, a, 1_000_000, b, 2_000_000)
	v := w.view(t)
	plan, err := w.plan(t, v, a, b, uint256.MustFromDecimal("1000000000000000000000"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return w, order(v, plan, a, b, w.account(t))
}

func TestATrialRunsAtTheBlockOfItsView(t *testing.T) {
	w, o := pair(t)
	trader, other := w.account(t), o
	other.Sender, other.Recipient = trader, trader
	calls, err := Build(other)
	if err != nil {
		t.Fatal(err)
	}
	w.give(t, o.From, trader, &o.Plan.In)
	w.mustSend(t, trader, approve(o.From, Approvals(o)[0].Spender, &o.Plan.In))
	w.mustSend(t, trader, calls...)

	s := NewSimulator(w.connect)
	if _, outcome, err := s.Confirm(t.Context(), o); err != nil || !outcome.Confirmed {
		t.Errorf("at the view's block, before another's swap: got %+v %v", outcome, err)
	}
	o.View.Block.Number = 0
	o.MinOut = uint256.NewInt(1)
	_, outcome, err := s.Confirm(t.Context(), o)
	if err != nil || !outcome.Refused || outcome.Fee != nil || outcome.Paid == nil || !strings.Contains(outcome.Why, "pays") {
		t.Errorf("at the newest block, after it: got %+v %v", outcome, err)
	}
}

func TestATrialOfAKnownTokenTakesOneRoundTrip(t *testing.T) {
	w, o := pair(t)
	requests := 0
	s := NewSimulator(func(chainID string) chainclient.Transport {
		return func(ctx context.Context, body []byte) ([]byte, error) {
			requests++
			return w.connect(chainID)(ctx, body)
		}
	})
	for _, want := range []int{3, 1, 1} {
		requests = 0
		o.Sender = w.account(t) // holds nothing
		if _, outcome, err := s.Confirm(t.Context(), o); err != nil || !outcome.Confirmed {
			t.Fatalf("got %+v %v", outcome, err)
		}
		if requests != want {
			t.Errorf("%d round trips, want %d", requests, want)
		}
	}
}

func TestASwapThatCannotBeSimulatedIsNotConfirmed(t *testing.T) {
	w, o := pair(t)
	hidden := evm.MustAddress("0x00000000000000000000000000000051deB00c77")
	w.chain.Call(t, "anvil_setCode", hidden.String(), "0x600060005260206000f3")
	calls, err := Build(o)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := NewSimulator(w.connect).Try(t.Context(), w.chain.CAIP2, Trial{
		Sender: o.Sender, Recipient: o.Recipient, Sold: hidden, Bought: o.To, Amount: uint256.NewInt(1), Expected: uint256.NewInt(1), Calls: calls,
	})
	if err != nil || outcome.Confirmed || outcome.Refused || outcome.Why == "" || outcome.Cause != BalanceLow || outcome.Paid != nil || outcome.Gas != 0 {
		t.Errorf("a token that cannot be transferred: got %+v %v", outcome, err)
	}
	dead := NewSimulator(func(string) chainclient.Transport {
		return func(context.Context, []byte) ([]byte, error) { return nil, context.DeadlineExceeded }
	})
	if _, _, err := dead.Confirm(t.Context(), o); err == nil {
		t.Error("a dead node: want an error")
	}
}

// TestANodeWithoutStateOverridesConfirmsNothing simulates with nodes that refuse state overrides, and with nodes that
// ignore them.
func TestANodeWithoutStateOverridesConfirmsNothing(t *testing.T) {
	w, o := pair(t)
	funded := o
	funded.Sender = w.account(t)
	funded.Recipient = funded.Sender
	w.give(t, o.From, funded.Sender, &o.Plan.In)
	w.mustSend(t, funded.Sender, approve(o.From, Approvals(o)[0].Spender, &o.Plan.In))
	funded.View.Block.Number = 0
	for name, refuse := range map[string]bool{"refuses them": true, "ignores them": false} {
		s := NewSimulator(func(string) chainclient.Transport { return w.withoutOverrides(refuse) })
		_, outcome, err := s.Confirm(t.Context(), funded)
		if err != nil || outcome.Confirmed || outcome.Refused || outcome.Why == "" || outcome.Cause != Uncounted || outcome.Paid != nil || outcome.Gas < 90_000 {
			t.Errorf("a node that %s, an account that holds and has allowed: got %+v %v", name, outcome, err)
		}
		if _, outcome, err = s.Confirm(t.Context(), o); err != nil || outcome.Confirmed || outcome.Refused || outcome.Why == "" || outcome.Cause != FailsNow {
			t.Errorf("a node that %s, one that does not: got %+v %v", name, outcome, err)
		}
	}
}

func TestANodeThatRefusesABlockTimeIsRememberedAsSuch(t *testing.T) {
	w, o := pair(t)
	requests := 0
	s := NewSimulator(func(string) chainclient.Transport {
		return func(ctx context.Context, body []byte) ([]byte, error) {
			requests++
			return w.without(3, true)(ctx, body)
		}
	})
	w.give(t, o.From, o.Sender, &o.Plan.In)
	o.View.Block.Number = 0
	for _, want := range []int{2, 1} {
		requests = 0
		if _, outcome, err := s.Confirm(t.Context(), o); err != nil || !outcome.Confirmed || outcome.Paid == nil || requests != want {
			t.Errorf("got %+v %v with %d requests, want %d", outcome, err, requests, want)
		}
	}
}

// withoutOverrides returns the chain's node without state overrides: eth_call has only the parameters transaction and
// block.
func (w *world) withoutOverrides(refuse bool) chainclient.Transport { return w.without(2, refuse) }

// without returns the chain's node with at most `most` parameters of eth_call; further ones are refused or ignored.
func (w *world) without(most int, refuse bool) chainclient.Transport {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		var requested []map[string]any
		if err := json.Unmarshal(body, &requested); err != nil {
			return nil, err
		}
		answers, kept := []json.RawMessage{}, []map[string]any{}
		for _, r := range requested {
			params, _ := r["params"].([]any)
			switch over := r["method"] == "eth_call" && len(params) > most; {
			case over && refuse:
				answers = append(answers, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"too many arguments"}}`, r["id"]))
				continue
			case over:
				r["params"] = params[:most]
			}
			kept = append(kept, r)
		}
		if len(kept) > 0 {
			body, err := json.Marshal(kept)
			if err != nil {
				return nil, err
			}
			answer, err := w.chain.Forward(ctx, body)
			if err != nil {
				return nil, err
			}
			var some []json.RawMessage
			if err := json.Unmarshal(answer, &some); err != nil {
				return nil, err
			}
			answers = append(answers, some...)
		}
		return json.Marshal(answers)
	}
}

func TestTryRefusesCallsThatStealOverspendOrPayNothing(t *testing.T) {
	w, o := pair(t)
	s := NewSimulator(w.connect)
	good, err := trialOf(o)
	if err != nil {
		t.Fatal(err)
	}
	thief := w.account(t)
	other := o
	other.Recipient = thief
	stolen, err := Build(other)
	if err != nil {
		t.Fatal(err)
	}
	twice := good
	w.give(t, o.From, o.Sender, uint256.MustFromDecimal("5000000000000000000000"))
	w.mustSend(t, o.Sender, approve(o.From, good.Approvals[0].Spender, unknownBalance))
	twice.Block, twice.Approvals = 0, nil
	twice.Calls = slices.Concat(good.Calls, good.Calls)
	nothing := good
	nothing.Calls = []Call{{To: thief, Value: new(uint256.Int)}}
	paysAnother := good
	paysAnother.Calls = stolen
	for name, trial := range map[string]Trial{"pays somebody else": paysAnother, "takes more than the amount": twice, "does nothing": nothing} {
		if outcome, err := s.Try(t.Context(), w.chain.CAIP2, trial); err != nil || !outcome.Refused || outcome.Why == "" {
			t.Errorf("call data that %s: got %+v %v", name, outcome, err)
		}
	}
	if outcome, err := s.Try(t.Context(), w.chain.CAIP2, good); err != nil || !outcome.Confirmed {
		t.Errorf("honest call data: got %+v %v", outcome, err)
	}
}

// onZKsync returns the order as one of a chain that cannot run the program.
func onZKsync(w *world, o Order) (*Simulator, Order) {
	view := *o.View
	view.Chain.ID = "eip155:324"
	o.View = &view
	return NewSimulator(func(string) chainclient.Transport { return w.connect(w.chain.CAIP2) }), o
}

func TestAChainWithoutEVMBytecodeConfirmsWhatTheRouterChecks(t *testing.T) {
	w, o := pair(t)
	s, o := onZKsync(w, o)
	_, outcome, err := s.Confirm(t.Context(), o)
	if err != nil || outcome.Confirmed || outcome.Refused || outcome.Cause != FailsNow {
		t.Errorf("before the approval: got %+v, %v", outcome, err)
	}
	w.give(t, o.From, o.Sender, &o.Plan.In)
	w.mustSend(t, o.Sender, approve(o.From, Approvals(o)[0].Spender, &o.Plan.In))
	o.View.Block.Number = 0
	calls, outcome, err := s.Confirm(t.Context(), o)
	if err != nil || !outcome.Confirmed || outcome.Gas == 0 || outcome.Why != "" {
		t.Errorf("after it: got %+v, %v", outcome, err)
	}
	if again, _ := Build(o); !slices.EqualFunc(calls, again, func(a, b Call) bool { return string(a.Data) == string(b.Data) }) {
		t.Error("the transaction is not that of the order")
	}
	more := o
	more.MinOut = uint256.NewInt(1)
	more.Plan.Paths = slices.Clone(o.Plan.Paths)
	more.Plan.Out = *new(uint256.Int).Add(&o.Plan.Out, new(uint256.Int).Div(&o.Plan.Out, uint256.NewInt(1000)))
	if _, outcome, err := s.Confirm(t.Context(), more); err != nil || outcome.Confirmed || !outcome.Refused {
		t.Errorf("a quote of more than is paid: got %+v, %v", outcome, err)
	}
}

func TestAChainWithoutEVMBytecodeRefusesATokenWithAFee(t *testing.T) {
	w := newWorld(t)
	a, taxed := w.token(t, "AAA"), w.contract(t, "DeflatingERC20")
	w.fill(t, both, taxed, 1_000_000, a, 1_000_000)
	v := w.view(t)
	plan, err := w.plan(t, v, a, taxed, uint256.MustFromDecimal("1000000000000000000"), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, o := onZKsync(w, order(v, plan, a, taxed, w.account(t)))
	o.MinOut = uint256.NewInt(1)
	w.give(t, a, o.Sender, &o.Plan.In)
	w.mustSend(t, o.Sender, approve(a, Approvals(o)[0].Spender, &o.Plan.In))
	o.View.Block.Number = 0
	if _, outcome, err := s.Confirm(t.Context(), o); err != nil || outcome.Confirmed || !outcome.Refused {
		t.Errorf("got %+v, %v", outcome, err)
	}
}

func TestAChainWithoutEVMBytecodeDoesNotConfirmWhatNoRouterChecks(t *testing.T) {
	one := uint256.NewInt(1)
	a := evm.MustAddress("0x00000000000000000000000000000000000000aa")
	trial := Trial{Sender: a, Recipient: a, Sold: evm.Native, Bought: a, Amount: one, Expected: one, Calls: []Call{{To: a, Data: []byte{1}, Value: one}}}
	node := func(string) chainclient.Transport { return lying(`"0x5208"`) }
	outcome, err := NewSimulator(node).Try(t.Context(), "eip155:324", trial)
	if err != nil || outcome.Confirmed || outcome.Refused || outcome.Why == "" || outcome.Gas == 0 {
		t.Errorf("got %+v, %v", outcome, err)
	}
}
