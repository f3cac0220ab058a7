package onramp

import (
	"context"
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/ramp"
)

// defaultCountry is meant where a quote names none.
const defaultCountry = "US"

// described is how a purchase is asked for, in one of the three forms of the API, before anything of it is read.
type described struct {
	tokenField, token, network, chainID string
	amountField, amount                 string
	currencyField, currency             string
	countryField, country, subdivision  string
	methodField, method                 string
	walletField, wallet, excludeField   string
	exclude                             []string
}

// readAsk turns a description into a question for sellers.
func (s *server) readAsk(ctx context.Context, d described) (ramp.Ask, error) {
	var a ramp.Ask
	var err error
	if a.Pay.Value, err = readMoney(d.amountField, d.amount); err != nil {
		return ramp.Ask{}, err
	}
	if a.Pay.Currency, err = readCurrency(d.currencyField, d.currency); err != nil {
		return ramp.Ask{}, err
	}
	if a.Place, err = readPlace(d.countryField, d.country, d.subdivision); err != nil {
		return ramp.Ask{}, err
	}
	if a.Method, err = readMethod(d.methodField, d.method); err != nil {
		return ramp.Ask{}, err
	}
	if a.Without, err = readSellers(d.excludeField, d.exclude); err != nil {
		return ramp.Ask{}, err
	}
	known, err := s.market.Options(ctx, a.Place)
	if err != nil {
		return ramp.Ask{}, explain("", err)
	}
	token, err := readToken(d.tokenField, d.token, d.chainID, known)
	if err != nil {
		return ramp.Ask{}, err
	}
	if token.chainID == "" {
		if token.chainID, err = readNetwork("network", d.network, token.symbol, known); err != nil {
			return ramp.Ask{}, err
		}
	}
	a.Symbol, a.ChainID = token.symbol, token.chainID
	if d.wallet == "" {
		return a, nil
	}
	a.Wallet, err = readWalletOn(d.walletField, d.wallet, a.ChainID)
	return a, err
}

// readWalletOn reads an address of a chain's namespace; an empty chain leaves the namespace open.
func readWalletOn(field, text, chainID string) (string, error) {
	address, namespace, err := readWallet(field, text)
	if err == nil && chainID != "" && namespace != namespaceOf(chainID) {
		err = notOfChain(field)
	}
	return address, err
}

// named is what a caller names a token or a currency by: the text itself, or an object's symbol, or its id. Clients' own lists hold ids that
// stand for two tokens, so that the symbol counts first.
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

// readDestinations reads where tokens may go, as the incumbent's clients spell it: networks by their usual names. Networks and tokens that
// nobody here sells are left out; where none is left, all are meant.
func readDestinations(all []*onrampv1.DestinationWallet, known ramp.Options) (wallets []ramp.Wallet, namespace string, err error) {
	for _, d := range all {
		address, of, err := readWallet("destinationWallets", d.GetAddress())
		if err != nil {
			return nil, "", err
		}
		if namespace == "" {
			namespace = of
		}
		w := ramp.Wallet{Address: address}
		for _, symbol := range d.GetAssets() {
			if token, err := readToken("assets", symbol, "", known); err == nil && !slices.Contains(w.Symbols, token.symbol) {
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

// chainNamed is the CAIP-2 id of a network that something is sold on, by any of its names; empty when there is none.
func chainNamed(name string, known ramp.Options) string {
	for _, a := range known.Assets {
		if n, ok := networkNamed(a, name); ok {
			return n.ChainID
		}
	}
	return ""
}
