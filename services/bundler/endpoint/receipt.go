package endpoint

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// Receipt is the JSON of eth_getUserOperationReceipt.
type Receipt struct {
	Hash       common.Hash     `json:"userOpHash"`
	EntryPoint evm.Address     `json:"entryPoint"`
	Sender     evm.Address     `json:"sender"`
	Nonce      userop.Quantity `json:"nonce"`
	Paymaster  evm.Address     `json:"paymaster"`
	GasCost    *hexutil.Big    `json:"actualGasCost"`
	GasUsed    *hexutil.Big    `json:"actualGasUsed"`
	Success    bool            `json:"success"`
	Reason     hexutil.Bytes   `json:"reason,omitempty"`
	Logs       []logJSON       `json:"logs"`
	Receipt    json.RawMessage `json:"receipt"`
}

// logJSON is a log in the form in which nodes return it.
type logJSON struct {
	Address     evm.Address    `json:"address"`
	Topics      []common.Hash  `json:"topics"`
	Data        hexutil.Bytes  `json:"data"`
	Index       hexutil.Uint64 `json:"logIndex"`
	Block       *common.Hash   `json:"blockHash"`
	Number      hexutil.Uint64 `json:"blockNumber"`
	Transaction *common.Hash   `json:"transactionHash"`
	Removed     bool           `json:"removed"`
}

func receiptOf(r executor.Receipt) Receipt {
	o := Receipt{
		Hash: r.Hash, EntryPoint: r.EntryPoint, Sender: r.Operation.Sender, Nonce: r.Operation.Nonce, Paymaster: r.Paymaster,
		GasCost: (*hexutil.Big)(r.GasCost), GasUsed: (*hexutil.Big)(r.GasUsed), Success: r.Success, Reason: r.Revert, Logs: []logJSON{}, Receipt: r.JSON,
	}
	for _, l := range r.Logs {
		o.Logs = append(o.Logs, logJSON{
			Address: l.Contract, Topics: l.Topics, Data: hexutil.Bytes(l.Data), Index: hexutil.Uint64(l.Index), Block: l.Block, Number: hexutil.Uint64(l.Number),
			Transaction: l.Transaction, Removed: l.Removed,
		})
	}
	return o
}

func (o Receipt) parsedLogs() (logs []chainclient.LogJSON) {
	for _, l := range o.Logs {
		logs = append(logs, chainclient.LogJSON{Contract: l.Address, Topics: l.Topics, Data: chainclient.Bytes(l.Data)})
	}
	return logs
}
