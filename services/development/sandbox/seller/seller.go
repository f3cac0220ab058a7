// Package seller implements the on-ramp provider interfaces for the sandbox's sellers, which sell the tokens that the
// treasury holds.
package seller

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/development/sandbox/webhook"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// The CAIP-2 namespaces of the supported chains.
const eip155, solana = "eip155", "solana"

// Seller is one provider of the sandbox.
type Seller struct {
	Config
	Fees checkout.Fees
	// Key signs and verifies webhooks.
	Key []byte
	// Rates are US dollars for one unit of a currency.
	Rates     map[string]decimal.Decimal
	Market    *Market
	Store     *sqlstore.Store
	PublicURL string
	// CheckoutURL followed by the id of a checkout is the URL of its page.
	CheckoutURL string
	Lifetime    time.Duration
	Clock       clock.Clock
}

var (
	_ ramp.Lister    = (*Seller)(nil)
	_ ramp.Quoter    = (*Seller)(nil)
	_ ramp.Opener    = (*Seller)(nil)
	_ ramp.Listener  = (*Seller)(nil)
	_ ramp.Poller    = (*Seller)(nil)
	_ ramp.Directory = (*Seller)(nil)
)

// Name returns the configured name.
func (s *Seller) Name() string { return s.Config.Name }

// code returns the name in the form that quotes use.
func (s *Seller) code() string { return strings.ToUpper(s.Config.Name) }

// Profile returns the seller's profile, marked as a sandbox.
func (s *Seller) Profile() ramp.Profile {
	return ramp.Profile{
		Title: s.Title, Namespaces: s.namespaces(), FeeMin: s.Fees.Percent, FeeMax: s.Fees.Percent, Sandbox: true,
	}
}

// Options returns what is sold, the same for every region.
func (s *Seller) Options(ctx context.Context, _ ramp.Region) (ramp.Options, error) {
	all, err := s.Market.Assets(ctx)
	if err != nil {
		return ramp.Options{}, err
	}
	if len(all) == 0 {
		return ramp.Options{}, fmt.Errorf("%w: the treasury is empty", ramp.ErrUnsupported)
	}
	o := ramp.Options{Currencies: checkout.Currencies, Partial: s.Market.IsUnreachable("")}
	for _, a := range all {
		n := ramp.Network{Name: checkout.Slug(a.ChainName), Title: a.ChainName, ChainID: a.ChainID, Contract: a.Contract, Decimals: a.Decimals}
		i := slices.IndexFunc(o.Assets, func(other ramp.Asset) bool { return other.Symbol == a.Symbol })
		if i < 0 {
			o.Assets = append(o.Assets, ramp.Asset{ID: a.Symbol, Name: a.Name, Symbol: a.Symbol})
			i = len(o.Assets) - 1
		}
		o.Assets[i].Networks = append(o.Assets[i].Networks, n)
	}
	return o, nil
}

// Quotes returns the seller's one quote.
func (s *Seller) Quotes(ctx context.Context, ask ramp.Ask) ([]ramp.Quote, error) {
	method := ask.Method
	if method == "" {
		method = checkout.MethodCard
	}
	if slices.Contains(ask.Without, s.code()) {
		return nil, fmt.Errorf("%w: the seller is left out", ramp.ErrUnsupported)
	}
	if err := checkout.CheckAmount(ask.Pay, method); err != nil {
		return nil, err
	}
	a, err := s.Market.find(ctx, ask.Symbol, ask.ChainID)
	if err != nil {
		return nil, err
	}
	o, err := s.buy(ask.Pay, a)
	if err != nil {
		return nil, err
	}
	in := func(value decimal.Decimal) ramp.Amount { return ramp.Amount{Value: value, Currency: o.Currency} }
	return []ramp.Quote{{
		Seller: s.code(), Title: s.Title, Method: method, Country: ask.Country, ChainID: a.ChainID,
		Total: in(o.Total), Subtotal: in(o.Subtotal), ProviderFee: in(o.ProviderFee), NetworkFee: in(o.NetworkFee),
		Purchase: ramp.Amount{Value: o.Purchase, Currency: a.Symbol}, Expires: s.Clock.Now().Add(s.Lifetime),
	}}, nil
}

// buy returns the offer for a payment. It fails with [ramp.ErrUnsupported] if the treasury holds less.
func (s *Seller) buy(pay ramp.Amount, a checkout.Asset) (checkout.Offer, error) {
	o, err := s.Fees.Offer(pay, s.Rates[pay.Currency], a)
	if err != nil {
		return checkout.Offer{}, err
	}
	if o.Purchase.GreaterThan(a.Held) {
		return checkout.Offer{}, fmt.Errorf("%w: there is not so much left of the token", ramp.ErrUnsupported)
	}
	return o, nil
}

// Open creates a checkout at the current price.
func (s *Seller) Open(ctx context.Context, p ramp.Purchase) (ramp.Widget, error) {
	c, err := s.newCheckout(ctx, p)
	if err != nil {
		return ramp.Widget{}, err
	}
	id, err := s.Store.Insert(ctx, c)
	if err != nil {
		return ramp.Widget{}, err
	}
	return ramp.Widget{URL: s.CheckoutURL + id, Expires: c.ExpiresAt}, nil
}

