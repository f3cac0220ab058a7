package onramp

import (
	"context"
	"crypto/rand"

	"github.com/oklog/ulid/v2"

	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

// open places an order with a provider and returns it, with where it is paid. Title is the seller's name for people. The order is kept before
// the provider is asked: nothing that it tells can be about an order that nobody knows.
func (s *server) open(ctx context.Context, from ramp.Provider, title string, p ramp.Purchase) (orders.Order, ramp.Widget, error) {
	opener, able := from.(ramp.Opener)
	if !able {
		return orders.Order{}, ramp.Widget{}, unknownProvider(p.Seller)
	}
	who := caller.From(ctx)
	id, err := ulid.New(ulid.Timestamp(s.clock.Now()), rand.Reader)
	if err != nil {
		return orders.Order{}, ramp.Widget{}, err
	}
	p.OrderID, p.CallerIP = id.String(), who.Address
	order := orders.Order{
		ID: p.OrderID, Project: who.Project, Provider: from.Name(), Seller: p.Seller, Title: title, Sandbox: from.Profile().Sandbox,
		Wallet: p.Wallets[0].Address, ChainID: p.ChainID, Payment: p.Pay,
	}
	if p.Receive != nil {
		order.Purchase = &ramp.Amount{Value: *p.Receive, Currency: p.Symbol}
	}
	if err := s.book.Place(ctx, order); err != nil {
		return orders.Order{}, ramp.Widget{}, err
	}
	widget, err := opener.Open(ctx, p)
	if err != nil {
		s.told(from.Name(), err)
		s.abandon(ctx, order.ID)
		return orders.Order{}, ramp.Widget{}, err
	}
	if err := s.book.Opened(ctx, order.ID, widget); err != nil {
		return orders.Order{}, ramp.Widget{}, err
	}
	order, err = s.book.Find(ctx, who.Project, order.ID)
	return order, widget, err
}

// abandon forgets an order of which nobody learned, also when the caller has left meanwhile.
func (s *server) abandon(ctx context.Context, id string) {
	if err := s.book.Abandon(context.WithoutCancel(ctx), id, "the provider did not open it"); err != nil {
		s.log.Error("an order that was not opened is still there", "error", err)
	}
}
