package gateway

import (
	"bytes"
	"encoding/json"
)

// logsCost is what eth_getLogs counts for: a node reads thousands of blocks for one.
const logsCost = 10

// cost is how many requests a JSON-RPC body counts for against its project's rate: each call of a batch counts, so that a batch buys
// nothing that single calls would not.
func cost(body []byte) int {
	body = bytes.TrimLeft(body, " \t\r\n")
	if len(body) == 0 || body[0] != '[' {
		return callCost(body)
	}
	var calls []json.RawMessage
	// What is no batch is for the door to refuse.
	_ = json.Unmarshal(body, &calls)
	sum := 0
	for _, call := range calls {
		sum += callCost(call)
	}
	return max(1, sum)
}

func callCost(call []byte) int {
	var named struct {
		Method string `json:"method"`
	}
	_ = json.Unmarshal(call, &named)
	if named.Method == "eth_getLogs" {
		return logsCost
	}
	return 1
}
