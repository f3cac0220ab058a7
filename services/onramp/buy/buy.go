// Package buy parses and validates the parameters of on-ramp requests.
package buy

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// DefaultCountry is used if a quote has no country.
const DefaultCountry = "US"

// Description is a purchase as requested in one of the three forms of the API, not parsed yet.
type Description struct {
	TokenField, Token, Network, ChainID string
	AmountField, Amount                 string
	CurrencyField, Currency             string
	CountryField, Country, Subdivision  string
	MethodField, Method                 string
	WalletField, Wallet, ExcludeField   string
	Exclude                             []string
}

// Parse parses a described purchase; options returns what is sold in a region.
func Parse(d Description, options func(ramp.Region) (ramp.Options, error)) (ramp.Ask, error) {
	var a ramp.Ask
	var err error
	if a.Pay.Value, err = parseMoney(d.AmountField, d.Amount); err != nil {
		return ramp.Ask{}, err
	}
	if a.Pay.Currency, err = parseCurrency(d.CurrencyField, d.Currency); err != nil {
		return ramp.Ask{}, err
	}
	if a.Region, err = ParseRegion(d.CountryField, d.Country, d.Subdivision); err != nil {
		return ramp.Ask{}, err
	}
	if a.Method, err = parseMethod(d.MethodField, d.Method); err != nil {
		return ramp.Ask{}, err
	}
	if a.Without, err = ParseSellers(d.ExcludeField, d.Exclude); err != nil {
		return ramp.Ask{}, err
	}
	known, err := options(a.Region)
	if err != nil {
		return ramp.Ask{}, err
	}
	token, err := ParseToken(d.TokenField, d.Token, d.ChainID, known)
	if err != nil {
		return ramp.Ask{}, err
	}
	if token.ChainID == "" {
		if token.ChainID, err = ParseNetwork("network", d.Network, token.Symbol, known); err != nil {
			return ramp.Ask{}, err
		}
	}
	a.Symbol, a.ChainID = token.Symbol, token.ChainID
	if d.Wallet == "" {
		return a, nil
	}
	a.Wallet, err = parseWalletOn(d.WalletField, d.Wallet, a.ChainID)
	return a, err
}

// parseWalletOn parses an address of a chain's namespace; any namespace if the chain is empty.
func parseWalletOn(field, text, chainID string) (string, error) {
	address, namespace, err := ParseWallet(field, text)
	if err == nil && chainID != "" && namespace != namespaceOf(chainID) {
		err = notOfChain(field)
	}
	return address, err
}

// SymbolOf returns the name of a token or currency: a text, or the symbol or id of an object. The symbol takes
// precedence, because lists of clients have ids that are shared by two tokens.
func SymbolOf(v *structpb.Value) string {
	if text := v.GetStringValue(); text != "" {
		return text
	}
	fields := v.GetStructValue().GetFields()
	for _, name := range []string{"symbol", "id"} {
		if text := fields[name].GetStringValue(); text != "" {
			return text
		}
	}
	return ""
}

// ParseDestinations parses the destination wallets in the form of AppKit's API, which names networks by their usual names.
// Networks and tokens that are not sold are skipped; if none is left, all are allowed.
func ParseDestinations(all []*onrampv1.DestinationWallet, known ramp.Options) (wallets []ramp.Wallet, namespace string, err error) {
	for _, d := range all {
		address, of, err := ParseWallet("destinationWallets", d.GetAddress())
		if err != nil {
			return nil, "", err
		}
		if namespace == "" {
			namespace = of
		}
		w := ramp.Wallet{Address: address}
		for _, symbol := range d.GetAssets() {
			if token, err := ParseToken("assets", symbol, "", known); err == nil && !slices.Contains(w.Symbols, token.Symbol) {
				w.Symbols = append(w.Symbols, token.Symbol)
			}
		}
		for _, name := range slices.Concat(d.GetBlockchains(), d.GetSupportedNetworks()) {
			if chainID := ChainNamed(name, known); chainID != "" && namespaceOf(chainID) == of && !slices.Contains(w.ChainIDs, chainID) {
				w.ChainIDs = append(w.ChainIDs, chainID)
			}
		}
		wallets = append(wallets, w)
	}
	if len(wallets) == 0 {
		return nil, "", Invalid("destinationWallets", "a list with one wallet at least")
	}
	return wallets, namespace, nil
}

// ChainNamed returns the CAIP-2 id of a network by any of its names; empty if there is none.
func ChainNamed(name string, known ramp.Options) string {
	for _, a := range known.Assets {
		if n, ok := networkNamed(a, name); ok {
			return n.ChainID
		}
	}
	return ""
}
