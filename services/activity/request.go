package activity

import (
	"strings"

	"google.golang.org/grpc/codes"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// ask is a request for a page.
type ask struct {
	address evm.Address
	// chainID is CAIP-2; empty for every chain on which the address was seen.
	chainID string
	// after is where the page begins; nil for the first one.
	after *Place
}

// readAsk turns a request into a question, or says what is wrong with it.
func readAsk(r *activityv1.GetHistoryRequest) (ask, error) {
	var a ask
	var err error
	if r.GetChainId() != "" {
		chain, err := readChain(r.GetChainId())
		if err != nil {
			return ask{}, err
		}
		a.chainID = chain.String()
	}
	if a.address, err = readAddress(r.GetAddress()); err != nil {
		return ask{}, err
	}
	if r.GetOnramp() != "" {
		return ask{}, invalid(faultv1.Reason_REASON_PROVIDER_UNSUPPORTED, "provider", "Provider %s is not supported", r.GetOnramp())
	}
	if r.GetCursor() != "" {
		place, err := ParseCursor(r.GetCursor())
		if err != nil {
			return ask{}, invalid(faultv1.Reason_REASON_CURSOR_INVALID, "cursor", "The cursor provided is invalid")
		}
		a.after = &place
	}
	return a, nil
}

// readAccount turns a CAIP-10 text into an account.
func readAccount(text string) (Account, error) {
	id, err := caip.ParseAccount(text)
	if err != nil {
		return Account{}, unreadable(err)
	}
	if err := supported(id.Chain.Namespace); err != nil {
		return Account{}, err
	}
	address, err := readAddress(id.Address)
	return Account{ChainID: id.Chain.String(), Address: address}, err
}

// readChain reads a CAIP-2 id, or the bare reference that older clients send: a number on eip155, letters on Solana.
func readChain(text string) (caip.ChainID, error) {
	if !strings.Contains(text, ":") {
		namespace := "solana:"
		if strings.Trim(text, "0123456789") == "" {
			namespace = "eip155:"
		}
		text = namespace + text
	}
	chain, err := caip.ParseChain(text)
	if err != nil {
		return caip.ChainID{}, unreadable(err)
	}
	return chain, supported(chain.Namespace)
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
	return invalid(faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED, "chainId", "Unsupported namespace: %s", namespace)
}

func unreadable(err error) error {
	return invalid(faultv1.Reason_REASON_IDENTIFIER_INVALID, "", "Crypto utils error: %s", err)
}

func invalid(reason faultv1.Reason, field, format string, args ...any) error {
	return fault.New(codes.InvalidArgument, reason, field, format, args...)
}
