package rpc

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// Limits of a log filter.
const (
	// LogAlternatives bounds the addresses of a filter, and the alternatives of each topic.
	LogAlternatives = 1000
	// LogTopics bounds the topics.
	LogTopics = 4
	// LogBlocks is how many blocks one call to a node covers; LogParts is how many such calls one filter may need.
	LogBlocks = 10_000
	LogParts  = 20
)

// logTags are the tags of blocks near the head. For the limits of a filter each of them counts as the newest block.
var logTags = []string{"latest", "pending", "safe", "finalized"}

// LogBlock is one end of a filter's range: a number, or a tag if Tag is not empty.
type LogBlock struct {
	Number uint64
	Tag    string
}

func (b LogBlock) String() string {
	if b.Tag != "" {
		return b.Tag
	}
	return Quantity(b.Number)
}

// NumberAt returns the block's number, or height if it is a tag.
func (b LogBlock) NumberAt(height uint64) uint64 {
	if b.Tag != "" {
		return height
	}
	return b.Number
}

// LogFilter is the parameter of eth_getLogs.
type LogFilter struct {
	From, To LogBlock
	// BlockHash selects one block instead of a range.
	BlockHash string
	// address is a string or a list of them, topics a list of null, strings and lists of them; nil if absent.
	address, topics json.RawMessage
}

// ParseLogFilter reads the parameters of eth_getLogs. The refusal is the JSON-RPC error for the caller, or nil.
func ParseLogFilter(params json.RawMessage) (f LogFilter, refusal *jsonrpc.Error) {
	var list []json.RawMessage
	if json.Unmarshal(params, &list) != nil || len(list) != 1 {
		return f, InvalidParams("params hold one filter")
	}
	members, ok := jsonrpc.Members(list[0])
	if !ok {
		return f, InvalidParams("the filter is not an object")
	}
	f.From, f.To = LogBlock{Tag: "latest"}, LogBlock{Tag: "latest"}
	ranged := false
	for name, value := range members {
		if string(value) == "null" {
			continue
		}
		switch name {
		case "fromBlock":
			f.From, ok = parseLogBlock(value)
			ranged = true
		case "toBlock":
			f.To, ok = parseLogBlock(value)
			ranged = true
		case "blockHash":
			ok = json.Unmarshal(value, &f.BlockHash) == nil && isHash(f.BlockHash)
		case "address":
			ok = areAlternatives(value)
			f.address = value
		case "topics":
			ok = areTopics(value)
			f.topics = value
		default:
			ok = false
		}
		if !ok {
			return f, InvalidParams(fmt.Sprintf("the filter's %.20q is none of a filter of logs", name))
		}
	}
	if f.BlockHash != "" && ranged {
		return f, InvalidParams("a filter names one block by its hash, or a range of blocks")
	}
	return f, f.checkSize()
}

func parseLogBlock(raw json.RawMessage) (LogBlock, bool) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return LogBlock{}, false
	}
	switch {
	case text == "":
		return LogBlock{Tag: "latest"}, true
	case text == "earliest":
		return LogBlock{}, true
	case slices.Contains(logTags, text):
		return LogBlock{Tag: text}, true
	}
	number, ok := ParseQuantity(text)
	return LogBlock{Number: number}, ok
}

// areAlternatives reports whether a value is a string or a list of strings.
func areAlternatives(raw json.RawMessage) bool {
	var list []string
	var one string
	if raw[0] == '[' {
		return json.Unmarshal(raw, &list) == nil
	}
	return json.Unmarshal(raw, &one) == nil
}

func areTopics(raw json.RawMessage) bool {
	var topics []json.RawMessage
	if json.Unmarshal(raw, &topics) != nil {
		return false
	}
	return !slices.ContainsFunc(topics, func(topic json.RawMessage) bool { return string(topic) != "null" && !areAlternatives(topic) })
}

// checkSize returns an error if the filter has too many addresses or topics.
func (f LogFilter) checkSize() *jsonrpc.Error {
	var topics []json.RawMessage
	_ = json.Unmarshal(f.topics, &topics)
	if len(topics) > LogTopics {
		return InvalidParams("a filter has at most 4 topics")
	}
	for _, alternatives := range append(topics, f.address) {
		var list []json.RawMessage
		if json.Unmarshal(alternatives, &list) == nil && len(list) > LogAlternatives {
			return InvalidParams(fmt.Sprintf("a filter has at most %d addresses, and as many alternatives a topic", LogAlternatives))
		}
	}
	return nil
}

// CheckSpan returns an error if the filter covers too many blocks on a chain of that height.
func (f LogFilter) CheckSpan(height uint64) *jsonrpc.Error {
	if f.BlockHash != "" {
		return nil
	}
	if first, last := f.From.NumberAt(height), f.To.NumberAt(height); last >= first && last-first >= LogParts*LogBlocks {
		return InvalidParams(fmt.Sprintf("a filter covers at most %d blocks", LogParts*LogBlocks))
	}
	return nil
}

// isClosed reports whether the range is fixed: given by numbers or by a hash.
func (f LogFilter) isClosed() bool {
	return f.BlockHash != "" || f.From.Tag == "" && f.To.Tag == ""
}

// params encodes the filter as parameters of eth_getLogs; equal filters have equal encodings.
func (f LogFilter) params() json.RawMessage {
	written := struct {
		Address   json.RawMessage `json:"address,omitempty"`
		BlockHash string          `json:"blockHash,omitempty"`
		FromBlock string          `json:"fromBlock,omitempty"`
		ToBlock   string          `json:"toBlock,omitempty"`
		Topics    json.RawMessage `json:"topics,omitempty"`
	}{Address: f.address, BlockHash: f.BlockHash, Topics: f.topics}
	if f.BlockHash == "" {
		written.FromBlock, written.ToBlock = f.From.String(), f.To.String()
	}
	return Encode([]any{written})
}

// Request returns the eth_getLogs request for the filter.
func (f LogFilter) Request() Request {
	return Request{Request: jsonrpc.Request{Method: MethodGetLogs, Params: f.params()}, Spec: evmMethods[MethodGetLogs]}
}

// over returns the filter with another range of blocks.
func (f LogFilter) over(from, to LogBlock) LogFilter {
	f.From, f.To = from, to
	return f
}

// Parts cuts the filter into ranges of at most LogBlocks blocks on a chain of that height. The last part keeps the filter's own end.
func (f LogFilter) Parts(height uint64) []LogFilter {
	last := f.To.NumberAt(height)
	var parts []LogFilter
	for from := f.From.Number; ; from += LogBlocks {
		if last < from || last-from < LogBlocks {
			return append(parts, f.over(LogBlock{Number: from}, f.To))
		}
		parts = append(parts, f.over(LogBlock{Number: from}, LogBlock{Number: from + LogBlocks - 1}))
	}
}

// Halves cuts the filter's range in two.
func (f LogFilter) Halves(height uint64) []LogFilter {
	last := f.To.NumberAt(height)
	middle := f.From.Number + (last-f.From.Number)/2
	return []LogFilter{f.over(f.From, LogBlock{Number: middle}), f.over(LogBlock{Number: middle + 1}, f.To)}
}
