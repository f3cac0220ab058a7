package sandbox

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/ramp"
)

// stage is how far a checkout has come.
type stage string

const (
	// choosing: the visitor says what to buy.
	choosing stage = "choosing"
	// paying: the form waits.
	paying stage = "paying"
	// confirming: the bank asks whether it is really the visitor (3-D Secure).
	confirming stage = "confirming"
	// settling: the payment takes its time.
	settling stage = "settling"
	// paid: the money was taken; tokens are sent, or what the card stands for happens.
	paid      stage = "paid"
	completed stage = "completed"
	failed    stage = "failed"
	refunded  stage = "refunded"
	cancelled stage = "cancelled"
	expired   stage = "expired"
)

// ended reports whether nothing happens any more.
func (s stage) ended() bool {
	switch s {
	case completed, failed, refunded, cancelled, expired:
		return true
	}
	return false
}

const (
	// slowness is how long a payment takes that is slow.
	slowness = 8 * time.Second
	// refundAfter is how long money stays that goes back.
	refundAfter = 4 * time.Second
	// codesAllowed is how often a wrong code may be typed.
	codesAllowed = 3
)

// checkout is one purchase, from the opened page to its end.
type checkout struct {
	// ID is unguessable: who knows it may pay.
	ID      string `json:"-"`
	OrderID string `json:"-"`
	Seller  string `json:"-"`
	Stage   stage  `json:"-"`
	// Due is when the next step is taken without the visitor; zero for never.
	Due time.Time `json:"-"`

	// Wallets are where tokens may go; Wallet is the one they go to, empty until it is known what is bought.
	Wallets []wallet `json:"wallets"`
	Wallet  string   `json:"wallet,omitempty"`
	// Pay and Method are what was asked for; nil and empty where the visitor chooses.
	Pay    *ramp.Amount `json:"pay,omitempty"`
	Method string       `json:"method,omitempty"`
	// AnyMethod lets the visitor choose another way to pay.
	AnyMethod bool `json:"anyMethod,omitempty"`
	// Symbol and ChainID are what was asked for; empty where the visitor chooses.
	Symbol  string `json:"symbol,omitempty"`
	ChainID string `json:"chainId,omitempty"`
	// Terms are the price, fixed when it was known what is bought; nil before.
	Terms *agreed `json:"terms,omitempty"`
	// Return is where the visitor's browser goes afterwards; empty for nowhere.
	Return string `json:"return,omitempty"`

	// Plays is what the card or the account makes happen.
	Plays plot `json:"plays,omitempty"`
	// PaidBy is the brand and the end of its number: never more of it.
	PaidBy string `json:"paidBy,omitempty"`
	// WrongCodes counts attempts to confirm.
	WrongCodes int `json:"wrongCodes,omitempty"`
	// Reason says for people why it failed.
	Reason string `json:"reason,omitempty"`
	// Transaction is the hash under which the tokens were sent.
	Transaction string `json:"transaction,omitempty"`

	CreatedAt time.Time `json:"createdAt"`
	// PaidAt is when the money was taken.
	PaidAt    time.Time `json:"paidAt,omitzero"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// wallet is a validated address, and where and with what it may be used; empty lists for everything.
type wallet struct {
	Address  string   `json:"address"`
	ChainIDs []string `json:"chainIds,omitempty"`
	Symbols  []string `json:"symbols,omitempty"`
}

// agreed is what is bought at which price.
type agreed struct {
	offer
	Symbol    string `json:"symbol"`
	ChainID   string `json:"chainId"`
	ChainName string `json:"chainName"`
	Contract  string `json:"contract,omitempty"` // empty for the chain's own currency
	Decimals  uint8  `json:"decimals"`
}

func (a agreed) payment() ramp.Amount { return ramp.Amount{Value: a.Total, Currency: a.Currency} }

func (a agreed) purchase() ramp.Amount { return ramp.Amount{Value: a.Purchase, Currency: a.Symbol} }

// in writes an amount of money with its currency.
func (a agreed) in(value decimal.Decimal) string { return money(value) + " " + a.Currency }

// event is what the seller tells at a moment. A state is told once for an order, so that the two together name the event.
func (c *checkout) event(state ramp.State, now time.Time) ramp.Event {
	e := ramp.Event{ID: c.OrderID + "." + string(state), OrderID: c.OrderID, State: state, At: now, Reason: c.Reason, Transaction: c.Transaction}
	if t := c.Terms; t != nil {
		e.ChainID = t.ChainID
		payment, purchase := t.payment(), t.purchase()
		e.Paid, e.Received = &payment, &purchase
	}
	return e
}

// told is silent about orders whose messages get lost.
func (c *checkout) told() bool { return c.Plays != playsLost }

// agree fixes what is bought, and lets the visitor pay.
func (c *checkout) agree(o offer, a asset, to string) {
	c.Terms = &agreed{offer: o, Symbol: a.Symbol, ChainID: a.ChainID, ChainName: a.ChainName, Contract: a.contract(), Decimals: a.Decimals}
	c.Wallet, c.Stage = to, paying
}

// begin takes a payment whose form is right.
func (c *checkout) begin(p plot, paidBy string, now time.Time) []ramp.Event {
	c.Plays, c.PaidBy = p, paidBy
	events := []ramp.Event{c.event(ramp.Pending, now)}
	switch p {
	case playsDecline:
		return append(events, c.fail("The payment was declined.", now)...)
	case playsPoor:
		return append(events, c.fail("The account does not hold enough for this payment.", now)...)
	case playsConfirm:
		c.Stage = confirming
		return events
	case playsSlow:
		c.Stage, c.Due = settling, now.Add(slowness)
		return events
	}
	return append(events, c.take(now)...)
}

// take has the money.
func (c *checkout) take(now time.Time) []ramp.Event {
	c.Stage, c.Due, c.PaidAt = paid, now, now
	if c.Plays == playsRefund {
		c.Due = now.Add(refundAfter)
	}
	return []ramp.Event{c.event(ramp.Paid, now)}
}

// confirm takes the bank's word that it is the visitor.
func (c *checkout) confirm(now time.Time) []ramp.Event { return c.take(now) }

// fail ends it without money having moved.
func (c *checkout) fail(reason string, now time.Time) []ramp.Event {
	c.Stage, c.Due, c.Reason = failed, time.Time{}, reason
	return []ramp.Event{c.event(ramp.Failed, now)}
}

// giveBack ends it with the money returned; a reason says what went wrong before.
func (c *checkout) giveBack(reason string, now time.Time) (events []ramp.Event) {
	c.Stage, c.Due, c.Reason = refunded, time.Time{}, reason
	if reason != "" {
		events = append(events, c.event(ramp.Failed, now))
	}
	return append(events, c.event(ramp.Refunded, now))
}

// deliver ends it well.
func (c *checkout) deliver(transaction string, now time.Time) []ramp.Event {
	c.Stage, c.Due, c.Transaction = completed, time.Time{}, transaction
	return []ramp.Event{c.event(ramp.Completed, now)}
}

// cancel ends it on the visitor's wish.
func (c *checkout) cancel(now time.Time) []ramp.Event {
	c.Stage, c.Due = cancelled, time.Time{}
	return []ramp.Event{c.event(ramp.Cancelled, now)}
}

// lapse ends it because nobody paid in time. One that was begun has been told of as pending, which outweighs an expiry: it is cancelled.
func (c *checkout) lapse(now time.Time) []ramp.Event {
	if c.Stage == confirming {
		c.Reason = "The payment was not confirmed in time."
		return c.cancel(now)
	}
	c.Stage, c.Due = expired, time.Time{}
	return []ramp.Event{c.event(ramp.Expired, now)}
}

// isLate reports whether the time to pay is over.
func (c *checkout) isLate(now time.Time) bool { return !now.Before(c.ExpiresAt) }

// pays reports whether it is the treasury's turn: the money was taken, and the card does not stand for a mishap.
func (c *checkout) pays() bool {
	return c.Stage == paid && c.Plays != playsRefund && c.Plays != playsPayoutFailure
}

// recipient is the first wallet that takes a token on a chain.
func (c *checkout) recipient(symbol, chainID string) (string, bool) {
	for _, w := range c.Wallets {
		if w.takes(symbol, chainID) {
			return w.Address, true
		}
	}
	return "", false
}

func (w wallet) takes(symbol, chainID string) bool {
	return (len(w.ChainIDs) == 0 || contains(w.ChainIDs, chainID, equal)) && (len(w.Symbols) == 0 || contains(w.Symbols, symbol, sameSymbol))
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

// mishap is what comes of a payment that is not to succeed.
func (c *checkout) mishap(now time.Time) []ramp.Event {
	switch c.Plays {
	case playsRefund:
		return c.giveBack("", now)
	case playsPayoutFailure:
		return c.giveBack(unpayable, now)
	}
	return nil
}

// wants reports whether a token is what was asked for, as far as anything was.
func (c *checkout) wants(a asset) bool {
	return (c.Symbol == "" || sameSymbol(c.Symbol, a.Symbol)) && (c.ChainID == "" || c.ChainID == a.ChainID)
}

// receiver returns the wallet that receives the tokens; empty while several could.
func (c *checkout) receiver() string {
	if c.Wallet == "" && len(c.Wallets) == 1 {
		return c.Wallets[0].Address
	}
	return c.Wallet
}
