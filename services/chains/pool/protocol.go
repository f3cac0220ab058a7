package pool

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hawser-dev/hawser/services/chains/rpc"
)

// protocol describes how the nodes of a CAIP-2 namespace return their chain and their height.
type protocol struct {
	// chain is the request whose result identifies the chain; reference returns the CAIP-2 reference from that result.
	chain     []byte
	reference func(result json.RawMessage) (string, error)
	// head is the request whose response parseHead reads.
	head      []byte
	parseHead func(response []byte) (rpc.Head, error)
}

// protocols are the known protocols by CAIP-2 namespace. Nodes of other namespaces are used without a check.
var protocols = map[string]protocol{
	"eip155": {
		chain:     probe("eth_chainId", ""),
		reference: evmReference,
		head:      probe("eth_getBlockByNumber", `"latest",false`),
		parseHead: rpc.ParseHead,
	},
	"solana": {
		chain:     probe("getGenesisHash", ""),
		reference: func(result json.RawMessage) (string, error) { return prefix(result, "", 32) },
		head:      probe("getLatestBlockhash", `{"commitment":"confirmed"}`),
		parseHead: rpc.ParseSlot,
	},
	"polkadot": {
		chain:     probe("chain_getBlockHash", "0"),
		reference: func(result json.RawMessage) (string, error) { return prefix(result, "0x", 32) },
		head:      probe("chain_getHeader", ""),
		parseHead: rpc.ParseSubstrateHeader,
	},
}

// probe returns a request for probing nodes.
func probe(method, params string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":[%s]}`, rpc.SingleID, method, params)
}

// evmReference returns the EIP-155 chain number from the result of eth_chainId.
func evmReference(result json.RawMessage) (string, error) {
	var id string
	if json.Unmarshal(result, &id) != nil {
		return "", invalid("node did not return its chain id")
	}
	number, ok := rpc.ParseQuantity(id)
	if !ok {
		return id, nil
	}
	return fmt.Sprint(number), nil
}

// prefix returns the first length characters of a genesis hash, which is the CAIP-2 reference of several namespaces.
func prefix(result json.RawMessage, lead string, length int) (string, error) {
	var hash string
	if json.Unmarshal(result, &hash) != nil {
		return "", invalid("node did not return its genesis hash")
	}
	hash = strings.TrimPrefix(hash, lead)
	return hash[:min(length, len(hash))], nil
}
