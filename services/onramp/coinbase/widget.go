package coinbase

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/onramp/wire"
)

const (
	// sessionLifetime is how long a session token is valid.
	sessionLifetime = 5 * time.Minute
)

// reference matches valid values of partnerUserRef, which is part of a path as well; Coinbase requires fewer than 50 characters.
var reference = regexp.MustCompile(`^[0-9A-Za-z_-]{1,49}$`)

// presettable are the currencies in which Coinbase accepts a preset amount.
var presettable = []string{"USD", "CAD", "GBP", "EUR"}

// tokenRequest is the body of POST /v1/token.
type tokenRequest struct {
	Addresses []destination `json:"addresses"`
	Assets    []string      `json:"assets,omitempty"`
	ClientIP  string        `json:"clientIp,omitempty"`
}

// destination is an address, and the networks where tokens may be sent to it.
type destination struct {
	Address     string   `json:"address"`
	Blockchains []string `json:"blockchains"`
}

// Open binds the wallets to a session, and returns its page.
func (c *Coinbase) Open(ctx context.Context, p ramp.Purchase) (ramp.Widget, error) {
	if !reference.MatchString(p.OrderID) {
		return ramp.Widget{}, fmt.Errorf("%w: the order's name is no reference", ramp.ErrUnsupported)
	}
	options, err := c.Options(ctx, p.Region)
	if err != nil {
		return ramp.Widget{}, err
	}
	query, err := c.preset(options, p)
	if err != nil {
		return ramp.Widget{}, err
	}
	addresses, assets, err := destinations(options, p)
	if err != nil {
		return ramp.Widget{}, err
	}
	var session struct {
		Token string `json:"token"`
	}
	if err := c.api.Post(ctx, "/v1/token", tokenRequest{Addresses: addresses, Assets: assets, ClientIP: publicIP(p.CallerIP)}, &session); err != nil {
		return ramp.Widget{}, err
	}
	if session.Token == "" {
		return ramp.Widget{}, fmt.Errorf("%w: the session has no token", ramp.ErrUnavailable)
	}
	query.Set("sessionToken", session.Token)
	page := *c.pay
	page.RawQuery = query.Encode()
	if err := c.api.Page(page.String()); err != nil {
		return ramp.Widget{}, err
	}
	return ramp.Widget{URL: page.String(), Expires: c.clock.Now().Add(sessionLifetime)}, nil
}

// preset returns the query of the page.
func (c *Coinbase) preset(o ramp.Options, p ramp.Purchase) (url.Values, error) {
	query := url.Values{"partnerUserRef": {p.OrderID}}
	method := wire.Method(p.Method)
	if p.Pay != nil {
		if err := wire.Within(o, *p.Pay, method); err != nil {
			return nil, err
		}
		query.Set("fiatCurrency", p.Pay.Currency)
		if p.Receive == nil && slices.Contains(presettable, p.Pay.Currency) {
			query.Set("presetFiatAmount", formatAmount(p.Pay.Value))
		}
	}
	if p.Receive != nil {
		query.Set("presetCryptoAmount", p.Receive.String())
	}
	if method != "" {
		query.Set("defaultPaymentMethod", strings.ToUpper(method))
	}
	if p.Symbol != "" {
		asset, network, err := find(o, p.Symbol, p.ChainID)
		if err != nil {
			return nil, err
		}
		query.Set("defaultAsset", asset.Symbol)
		query.Set("defaultNetwork", network.Name)
	}
	if p.Return != "" {
		query.Set("redirectUrl", p.Return)
	}
	return query, nil
}

// destinations returns the wallets with their networks; if two wallets are on one network, the first is used. If a
// chain is given, it returns only the wallet on that chain, and fails if there is none.
func destinations(o ramp.Options, p ramp.Purchase) (all []destination, assets []string, err error) {
	served := networksOf(o)
	taken := map[string]bool{}
	for _, w := range p.Wallets {
		namespace := namespaceOfAddress(w.Address)
		d := destination{Address: w.Address}
		for _, chainID := range slices.Sorted(maps.Keys(served)) {
			if namespaceOf(chainID) != namespace {
				continue
			}
			wanted := (p.ChainID == "" || p.ChainID == chainID) && (len(w.ChainIDs) == 0 || slices.Contains(w.ChainIDs, chainID))
			if wanted && !taken[chainID] {
				taken[chainID] = true
				d.Blockchains = append(d.Blockchains, served[chainID])
			}
		}
		if len(d.Blockchains) == 0 {
			continue
		}
		all = append(all, d)
		assets = append(assets, w.Symbols...)
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("%w: no wallet is on a supported chain", ramp.ErrUnsupported)
	}
	if p.Symbol != "" {
		assets = []string{p.Symbol}
	}
	slices.Sort(assets)
	return all, slices.Compact(assets), nil
}

// networksOf returns the names of all networks in a region, by CAIP-2.
func networksOf(o ramp.Options) map[string]string {
	all := map[string]string{}
	for _, a := range o.Assets {
		for _, n := range a.Networks {
			all[n.ChainID] = n.Name
		}
	}
	return all
}

// publicIP returns the visitor's address, to which Coinbase binds the session; empty if it is unknown or private.
func publicIP(text string) string {
	ip, err := netip.ParseAddr(text)
	if err != nil || !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return ""
	}
	return ip.Unmap().WithZone("").String()
}

// formatAmount formats an amount with at least two decimal places.
func formatAmount(d decimal.Decimal) string { return d.StringFixed(max(2, -d.Exponent())) }
