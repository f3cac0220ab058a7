package rpc

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// errOtherResult is returned when a result is about another transaction or block than the request.
var errOtherResult = errors.New("node returned another transaction or block than requested")

// CheckResult returns an error if a result names another transaction or block than q. Results that name none pass.
func (q Request) CheckResult(result json.RawMessage) error {
	if string(result) == "null" {
		return nil
	}
	if check, ok := solanaChecks[q.Method]; ok {
		return check(q, result)
	}
	if q.Spec.Echo == "" {
		return nil
	}
	var wanted string
	if json.Unmarshal(q.param(1), &wanted) != nil {
		return nil
	}
	byNumber := slices.Contains([]string{"number", "blockNumber"}, q.Spec.Echo)
	number, exact := ParseQuantity(wanted)
	if byNumber && wanted != "earliest" && !exact {
		// The block of a tag is not known in advance.
		return nil
	}
	var members map[string]json.RawMessage
	var echoed string
	if json.Unmarshal(result, &members) != nil || json.Unmarshal(members[q.Spec.Echo], &echoed) != nil {
		return errOtherResult
	}
	if byNumber {
		if n, ok := ParseQuantity(echoed); !ok || n != number {
			return errOtherResult
		}
		return nil
	}
	if !strings.EqualFold(echoed, wanted) {
		return errOtherResult
	}
	return nil
}

// DependsOn returns the number of the block that fixes the result: once that block is final, so is the result. It
// returns false if request and result do not show it, if the result does not belong to the request, and for an empty
// result, which is never final.
func (q Request) DependsOn(result json.RawMessage) (uint64, bool) {
	switch {
	case len(result) == 0 || string(result) == "null" || q.CheckResult(result) != nil:
		return 0, false
	case q.Method == MethodGetLogs:
		return q.lastLogBlock(result)
	case q.Spec.Block > 0:
		block := blockParam(q.Params, q.Spec.Block)
		return block.number, block.exact
	case q.Spec.Echo == "":
		return 0, false
	}
	return BlockNumber(result)
}

// lastLogBlock returns the last block of a filter if there are logs and all of them are from the filter's blocks.
func (q Request) lastLogBlock(result json.RawMessage) (uint64, bool) {
	f, refusal := ParseLogFilter(q.Params)
	var logs []struct {
		BlockHash   string `json:"blockHash"`
		BlockNumber string `json:"blockNumber"`
		Removed     bool   `json:"removed"`
	}
	if refusal != nil || !f.isClosed() || json.Unmarshal(result, &logs) != nil || len(logs) == 0 {
		return 0, false
	}
	last := f.To.Number
	for _, log := range logs {
		number, ok := ParseQuantity(log.BlockNumber)
		if f.BlockHash != "" {
			ok = ok && strings.EqualFold(log.BlockHash, f.BlockHash)
			last = number
		} else {
			ok = ok && number >= f.From.Number && number <= f.To.Number
		}
		if !ok || log.Removed {
			return 0, false
		}
	}
	return last, true
}

// FixedAt reports whether the parameters name blocks that do not move, by number or by hash, and the number of the last of them if they name it.
func (q Request) FixedAt() (number uint64, known, fixed bool) {
	switch {
	case q.Method == MethodGetLogs:
		f, refusal := ParseLogFilter(q.Params)
		if refusal != nil || !f.isClosed() {
			return 0, false, false
		}
		return f.To.Number, f.BlockHash == "", true
	case q.Spec.Block > 0:
		block := blockParam(q.Params, q.Spec.Block)
		return block.number, block.exact, block.exact
	}
	return 0, false, q.Spec.ByHash || q.Spec.Mined
}

// HasNoLogs reports whether q asks for the logs of a range of blocks that is given by numbers, and the result has none.
func (q Request) HasNoLogs(result json.RawMessage) bool {
	_, known, _ := q.FixedAt()
	return q.Method == MethodGetLogs && known && IsEmptyList(result)
}

// IsEmptyList reports whether a result is a list of nothing.
func IsEmptyList(result json.RawMessage) bool {
	elements, ok := strings.CutPrefix(strings.TrimSpace(string(result[:min(len(result), 64)])), "[")
	return ok && strings.TrimSpace(elements) == "]"
}

// LeastCalls returns how many calls of nodes q takes at least.
func (q Request) LeastCalls() int {
	f, refusal := ParseLogFilter(q.Params)
	if q.Method != MethodGetLogs || refusal != nil || f.BlockHash != "" || !f.isClosed() || f.To.Number < f.From.Number {
		return 1
	}
	return int((f.To.Number-f.From.Number)/LogBlocks) + 1
}
