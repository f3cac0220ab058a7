package convert

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
)

// permit signs a permit instead of sending an approval, and returns it in the form that BuildTransaction takes.
func (w world) permit(tb testing.TB, r *convertv1.ListQuotesRequest, q *convertv1.Quote) (string, error) {
	tb.Helper()
	res, err := w.GetPermit(tb.Context(), &convertv1.GetPermitRequest{
		From: r.GetFrom(), Amount: r.GetAmount(), UserAddress: w.chain.CAIP2 + ":" + w.user, QuoteId: q.GetId(),
	})
	if err != nil {
		return "", err
	}
	var signature string
	signed := w.chain.Call(tb, "eth_signTypedData_v4", w.user, json.RawMessage(res.GetTypedData()))
	if err := json.Unmarshal(signed, &signature); err != nil {
		tb.Fatal(err)
	}
	return signature + fmt.Sprintf("%064x%064x", number(tb, r.GetAmount()), res.GetDeadline()), nil
}

func TestASwapWithAPermitNeedsNoApproval(t *testing.T) {
	w := open(t)
	w.user = w.nodes.devnet.Accounts[7].Address // an account whose key the node has
	w.swap(t, w.quoteRequest(t, oneEther, "ETH", "tGOLD"), "tGOLD")
	r := w.quoteRequest(t, "10000000", "tGOLD", "tUSD")
	r.Spender = "" // the primary router passes permits on
	q := w.quote(t, r)
	permit, err := w.permit(t, r, q)
	if err != nil {
		t.Fatal(err)
	}
	order := w.order(r, q)
	order.Eip155.Permit = permit
	res, err := w.BuildTransaction(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	tx, before := res.GetTx(), w.holds(t, "tUSD")
	w.send(t, &convertv1.Call{To: strings.TrimPrefix(tx.GetTo(), w.chain.CAIP2+":"), Data: tx.GetData(), Value: tx.GetValue()}, tx.GetEip155().GetGas())
	if paid := new(big.Int).Sub(w.holds(t, "tUSD"), before); !tx.GetConfirmed() || paid.String() != tx.GetAmount() {
		t.Errorf("paid %s, the transaction said %s", paid, tx.GetAmount())
	}

	order.Eip155.Permit = permit[:len(permit)-2]
	if _, err := w.BuildTransaction(t.Context(), order); reasonOf(err) != faultv1.Reason_REASON_CONVERSION_INVALID {
		t.Errorf("a permit that is cut off: %v", err)
	}
}

func TestATokenWithoutPermitsIsRefused(t *testing.T) {
	w := open(t)
	r := w.quoteRequest(t, "1000000", "tUSD", "tDAI")
	if _, err := w.permit(t, r, w.quote(t, r)); reasonOf(err) != faultv1.Reason_REASON_PERMIT_UNSUPPORTED {
		t.Errorf("got %v", err)
	}
}
