package gateway

import "github.com/hawser-dev/hawser/services/platform/jsonrpc"

// logsCost is what eth_getLogs counts for: a node reads thousands of blocks for one.
const logsCost = 10

// cost is how many requests a JSON-RPC body counts for against its project's rate: each call of a batch counts, so that a batch buys
// nothing that single calls would not. It is read as the chains service reads it.
func cost(body []byte) int {
	sum := 0
	for _, item := range jsonrpc.Parse(body).Items {
		sum += callCost(item.Method)
	}
	return sum
}

func callCost(method string) int {
	if method == "eth_getLogs" {
		return logsCost
	}
	return 1
}
