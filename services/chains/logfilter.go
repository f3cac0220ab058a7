package chains

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

const (
	// logAlternatives bounds the addresses of a filter, and the alternatives at each of its topics.
	logAlternatives = 1000
	logTopics       = 4
)

// logTags are the names of blocks at the end of a chain. For the bounds on a filter all of them count as the newest block.
var logTags = []string{"latest", "pending", "safe", "finalized"}

// logBlock is one end of the range of a filter: a number, or one of logTags.
type logBlock struct {
	number uint64
	tag    string
}

func (b logBlock) String() string {
	if b.tag != "" {
		return b.tag
	}
	return quantity(b.number)
}

// or is the block's number, or height where it has a tag.
func (b logBlock) or(height uint64) uint64 {
	if b.tag != "" {
		return height
	}
	return b.number
}

// logFilter is the parameter of eth_getLogs, read whole.
type logFilter struct {
	from, to logBlock
	// blockHash names one block instead of a range.
	blockHash string
	// address is a string or a list of them, topics a list of null, strings and lists of them; nil where there is none.
	address, topics json.RawMessage
}

// parseLogFilter reads the parameters of eth_getLogs; the refusal says what is wrong with them.
func parseLogFilter(params json.RawMessage) (f logFilter, refusal *jsonrpc.Error) {
	var list []json.RawMessage
	if json.Unmarshal(params, &list) != nil || len(list) != 1 {
		return f, invalidParams("params hold one filter")
	}
	members, ok := jsonrpc.Members(list[0])
	if !ok {
		return f, invalidParams("the filter is not an object")
	}
	f.from, f.to = logBlock{tag: "latest"}, logBlock{tag: "latest"}
	ranged := false
	for name, value := range members {
		if string(value) == "null" {
			continue
		}
		switch name {
		case "fromBlock":
			f.from, ok = parseLogBlock(value)
			ranged = true
		case "toBlock":
			f.to, ok = parseLogBlock(value)
			ranged = true
		case "blockHash":
			ok = json.Unmarshal(value, &f.blockHash) == nil && len(f.blockHash) == 66
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
			return f, invalidParams(fmt.Sprintf("the filter's %.20q is none of a filter of logs", name))
		}
	}
	if f.blockHash != "" && ranged {
		return f, invalidParams("a filter names one block by its hash, or a range of blocks")
	}
	return f, f.checkSize()
}

func parseLogBlock(raw json.RawMessage) (logBlock, bool) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return logBlock{}, false
	}
	switch {
	case text == "":
		return logBlock{tag: "latest"}, true
	case text == "earliest":
		return logBlock{}, true
	case slices.Contains(logTags, text):
		return logBlock{tag: text}, true
	}
	number, ok := parseQuantity(text)
	return logBlock{number: number}, ok
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

// checkSize says why a filter has more addresses or topics than one may have.
func (f logFilter) checkSize() *jsonrpc.Error {
	var topics []json.RawMessage
	_ = json.Unmarshal(f.topics, &topics)
	if len(topics) > logTopics {
		return invalidParams("a filter has at most 4 topics")
	}
	for _, alternatives := range append(topics, f.address) {
		var list []json.RawMessage
		if json.Unmarshal(alternatives, &list) == nil && len(list) > logAlternatives {
			return invalidParams(fmt.Sprintf("a filter has at most %d addresses, and as many alternatives a topic", logAlternatives))
		}
	}
	return nil
}

// checkSpan says why a filter covers more blocks than one may, on a chain of that height.
func (f logFilter) checkSpan(height uint64) *jsonrpc.Error {
	if f.blockHash != "" {
		return nil
	}
	if first, last := f.from.or(height), f.to.or(height); last >= first && last-first >= logSpans*logBlocks {
		return invalidParams(fmt.Sprintf("a filter covers at most %d blocks", logSpans*logBlocks))
	}
	return nil
}

// isClosed reports whether the blocks are named for good, by their numbers or by a hash.
func (f logFilter) isClosed() bool {
	return f.blockHash != "" || f.from.tag == "" && f.to.tag == ""
}

// params writes the filter anew, in a form of its own for equal filters.
func (f logFilter) params() json.RawMessage {
	written := struct {
		Address   json.RawMessage `json:"address,omitempty"`
		BlockHash string          `json:"blockHash,omitempty"`
		FromBlock string          `json:"fromBlock,omitempty"`
		ToBlock   string          `json:"toBlock,omitempty"`
		Topics    json.RawMessage `json:"topics,omitempty"`
	}{Address: f.address, BlockHash: f.blockHash, Topics: f.topics}
	if f.blockHash == "" {
		written.FromBlock, written.ToBlock = f.from.String(), f.to.String()
	}
	return encode([]any{written})
}

// over is the filter for other blocks.
func (f logFilter) over(from, to logBlock) logFilter {
	f.from, f.to = from, to
	return f
}

// parts cuts the filter into parts that a node takes, as many as it has on a chain of that height. The last part keeps the filter's own end.
func (f logFilter) parts(height uint64) []logFilter {
	last := f.to.or(height)
	var parts []logFilter
	for from := f.from.number; ; from += logBlocks {
		if last < from || last-from < logBlocks {
			return append(parts, f.over(logBlock{number: from}, f.to))
		}
		parts = append(parts, f.over(logBlock{number: from}, logBlock{number: from + logBlocks - 1}))
	}
}

// halves cuts the filter in two.
func (f logFilter) halves(height uint64) []logFilter {
	last := f.to.or(height)
	middle := f.from.number + (last-f.from.number)/2
	return []logFilter{f.over(f.from, logBlock{number: middle}), f.over(logBlock{number: middle + 1}, f.to)}
}
