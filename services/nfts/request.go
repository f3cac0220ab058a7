package nfts

import (
	"strings"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/caip"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// readRequest turns a request into a chain and an account on it.
func readRequest(r *nftsv1.ListNftsRequest) (chainID string, owner evm.Address, err error) {
	if r.GetChainId() == "" {
		return "", owner, invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "chainId", "Failed to deserialize query string: missing field `chainId`")
	}
	text := r.GetChainId()
	if strings.Trim(text, "0123456789") == "" {
		text = "eip155:" + text
	}
	chain, err := caip.ParseChain(text)
	if err != nil {
		return "", owner, invalid(faultv1.Reason_REASON_IDENTIFIER_INVALID, "chainId", "Crypto utils error: %s", err)
	}
	if chain.Namespace != "eip155" {
		return "", owner, invalid(faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED, "chainId", "Unsupported namespace: %s", chain.Namespace)
	}
	owner, err = evm.ParseAddress(r.GetAddress())
	if err != nil {
		return "", owner, invalid(faultv1.Reason_REASON_ADDRESS_INVALID, "address", "The address provided is invalid")
	}
	return chain.String(), owner, nil
}

func invalid(reason faultv1.Reason, field, format string, args ...any) error {
	return fault.New(codes.InvalidArgument, reason, field, format, args...)
}
