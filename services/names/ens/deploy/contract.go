package deploy

import (
	_ "embed"
	"encoding/hex"
	"strings"

	"github.com/hawser-dev/hawser/services/names/abi"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

//go:embed resolver.hex
var resolverHex string

// Resolver holds the constructor arguments of a resolver contract.
type Resolver struct {
	// Owner may change all other settings.
	Owner evm.Address
	// URLs are the templates of the gateways to which it redirects clients (ERC-3668), in the order in which they are
	// tried.
	URLs []string
	// Signers are the accounts whose answers it accepts.
	Signers []evm.Address
}

// Code returns the creation code of the contract: its code, and the encoded constructor arguments (address, string[],
// address[]).
func (r Resolver) Code() []byte {
	code, err := hex.DecodeString(strings.TrimSpace(resolverHex))
	if err != nil {
		panic("resolver.hex: " + err.Error())
	}
	urls, signers := make([][]byte, len(r.URLs)), make([]abi.Value, len(r.Signers))
	for i, url := range r.URLs {
		urls[i] = []byte(url)
	}
	for i, signer := range r.Signers {
		signers[i] = abi.Address(signer)
	}
	return append(code, abi.Encode(abi.Address(r.Owner), abi.BytesList(urls), abi.List(signers...))...)
}
