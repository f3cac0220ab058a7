package chains

import (
	"encoding/json"
	"strconv"
	"strings"
)

// method is what the door knows of one JSON-RPC method: what it may cost, and what its answer depends on.
type method struct {
	// block is the place of the block among the parameters, counted from 1; 0 means that none is named.
	block int
	// newest says that the answer speaks of the newest block although no parameter names one.
	newest bool
	// byHash says that the parameters name a block by its hash.
	byHash bool
	// mined says that the parameters name a transaction, which may or may not be in a block.
	mined bool
	// heavy says that a node takes longer for it than for a look at one value.
	heavy bool
}

// evmMethods are the methods that the door of an EVM chain lets through. What is not here could cost a node without bound, needs keys
// that a node must not hold, or keeps state at one node, as filters do.
var evmMethods = map[string]method{
	"eth_blobBaseFee":                         {newest: true},
	"eth_blockNumber":                         {newest: true},
	"eth_call":                                {block: 2, heavy: true},
	"eth_chainId":                             {},
	"eth_createAccessList":                    {block: 2, heavy: true},
	"eth_estimateGas":                         {block: 2, heavy: true},
	"eth_feeHistory":                          {block: 2},
	"eth_gasPrice":                            {newest: true},
	"eth_getBalance":                          {block: 2},
	"eth_getBlockByHash":                      {byHash: true},
	"eth_getBlockByNumber":                    {block: 1},
	"eth_getBlockReceipts":                    {block: 1, heavy: true},
	"eth_getBlockTransactionCountByHash":      {byHash: true},
	"eth_getBlockTransactionCountByNumber":    {block: 1},
	"eth_getCode":                             {block: 2},
	"eth_getLogs":                             {heavy: true},
	"eth_getProof":                            {block: 3, heavy: true},
	"eth_getStorageAt":                        {block: 3},
	"eth_getTransactionByBlockHashAndIndex":   {byHash: true},
	"eth_getTransactionByBlockNumberAndIndex": {block: 1},
	"eth_getTransactionByHash":                {mined: true},
	"eth_getTransactionCount":                 {block: 2},
	"eth_getTransactionReceipt":               {mined: true},
	"eth_getUncleByBlockHashAndIndex":         {byHash: true},
	"eth_getUncleByBlockNumberAndIndex":       {block: 1},
	"eth_getUncleCountByBlockHash":            {byHash: true},
	"eth_getUncleCountByBlockNumber":          {block: 1},
	"eth_maxPriorityFeePerGas":                {newest: true},
	"eth_protocolVersion":                     {},
	"eth_sendRawTransaction":                  {},
	"eth_simulateV1":                          {block: 2, heavy: true},
	"eth_syncing":                             {},
	"net_listening":                           {},
	"net_peerCount":                           {},
	"net_version":                             {},
	"web3_clientVersion":                      {},
	"web3_sha3":                               {},
}

// ownNamespaces are what single families of chains add for reading: ZKsync, Kaia, Arbitrum, OP, Polygon and Linea.
var ownNamespaces = []string{"zks_", "klay_", "kaia_", "arb_", "optimism_", "rollup_", "bor_", "linea_"}

// devNamespaces move a development chain as its owner wants.
var devNamespaces = []string{"anvil_", "evm_", "hardhat_"}

// methodOf returns what the door knows of a method on a network; false means that the door does not open for it.
func methodOf(n Network, name string) (method, bool) {
	if !n.isEVM() {
		return method{}, true
	}
	if m, ok := evmMethods[name]; ok {
		return m, true
	}
	if hasAnyPrefix(name, ownNamespaces) {
		return method{heavy: true}, true
	}
	return method{heavy: true}, n.Dev && hasAnyPrefix(name, devNamespaces)
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// blockRef is which block a read speaks of.
type blockRef struct {
	// number is set where exact is.
	number uint64
	// exact says that the block is named by its number, hashed that it is named by its hash; neither means the newest one.
	exact, hashed bool
}

// blockOf reads which block params name at place, counted from 1. None means the newest, as nodes take it.
func blockOf(params json.RawMessage, place int) blockRef {
	var list []json.RawMessage
	if json.Unmarshal(params, &list) != nil || len(list) < place {
		return blockRef{}
	}
	return readBlock(list[place-1])
}

func readBlock(raw json.RawMessage) blockRef {
	var named struct {
		BlockHash   string `json:"blockHash"`
		BlockNumber string `json:"blockNumber"`
	}
	var tag string
	if json.Unmarshal(raw, &tag) != nil {
		if json.Unmarshal(raw, &named) != nil {
			return blockRef{}
		}
		if named.BlockHash != "" {
			return blockRef{hashed: true}
		}
		tag = named.BlockNumber
	}
	if tag == "earliest" {
		return blockRef{exact: true}
	}
	if len(tag) == 66 {
		return blockRef{hashed: true}
	}
	number, ok := parseQuantity(tag)
	return blockRef{number: number, exact: ok}
}

// parseQuantity reads a JSON-RPC quantity, such as 0x1b4.
func parseQuantity(s string) (uint64, bool) {
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 16, 64)
	return n, err == nil
}

func quantity(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }
