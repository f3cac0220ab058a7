package balances

import (
	"slices"
	"strings"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/balances/prices"
)

// parseBalanceRequest parses a request for balances.
func parseBalanceRequest(r *balancesv1.GetBalanceRequest) (holdings.Query, error) {
	q, err := parseQuery(r.GetAddress(), r.GetChainId(), r.GetCurrency())
	if err == nil && r.GetForceUpdate() != "" {
		q.Forced, err = parseAssets(strings.Split(r.GetForceUpdate(), ","))
	}
	return q, err
}

// parseQuery parses the fields that all requests for holdings share. An empty chainID stands for every active chain.
func parseQuery(address, chainID, currency string) (holdings.Query, error) {
	if err := apiparse.Currency("currency", currency); err != nil {
		return holdings.Query{}, err
	}
	q := holdings.Query{Currency: currency}
	var err error
	if chainID != "" {
		if q.ChainID, err = apiparse.Chain("address", chainID); err != nil {
			return holdings.Query{}, err
		}
	}
	q.Owner, err = apiparse.Address("address", address)
	return q, err
}

// parsePriceRequest returns the currency and the tokens of a request for prices.
func parsePriceRequest(r *balancesv1.ListPricesRequest) (string, []holdings.TokenRef, error) {
	if r.GetCurrency() == "" {
		return "", nil, apiparse.Invalid(faultv1.Reason_REASON_BODY_INVALID, "currency", "Missing field `currency`")
	}
	if !slices.Contains(apiparse.Currencies, r.GetCurrency()) {
		return "", nil, apiparse.Invalid(faultv1.Reason_REASON_BODY_INVALID, "currency", "Unsupported currency: %s", r.GetCurrency())
	}
	if len(r.GetAddresses()) == 0 {
		return "", nil, apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "address", "At least one address is required")
	}
	list, err := parseAssets(r.GetAddresses())
	return r.GetCurrency(), list, err
}

// parseAssets parses CAIP-10 token addresses and keeps their spelling.
func parseAssets(ids []string) ([]holdings.TokenRef, error) {
	list := make([]holdings.TokenRef, 0, len(ids))
	for _, id := range ids {
		token, err := apiparse.AccountID("address", id)
		if err != nil {
			return nil, err
		}
		list = append(list, holdings.TokenRef{Asset: prices.Asset{Chain: token.ChainID, Address: token.Address}, ID: id})
	}
	return list, nil
}
