package executor

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/proxy"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// deploy is the function of SimpleFactory, which deploys any code.
var deploy = calldata.Parse("deploy(bytes,bytes32)")

// Accepted is the code that may validate an operation. Validation is not traced (ERC-7562), so code of others could accept an operation in a check
// and refuse it in a block, which an executor would pay for.
type Accepted struct {
	// Code are the contracts that accounts delegate to (EIP-7702), and the implementations of their proxies.
	Code []evm.Address
	// Hashes are the hashes of code that an account may have itself.
	Hashes []common.Hash
	// Factory deploys proxies. Factories deploy accounts whose code is not checked.
	Factory   evm.Address
	Factories []evm.Address
	// Paymasters are the paymasters.
	Paymasters []evm.Address
}

// Calls returns the calls that read what an account runs.
func (a Accepted) Calls(sender evm.Address) []chainclient.Call {
	return []chainclient.Call{
		{Method: "eth_getCode", Params: []any{sender, "latest"}},
		{Method: "eth_getStorageAt", Params: []any{sender, proxy.ImplementationSlot, "latest"}},
	}
}

// Check checks that an operation runs only accepted code, by the results of [Accepted.Calls]. It fails with a [*Refusal] if it does not.
func (a Accepted) Check(o *userop.Operation, results []chainclient.Result) error {
	if len(o.Paymaster) > 0 && !slices.Contains(a.Paymasters, evm.Address(o.Paymaster)) {
		return refuse(CodePaymaster, "the paymaster is not one of this bundler")
	}
	if o.Authorization != nil {
		if !slices.Contains(a.Code, o.Authorization.Address) {
			return refuse(CodeRejected, "the account delegates to code that this bundler does not run")
		}
		return nil
	}
	code, err := results[0].Bytes()
	if err != nil {
		return err
	}
	if len(code) == 0 {
		return a.checkFactory(o)
	}
	if delegate, ok := types.ParseDelegation(code); ok {
		if !slices.Contains(a.Code, delegate) {
			return refuse(CodeRejected, "the account delegates to code that this bundler does not run")
		}
		return nil
	}
	hash := crypto.Keccak256Hash(code)
	if slices.Contains(a.Hashes, hash) {
		return nil
	}
	if hash == proxy.CodeHash {
		slot, err := results[1].Bytes()
		if err != nil {
			return err
		}
		if slices.Contains(a.Code, common.BytesToAddress(slot)) {
			return nil
		}
	}
	return refuse(CodeRejected, "the account has code that this bundler does not run")
}

// checkFactory checks what the factory of an operation deploys.
func (a Accepted) checkFactory(o *userop.Operation) error {
	if len(o.Factory) != common.AddressLength || o.Delegates() {
		return refuse(CodeRejected, "AA20 account not deployed")
	}
	factory := evm.Address(o.Factory)
	if slices.Contains(a.Factories, factory) {
		return nil
	}
	if call, ok := deploy.Read(o.FactoryData); ok && factory == a.Factory {
		if implementation, ok := proxy.ReadCreation(call.At(0).Bytes()); ok && slices.Contains(a.Code, implementation) {
			return nil
		}
	}
	return refuse(CodeRejected, "the factory deploys code that this bundler does not run")
}
