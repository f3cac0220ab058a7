package balances

import (
	"slices"
	"strings"

	"google.golang.org/grpc/codes"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/balances/prices"
	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// readAsk turns a request into a question, or says what is wrong with it.
func readAsk(r *balancesv1.GetBalanceRequest) (Ask, error) {
	if r.GetCurrency() == "" {
		return Ask{}, invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "currency", "Failed to deserialize query string: missing field `currency`")
	}
	if !slices.Contains(prices.Currencies, r.GetCurrency()) {
		return Ask{}, invalid(faultv1.Reason_REASON_CURRENCY_UNSUPPORTED, "currency", "Unsupported currency: %s", r.GetCurrency())
	}
	ask := Ask{Currency: r.GetCurrency()}
	if r.GetChainId() != "" {
		chain, err := readChain(r.GetChainId())
		if err != nil {
			return Ask{}, err
		}
		ask.ChainID = chain.String()
	}
	var err error
	if ask.Owner, err = readAddress(r.GetAddress()); err != nil {
		return Ask{}, err
	}
	if r.GetForceUpdate() != "" {
		ask.Forced, err = readAssets(strings.Split(r.GetForceUpdate(), ","))
	}
	return ask, err
}

// readPriceList turns a request for prices into its currency and tokens.
func readPriceList(r *balancesv1.ListPricesRequest) (string, []TokenRef, error) {
	if r.GetCurrency() == "" {
		return "", nil, invalid(faultv1.Reason_REASON_BODY_INVALID, "currency", "Missing field `currency`")
	}
	if !slices.Contains(prices.Currencies, r.GetCurrency()) {
		return "", nil, invalid(faultv1.Reason_REASON_BODY_INVALID, "currency", "Unsupported currency: %s", r.GetCurrency())
	}
	if len(r.GetAddresses()) == 0 {
		return "", nil, invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "address", "At least one address is required")
	}
	list, err := readAssets(r.GetAddresses())
	return r.GetCurrency(), list, err
}

// readChain reads a CAIP-2 id, or the bare reference that older clients send: a number on eip155, letters on Solana.
func readChain(text string) (caip.ChainID, error) {
	if !strings.Contains(text, ":") {
		text = "eip155:" + text
		if !isNumber(text[len("eip155:"):]) {
			text = "solana:" + text[len("eip155:"):]
		}
	}
	chain, err := caip.ParseChain(text)
	if err != nil {
		return caip.ChainID{}, unreadable(err)
	}
	return chain, supported(chain.Namespace)
}

// readAssets reads CAIP-10 token addresses and keeps their spelling.
func readAssets(ids []string) ([]TokenRef, error) {
	list := make([]TokenRef, 0, len(ids))
	for _, id := range ids {
		account, err := caip.ParseAccount(id)
		if err != nil {
			return nil, unreadable(err)
		}
		if err := supported(account.Chain.Namespace); err != nil {
			return nil, err
		}
		address, err := readAddress(account.Address)
		if err != nil {
			return nil, err
		}
		list = append(list, TokenRef{Asset: prices.Asset{Chain: account.Chain.String(), Address: address}, ID: id})
	}
	return list, nil
}

func readAddress(text string) (evm.Address, error) {
	a, err := evm.ParseAddress(text)
	if err != nil {
		return a, invalid(faultv1.Reason_REASON_ADDRESS_INVALID, "address", "The address provided is invalid")
	}
	return a, nil
}

func supported(namespace string) error {
	if namespace == "eip155" {
		return nil
	}
	return invalid(faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED, "address", "Unsupported namespace: %s", namespace)
}

func unreadable(err error) error {
	return invalid(faultv1.Reason_REASON_IDENTIFIER_INVALID, "", "Crypto utils error: %s", err)
}

func invalid(reason faultv1.Reason, field, format string, args ...any) error {
	return fault.New(codes.InvalidArgument, reason, field, format, args...)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
