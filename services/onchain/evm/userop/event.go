package userop

import (
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Topics of the events of EntryPoints.
var (
	EventTopic       = crypto.Keccak256Hash([]byte("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"))
	BeforeExecution  = crypto.Keccak256Hash([]byte("BeforeExecution()"))
	revertReason     = crypto.Keccak256Hash([]byte("UserOperationRevertReason(bytes32,address,uint256,bytes)"))
	eventData        = calldata.Types("(uint256,bool,uint256,uint256)")
	revertReasonData = calldata.Types("(uint256,bytes)")
)

// Event is the result of an operation that is in a block.
type Event struct {
	Success   bool
	Paymaster evm.Address
	// GasCost is in wei, GasUsed in gas.
	GasCost, GasUsed *big.Int
	// Logs are the logs of the operation's execution.
	Logs []chainclient.LogJSON
	// Revert is the revert data of the execution.
	Revert []byte
}

// FindEvent returns the result of an operation in the logs of a transaction, and false if they do not have it.
func FindEvent(logs []chainclient.LogJSON, entryPoint evm.Address, hash common.Hash) (Event, bool) {
	isOf := func(l chainclient.LogJSON, topic common.Hash) bool {
		return l.Contract == entryPoint && len(l.Topics) > 0 && l.Topics[0] == topic
	}
	end := slices.IndexFunc(logs, func(l chainclient.LogJSON) bool {
		return isOf(l, EventTopic) && len(l.Topics) == 4 && l.Topics[1] == hash
	})
	if end < 0 {
		return Event{}, false
	}
	v, ok := eventData.Read(logs[end].Data)
	if !ok {
		return Event{}, false
	}
	// The execution's logs follow the event of the previous operation, or the end of the validations.
	start := 0
	for i, l := range logs[:end] {
		if isOf(l, EventTopic) || isOf(l, BeforeExecution) {
			start = i + 1
		}
	}
	e := Event{Success: v.At(1).Bool(), Paymaster: evm.Address(logs[end].Topics[3][12:]), GasCost: v.At(2).Int(), GasUsed: v.At(3).Int()}
	for _, l := range logs[start:end] {
		if isOf(l, revertReason) {
			if reason, ok := revertReasonData.Read(l.Data); ok {
				e.Revert = reason.At(1).Bytes()
			}
			continue
		}
		e.Logs = append(e.Logs, l)
	}
	return e, true
}
