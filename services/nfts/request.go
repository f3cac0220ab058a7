package nfts

import (
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/apiparse"
	"github.com/hawser-dev/hawser/services/evm"
)

// readRequest turns a request into a chain and an account on it.
func readRequest(r *nftsv1.ListNftsRequest) (chainID string, owner evm.Address, err error) {
	if r.GetChainId() == "" {
		return "", owner, apiparse.Missing("chainId")
	}
	if chainID, err = apiparse.Chain("chainId", r.GetChainId()); err != nil {
		return "", owner, err
	}
	owner, err = apiparse.Address("address", r.GetAddress())
	return chainID, owner, err
}
