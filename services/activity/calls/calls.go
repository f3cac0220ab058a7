// Package calls decodes the calldata of user operations (ERC-4337) and of batches of accounts with code (EIP-7702), to find the native tokens that
// they send. It decodes the calls that the account itself makes, and not what those calls do.
package calls

import (
	"bytes"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

const (
	// maxOperations bounds the operations of one transaction, maxCalls the calls of all of them. Of more calls, none is decoded.
	maxOperations, maxCalls = 512, 1024
	selectorSize            = 4
)

// EntryPoint06 has the same address on every chain.
var EntryPoint06 = evm.MustAddress("0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789")

var (
	handleOps06 = evm.Selector("handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)")
	handleOps07 = evm.Selector("handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)")

	executeMode   = evm.Selector("execute(bytes32,bytes)")
	executeOne    = evm.Selector("execute(address,uint256,bytes)")
	executeStruct = evm.Selector("execute((address,uint256,bytes))")
	batchStructs  = evm.Selector("executeBatch((address,uint256,bytes)[])")
	batchLists    = evm.Selector("executeBatch(address[],uint256[],bytes[])")

	// opData is the selector of a mode whose batch is followed by data for the account (ERC-7821).
	opData = []byte{0x78, 0x21, 0x00, 0x01}
)

// Transfer is a call with native tokens.
type Transfer struct {
	From, To evm.Address
	// Value is in wei, and above zero.
	Value *big.Int
}

// Operation is a user operation.
type Operation struct {
	Sender evm.Address
	Nonce  *big.Int
	// Transfers are the calls with native tokens; none if the calldata has another form.
	Transfers []Transfer
}

// IsEntryPoint reports whether a contract is an EntryPoint of ERC-4337: v0.6, v0.7 or v0.8.
func IsEntryPoint(contract evm.Address) bool {
	return contract == EntryPoint06 || contract == userop.EntryPoint07 || contract == userop.EntryPoint08
}

// Operations decodes the operations of a transaction to an EntryPoint; none of a transaction to another contract, or of malformed calldata.
func Operations(to *evm.Address, input []byte) (list []Operation) {
	if to == nil || !IsEntryPoint(*to) {
		return nil
	}
	selector := handleOps07
	if *to == EntryPoint06 {
		selector = handleOps06
	}
	args, ok := arguments(input, selector)
	if !ok {
		return nil
	}
	items, n, ok := args.list(0, maxOperations)
	if !ok {
		return nil
	}
	left := maxCalls
	for i := range n {
		// The forms of v0.6 and v0.7 share the first four members: sender, nonce, initCode, callData.
		op, ok := items.tail(i)
		if !ok {
			return nil
		}
		sender, okSender := op.address(0)
		nonce, okNonce := op.number(1)
		data, okData := op.bytes(3)
		if !okSender || !okNonce || !okData {
			return nil
		}
		transfers, used := decode(sender, data, left)
		left -= used
		list = append(list, Operation{Sender: sender, Nonce: nonce, Transfers: transfers})
	}
	return list
}

// Batch decodes the calls with native tokens that an account makes when it is called with input.
func Batch(account evm.Address, input []byte) []Transfer {
	list, _ := decode(account, input, maxCalls)
	return list
}

// decode returns the calls with native tokens, and how many calls it decoded, which is at most limit.
func decode(account evm.Address, input []byte, limit int) (list []Transfer, used int) {
	var form []byte
	if len(input) >= selectorSize {
		form = input[:selectorSize]
	}
	args, _ := arguments(input, form)
	switch {
	case bytes.Equal(form, executeOne):
		return one(account, args)
	case bytes.Equal(form, executeStruct):
		call, ok := args.tail(0)
		if !ok {
			return nil, 0
		}
		return one(account, call)
	case bytes.Equal(form, batchStructs):
		return structs(account, args, limit)
	case bytes.Equal(form, batchLists):
		return lists(account, args, limit)
	case bytes.Equal(form, executeMode):
		return byMode(account, args, limit)
	}
	return nil, 0
}

// byMode decodes execute(bytes32 mode, bytes calls) of ERC-7579 and ERC-7821 if the mode is one call or a batch that reverts when a call does.
func byMode(account evm.Address, args words, limit int) ([]Transfer, int) {
	mode, ok := args.word(0)
	data, okData := args.bytes(1)
	if !ok || !okData || mode[1] != 0 {
		return nil, 0
	}
	switch selector := mode[6:10]; {
	case mode[0] == 0 && isZero(selector):
		// One call is packed: 20 bytes of address, 32 of value, and calldata.
		if len(data) < 52 {
			return nil, 0
		}
		return one(account, append(make([]byte, wordSize-common.AddressLength), data[:52]...))
	case mode[0] == 1 && (isZero(selector) || bytes.Equal(selector, opData)):
		return structs(account, words(data), limit)
	}
	return nil, 0
}

// structs decodes a list of (address to, uint256 value, bytes data).
func structs(account evm.Address, args words, limit int) (list []Transfer, used int) {
	items, n, ok := args.list(0, limit)
	if !ok {
		return nil, 0
	}
	for i := range n {
		call, ok := items.tail(i)
		if !ok {
			return nil, n
		}
		transfers, count := one(account, call)
		if count == 0 {
			return nil, n
		}
		list = append(list, transfers...)
	}
	return list, n
}

// lists decodes a list of addresses and a list of as many values.
func lists(account evm.Address, args words, limit int) (list []Transfer, used int) {
	targets, n, ok := args.list(0, limit)
	values, m, okValues := args.list(1, limit)
	if !ok || !okValues || n != m {
		return nil, 0
	}
	for i := range n {
		to, okTo := targets.word(i)
		value, okValue := values.word(i)
		if !okTo || !okValue {
			return nil, n
		}
		transfers, count := one(account, append(bytes.Clone(to), value...))
		if count == 0 {
			return nil, n
		}
		list = append(list, transfers...)
	}
	return list, n
}

// one decodes an address and a value. The count is 0 if they are malformed.
func one(account evm.Address, call words) (list []Transfer, count int) {
	to, ok := call.address(0)
	value, okValue := call.number(1)
	switch {
	case !ok || !okValue:
		return nil, 0
	case value.Sign() == 0 || to == (evm.Address{}):
		// Some accounts (ERC-7821) call themselves in place of the zero address.
		return nil, 1
	}
	return []Transfer{{account, to, value}}, 1
}
