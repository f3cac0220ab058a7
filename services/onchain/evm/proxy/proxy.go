// Package proxy encodes and recognizes ERC1967Proxy of OpenZeppelin, as the Delegation Framework deploys it for accounts that are contracts.
package proxy

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// creationHex is the creation code without arguments, as the framework publishes it.
//
//go:embed creation.hex
var creationHex string

// creation is code that runs the constructor and returns the code of the proxy, which follows endOfConstructor.
var (
	creation         = common.FromHex(strings.TrimSpace(creationHex))
	endOfConstructor = []byte{0x5f, 0x39, 0x5f, 0xf3, 0xfe} // PUSH0 CODECOPY PUSH0 RETURN INVALID
)

var arguments = calldata.Types("(address,bytes)")

// ImplementationSlot is where a proxy stores the address of its implementation (EIP-1967).
var ImplementationSlot = common.HexToHash("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc")

// CodeHash is the hash of the code of every proxy.
var CodeHash = func() common.Hash {
	_, code, found := bytes.Cut(creation, endOfConstructor)
	if !found {
		panic("proxy: the creation code has no constructor")
	}
	return crypto.Keccak256Hash(code)
}()

// Creation returns the creation code of a proxy whose first call to its implementation is initialization.
func Creation(implementation evm.Address, initialization []byte) []byte {
	return append(slices.Clone(creation), arguments.Write(implementation, initialization)...)
}

// ReadCreation returns the implementation in creation code of a proxy, and false for other code.
func ReadCreation(code []byte) (implementation evm.Address, ok bool) {
	encoded, ok := bytes.CutPrefix(code, creation)
	if !ok {
		return evm.Address{}, false
	}
	v, ok := arguments.Read(encoded)
	if !ok {
		return evm.Address{}, false
	}
	return v.At(0).Address(), true
}
