package onramp

import (
	"context"
	"crypto/rand"

	"github.com/oklog/ulid/v2"

	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

// placed is a new order.
type placed struct {
	orders.Order
	// url is the page where it is paid.
	url string
	// token proves which browser began the order.
	token string
}

// open places an order with a provider and returns it; title is the seller's display name. The order is stored before the provider is
// called, so that no event can be about an unknown order.
func (s *server) open(ctx context.Context, from ramp.Provider, title string, p ramp.Purchase) (placed, error) {
	opener, able := from.(ramp.Opener)
	if !able {
		return placed{}, unknownProvider(p.Seller)
	}
	who := caller.From(ctx)
	id, err := ulid.New(ulid.Timestamp(s.clock.Now()), rand.Reader)
	if err != nil {
		return placed{}, err
	}
	p.OrderID, p.CallerIP = id.String(), who.Address
	token := caller.NewOrderToken()
	order := orders.Order{
		ID: p.OrderID, Project: who.Project, Proof: caller.OrderTokenDigest(token), Provider: from.Name(), Seller: p.Seller, Title: title, Sandbox: from.Profile().Sandbox,
		Wallet: p.Wallets[0].Address, ChainID: p.ChainID, Payment: p.Pay,
	}
	if p.Receive != nil {
		order.Purchase = &ramp.Amount{Value: *p.Receive, Currency: p.Symbol}
	}
	if err := s.orders.Place(ctx, order); err != nil {
		return placed{}, err
	}
	widget, err := opener.Open(ctx, p)
	if err != nil {
		s.logFailure(from.Name(), err)
		s.abandon(ctx, order.ID)
		return placed{}, err
	}
	if err := s.orders.Opened(ctx, order.ID, widget); err != nil {
		return placed{}, err
	}
	order, err = s.orders.Find(ctx, who.Project, order.ID)
	return placed{order, widget.URL, token}, err
}

// abandon removes an order that was not opened, even if the caller has disconnected.
func (s *server) abandon(ctx context.Context, id string) {
	if err := s.orders.Abandon(context.WithoutCancel(ctx), id, "the provider did not open it"); err != nil {
		s.log.Error("an order that was not opened is still there", "error", err)
	}
}
