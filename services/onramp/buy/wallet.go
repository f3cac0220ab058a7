package buy

import (
	"strings"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// The CAIP-2 namespaces in which tokens can be bought.
const (
	eip155 = "eip155"
	solana = "solana"
)

// ParseWallet parses an address of either namespace, and returns its canonical form.
func ParseWallet(field, text string) (address, namespace string, err error) {
	if a, err := evm.ParseAddress(text); err == nil {
		return a.String(), eip155, nil
	}
	if a, err := svm.ParseAddress(text); err == nil {
		return a.String(), solana, nil
	}
	return "", "", request.Invalid(faultv1.Reason_REASON_ADDRESS_INVALID, field, "The address provided is invalid")
}

// namespaceOf returns the namespace of a CAIP-2 id.
func namespaceOf(chainID string) string {
	namespace, _, _ := strings.Cut(chainID, ":")
	return namespace
}
