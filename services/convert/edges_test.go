package convert

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/convert/engine"
	"github.com/hawser-dev/hawser/services/convert/pools"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	mostOfAll  = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	nobodyHere = "0x0000000000000000000000000000000000000000"
)

func TestNothingIsBuiltForTheZeroAddress(t *testing.T) {
	w := open(t)
	r := w.quoteRequest(t, oneEther, "ETH", "tUSD")
	order := w.order(r, w.quote(t, r))
	order.UserAddress, order.DisableEstimate = w.chain.CAIP2+":"+nobodyHere, true
	if res, err := w.BuildTransaction(t.Context(), order); reasonOf(err) != faultv1.Reason_REASON_ADDRESS_INVALID {
		t.Errorf("a transaction: %v, %v", res, err)
	}
	permit := &convertv1.GetPermitRequest{From: w.id(t, "tGOLD"), Amount: "5", UserAddress: nobodyHere}
	if res, err := w.GetPermit(t.Context(), permit); reasonOf(err) != faultv1.Reason_REASON_ADDRESS_INVALID {
		t.Errorf("a permit: %v, %v", res, err)
	}
}

func TestWrappingMoreThanThereIsIsRefused(t *testing.T) {
	w := open(t)
	w.follow(t)
	for _, pair := range [][2]string{{"WETH", "ETH"}, {"ETH", "WETH"}} {
		res, err := w.ListQuotes(t.Context(), w.quoteRequest(t, mostOfAll, pair[0], pair[1]))
		if reasonOf(err) != faultv1.Reason_REASON_TRANSACTION_REVERTS {
			t.Errorf("%s to %s: got %v, %v", pair[0], pair[1], res, err)
		}
	}
}

func TestAPermitForAVendorsQuoteIsRefusedWithoutARequest(t *testing.T) {
	w := open(t).with(&fakeVendor{err: vendors.ErrRateLimited})
	for _, tt := range []struct {
		quoteID string
		want    faultv1.Reason
	}{
		{"fakeVendor", faultv1.Reason_REASON_PERMIT_UNSUPPORTED},
		{"nobody", faultv1.Reason_REASON_PERMIT_UNSUPPORTED},
		{"onchain", faultv1.Reason_REASON_CONVERSION_INVALID},
		{"onchain/batch", faultv1.Reason_REASON_CONVERSION_INVALID},
		{"onchain/Nowhere", faultv1.Reason_REASON_CONVERSION_INVALID},
	} {
		_, err := w.GetPermit(t.Context(), &convertv1.GetPermitRequest{
			From: w.id(t, "tGOLD"), Amount: "5", UserAddress: w.user, QuoteId: tt.quoteID,
		})
		if reasonOf(err) != tt.want {
			t.Errorf("%s: got %v", tt.quoteID, err)
		}
	}
}

func TestABatchBeginsWithTheMissingApprovals(t *testing.T) {
	w := open(t)
	w.swap(t, w.quoteRequest(t, oneEther, "ETH", "tUSD"), "tUSD")
	r := w.quoteRequest(t, "1000000", "tUSD", "tDAI")
	r.Spender = ""
	for _, id := range []string{"", "onchain/Uniswap"} {
		order := w.order(r, &convertv1.Quote{Id: id})
		order.Batch = true
		w.follow(t)
		res, err := w.BuildTransaction(t.Context(), order)
		if err != nil {
			t.Fatalf("quote %q: %v", id, err)
		}
		calls := res.GetTx().GetCalls()
		approve := hexutil.Encode(evm.Selector("approve(address,uint256)"))
		if len(calls) != 2 || !strings.HasPrefix(calls[0].GetData(), approve) || calls[1].GetData() != res.GetTx().GetData() {
			t.Errorf("quote %q: got %v", id, calls)
		}
	}
}

// unread makes reads of allowances fail.
type unread struct {
	engine.Allowances
	because error
}

func (u unread) Of(context.Context, string, evm.Address, evm.Address, evm.Address) (*uint256.Int, error) {
	return nil, u.because
}

// unreachable returns the error of a call that reaches no node.
func unreachable(t *testing.T) error {
	t.Helper()
	_, err := chainclient.Transport(func(context.Context, []byte) ([]byte, error) {
		return nil, status.Error(codes.Unavailable, "no node")
	}).Batch(t.Context(), chainclient.Call{Method: "eth_call"})
	return err
}

func TestAnUnreadableAllowanceIsNotAnInternalError(t *testing.T) {
	w := open(t)
	w.swap(t, w.quoteRequest(t, oneEther, "ETH", "tUSD"), "tUSD")
	order := w.order(w.quoteRequest(t, "1000000", "tUSD", "tDAI"), &convertv1.Quote{})
	for _, tt := range []struct {
		because error
		want    faultv1.Reason
	}{
		{unreachable(t), faultv1.Reason_REASON_CHAIN_UNAVAILABLE},
		{errors.New("execution reverted"), faultv1.Reason_REASON_CONVERSION_INVALID},
	} {
		w.engine.Allowances = unread{w.engine.Allowances, tt.because}
		for _, order.Batch = range []bool{false, true} {
			w.follow(t)
			if _, err := w.BuildTransaction(t.Context(), order); reasonOf(err) != tt.want {
				t.Errorf("batch %v: got %v, want %v", order.Batch, err, tt.want)
			}
		}
	}
}

func TestAFeeOnTransfersIsNamedExactly(t *testing.T) {
	w := open(t)
	w.follow(t)
	for _, amount := range []string{"100000000000000000", "123456789012345678"} {
		_, err := w.ListQuotes(t.Context(), w.quoteRequest(t, amount, "ETH", "TAX"))
		if f := fault.From(err); !strings.Contains(f.Public, " keeps 1.00 percent ") {
			t.Errorf("%s: %s", amount, f.Public)
		}
	}
}

func TestAStoppingServiceIsUnavailable(t *testing.T) {
	w := open(t)
	w.engine.Views.(*pools.Keeper).Close()
	_, err := w.ListQuotes(t.Context(), w.quoteRequest(t, oneEther, "ETH", "tUSD"))
	if reasonOf(err) != faultv1.Reason_REASON_CHAIN_UNAVAILABLE {
		t.Errorf("got %v", err)
	}
}

func TestAMinimumOfZeroIsNoMinimum(t *testing.T) {
	w := open(t)
	r := w.quoteRequest(t, "5500000", "tUSD", "WHOLE")
	q := w.quote(t, r)
	order := w.order(r, q)
	order.ToAmountMin, order.DisableEstimate = "0", true
	res, err := w.BuildTransaction(t.Context(), order)
	if err != nil || q.GetToAmount() != "1" || res.GetTx().GetToAmountMin() != "1" {
		t.Errorf("the quote is %v, the transaction %v: %v", q, res, err)
	}
}
