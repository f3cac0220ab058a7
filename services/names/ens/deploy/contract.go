package deploy

import (
	_ "embed"
	"encoding/hex"
	"strings"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/abi"
)

//go:embed resolver.hex
var resolverHex string

// Resolver is a resolver contract as it begins.
type Resolver struct {
	// Owner may change everything else.
	Owner evm.Address
	// URLs are the templates of the gateways that it sends clients to (ERC-3668), the first asked first.
	URLs []string
	// Signers are the accounts whose answers it takes.
	Signers []evm.Address
}

// Code is what creates the contract: its code, and the constructor's arguments (address, string[], address[]).
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
