package onramp

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/ramp"
)

// defaultCountry is used if a quote names none.
const defaultCountry = "US"

// described is a purchase as requested in one of the three forms of the API, not parsed yet.
type described struct {
	tokenField, token, network, chainID string
	amountField, amount                 string
	currencyField, currency             string
	countryField, country, subdivision  string
	methodField, method                 string
	walletField, wallet, excludeField   string
	exclude                             []string
}

// parseAsk parses a described purchase; options returns what is sold in a region.
func parseAsk(d described, options func(ramp.Region) (ramp.Options, error)) (ramp.Ask, error) {
	var a ramp.Ask
	var err error
	if a.Pay.Value, err = parseMoney(d.amountField, d.amount); err != nil {
		return ramp.Ask{}, err
	}
	if a.Pay.Currency, err = parseCurrency(d.currencyField, d.currency); err != nil {
		return ramp.Ask{}, err
	}
	if a.Region, err = parseRegion(d.countryField, d.country, d.subdivision); err != nil {
		return ramp.Ask{}, err
	}
	if a.Method, err = parseMethod(d.methodField, d.method); err != nil {
		return ramp.Ask{}, err
	}
	if a.Without, err = parseSellers(d.excludeField, d.exclude); err != nil {
		return ramp.Ask{}, err
	}
	known, err := options(a.Region)
	if err != nil {
		return ramp.Ask{}, err
	}
	token, err := parseToken(d.tokenField, d.token, d.chainID, known)
	if err != nil {
		return ramp.Ask{}, err
	}
	if token.chainID == "" {
		if token.chainID, err = parseNetwork("network", d.network, token.symbol, known); err != nil {
			return ramp.Ask{}, err
		}
	}
	a.Symbol, a.ChainID = token.symbol, token.chainID
	if d.wallet == "" {
		return a, nil
	}
	a.Wallet, err = parseWalletOn(d.walletField, d.wallet, a.ChainID)
	return a, err
}

// parseWalletOn parses an address of a chain's namespace; any namespace if the chain is empty.
func parseWalletOn(field, text, chainID string) (string, error) {
	address, namespace, err := parseWallet(field, text)
	if err == nil && chainID != "" && namespace != namespaceOf(chainID) {
		err = notOfChain(field)
	}
	return address, err
}

// named returns the name of a token or currency: a text, or the symbol or id of an object. The symbol comes first, because lists of clients
// have ids that stand for two tokens.
func named(v *structpb.Value) string {
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

// parseDestinations parses the destination wallets in the form of the incumbent's clients, which name networks by their usual names.
// Networks and tokens that are not sold are skipped; if none is left, all are allowed.
func parseDestinations(all []*onrampv1.DestinationWallet, known ramp.Options) (wallets []ramp.Wallet, namespace string, err error) {
	for _, d := range all {
		address, of, err := parseWallet("destinationWallets", d.GetAddress())
		if err != nil {
			return nil, "", err
		}
		if namespace == "" {
			namespace = of
		}
		w := ramp.Wallet{Address: address}
		for _, symbol := range d.GetAssets() {
			if token, err := parseToken("assets", symbol, "", known); err == nil && !slices.Contains(w.Symbols, token.symbol) {
				w.Symbols = append(w.Symbols, token.symbol)
			}
		}
		for _, name := range slices.Concat(d.GetBlockchains(), d.GetSupportedNetworks()) {
			if chainID := chainNamed(name, known); chainID != "" && namespaceOf(chainID) == of && !slices.Contains(w.ChainIDs, chainID) {
				w.ChainIDs = append(w.ChainIDs, chainID)
			}
		}
		wallets = append(wallets, w)
	}
	if len(wallets) == 0 {
		return nil, "", invalid("destinationWallets", "a list with one wallet at least")
	}
	return wallets, namespace, nil
}

// chainNamed returns the CAIP-2 id of a network by any of its names; empty if there is none.
func chainNamed(name string, known ramp.Options) string {
	for _, a := range known.Assets {
		if n, ok := networkNamed(a, name); ok {
			return n.ChainID
		}
	}
	return ""
}
