package onramp

import (
	"context"
	"errors"
	"slices"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onramp/buy"
	"github.com/hawser-dev/hawser/services/onramp/orders"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// OpenWidget places an order with a seller and returns the page where it is paid.
func (s *server) OpenWidget(ctx context.Context, r *onrampv1.OpenWidgetRequest) (*onrampv1.OpenWidgetResponse, error) {
	d := r.GetSessionData()
	for _, given := range []struct{ field, value string }{
		{"serviceProvider", d.GetServiceProvider()}, {"sourceCurrencyCode", d.GetSourceCurrencyCode()},
		{"destinationCurrencyCode", d.GetDestinationCurrencyCode()}, {"walletAddress", d.GetWalletAddress()},
	} {
		if given.value == "" {
			return nil, missing(given.field)
		}
	}
	if _, err := buy.ParseSellers("serviceProvider", []string{d.GetServiceProvider()}); err != nil {
		return nil, err
	}
	from, title, ok := s.sellers.ProviderOf(ctx, d.GetServiceProvider())
	if !ok {
		return nil, unknownProvider(d.GetServiceProvider())
	}
	a, err := s.parseAsk(ctx, buy.Description{
		TokenField: "destinationCurrencyCode", Token: d.GetDestinationCurrencyCode(), ChainID: d.GetChainId(),
		AmountField: "sourceAmount", Amount: buy.MoneyText(d.GetSourceAmount()),
		CurrencyField: "sourceCurrencyCode", Currency: d.GetSourceCurrencyCode(),
		CountryField: "countryCode", Country: d.GetCountryCode(), Subdivision: d.GetSubdivision(),
		MethodField: "paymentMethodType", Method: d.GetPaymentMethodType(),
		WalletField: "walletAddress", Wallet: d.GetWalletAddress(),
	})
	if err != nil {
		return nil, err
	}
	if err := s.checkReturn(ctx, d.GetRedirectUrl()); err != nil {
		return nil, err
	}
	if err := limit.Spend(ctx, s.limiter, s.ordering, "orders"); err != nil {
		return nil, err
	}
	wallet := ramp.Wallet{Address: a.Wallet, Symbols: []string{a.Symbol}}
	if a.ChainID != "" {
		wallet.ChainIDs = []string{a.ChainID}
	}
	order, err := s.open(ctx, from, title, ramp.Purchase{
		Seller: d.GetServiceProvider(), Pay: &a.Pay, Method: a.Method, Symbol: a.Symbol, ChainID: a.ChainID, Region: a.Region,
		Wallets: []ramp.Wallet{wallet}, Return: d.GetRedirectUrl(),
	})
	if err != nil {
		return nil, buy.Explain("sourceAmount", err)
	}
	return &onrampv1.OpenWidgetResponse{WidgetUrl: order.url, Order: orders.ToProto(order.Order), OrderToken: order.token}, nil
}

// CreateUrl places an order in the form of AppKit's API, with the first provider that serves the wallet's namespace.
func (s *server) CreateUrl(ctx context.Context, r *onrampv1.CreateUrlRequest) (*onrampv1.CreateUrlResponse, error) {
	if !slices.Contains([]string{"", "buy", "send"}, r.GetDefaultExperience()) {
		return nil, buy.Invalid("defaultExperience", "buy or send")
	}
	if r.GetPartnerUserId() == "" {
		return nil, missing("partnerUserId")
	}
	paid, err := buy.ParsePreset("presetFiatAmount", r.GetPresetFiatAmount())
	if err != nil {
		return nil, err
	}
	wanted, err := buy.ParsePreset("presetCryptoAmount", r.GetPresetCryptoAmount())
	if err != nil {
		return nil, err
	}
	p := ramp.Purchase{Receive: wanted}
	if paid != nil {
		p.Pay = &ramp.Amount{Value: *paid, Currency: "USD"}
	}
	known, err := s.catalog.Options(ctx, ramp.Region{})
	if err != nil {
		return nil, buy.Explain("", err)
	}
	wallets, namespace, err := buy.ParseDestinations(r.GetDestinationWallets(), known)
	if err != nil {
		return nil, err
	}
	p.Wallets, p.ChainID = wallets, buy.ChainNamed(r.GetDefaultNetwork(), known)
	if symbols := wallets[0].Symbols; len(symbols) == 1 {
		p.Symbol = symbols[0]
	}
	from, err := s.opening(namespace)
	if err != nil {
		return nil, buy.Explain("", err)
	}
	if err := limit.Spend(ctx, s.limiter, s.ordering, "orders"); err != nil {
		return nil, err
	}
	p.Seller = sellerName(from)
	order, err := s.open(ctx, from, from.Profile().Title, p)
	if err != nil {
		return nil, buy.Explain("presetFiatAmount", err)
	}
	return &onrampv1.CreateUrlResponse{Url: order.url, OrderId: order.ID, OrderToken: order.token}, nil
}

// opening returns the first provider that is a seller itself and serves a namespace. It fails with [ramp.ErrUnsupported] if none serves the
// namespace, and with [ramp.ErrUnavailable] if there is none at all.
func (s *server) opening(namespace string) (ramp.Provider, error) {
	failure := ramp.ErrUnavailable
	for _, p := range s.sellers.All() {
		_, opens := p.(ramp.Opener)
		_, resells := p.(ramp.Marketplace)
		if !opens || resells {
			continue
		}
		if slices.Contains(p.Profile().Namespaces, namespace) {
			return p, nil
		}
		failure = ramp.ErrUnsupported
	}
	return nil, failure
}

// owner returns the owner whose orders a call may list.
func owner(ctx context.Context, wallet string) orders.Owner {
	who := caller.From(ctx)
	return orders.Owner{Project: who.Project, Wallet: wallet, Proofs: who.OrderTokenDigests()}
}

// ListOrders lists an account's orders within the caller's project for which the caller has the token.
func (s *server) ListOrders(ctx context.Context, r *onrampv1.ListOrdersRequest) (*onrampv1.ListOrdersResponse, error) {
	if r.GetAddress() == "" {
		return nil, missing("address")
	}
	address, _, err := buy.ParseWallet("address", r.GetAddress())
	if err != nil {
		return nil, err
	}
	page, err := s.orders.List(ctx, owner(ctx, address), r.GetCursor())
	if err != nil {
		return nil, explainOrder(err)
	}
	res := &onrampv1.ListOrdersResponse{}
	for _, o := range page.Orders {
		res.Orders = append(res.Orders, orders.ToProto(o))
	}
	if page.Next != "" {
		res.Next = &page.Next
	}
	return res, nil
}

// GetOrder returns one order of the caller's project.
func (s *server) GetOrder(ctx context.Context, r *onrampv1.GetOrderRequest) (*onrampv1.GetOrderResponse, error) {
	o, err := s.orders.Find(ctx, caller.From(ctx).Project, r.GetId())
	if err != nil {
		return nil, explainOrder(err)
	}
	return &onrampv1.GetOrderResponse{Order: orders.ToProto(o)}, nil
}

// ListPurchases lists an account's orders with one provider for which the caller has the token.
func (s *server) ListPurchases(ctx context.Context, r *onrampv1.ListPurchasesRequest) (*onrampv1.ListPurchasesResponse, error) {
	address, err := request.Address("address", r.GetAddress())
	if err != nil {
		return nil, err
	}
	if _, ok := s.sellers.Provider(r.GetProvider()); !ok {
		return nil, unknownProvider(r.GetProvider())
	}
	page, err := s.orders.ListPurchases(ctx, owner(ctx, address.String()), r.GetProvider(), r.GetCursor())
	if err != nil {
		return nil, explainOrder(err)
	}
	res := &onrampv1.ListPurchasesResponse{}
	for _, o := range page.Orders {
		res.Orders = append(res.Orders, orders.ToProto(o))
	}
	if page.Next != "" {
		res.Next = &page.Next
	}
	return res, nil
}

// DeliverWebhook handles a webhook of a provider.
func (s *server) DeliverWebhook(ctx context.Context, r *onrampv1.DeliverWebhookRequest) (*onrampv1.DeliverWebhookResponse, error) {
	header := map[string][]string{}
	for name, values := range r.GetHeader() {
		header[name] = values.GetValues()
	}
	err := s.orders.HandleWebhook(ctx, r.GetProvider(), ramp.Delivery{
		URL: s.publicURL + ramp.WebhookPath + r.GetProvider(), Header: header, Body: r.GetBody(), At: s.clock.Now(),
	})
	switch {
	case err == nil:
		return &onrampv1.DeliverWebhookResponse{}, nil
	case errors.Is(err, orders.ErrNoWebhooks):
		return nil, unknownProvider(r.GetProvider())
	case errors.Is(err, ramp.ErrSignature), errors.Is(err, ramp.ErrStale):
		return nil, fault.New(codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "signature", "The delivery is not signed by the provider, or too long ago")
	case errors.Is(err, ramp.ErrMalformed):
		return nil, request.Invalid(faultv1.Reason_REASON_BODY_INVALID, "", "The delivery is not in the provider's form").Because(err)
	}
	return nil, err
}

func explainOrder(err error) error {
	switch {
	case errors.Is(err, orders.ErrUnknown):
		return unknownOrder()
	case errors.Is(err, orders.ErrCursor):
		return request.Invalid(faultv1.Reason_REASON_CURSOR_INVALID, "cursor", "The cursor provided is invalid")
	}
	return err
}

func unknownProvider(name string) error {
	return request.Invalid(faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "provider", "Provider %s is not supported", buy.Clip(name))
}

func unknownOrder() error {
	return fault.New(codes.NotFound, faultv1.Reason_REASON_ORDER_UNKNOWN, "id", "There is no such order")
}
