package meld

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
)

// reference matches valid values of externalSessionId, which is used in queries, where a comma separates values.
var reference = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)

type sessionRequest struct {
	SessionType        string      `json:"sessionType"`
	SessionData        sessionData `json:"sessionData"`
	ExternalSessionID  string      `json:"externalSessionId"`
	ExternalCustomerID string      `json:"externalCustomerId"`
}

type sessionData struct {
	WalletAddress           string   `json:"walletAddress"`
	CountryCode             string   `json:"countryCode"`
	SourceCurrencyCode      string   `json:"sourceCurrencyCode"`
	SourceAmount            string   `json:"sourceAmount"`
	DestinationCurrencyCode string   `json:"destinationCurrencyCode"`
	ServiceProvider         string   `json:"serviceProvider"`
	PaymentMethodType       string   `json:"paymentMethodType,omitempty"`
	RedirectURL             string   `json:"redirectUrl,omitempty"`
	LockFields              []string `json:"lockFields"`
}

// Open opens a session with the seller, for one wallet, which the visitor cannot change. It needs token, country and
// amount. Each order has a different customer id, so that Meld cannot link the purchases of a visitor.
func (m *Meld) Open(ctx context.Context, p ramp.Purchase) (ramp.Widget, error) {
	if !reference.MatchString(p.OrderID) || !sellerForm.MatchString(p.Seller) || p.Pay == nil || p.Receive != nil {
		return ramp.Widget{}, fmt.Errorf("%w: a seller and an amount are required", ramp.ErrUnsupported)
	}
	options, err := m.Options(ctx, p.Region)
	if err != nil {
		return ramp.Widget{}, err
	}
	country := cmp.Or(p.Country, usualCountry)
	coins, err := m.coinsIn(ctx, country)
	if err != nil {
		return ramp.Widget{}, err
	}
	bought, err := find(coins, p.Symbol, p.ChainID)
	if err != nil {
		return ramp.Widget{}, err
	}
	if err := wire.Within(options, *p.Pay, wire.Method(p.Method)); err != nil {
		return ramp.Widget{}, err
	}
	wallet, err := walletFor(p.Wallets, bought)
	if err != nil {
		return ramp.Widget{}, err
	}
	return m.open(ctx, sessionRequest{
		SessionType: "BUY", ExternalSessionID: p.OrderID, ExternalCustomerID: p.OrderID,
		SessionData: sessionData{
			WalletAddress: wallet, CountryCode: country, SourceCurrencyCode: p.Pay.Currency, SourceAmount: p.Pay.Value.String(),
			DestinationCurrencyCode: bought.code, ServiceProvider: p.Seller, PaymentMethodType: method(p.Method), RedirectURL: p.Return,
			LockFields: []string{"walletAddress", "destinationCurrencyCode"},
		},
	})
}

func (m *Meld) open(ctx context.Context, wanted sessionRequest) (ramp.Widget, error) {
	var session struct {
		ID        string `json:"id"`
		WidgetURL string `json:"widgetUrl"`
	}
	if err := m.api.Post(ctx, "/crypto/session/widget", wanted, &session); err != nil {
		return ramp.Widget{}, err
	}
	if err := m.api.Page(session.WidgetURL); err != nil {
		return ramp.Widget{}, err
	}
	return ramp.Widget{URL: session.WidgetURL, Ref: session.ID}, nil
}

// walletFor returns the first wallet to which the coin may be sent.
func walletFor(wallets []ramp.Wallet, bought coin) (string, error) {
	for _, w := range wallets {
		if isOn(w.Address, bought.network.ChainID) && (len(w.ChainIDs) == 0 || slices.Contains(w.ChainIDs, bought.network.ChainID)) {
			return w.Address, nil
		}
	}
	return "", fmt.Errorf("%w: no wallet is on the chain", ramp.ErrUnsupported)
}

// isOn reports whether an address is of the namespace of a chain.
func isOn(address, chainID string) bool {
	if chainID == solana {
		return mintForm.MatchString(address)
	}
	_, err := evm.ParseAddress(address)
	return err == nil
}
