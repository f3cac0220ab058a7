package sandbox

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

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/ramp"
)

// eip155 is the namespace of the chains that this package knows (CAIP-2).
const eip155 = "eip155"

// seller is one provider of the sandbox.
type seller struct {
	Seller
	terms terms
	// key signs and verifies webhooks.
	key []byte
	// rates are US dollars for one unit of a currency.
	rates     map[string]decimal.Decimal
	market    *market
	book      *book
	publicURL string
	lifetime  time.Duration
	clock     clock.Clock
}

var (
	_ ramp.Lister    = (*seller)(nil)
	_ ramp.Quoter    = (*seller)(nil)
	_ ramp.Opener    = (*seller)(nil)
	_ ramp.Listener  = (*seller)(nil)
	_ ramp.Poller    = (*seller)(nil)
	_ ramp.Directory = (*seller)(nil)
)

// Name is what the operator calls it.
func (s *seller) Name() string { return s.Seller.Name }

// code is the name as quotes spell it.
func (s *seller) code() string { return strings.ToUpper(s.Seller.Name) }

// Profile says that it only plays.
func (s *seller) Profile() ramp.Profile {
	return ramp.Profile{
		Title: s.Title, Namespaces: []string{eip155}, FeeMin: s.terms.percent, FeeMax: s.terms.percent, Sandbox: true,
	}
}

// Options are the same everywhere.
func (s *seller) Options(ctx context.Context, _ ramp.Region) (ramp.Options, error) {
	all, err := s.market.assets(ctx)
	if err != nil {
		return ramp.Options{}, err
	}
	if len(all) == 0 {
		return ramp.Options{}, fmt.Errorf("%w: the treasury is empty", ramp.ErrUnsupported)
	}
	o := ramp.Options{Currencies: currencies, Partial: s.market.isAway("")}
	for _, a := range all {
		n := ramp.Network{Name: slug(a.ChainName), Title: a.ChainName, ChainID: a.ChainID, Contract: a.contract(), Decimals: a.Decimals}
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
func (s *seller) Quotes(ctx context.Context, ask ramp.Ask) ([]ramp.Quote, error) {
	method := ask.Method
	if method == "" {
		method = methodCard
	}
	if slices.Contains(ask.Without, s.code()) {
		return nil, fmt.Errorf("%w: the seller is left out", ramp.ErrUnsupported)
	}
	if err := checkAmount(ask.Pay, method); err != nil {
		return nil, err
	}
	a, err := s.market.find(ctx, ask.Symbol, ask.ChainID)
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
		Purchase: ramp.Amount{Value: o.Purchase, Currency: a.Symbol}, Expires: s.clock.Now().Add(s.lifetime),
	}}, nil
}

// buy is what a payment buys, as long as the treasury holds that much.
func (s *seller) buy(pay ramp.Amount, a asset) (offer, error) {
	o, err := s.terms.offer(pay, s.rates[pay.Currency], a)
	if err != nil {
		return offer{}, err
	}
	if o.Purchase.GreaterThan(a.Held) {
		return offer{}, fmt.Errorf("%w: there is not so much left of the token", ramp.ErrUnsupported)
	}
	return o, nil
}

// Open begins a checkout, at the price of now.
func (s *seller) Open(ctx context.Context, p ramp.Purchase) (ramp.Widget, error) {
	c, err := s.begin(ctx, p)
	if err != nil {
		return ramp.Widget{}, err
	}
	id, err := s.book.insert(ctx, c)
	if err != nil {
		return ramp.Widget{}, err
	}
	return ramp.Widget{URL: s.publicURL + PagePath + id, Expires: c.ExpiresAt}, nil
}

func (s *seller) begin(ctx context.Context, p ramp.Purchase) (checkout, error) {
	now := s.clock.Now()
	c := checkout{
		ID: rand.Text(), OrderID: p.OrderID, Seller: s.Seller.Name, Stage: choosing, Due: now.Add(s.lifetime),
		Pay: p.Pay, Method: p.Method, AnyMethod: p.Method == "", Symbol: p.Symbol, ChainID: p.ChainID, Return: p.Return, CreatedAt: now, ExpiresAt: now.Add(s.lifetime),
	}
	for _, w := range p.Wallets {
		if _, err := evm.ParseAddress(w.Address); err == nil {
			c.Wallets = append(c.Wallets, wallet{Address: w.Address, ChainIDs: w.ChainIDs, Symbols: w.Symbols})
		}
	}
	if len(c.Wallets) == 0 || !isReturn(p.Return) || p.OrderID == "" {
		return checkout{}, fmt.Errorf("%w: no wallet of a chain that it knows, or nowhere to return to", ramp.ErrUnsupported)
	}
	if p.Method != "" && p.Method != methodCard && p.Method != methodBank {
		return checkout{}, fmt.Errorf("%w: not paid this way", ramp.ErrUnsupported)
	}
	if p.Symbol == "" || (p.Pay == nil && p.Receive == nil) {
		return c, nil
	}
	return c, s.settle(ctx, &c, p.Receive)
}

// settle fixes what is bought as far as the order says it; receive counts where no payment was named.
func (s *seller) settle(ctx context.Context, c *checkout, receive *decimal.Decimal) error {
	a, err := s.market.find(ctx, c.Symbol, c.ChainID)
	if err != nil {
		return err
	}
	to, ok := c.recipient(a.Symbol, a.ChainID)
	if !ok {
		return fmt.Errorf("%w: no wallet takes this token there", ramp.ErrUnsupported)
	}
	if c.Pay == nil {
		pay, err := s.terms.totalFor(*receive, "USD", s.rates["USD"], a)
		if err != nil {
			return err
		}
		c.Pay = &pay
	}
	if c.Method == "" {
		c.Method = methodCard
	}
	if err := checkAmount(*c.Pay, c.Method); err != nil {
		return err
	}
	o, err := s.buy(*c.Pay, a)
	if err != nil {
		return err
	}
	c.agree(o, a, to)
	return nil
}

// isReturn takes nothing, and addresses of web pages.
func isReturn(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// Read verifies the seller's own signature.
func (s *seller) Read(d ramp.Delivery) ([]ramp.Event, error) {
	if err := verify(s.key, d); err != nil {
		return nil, err
	}
	e, err := understand(s.Seller.Name, d.Body)
	if err != nil {
		return nil, err
	}
	return []ramp.Event{e}, nil
}

// Poll returns all that was told of the order, whether it was delivered or not.
func (s *seller) Poll(ctx context.Context, p ramp.Placed) ([]ramp.Event, error) {
	bodies, err := s.book.bodies(ctx, p.OrderID, s.Seller.Name)
	if err != nil {
		return nil, err
	}
	var events []ramp.Event
	for _, body := range bodies {
		e, err := understand(s.Seller.Name, []byte(body))
		if err != nil {
			return nil, errors.Join(ramp.ErrUnavailable, err)
		}
		events = append(events, e)
	}
	return events, nil
}