func (s *Seller) newCheckout(ctx context.Context, p ramp.Purchase) (checkout.Checkout, error) {
	now := s.Clock.Now()
	c := checkout.Checkout{
		ID: rand.Text(), OrderID: p.OrderID, Seller: s.Config.Name, Stage: checkout.Choosing, Due: now.Add(s.Lifetime),
		Pay: p.Pay, Method: p.Method, AnyMethod: p.Method == "", Symbol: p.Symbol, ChainID: p.ChainID, Return: p.Return, CreatedAt: now, ExpiresAt: now.Add(s.Lifetime),
	}
	for _, w := range p.Wallets {
		namespace := namespaceOf(w.Address)
		if namespace != "" {
			c.Wallets = append(c.Wallets, checkout.Wallet{Address: w.Address, Namespace: namespace, ChainIDs: w.ChainIDs, Symbols: w.Symbols})
		}
	}
	if len(c.Wallets) == 0 || !isReturn(p.Return) || p.OrderID == "" {
		return checkout.Checkout{}, fmt.Errorf("%w: no wallet of a chain that it knows, or nowhere to return to", ramp.ErrUnsupported)
	}
	if p.Method != "" && p.Method != checkout.MethodCard && p.Method != checkout.MethodBank {
		return checkout.Checkout{}, fmt.Errorf("%w: not paid this way", ramp.ErrUnsupported)
	}
	if p.Symbol == "" || (p.Pay == nil && p.Receive == nil) {
		return c, nil
	}
	return c, s.Settle(ctx, &c, p.Receive)
}

// Settle sets the purchase as far as the order specifies it. receive is used if the order has no payment.
func (s *Seller) Settle(ctx context.Context, c *checkout.Checkout, receive *decimal.Decimal) error {
	a, err := s.Market.find(ctx, c.Symbol, c.ChainID)
	if err != nil {
		return err
	}
	to, ok := c.Recipient(a.Symbol, a.ChainID)
	if !ok {
		return fmt.Errorf("%w: no wallet takes this token there", ramp.ErrUnsupported)
	}
	if c.Pay == nil {
		pay, err := s.Fees.TotalFor(*receive, "USD", s.Rates["USD"], a)
		if err != nil {
			return err
		}
		c.Pay = &pay
	}
	if c.Method == "" {
		c.Method = checkout.MethodCard
	}
	if err := checkout.CheckAmount(*c.Pay, c.Method); err != nil {
		return err
	}
	o, err := s.buy(*c.Pay, a)
	if err != nil {
		return err
	}
	c.Agree(o, a, to)
	return nil
}

// namespaces returns the CAIP-2 namespaces of the chains with a treasury.
func (s *Seller) namespaces() []string {
	if s.Market.SolanaTreasury.IsZero() {
		return []string{eip155}
	}
	return []string{eip155, solana}
}

// namespaceOf returns the CAIP-2 namespace of an address; empty if the address is of no supported chain.
func namespaceOf(address string) string {
	if _, err := evm.ParseAddress(address); err == nil {
		return eip155
	}
	if _, err := svm.ParseAddress(address); err == nil {
		return solana
	}
	return ""
}

// isReturn accepts an empty text and http(s) URLs.
func isReturn(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// Read verifies and parses a webhook of this seller.
func (s *Seller) Read(d ramp.Delivery) ([]ramp.Event, error) {
	if err := webhook.Verify(s.Key, d); err != nil {
		return nil, err
	}
	e, err := webhook.Decode(s.Config.Name, d.Body)
	if err != nil {
		return nil, err
	}
	return []ramp.Event{e}, nil
}

// Poll returns all events of the order, delivered or not.
func (s *Seller) Poll(ctx context.Context, p ramp.Placed) ([]ramp.Event, error) {
	bodies, err := s.Store.Events(ctx, p.OrderID, s.Config.Name)
	if err != nil {
		return nil, err
	}
	var events []ramp.Event
	for _, body := range bodies {
		e, err := webhook.Decode(s.Config.Name, []byte(body))
		if err != nil {
			return nil, errors.Join(ramp.ErrUnavailable, err)
		}
		events = append(events, e)
	}
	return events, nil
}

// FeePercentMax is the exclusive upper bound of a fee, in percent.
const FeePercentMax = 50

// Config is the configuration of a seller.
type Config struct {
	// Name consists of lower-case letters, digits and hyphens.
	Name string `yaml:"name"`
	// Title is the name to display.
	Title string `yaml:"title"`
	// Fee is in percent of the payment, a decimal.
	Fee string `yaml:"fee"`
	// NetworkFee is the fee for sending the tokens, in US dollars, a decimal.
	NetworkFee string `yaml:"network_fee"`
}

var errTerms = errors.New("not the terms of a seller")

// Fees parses the fees.
func (s Config) Fees() (checkout.Fees, error) {
	percent, err := decimal.NewFromString(s.Fee)
	if err != nil || percent.IsNegative() || percent.GreaterThanOrEqual(decimal.NewFromInt(FeePercentMax)) {
		return checkout.Fees{}, errTerms
	}
	network, err := decimal.NewFromString(s.NetworkFee)
	if err != nil || network.IsNegative() || !network.Equal(network.Truncate(checkout.Cents)) {
		return checkout.Fees{}, errTerms
	}
	return checkout.Fees{Percent: percent, Network: network}, nil
}
