package traces

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// flatTrace is an element of the answer to trace_block.
type flatTrace struct {
	Action struct {
		CallType      string          `json:"callType"`
		From          common.Address  `json:"from"`
		To            *common.Address `json:"to"`
		Value         *hexutil.Big    `json:"value"`
		Address       common.Address  `json:"address"`
		RefundAddress *common.Address `json:"refundAddress"`
		Balance       *hexutil.Big    `json:"balance"`
	} `json:"action"`
	Result *struct {
		Address *common.Address `json:"address"`
	} `json:"result"`
	BlockHash   common.Hash  `json:"blockHash"`
	Error       string       `json:"error"`
	Address     position     `json:"traceAddress"`
	Transaction *common.Hash `json:"transactionHash"`
	Type        string       `json:"type"`
}

// leastTrace is a size in bytes that the text of each trace has.
const leastTrace = 64

// position is the place of a call: its index among the calls of the transaction, that among the calls inside it, and so on.
type position struct {
	path []int
	// deep is set instead if the call is nested too deeply.
	deep bool
}

// UnmarshalJSON decodes a position. Its indexes are separated by commas, so that the depth is known before they are in memory.
func (p *position) UnmarshalJSON(raw []byte) error {
	if bytes.Count(raw, []byte(",")) >= maxDepth {
		p.deep = true
		return nil
	}
	return json.Unmarshal(raw, &p.path)
}

// flat reads the answer to trace_block: one list of all calls, each after the one that made it.
func (r *reader) flat(b Block) error {
	if !r.is('[') {
		return fmt.Errorf("%w: no list", ErrUntraced)
	}
	var transaction *common.Hash
	var failed []int
	for r.enter(); r.next(); {
		raw := r.raw()
		if len(raw) < leastTrace {
			return fmt.Errorf("%w: no call", ErrUntraced)
		}
		var t flatTrace
		if err := json.Unmarshal(raw, &t); err != nil {
			return fmt.Errorf("%w: %w", ErrUntraced, err)
		}
		if t.BlockHash != b.Hash {
			return fmt.Errorf("%w: %s", ErrMoved, t.BlockHash)
		}
		if t.Transaction == nil {
			continue // The reward of a block.
		}
		if transaction == nil || *t.Transaction != *transaction {
			if transaction != nil {
				r.end(*transaction)
			}
			transaction, failed = t.Transaction, nil
			r.begin()
		}
		r.over = r.over || t.Address.deep
		// Calls inside a failed one were reverted with it, and need not have an error of their own.
		if r.over || failed != nil && isInside(t.Address.path, failed) {
			continue
		}
		if failed = nil; t.Error != "" {
			failed = append([]int{}, t.Address.path...)
			continue
		}
		if len(t.Address.path) == 0 {
			continue
		}
		if from, to, value := t.move(); to != nil {
			r.add(len(r.trace.Transfers), from, *to, value)
		}
	}
	if transaction != nil {
		r.end(*transaction)
	}
	return nil
}

// isInside reports whether a position is that of a call, or of one inside it.
func isInside(address, call []int) bool {
	if len(address) < len(call) {
		return false
	}
	for i, n := range call {
		if address[i] != n {
			return false
		}
	}
	return true
}

// move returns the sender, the recipient and the value of a trace; a nil recipient if it moved nothing.
func (t flatTrace) move() (from common.Address, to *common.Address, value *hexutil.Big) {
	a := t.Action
	switch {
	case t.Type == "call" && a.CallType == "call" && a.Value != nil:
		return a.From, a.To, a.Value
	case t.Type == "create" && t.Result != nil && a.Value != nil:
		return a.From, t.Result.Address, a.Value
	case t.Type == "suicide" && a.Balance != nil:
		return a.Address, a.RefundAddress, a.Balance
	}
	return common.Address{}, nil, nil
}
