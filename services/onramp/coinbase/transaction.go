package coinbase

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	solana "github.com/gagliardetto/solana-go"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
)

// transactionsAPage is the page size, more than the transactions of one session.
const transactionsAPage = "50"

// message is the body of a webhook: a transaction, or an order of the headless API.
type message struct {
	EventType string `json:"eventType"`
	transaction
}

// transaction is a purchase in Coinbase's form.
type transaction struct {
	TransactionID      string     `json:"transactionId"`
	OrderID            string     `json:"orderId"`
	PartnerUserRef     string     `json:"partnerUserRef"`
	Status             string     `json:"status"`
	FailureReason      string     `json:"failureReason"`
	TxHash             string     `json:"txHash"`
	PaymentTotal       moneyOrSum `json:"paymentTotal"`
	PaymentCurrency    string     `json:"paymentCurrency"`
	PurchaseAmount     moneyOrSum `json:"purchaseAmount"`
	PurchaseCurrency   string     `json:"purchaseCurrency"`
	PurchaseNetwork    string     `json:"purchaseNetwork"`
	DestinationNetwork string     `json:"destinationNetwork"`
	CreatedAt          time.Time  `json:"createdAt"`
	UpdatedAt          time.Time  `json:"updatedAt"`
	CompletedAt        time.Time  `json:"completedAt"`
}

// moneyOrSum is an amount, which has a currency in a transaction but not in an order.
type moneyOrSum struct{ money }

func (m *moneyOrSum) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '{' {
		return json.Unmarshal(raw, &m.money)
	}
	return json.Unmarshal(raw, &m.Value)
}

// states maps each status to a state.
var states = map[string]ramp.State{
	"ONRAMP_TRANSACTION_STATUS_CREATED":        ramp.Pending,
	"ONRAMP_TRANSACTION_STATUS_IN_PROGRESS":    ramp.Pending,
	"ONRAMP_TRANSACTION_STATUS_SUCCESS":        ramp.Completed,
	"ONRAMP_TRANSACTION_STATUS_FAILED":         ramp.Failed,
	"ONRAMP_ORDER_STATUS_PENDING_AUTH":         ramp.Pending,
	"ONRAMP_ORDER_STATUS_PENDING_PAYMENT":      ramp.Pending,
	"ONRAMP_ORDER_STATUS_PENDING_VERIFICATION": ramp.Pending,
	"ONRAMP_ORDER_STATUS_PROCESSING":           ramp.Paid,
	"ONRAMP_ORDER_STATUS_COMPLETED":            ramp.Completed,
	"ONRAMP_ORDER_STATUS_CANCELED":             ramp.Cancelled,
	"ONRAMP_ORDER_STATUS_FAILED":               ramp.Failed,
}

// failures maps each failure reason to a failure and its text.
var failures = map[string]failure{
	"FAILURE_REASON_BUY_FAILED":  {ramp.PaymentFailed, "The payment did not succeed"},
	"FAILURE_REASON_SEND_FAILED": {ramp.TokensUnsent, "The tokens could not be sent"},
}

type failure struct {
	is   ramp.Failure
	text string
}

// Poll returns the events of an order; none before the visitor has begun to pay.
func (c *Coinbase) Poll(ctx context.Context, p ramp.Placed) ([]ramp.Event, error) {
	var answer either[struct {
		Transactions []wire.Lenient[transaction] `json:"transactions"`
	}]
	if !reference.MatchString(p.OrderID) {
		return nil, fmt.Errorf("%w: the order id is not a valid reference", ramp.ErrUnsupported)
	}
	path := "/v1/buy/user/" + p.OrderID + "/transactions"
	if err := c.api.Get(ctx, path, url.Values{"pageSize": {transactionsAPage}}, &answer); err != nil {
		return nil, err
	}
	var events []ramp.Event
	for _, element := range answer.is.Transactions {
		t := element.Is
		if element.Err == nil && t.PartnerUserRef != "" && t.PartnerUserRef != p.OrderID {
			return nil, fmt.Errorf("%w: the response is about another order", ramp.ErrUnavailable)
		}
		event, known, err := t.event(p.At)
		switch {
		case element.Err != nil || err != nil:
			events = append(events, ramp.Event{OrderID: p.OrderID})
		case known:
			event.OrderID = p.OrderID
			events = append(events, event)
		}
	}
	return events, nil
}

// event returns the event of a transaction, and false if the status is unknown. Its time is `otherwise` if the
// transaction has no time.
func (t transaction) event(otherwise time.Time) (e ramp.Event, known bool, err error) {
	ref := cmp.Or(t.TransactionID, t.OrderID)
	if ref == "" || t.Status == "" {
		return ramp.Event{}, false, ramp.ErrMalformed
	}
	state, known := states[t.Status]
	if !known {
		return ramp.Event{}, false, nil
	}
	chainID := chainOf(cmp.Or(t.PurchaseNetwork, t.DestinationNetwork))
	e = ramp.Event{
		OrderID: t.PartnerUserRef, Ref: ref, State: state, At: t.at(otherwise), Transaction: hashOf(chainID, t.TxHash),
		Paid: t.PaymentTotal.amount(t.PaymentCurrency), Received: t.PurchaseAmount.amount(t.PurchaseCurrency),
		ChainID: chainID,
	}
	if state == ramp.Pending && e.Transaction != "" {
		e.State = ramp.Paid
	}
	if state == ramp.Failed {
		f := cmp.Or(failures[t.FailureReason], failure{ramp.Unexplained, "The purchase failed"})
		e.Failure, e.Reason = f.is, f.text
	}
	e.ID = identify(e)
	return e, true, nil
}

// at returns the latest time of the transaction. A time that is not set yet is in the year 1.
func (t transaction) at(otherwise time.Time) time.Time {
	latest := t.CreatedAt
	for _, other := range []time.Time{t.UpdatedAt, t.CompletedAt} {
		if other.After(latest) {
			latest = other
		}
	}
	if latest.Year() <= 1 {
		return otherwise
	}
	return latest
}

func (m moneyOrSum) amount(currency string) *ramp.Amount {
	currency = cmp.Or(m.Currency, currency)
	if m.Value == nil || currency == "" || m.Value.IsNegative() {
		return nil
	}
	return &ramp.Amount{Value: m.Value.Decimal, Currency: strings.ToUpper(currency)}
}

var hashForm = regexp.MustCompile(`^0x[0-9a-fA-F]{64}$`)

// hashOf returns a transaction's hash, on Solana its signature; empty before there is one.
func hashOf(chainID, text string) string {
	if namespaceOf(chainID) == namespaceSolana {
		if _, err := solana.SignatureFromBase58(text); err != nil {
			return ""
		}
		return text
	}
	if !hashForm.MatchString(text) {
		return ""
	}
	return strings.ToLower(text)
}

// identify returns the id of an event, a digest of its content, because Coinbase gives ids only to deliveries.
func identify(e ramp.Event) string {
	said, err := json.Marshal([]any{e.OrderID, e.Ref, e.State, e.At.Unix(), e.Reason, e.Transaction, e.ChainID, text(e.Paid), text(e.Received)})
	if err != nil {
		return e.Ref + " " + string(e.State)
	}
	sum := sha256.Sum256(said)
	return hex.EncodeToString(sum[:16])
}

func text(a *ramp.Amount) string {
	if a == nil {
		return ""
	}
	return a.Value.String() + " " + a.Currency
}
