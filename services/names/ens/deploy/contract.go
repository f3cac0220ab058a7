package deploy

import (
	_ "embed"
	"encoding/hex"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

//go:embed resolver.hex
var resolverHex string

var constructorArguments = calldata.Types("(address,string[],address[])")

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

// Code returns the creation code of the contract: its code, and the encoded constructor arguments.
func (r Resolver) Code() []byte {
	code, err := hex.DecodeString(strings.TrimSpace(resolverHex))
	if err != nil {
		panic("resolver.hex: " + err.Error())
	}
	return append(code, constructorArguments.Write(r.Owner, r.URLs, r.Signers)...)
}
