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

// parseBalanceRequest parses a request for balances.
func parseBalanceRequest(r *balancesv1.GetBalanceRequest) (holdings.Query, error) {
	q, err := parseQuery(r.GetAddress(), r.GetChainId(), r.GetCurrency())
	if err == nil && r.GetForceUpdate() != "" {
		q.Forced, err = parseAssets(strings.Split(r.GetForceUpdate(), ","))
	}
	return q, err
}

// parseQuery parses the fields that all requests for holdings share. An empty chainID means every active chain.
func parseQuery(address, chainID, currency string) (holdings.Query, error) {
	if err := request.Currency("currency", currency); err != nil {
		return holdings.Query{}, err
	}
	q := holdings.Query{Currency: currency}
	var err error
	if chainID != "" {
		if q.ChainID, err = request.Chain("address", chainID); err != nil {
			return holdings.Query{}, err
		}
	}
	q.Owner, err = request.Address("address", address)
	return q, err
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

// parseSolanaRequest parses a request for balances of Solana.
func parseSolanaRequest(r *balancesv1.GetBalanceRequest) (solana.Query, error) {
	q, err := parseSolanaQuery(r.GetAddress(), r.GetChainId(), r.GetCurrency())
	if err != nil || r.GetForceUpdate() == "" {
		return q, err
	}
	for id := range strings.SplitSeq(r.GetForceUpdate(), ",") {
		asset, err := parseSolanaAsset(id)
		if err != nil {
			return solana.Query{}, err
		}
		q.Forced = append(q.Forced, asset)
	}
	return q, nil
}

// parseSolanaQuery is [parseQuery] for Solana.
func parseSolanaQuery(address, chainID, currency string) (q solana.Query, err error) {
	if err := request.Currency("currency", currency); err != nil {
		return q, err
	}
	q.Currency = currency
	if chainID != "" {
		if q.ChainID, err = request.ChainOf(request.Solana, "address", chainID); err != nil {
			return q, err
		}
	}
	q.Owner, err = request.SolanaAddress("address", address)
	return q, err
}

func parseSolanaAsset(id string) (a solana.Asset, err error) {
	a.ID = id
	a.Chain, a.Mint, err = request.SolanaToken("address", id)
	return a, err
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
