package meld

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
)

// states maps each status to a state, including those of earlier versions.
var states = map[string]ramp.State{
	"PENDING_CREATED": ramp.Pending, "PENDING": ramp.Pending, "TWO_FA_REQUIRED": ramp.Pending, "TWO_FA_PROVIDED": ramp.Pending, "ERROR": ramp.Pending,
	"ACCEPTED": ramp.Pending, "AUTHORIZED": ramp.Pending, "SETTLING": ramp.Paid, "PARTIALLY_SETTLED": ramp.Paid, "SETTLED": ramp.Completed,
	"FAILED": ramp.Failed, "DECLINED": ramp.Failed, "AUTHORIZATION_EXPIRED": ramp.Failed, "CANCELLED": ramp.Cancelled, "VOIDED": ramp.Cancelled,
	"REFUNDED": ramp.Refunded,
}

// withFailure returns the event with why the purchase failed, by its status.
func withFailure(e ramp.Event, status string) ramp.Event {
	switch {
	case e.State != ramp.Failed:
	case status == "DECLINED":
		e.Failure, e.Reason = ramp.PaymentDeclined, "The payment was declined"
	case status == "AUTHORIZATION_EXPIRED":
		e.Failure, e.Reason = ramp.PaymentLate, "The payment was not confirmed in time"
	default:
		e.Failure, e.Reason = ramp.Unexplained, "The purchase failed"
	}
	return e
}

// transaction is a purchase in Meld's form.
type transaction struct {
	ID                      string        `json:"id"`
	Status                  string        `json:"status"`
	TransactionType         string        `json:"transactionType"`
	SessionID               string        `json:"sessionId"`
	ExternalSessionID       string        `json:"externalSessionId"`
	SourceAmount            *wire.Decimal `json:"sourceAmount"`
	SourceCurrencyCode      string        `json:"sourceCurrencyCode"`
	DestinationAmount       *wire.Decimal `json:"destinationAmount"`
	DestinationCurrencyCode string        `json:"destinationCurrencyCode"`
	CreatedAt               time.Time     `json:"createdAt"`
	UpdatedAt               time.Time     `json:"updatedAt"`
	CryptoDetails           *struct {
		BlockchainTransactionID string `json:"blockchainTransactionId"`
	} `json:"cryptoDetails"`
}

// Poll returns the events of an order; none before the visitor has begun to pay.
func (m *Meld) Poll(ctx context.Context, p ramp.Placed) ([]ramp.Event, error) {
	if !reference.MatchString(p.OrderID) {
		return nil, fmt.Errorf("%w: the order id is not a valid reference", ramp.ErrUnsupported)
	}
	var answer struct {
		Transactions []wire.Lenient[transaction] `json:"transactions"`
	}
	if err := m.api.Get(ctx, "/payments/transactions", url.Values{"externalSessionIds": {p.OrderID}}, &answer); err != nil {
		return nil, err
	}
	coins := m.coinsByCode(ctx)
	var events []ramp.Event
	for _, element := range answer.Transactions {
		t := element.Is
		state, known := states[t.Status]
		switch {
		case element.Err != nil:
			events = append(events, ramp.Event{OrderID: p.OrderID})
		case t.ExternalSessionID != p.OrderID:
			return nil, fmt.Errorf("%w: the response is about another order", ramp.ErrUnavailable)
		case known && isPurchase(t.TransactionType):
			events = append(events, t.event(state, p, coins))
		}
	}
	return events, nil
}

// coinsByCode returns the coins of all countries, to translate Meld's codes. It is nil if Meld does not respond; events then have no received
// amount.
func (m *Meld) coinsByCode(ctx context.Context) map[string]coin {
	all, err := m.coinsIn(ctx, "")
	if err != nil {
		return nil
	}
	byCode := make(map[string]coin, len(all))
	for _, c := range all {
		byCode[c.code] = c
	}
	return byCode
}

func (t transaction) event(state ramp.State, p ramp.Placed, coins map[string]coin) ramp.Event {
	e := withFailure(ramp.Event{
		OrderID: p.OrderID, Ref: t.SessionID, State: state, At: t.at(p.At), Paid: amount(t.SourceAmount, t.SourceCurrencyCode),
	}, t.Status)
	if bought, known := coins[t.DestinationCurrencyCode]; known {
		e.ChainID = bought.network.ChainID
		e.Received = amount(t.DestinationAmount, bought.symbol)
	}
	if t.CryptoDetails != nil {
		e.Transaction = t.CryptoDetails.BlockchainTransactionID
	}
	// A transaction has no event id, so the id is made of its content.
	e.ID = strings.Join([]string{"transaction", t.ID, t.Status, e.At.UTC().Format(time.RFC3339Nano), e.Transaction, e.ChainID}, " ")
	return e
}

func (t transaction) at(otherwise time.Time) time.Time {
	switch {
	case !t.UpdatedAt.IsZero():
		return t.UpdatedAt
	case !t.CreatedAt.IsZero():
		return t.CreatedAt
	}
	return otherwise
}

func amount(value *wire.Decimal, currency string) *ramp.Amount {
	if value == nil || value.IsNegative() || currency == "" {
		return nil
	}
	return &ramp.Amount{Value: value.Decimal, Currency: strings.ToUpper(currency)}
}
