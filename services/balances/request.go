package balances

import (
	"slices"
	"strings"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/balances/solana"
	"github.com/hawser-dev/hawser/services/onchain/request"
)

// parseOwner parses the fields that all requests for holdings share. An empty chainID means every active chain of the address's namespace.
func parseOwner(address, chainID, currency string) (request.Owner, error) {
	if err := request.Currency("currency", currency); err != nil {
		return request.Owner{}, err
	}
	return request.ParseOwner("address", chainID, address)
}

func queryOf(o request.Owner, currency string) holdings.Query {
	return holdings.Query{Currency: currency, ChainID: o.ChainID, Owner: o.EVM}
}

// solanaQueryOf is [queryOf] for Solana.
func solanaQueryOf(o request.Owner, currency string) solana.Query {
	return solana.Query{Currency: currency, ChainID: o.ChainID, Owner: o.SVM}
}

// priceList holds the tokens of a request for prices, by namespace.
type priceList struct {
	evm     []holdings.TokenRef
	solana  []solana.Asset
	natives []native
	// place maps an id in the caller's spelling to its position in the request.
	place map[string]int
}

// parsePriceRequest returns the currency and the tokens of a request for prices. Tokens of other namespaces than eip155 are priced in US dollars
// only.
func parsePriceRequest(r *balancesv1.ListPricesRequest) (string, priceList, error) {
	if r.GetCurrency() == "" {
		return "", priceList{}, request.Invalid(faultv1.Reason_REASON_BODY_INVALID, "currency", "Missing field `currency`")
	}
	if !slices.Contains(request.Currencies, r.GetCurrency()) {
		return "", priceList{}, request.Invalid(faultv1.Reason_REASON_BODY_INVALID, "currency", "Unsupported currency: %s", r.GetCurrency())
	}
	if len(r.GetAddresses()) == 0 {
		return "", priceList{}, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "address", "At least one address is required")
	}
	list := priceList{place: map[string]int{}}
	for i, id := range r.GetAddresses() {
		if _, repeated := list.place[id]; !repeated {
			list.place[id] = i
		}
		isSolana := strings.HasPrefix(id, request.Solana+":")
		coin, isNative := parseNative(id)
		if (isSolana || isNative) && r.GetCurrency() != holdings.AccountCurrency {
			return "", priceList{}, request.Invalid(faultv1.Reason_REASON_CURRENCY_UNSUPPORTED, "currency", "Unsupported currency: %s", r.GetCurrency())
		}
		if isNative {
			list.natives = append(list.natives, coin)
			continue
		}
		if isSolana {
			asset, err := parseSolanaAsset(id)
			if err != nil {
				return "", priceList{}, err
			}
			list.solana = append(list.solana, asset)
			continue
		}
		assets, err := parseAssets([]string{id})
		if err != nil {
			return "", priceList{}, err
		}
		list.evm = append(list.evm, assets...)
	}
	return r.GetCurrency(), list, nil
}

// parseSolanaAssets parses CAIP-10 ids of mints and keeps their spelling.
func parseSolanaAssets(ids []string) ([]solana.Asset, error) {
	list := make([]solana.Asset, 0, len(ids))
	for _, id := range ids {
		asset, err := parseSolanaAsset(id)
		if err != nil {
			return nil, err
		}
		list = append(list, asset)
	}
	return list, nil
}

func parseSolanaAsset(id string) (a solana.Asset, err error) {
	a.ID = id
	a.Chain, a.Mint, err = request.SolanaToken("address", id)
	return a, err
}

// forced returns the tokens of the field forceUpdate.
func forced(r *balancesv1.GetBalanceRequest) []string {
	if r.GetForceUpdate() == "" {
		return nil
	}
	return strings.Split(r.GetForceUpdate(), ",")
}

// parseAssets parses CAIP-10 token addresses and keeps their spelling.
func parseAssets(ids []string) ([]holdings.TokenRef, error) {
	list := make([]holdings.TokenRef, 0, len(ids))
	for _, id := range ids {
		token, err := request.AccountID("address", id)
		if err != nil {
			return nil, err
		}
		list = append(list, holdings.TokenRef{Asset: prices.Asset{Chain: token.ChainID, Address: token.Address}, ID: id})
	}
	return list, nil
}
