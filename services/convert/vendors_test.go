package convert

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/convert/engine"
	"github.com/hawser-dev/hawser/services/convert/execution"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// fakeVendor is a vendor with an output and call data that a test sets.
type fakeVendor struct {
	out  *big.Int
	err  error
	tx   vendors.Transaction
	asks int
}

func (h *fakeVendor) quote() vendors.Quote {
	return vendors.Quote{Vendor: "fakeVendor", Out: h.out, Gas: 150_000, Spender: evm.MustAddress("0x00000000000000000000000000000000000000aa")}
}

func (h *fakeVendor) Quotes(context.Context, vendors.Request) vendors.Answers {
	h.asks++
	if h.err != nil {
		return vendors.Answers{Failures: map[string]error{"fakeVendor": h.err}}
	}
	return vendors.Answers{Quotes: []vendors.Quote{h.quote()}}
}

func (h *fakeVendor) Quote(_ context.Context, _ vendors.Request, vendor string) (vendors.Quote, error) {
	if vendor != "fakeVendor" {
		return vendors.Quote{}, vendors.ErrRejected
	}
	return h.quote(), h.err
}

func (h *fakeVendor) Build(context.Context, vendors.Request, vendors.Quote) (vendors.Transaction, error) {
	return h.tx, h.err
}

func (w world) with(h *fakeVendor) world {
	w.engine.Vendors = h
	return w
}

func TestTheBestQuoteIsReturnedWithTheOtherOffers(t *testing.T) {
	much, little := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil), big.NewInt(1)
	for _, tt := range []struct {
		behaviour, source, other string
		vendor                   *fakeVendor
	}{
		{"a vendor that pays more", "fakeVendor", engine.Onchain, &fakeVendor{out: much}},
		{"a vendor that pays less", engine.Onchain, "fakeVendor", &fakeVendor{out: little}},
		{"a vendor that fails", engine.Onchain, "fakeVendor", &fakeVendor{err: fmt.Errorf("its own words: %w", vendors.ErrRateLimited)}},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			w := open(t).with(tt.vendor)
			q := w.quote(t, w.quoteRequest(t, "1000000000", "tUSD", "tDAI"))
			if q.GetSource() != tt.source || len(q.GetOffers()) != 1 || q.GetOffers()[0].GetSource() != tt.other {
				t.Fatalf("got %v", q)
			}
			if q.GetSource() != engine.Onchain && (q.BoundBps != nil || q.GetConfirmed() || q.GetUnconfirmedBecause() == "" || q.GetUnconfirmedCause() != convertv1.UnconfirmedCause_UNCONFIRMED_CAUSE_NOT_BUILT) {
				t.Errorf("a vendor's quote claims what is not proved: %v", q)
			}
			if tt.vendor.err != nil && q.GetOffers()[0].GetReason() != vendors.ErrRateLimited.Error() {
				t.Errorf("the reason is %q", q.GetOffers()[0].GetReason())
			}
		})
	}
}

func TestVendorsAreRequestedOnlyForCallersThatAcceptAnySpender(t *testing.T) {
	vendor := &fakeVendor{out: big.NewInt(1)}
	w := open(t).with(vendor)
	r := w.quoteRequest(t, "1000000000", "tUSD", "tDAI")
	r.Spender = ""
	if q := w.quote(t, r); vendor.asks != 0 || len(q.GetOffers()) != 0 {
		t.Errorf("requested %d times: %v", vendor.asks, q.GetOffers())
	}
	native := w.quoteRequest(t, oneEther, "ETH", "tDAI")
	native.Spender = ""
	if w.quote(t, native); vendor.asks != 1 {
		t.Errorf("requested %d times where nothing is to be approved", vendor.asks)
	}
}

func TestAVendorsTransactionIsSimulatedBeforeItIsReturned(t *testing.T) {
	vendor := &fakeVendor{out: big.NewInt(5_000_000)}
	w := open(t).with(vendor)
	r := w.quoteRequest(t, oneEther, "ETH", "tUSD")
	// The vendor sells the chain's own swap, which is known to work.
	honest := w.build(t, r, &convertv1.Quote{Id: "onchain/Uniswap"})
	call := honest.GetCalls()[0]
	data := new(big.Int)
	data.SetString(call.GetData()[2:], 16)
	vendor.tx = vendors.Transaction{
		To: evm.MustAddress(call.GetTo()), Data: data.Bytes(), Value: number(t, call.GetValue()),
		Out: number(t, honest.GetAmount()), MinOut: number(t, honest.GetToAmountMin()),
	}
	vendor.out = vendor.tx.Out
	tx := w.build(t, r, &convertv1.Quote{Id: "fakeVendor"})
	if !tx.GetConfirmed() || tx.GetSource() != "fakeVendor" || tx.GetData() != honest.GetData() {
		t.Errorf("got %v", tx)
	}

	vendor.tx.Data = vendor.tx.Data[:40]
	if _, err := w.BuildTransaction(t.Context(), w.order(r, &convertv1.Quote{Id: "fakeVendor"})); reasonOf(err) != faultv1.Reason_REASON_TRANSACTION_REVERTS {
		t.Errorf("call data that fails: %v", err)
	}
	if _, err := w.BuildTransaction(t.Context(), w.order(r, &convertv1.Quote{Id: "nobody"})); reasonOf(err) != faultv1.Reason_REASON_CONVERSION_INVALID {
		t.Errorf("a vendor that is not set up: %v", err)
	}
}

