package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	// scriptedChain is the chain of a node that an attacker filled with logs.
	scriptedChain = "eip155:777001"
	// scriptedHeight is its newest block.
	scriptedHeight = 1_000_000
	// logsSize is the size of a node's answer to eth_getLogs, in bytes: below what a node may answer.
	logsSize = 9 << 20
)

// scriptedNode is a node of an EVM chain whose every range of blocks has 9 MiB of logs, as an attacker can have on a cheap chain for some dollars. All calls
// revert with a text that mentions a rate limit.
func scriptedNode() (url string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	log := fmt.Sprintf(`{"address":"0x%040d","topics":["0x%064d"],"data":"0x%s","blockNumber":"0x1","transactionHash":"0x%064d","transactionIndex":"0x0","blockHash":"0x%064d","logIndex":"0x0","removed":false}`,
		7, 1, strings.Repeat("ab", 256), 2, 3)
	logs := []byte("[" + strings.Repeat(log+",", logsSize/(len(log)+1)) + log + "]")
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		var batch []scriptedRequest
		if json.Unmarshal(body, &batch) == nil {
			_, _ = io.WriteString(w, "[")
			for i, q := range batch {
				if i > 0 {
					_, _ = io.WriteString(w, ",")
				}
				q.answer(w, logs)
			}
			_, _ = io.WriteString(w, "]")
			return
		}
		var q scriptedRequest
		if json.Unmarshal(body, &q) == nil {
			q.answer(w, logs)
		}
	})}
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String(), func() { _ = server.Close() }, nil
}

type scriptedRequest struct {
	ID     json.RawMessage
	Method string
	Params []json.RawMessage
}

func (q scriptedRequest) answer(w io.Writer, logs []byte) {
	member, value := "result", []byte("null")
	switch q.Method {
	case "eth_chainId":
		value = fmt.Appendf(nil, "%q", "0x"+fmt.Sprintf("%x", 777001))
	case "eth_blockNumber":
		value = fmt.Appendf(nil, `"0x%x"`, scriptedHeight)
	case "eth_getBlockByNumber":
		value = fmt.Appendf(nil, `{"number":"0x%x","hash":"0x%064x","parentHash":"0x%064x","timestamp":"0x%x","transactions":[]}`,
			scriptedHeight, scriptedHeight, scriptedHeight-1, time.Now().Unix())
	case "eth_getBlockByHash":
		// As nodes do that accept a hash without its prefix.
		value = fmt.Appendf(nil, `{"number":"0x1","hash":"0x%s","parentHash":"0x%064x","timestamp":"0x1","transactions":[]}`, strings.TrimPrefix(strings.Trim(string(q.Params[0]), `"`), "0x"), 0)
	case "eth_getLogs":
		value = logs
	case "eth_call":
		member, value = "error", []byte(`{"code":-32000,"message":"execution reverted: rate limit exceeded"}`)
	}
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%q:`, q.ID, member)
	_, _ = w.Write(value)
	_, _ = io.WriteString(w, "}")
}
