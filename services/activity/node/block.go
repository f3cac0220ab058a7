package node

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Header links a block to its parent.
type Header = chainclient.Header

// Hash is the Keccak-256 hash of a block or a transaction.
type Hash = common.Hash

// ParseHash parses 0x and 64 hex digits.
func ParseHash(text string) (Hash, error) {
	var h Hash
	return h, h.UnmarshalText([]byte(text))
}

// Block is a header and the transactions of the block.
type Block struct {
	Header
	Transactions []Transaction
}

// Transaction is a transaction without its result, which is in the receipt.
type Transaction struct {
	Hash Hash
	// Index is its position in the block.
	Index uint64
	From  evm.Address
	// To is nil when the transaction creates a contract.
	To    *evm.Address
	Nonce uint64
	// Value is in wei.
	Value *big.Int
	// Input is the calldata.
	Input []byte
	// GasPrice is in wei per gas; nil if the node does not return it.
	GasPrice *big.Int
}

// Receipt is the result of a transaction.
type Receipt struct {
	Block     Hash
	Succeeded bool
	// Created is the contract that the transaction created, or nil.
	Created *evm.Address
	// Fee is in wei; nil if the node does not return the gas or its price.
	Fee  *big.Int
	Logs []Log
}

// Log is one event that a contract emitted.
type Log struct {
	// Index is the log's position in its block.
	Index    uint64
	Contract evm.Address
	Topics   []Hash
	Data     []byte
}

type wireBlock struct {
	chainclient.HeaderJSON
	Transactions []json.RawMessage `json:"transactions"`
}

type wireTransaction struct {
	Hash     Hash               `json:"hash"`
	Index    chainclient.Uint64 `json:"transactionIndex"`
	Block    *Hash              `json:"blockHash"`
	Number   chainclient.Uint64 `json:"blockNumber"`
	From     evm.Address        `json:"from"`
	To       *evm.Address       `json:"to"`
	Nonce    chainclient.Uint64 `json:"nonce"`
	Value    chainclient.Amount `json:"value"`
	Input    chainclient.Bytes  `json:"input"`
	GasPrice chainclient.Amount `json:"gasPrice"`
}

type wireReceipt struct {
	Transaction       *Hash               `json:"transactionHash"`
	Block             *Hash               `json:"blockHash"`
	Status            *chainclient.Uint64 `json:"status"`
	Contract          *evm.Address        `json:"contractAddress"`
	GasUsed           chainclient.Amount  `json:"gasUsed"`
	EffectiveGasPrice chainclient.Amount  `json:"effectiveGasPrice"`
	// L1Fee is what rollups of the OP stack charge in addition to gas, in wei.
	L1Fee chainclient.Amount    `json:"l1Fee"`
	Logs  []chainclient.LogJSON `json:"logs"`
}

// block returns the block. Transactions of a form that only one chain has are left out: they have no transfers that are known here.
func (w wireBlock) block() Block {
	b := Block{Header: w.Header()}
	for _, raw := range w.Transactions {
		var t wireTransaction
		if err := json.Unmarshal(raw, &t); err == nil {
			b.Transactions = append(b.Transactions, t.transaction())
		}
	}
	return b
}

func (w wireTransaction) transaction() Transaction {
	return Transaction{
		Hash: w.Hash, Index: uint64(w.Index), From: w.From, To: w.To, Nonce: uint64(w.Nonce),
		Value: w.Value.OrZero(), Input: w.Input, GasPrice: w.GasPrice.Int,
	}
}

// byzantium is the first block whose receipts have a status (EIP-658), for chains with older blocks.
var byzantium = map[string]uint64{"eip155:1": 4_370_000, "eip155:61": 8_772_000}

// receipt checks and returns the receipt of f, a transaction of that chain.
func (w wireReceipt) receipt(chainID string, f Found) (Receipt, error) {
	t := f.Transaction
	if w.Block == nil {
		return Receipt{}, fmt.Errorf("%w: no receipt of %s", chainclient.ErrAnswer, t.Hash)
	}
	if w.Transaction == nil || *w.Transaction != t.Hash {
		return Receipt{}, fmt.Errorf("%w: the receipt of another transaction than %s", chainclient.ErrAnswer, t.Hash)
	}
	if w.Status == nil && f.Header.Number >= byzantium[chainID] {
		return Receipt{}, fmt.Errorf("%w: a receipt without a status of %s", chainclient.ErrAnswer, t.Hash)
	}
	r := Receipt{Block: *w.Block, Created: w.Contract, Fee: w.fee(t)}
	// A transaction from before receipts had a status counts as succeeded.
	r.Succeeded = w.Status == nil || *w.Status == 1
	for _, l := range w.Logs {
		r.Logs = append(r.Logs, Log{Index: uint64(l.Index), Contract: l.Contract, Topics: l.Topics, Data: l.Data})
	}
	return r, nil
}

func (w wireReceipt) fee(t Transaction) *big.Int {
	price := w.EffectiveGasPrice.Int
	if price == nil {
		price = t.GasPrice
	}
	if price == nil || w.GasUsed.Int == nil {
		return nil
	}
	fee := new(big.Int).Mul(price, w.GasUsed.Int)
	return fee.Add(fee, w.L1Fee.OrZero())
}