func TestAnApprovalOfAVendorsQuoteIsForTheVendorsSpender(t *testing.T) {
	vendor := &fakeVendor{out: big.NewInt(1)}
	w := open(t).with(vendor)
	res, err := w.BuildApprove(t.Context(), &convertv1.BuildApproveRequest{
		From: w.id(t, "tUSD"), To: w.id(t, "tDAI"), Amount: "5", UserAddress: w.user, QuoteId: "fakeVendor",
	})
	if err != nil || res.GetTx().GetSpender() != vendor.quote().Spender.String() {
		t.Errorf("got %v, %v", res, err)
	}
}

func TestAnApprovalWithoutAnAmountIsOfTheBalance(t *testing.T) {
	w := open(t)
	w.swap(t, w.quoteRequest(t, oneEther, "ETH", "tUSD"), "tUSD")
	r := &convertv1.BuildApproveRequest{From: w.id(t, "tUSD"), To: w.id(t, "tDAI"), UserAddress: w.user}
	res, err := w.BuildApprove(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if held := fmt.Sprintf("%064x", w.holds(t, "tUSD")); !strings.HasSuffix(res.GetTx().GetData(), held) {
		t.Errorf("approves %s, not %s", res.GetTx().GetData(), held)
	}
	r.UserAddress = ""
	if _, err := w.BuildApprove(t.Context(), r); reasonOf(err) == faultv1.Reason_REASON_UNSPECIFIED {
		t.Errorf("an approval of no amount: %v", err)
	}
}

func TestAVendorsTransactionThatCannotBeSimulatedIsUnconfirmed(t *testing.T) {
	vendor := &fakeVendor{out: big.NewInt(5_000_000)}
	w := open(t).with(vendor)
	r := w.quoteRequest(t, oneEther, "ETH", "tUSD")
	honest := w.build(t, r, &convertv1.Quote{Id: "onchain/Uniswap"})
	call := honest.GetCalls()[0]
	data, _ := new(big.Int).SetString(call.GetData()[2:], 16)
	vendor.tx = vendors.Transaction{
		To: evm.MustAddress(call.GetTo()), Data: data.Bytes(), Value: number(t, call.GetValue()), Gas: 900_000_000,
		Out: number(t, honest.GetAmount()), MinOut: number(t, honest.GetToAmountMin()),
	}
	vendor.out = vendor.tx.Out
	order := w.order(r, &convertv1.Quote{Id: "fakeVendor"})
	res, err := w.BuildTransaction(t.Context(), order)
	if err != nil || res.GetTx().GetEip155().GetGas() == "900000000" {
		t.Errorf("the vendor says what gas it takes: %v, %v", res, err)
	}
	for _, tt := range []struct {
		behaviour string
		trials    unmeasured
		unbounded bool
		want      faultv1.Reason
	}{
		{"that no node answered is refused", unmeasured{err: errors.New("no answer")}, false, faultv1.Reason_REASON_CHAIN_UNAVAILABLE},
		{"that cannot be measured is given as not confirmed", unmeasured{}, false, faultv1.Reason_REASON_UNSPECIFIED},
		{"that cannot be measured, to a contract that is not pinned, is refused", unmeasured{}, true, faultv1.Reason_REASON_TRANSACTION_REVERTS},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			w.engine.Simulator = tt.trials
			vendor.tx.Unbounded = tt.unbounded
			res, err := w.BuildTransaction(t.Context(), order)
			if err != nil || tt.want != faultv1.Reason_REASON_UNSPECIFIED {
				if reasonOf(err) != tt.want {
					t.Errorf("got %v, %v", res, err)
				}
				return
			}
			if tx := res.GetTx(); tx.GetConfirmed() || tx.GetUnconfirmedCause() != convertv1.UnconfirmedCause_UNCONFIRMED_CAUSE_FAILS_NOW || tx.GetUnconfirmedDetail() != `"STF"` {
				t.Errorf("what was not measured is confirmed, or has no cause: %v", res)
			}
		})
	}
}

func TestACauseIsThatOfTheAPI(t *testing.T) {
	for cause, want := range map[execution.Cause]convertv1.UnconfirmedCause{
		execution.Unanswered: convertv1.UnconfirmedCause_UNCONFIRMED_CAUSE_UNANSWERED, execution.NotBuilt: convertv1.UnconfirmedCause_UNCONFIRMED_CAUSE_NOT_BUILT,
		execution.BalanceLow: convertv1.UnconfirmedCause_UNCONFIRMED_CAUSE_BALANCE_LOW, execution.Uncounted: convertv1.UnconfirmedCause_UNCONFIRMED_CAUSE_UNCOUNTED,
		execution.SeveralCalls: convertv1.UnconfirmedCause_UNCONFIRMED_CAUSE_SEVERAL_CALLS, execution.FailsNow: convertv1.UnconfirmedCause_UNCONFIRMED_CAUSE_FAILS_NOW,
	} {
		if int32(cause) != int32(want) {
			t.Errorf("%d is %s", cause, want)
		}
	}
}

// unmeasured is a chain on which outputs cannot be measured, or whose nodes do not answer.
type unmeasured struct {
	engine.Simulator
	err error
}

func (u unmeasured) Try(context.Context, string, execution.Trial) (execution.Outcome, error) {
	return execution.Outcome{Cause: execution.FailsNow, Detail: `"STF"`, Why: `the swap fails for this account as it stands: "STF"`}, u.err
}
