package balances

import (
	"slices"
	"strings"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/balances/prices"
)

// readAsk turns a request into a question, or says what is wrong with it.
func readAsk(r *balancesv1.GetBalanceRequest) (Ask, error) {
	if r.GetCurrency() == "" {
		return Ask{}, apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "currency", "Failed to deserialize query string: missing field `currency`")
	}
	if !slices.Contains(prices.Currencies, r.GetCurrency()) {
		return Ask{}, apiparse.Invalid(faultv1.Reason_REASON_CURRENCY_UNSUPPORTED, "currency", "Unsupported currency: %s", r.GetCurrency())
	}
	q := Ask{Currency: r.GetCurrency()}
	var err error
	if r.GetChainId() != "" {
		if q.ChainID, err = apiparse.Chain("address", r.GetChainId()); err != nil {
			return Ask{}, err
		}
	}
	if q.Owner, err = apiparse.Address("address", r.GetAddress()); err != nil {
		return Ask{}, err
	}
	if r.GetForceUpdate() != "" {
		q.Forced, err = readAssets(strings.Split(r.GetForceUpdate(), ","))
	}
	return q, err
}

// readPriceList turns a request for prices into its currency and tokens.
func readPriceList(r *balancesv1.ListPricesRequest) (string, []TokenRef, error) {
	if r.GetCurrency() == "" {
		return "", nil, apiparse.Invalid(faultv1.Reason_REASON_BODY_INVALID, "currency", "Missing field `currency`")
	}
	if !slices.Contains(prices.Currencies, r.GetCurrency()) {
		return "", nil, apiparse.Invalid(faultv1.Reason_REASON_BODY_INVALID, "currency", "Unsupported currency: %s", r.GetCurrency())
	}
	if len(r.GetAddresses()) == 0 {
		return "", nil, apiparse.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "address", "At least one address is required")
	}
	list, err := readAssets(r.GetAddresses())
	return r.GetCurrency(), list, err
}

// readAssets reads CAIP-10 token addresses and keeps their spelling.
func readAssets(ids []string) ([]TokenRef, error) {
	list := make([]TokenRef, 0, len(ids))
	for _, id := range ids {
		token, err := apiparse.AccountID("address", id)
		if err != nil {
			return nil, err
		}
		list = append(list, TokenRef{Asset: prices.Asset{Chain: token.ChainID, Address: token.Address}, ID: id})
	}
	return list, nil
}
