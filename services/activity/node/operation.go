package node

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/activity/calls"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// operationData is the data of UserOperationEvent: nonce, success, the cost of gas in wei, and gas.
var operationData = calldata.Types("(uint256,bool,uint256,uint256)")

// OperationResult is the result of a user operation, as the EntryPoint's event states it.
type OperationResult struct {
	EntryPoint, Sender, Paymaster evm.Address
	Nonce                         *big.Int
	Succeeded                     bool
	// Cost is what the sender or the paymaster paid for gas, in wei.
	Cost *big.Int
}

// ResultOf returns the result of a user operation, and false if the log is another event or not of an EntryPoint.
func ResultOf(l Log) (OperationResult, bool) {
	if !calls.IsEntryPoint(l.Contract) || len(l.Topics) != 4 || l.Topics[0] != UserOperation {
		return OperationResult{}, false
	}
	v, ok := operationData.Read(l.Data)
	if !ok {
		return OperationResult{}, false
	}
	return OperationResult{
		EntryPoint: l.Contract, Sender: accountOf(l.Topics[2]), Paymaster: accountOf(l.Topics[3]),
		Nonce: v.At(0).Int(), Succeeded: v.At(1).Bool(), Cost: v.At(2).Int(),
	}, true
}

// PaidBySender returns what the sender paid for gas, in wei: nothing if a paymaster did.
func (r OperationResult) PaidBySender() *big.Int {
	if r.Paymaster != (evm.Address{}) {
		return new(big.Int)
	}
	return r.Cost
}

func accountOf(topic Hash) evm.Address { return evm.Address(topic[len(topic)-common.AddressLength:]) }
