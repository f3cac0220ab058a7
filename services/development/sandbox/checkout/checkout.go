// Package checkout has the rules of a purchase from a sandbox seller: its states, prices, and the test cards that
// determine its outcome.
package checkout

import (
	"cmp"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Stage is the stage of a checkout.
type Stage string

// The stages.
const (
	// Choosing waits for the visitor to choose what to buy.
	Choosing Stage = "choosing"
	// Paying waits for the payment form.
	Paying Stage = "paying"
	// Confirming waits for the 3-D Secure code.
	Confirming Stage = "confirming"
	// Settling waits for a slow payment.
	Settling Stage = "settling"
	// Paid has received the payment; tokens are sent next, unless the card's scenario differs.
	Paid Stage = "paid"
	// Completed and the stages below are final.
	Completed Stage = "completed"
	Failed    Stage = "failed"
	Refunded  Stage = "refunded"
	Cancelled Stage = "cancelled"
	Expired   Stage = "expired"
)

// Ended reports whether the stage is final.
func (s Stage) Ended() bool {
	switch s {
	case Completed, Failed, Refunded, Cancelled, Expired:
		return true
	}
	return false
}

const (
	// Slowness is how long a slow payment takes.
	Slowness = 8 * time.Second
	// refundAfter is the time until a payment is refunded.
	refundAfter = 4 * time.Second
	// CodesAllowed is the number of wrong codes that fail a payment.
	CodesAllowed = 3
)

// PayoutFailed is the reason of a refund if the tokens could not be sent.
const PayoutFailed = "The tokens could not be sent. The payment was returned."

// PayoutUnconfirmed is the reason of a refund if it cannot be found out whether the tokens were sent.
const PayoutUnconfirmed = "It could not be confirmed that the tokens were sent. The payment was returned."

// Checkout is one purchase.
type Checkout struct {
	// ID is random and gives access to the checkout.
	ID      string `json:"-"`
	OrderID string `json:"-"`
	Seller  string `json:"-"`
	Stage   Stage  `json:"-"`
	// Due is the time of the next step that does not depend on the visitor; zero for none.
	Due time.Time `json:"-"`

	// Wallets may receive the tokens. Wallet is the one that receives them; empty until the token is known.
	Wallets []Wallet `json:"wallets"`
	Wallet  string   `json:"wallet,omitempty"`
	// Pay and Method are the requested payment; nil and empty if the visitor chooses.
	Pay    *ramp.Amount `json:"pay,omitempty"`
	Method string       `json:"method,omitempty"`
	// AnyMethod lets the visitor choose another payment method.
	AnyMethod bool `json:"anyMethod,omitempty"`
	// Symbol and ChainID are the requested token; empty if the visitor chooses.
	Symbol  string `json:"symbol,omitempty"`
	ChainID string `json:"chainId,omitempty"`
	// Terms are the token and its price; nil until they are known.
	Terms *Terms `json:"terms,omitempty"`
	// Return is the URL to which the last page links; empty for none.
	Return string `json:"return,omitempty"`

	// Scenario is the scenario of the card or account.
	Scenario Scenario `json:"plays,omitempty"`
	// PaidBy is the brand of the card and its last four digits. No other digits are stored.
	PaidBy string `json:"paidBy,omitempty"`
	// WrongCodes is the number of wrong confirmation codes.
	WrongCodes int `json:"wrongCodes,omitempty"`
	// Reason explains why it failed, for display, and Failure says it as a code.
	Reason  string       `json:"reason,omitempty"`
	Failure ramp.Failure `json:"failure,omitempty"`
	// Transaction is the hash of the transaction that sent the tokens.
	Transaction string `json:"transaction,omitempty"`

	CreatedAt time.Time `json:"createdAt"`
	// PaidAt is the time of the payment.
	PaidAt    time.Time `json:"paidAt,omitzero"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// Wallet is a valid address, with the chains and tokens that it accepts; an empty list accepts all.
type Wallet struct {
	Address string `json:"address"`
	// Namespace is the CAIP-2 namespace of the address; checkouts of old versions have none and are EVM accounts.
	Namespace string   `json:"namespace,omitempty"`
	ChainIDs  []string `json:"chainIds,omitempty"`
	Symbols   []string `json:"symbols,omitempty"`
}

// Terms are the token and amount that are bought, and the price.
type Terms struct {
	Offer
	Symbol    string `json:"symbol"`
	ChainID   string `json:"chainId"`
	ChainName string `json:"chainName"`
	Contract  string `json:"contract,omitempty"` // empty for the native currency
	Decimals  uint8  `json:"decimals"`
}

// Payment returns the amount to pay.
func (a Terms) Payment() ramp.Amount { return ramp.Amount{Value: a.Total, Currency: a.Currency} }

func (a Terms) purchase() ramp.Amount { return ramp.Amount{Value: a.Purchase, Currency: a.Symbol} }

// In formats an amount of money with its currency.
func (a Terms) In(value decimal.Decimal) string { return FormatMoney(value) + " " + a.Currency }

// Event returns the event of a state change. An order has each state once, so order and state identify the event.
func (c *Checkout) Event(state ramp.State, now time.Time) ramp.Event {
	e := ramp.Event{
		ID: c.OrderID + "." + string(state), OrderID: c.OrderID, State: state, At: now, Reason: c.Reason, Failure: c.Failure, Transaction: c.Transaction,
	}
	if t := c.Terms; t != nil {
		e.ChainID = t.ChainID
		payment, purchase := t.Payment(), t.purchase()
		e.Paid, e.Received = &payment, &purchase
	}
	return e
}

// SendsWebhooks reports whether events are delivered; one scenario simulates that they are lost.
func (c *Checkout) SendsWebhooks() bool { return c.Scenario != LostWebhooks }

// Agree sets the purchase, its price and its receiver, and moves on to the payment.
func (c *Checkout) Agree(o Offer, a Asset, to string) {
	c.Terms = &Terms{Offer: o, Symbol: a.Symbol, ChainID: a.ChainID, ChainName: a.ChainName, Contract: a.Contract, Decimals: a.Decimals}
	c.Wallet, c.Stage = to, Paying
}

// Authorize starts a payment after a valid form.
func (c *Checkout) Authorize(p Scenario, paidBy string, now time.Time) []ramp.Event {
	c.Scenario, c.PaidBy = p, paidBy
	events := []ramp.Event{c.Event(ramp.Pending, now)}
	switch p {
	case Decline:
		return append(events, c.Fail(ramp.PaymentDeclined, "The payment was declined.", now)...)
	case InsufficientFunds:
		return append(events, c.Fail(ramp.FundsLow, "The account does not hold enough for this payment.", now)...)
	case Confirmation:
		c.Stage = Confirming
		return events
	case Slow:
		c.Stage, c.Due = Settling, now.Add(Slowness)
		return events
	}
	return append(events, c.Collect(now)...)
}

// Collect records that the payment was received.
func (c *Checkout) Collect(now time.Time) []ramp.Event {
	c.Stage, c.Due, c.PaidAt = Paid, now, now
	if c.Scenario == RefundAfterPayment {
		c.Due = now.Add(refundAfter)
	}
	return []ramp.Event{c.Event(ramp.Paid, now)}
}

// Confirm ends 3-D Secure successfully.
func (c *Checkout) Confirm(now time.Time) []ramp.Event { return c.Collect(now) }

// Fail ends the checkout without a payment.
func (c *Checkout) Fail(failure ramp.Failure, reason string, now time.Time) []ramp.Event {
	c.Stage, c.Due, c.Failure, c.Reason = Failed, time.Time{}, failure, reason
	return []ramp.Event{c.Event(ramp.Failed, now)}
}

// Refund ends the checkout and returns the payment. reason explains the failure that caused the refund.
func (c *Checkout) Refund(reason string, now time.Time) (events []ramp.Event) {
	c.Stage, c.Due, c.Reason = Refunded, time.Time{}, reason
	if reason == PayoutFailed {
		c.Failure = ramp.TokensUnsent
	}
	if reason != "" {
		events = append(events, c.Event(ramp.Failed, now))
	}
	return append(events, c.Event(ramp.Refunded, now))
}

// Complete ends the checkout after the tokens were sent.
func (c *Checkout) Complete(transaction string, now time.Time) []ramp.Event {
	c.Stage, c.Due, c.Transaction = Completed, time.Time{}, transaction
	return []ramp.Event{c.Event(ramp.Completed, now)}
}

// Cancel ends the checkout on the visitor's request.
func (c *Checkout) Cancel(now time.Time) []ramp.Event {
	c.Stage, c.Due = Cancelled, time.Time{}
	return []ramp.Event{c.Event(ramp.Cancelled, now)}
}

// Expire ends a checkout that was not paid in time. One with a pending payment is cancelled instead, because an order cannot expire after it
// was pending.
func (c *Checkout) Expire(now time.Time) []ramp.Event {
	if c.Stage == Confirming {
		c.Reason = "The payment was not confirmed in time."
		return c.Cancel(now)
	}
	c.Stage, c.Due = Expired, time.Time{}
	return []ramp.Event{c.Event(ramp.Expired, now)}
}

// IsLate reports whether the checkout can no longer be paid.
func (c *Checkout) IsLate(now time.Time) bool { return !now.Before(c.ExpiresAt) }

// PaysOut reports whether the tokens must be sent now: it is paid, and the scenario is not a refund or a failed payout.
func (c *Checkout) PaysOut() bool {
	return c.Stage == Paid && c.Scenario != RefundAfterPayment && c.Scenario != PayoutFailure
}

// Recipient returns the first wallet that accepts a token of a chain.
func (c *Checkout) Recipient(symbol, chainID string) (string, bool) {
	for _, w := range c.Wallets {
		if w.takes(symbol, chainID) {
			return w.Address, true
		}
	}
	return "", false
}

func (w Wallet) takes(symbol, chainID string) bool {
	namespace := cmp.Or(w.Namespace, "eip155")
	return strings.HasPrefix(chainID, namespace+":") && (len(w.ChainIDs) == 0 || contains(w.ChainIDs, chainID, equal)) && (len(w.Symbols) == 0 || contains(w.Symbols, symbol, SameSymbol))
}

func contains(list []string, wanted string, same func(a, b string) bool) bool {
	for _, s := range list {
		if same(s, wanted) {
			return true
		}
	}
	return false
}

func equal(a, b string) bool { return a == b }

// ApplyScenario refunds a payment whose scenario is a refund or a failed payout.
func (c *Checkout) ApplyScenario(now time.Time) []ramp.Event {
	switch c.Scenario {
	case RefundAfterPayment:
		return c.Refund("", now)
	case PayoutFailure:
		return c.Refund(PayoutFailed, now)
	}
	return nil
}

// Matches reports whether an asset is the requested one. If none was requested, any asset matches.
func (c *Checkout) Matches(a Asset) bool {
	return (c.Symbol == "" || SameSymbol(c.Symbol, a.Symbol)) && (c.ChainID == "" || c.ChainID == a.ChainID)
}

// Receiver returns the wallet that receives the tokens; empty while several wallets are possible.
func (c *Checkout) Receiver() string {
	if c.Wallet == "" && len(c.Wallets) == 1 {
		return c.Wallets[0].Address
	}
	return c.Wallet
}
