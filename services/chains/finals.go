package chains

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
)

const (
	// leastConfirmations is how many blocks must follow on one, at least, before what lies in it counts as final.
	leastConfirmations = 64
	// usualFinality is after how long a block counts as final on a network whose table entry does not say.
	usualFinality = 20 * time.Minute
	// finalFor bounds how long a result is kept.
	finalFor = 10 * time.Minute
	// sayingsKept is how many different results of one read are noted while no two nodes agree.
	sayingsKept = 3
	// finalsBytes bounds what is kept for all chains together, finalBytes one entry.
	finalsBytes = 32 << 20
	finalBytes  = 1 << 20
)

// finals keeps results that cannot change any more. On a chain with two or more nodes a result counts only once two of them have said it:
// what the first node says is noted, the next time another node is asked, and what two have said is kept. That costs no call that would not have
// been made without it.
type finals struct {
	mu   sync.Mutex
	kept *otter.Cache[string, final]
}

// final is what was said of one read.
type final struct {
	// result is what two nodes said, or nil until then.
	result json.RawMessage
	said   []saying
	until  time.Time
}

// saying is what one node said.
type saying struct {
	by     *node
	result json.RawMessage
}

func newFinals() *finals {
	return &finals{kept: otter.Must(&otter.Options[string, final]{MaximumWeight: finalsBytes, Weigher: weigh})}
}

func weigh(key string, f final) uint32 {
	weight := len(key) + len(f.result)
	for _, s := range f.said {
		weight += len(s.result)
	}
	return uint32(weight)
}

func (f *finals) get(key string, now time.Time) final {
	known, ok := f.kept.GetIfPresent(key)
	if !ok || !now.Before(known.until) {
		return final{}
	}
	return known
}

// find returns a result that is agreed upon.
func (f *finals) find(key string, now time.Time) (json.RawMessage, bool) {
	result := f.get(key, now).result
	return result, result != nil
}

// tellers are the nodes that have said something that is not agreed upon.
func (f *finals) tellers(key string, now time.Time) (nodes []*node) {
	for _, s := range f.get(key, now).said {
		nodes = append(nodes, s.by)
	}
	return nodes
}

// learn notes what a node said; alone says that its chain has no other.
func (f *finals) learn(key string, result json.RawMessage, by *node, alone bool, now time.Time) {
	if len(key)+len(result) > finalBytes {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.get(key, now)
	if known.result != nil {
		return
	}
	learnt := final{until: now.Add(finalFor)}
	agrees := func(s saying) bool { return s.by != by && sameResult(s.result, result) }
	if alone || slices.ContainsFunc(known.said, agrees) {
		learnt.result = result
	} else {
		others := slices.DeleteFunc(slices.Clone(known.said), func(s saying) bool { return s.by == by })
		others = append(others, saying{by, result})
		learnt.said = others[max(0, len(others)-sayingsKept):]
	}
	f.kept.Set(key, learnt)
}

// sameResult reports whether two results are the same, whatever the order of their members and the case of their hex digits.
func sameResult(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || canonical(a) == canonical(b)
}

func canonical(result json.RawMessage) [sha256.Size]byte {
	var read any
	decoder := json.NewDecoder(bytes.NewReader(result))
	decoder.UseNumber()
	if decoder.Decode(&read) != nil {
		return sha256.Sum256(result)
	}
	return sha256.Sum256(encode(normal(read)))
}

// normal is a value without members that are null, and with its hex digits in lower case.
func normal(v any) any {
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, "0x") {
			return strings.ToLower(v)
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case map[string]any:
		for name, member := range v {
			if member == nil {
				delete(v, name)
				continue
			}
			v[name] = normal(member)
		}
	}
	return v
}

// confirmations is how many blocks must follow on one before what lies in it counts as final.
func (n Network) confirmations() uint64 {
	after, blockTime := n.FinalAfter, n.BlockTime
	if after <= 0 {
		after = usualFinality
	}
	if blockTime <= 0 {
		blockTime = shortestPoll
	}
	return max(leastConfirmations, uint64((after+blockTime-1)/blockTime))
}

// isFinal reports whether the result of a read cannot change any more, on a chain of that height: what it is of must lie deep enough.
// On a development chain nothing is final, since its owner may rewrite it.
func (d *door) isFinal(q request, result json.RawMessage, height uint64) bool {
	if d.network.Dev || !d.network.isEVM() {
		return false
	}
	number, ok := q.speaksOf(result)
	depth := d.network.confirmations()
	return ok && height >= depth && number <= height-depth
}

// speaksOf is the block that the result of a read depends on, where request or result tell. A result that says what it is of must say what was
// asked for; that nothing was found is never final.
func (q request) speaksOf(result json.RawMessage) (uint64, bool) {
	switch {
	case len(result) == 0 || string(result) == "null" || q.fits(result) != nil:
		return 0, false
	case q.Method == methodGetLogs:
		return q.lastOfLogs(result)
	case q.known.block > 0:
		block := blockOf(q.Params, q.known.block)
		return block.number, block.exact
	case q.known.shows == "":
		return 0, false
	}
	return shownBlock(result)
}

// lastOfLogs is the last block that a filter covers, where there are logs and all of them are of it.
func (q request) lastOfLogs(result json.RawMessage) (uint64, bool) {
	f, refusal := parseLogFilter(q.Params)
	var logs []struct {
		BlockHash   string `json:"blockHash"`
		BlockNumber string `json:"blockNumber"`
		Removed     bool   `json:"removed"`
	}
	if refusal != nil || !f.isClosed() || json.Unmarshal(result, &logs) != nil || len(logs) == 0 {
		return 0, false
	}
	last := f.to.number
	for _, log := range logs {
		number, ok := parseQuantity(log.BlockNumber)
		if f.blockHash != "" {
			ok = ok && strings.EqualFold(log.BlockHash, f.blockHash)
			last = number
		} else {
			ok = ok && number >= f.from.number && number <= f.to.number
		}
		if !ok || log.Removed {
			return 0, false
		}
	}
	return last, true
}

// errMisfit says that a node answered about another transaction or block than it was asked about.
var errMisfit = errors.New("node answered of something else than it was asked")

// fits says whether a result is of what q asked for, where it tells.
func (q request) fits(result json.RawMessage) error {
	if q.known.shows == "" || string(result) == "null" {
		return nil
	}
	var asked string
	if json.Unmarshal(q.param(1), &asked) != nil {
		return nil
	}
	byNumber := slices.Contains([]string{"number", "blockNumber"}, q.known.shows)
	number, exact := parseQuantity(asked)
	if byNumber && asked != "earliest" && !exact {
		// A tag, whose block is not known beforehand.
		return nil
	}
	var members map[string]json.RawMessage
	var shown string
	if json.Unmarshal(result, &members) != nil || json.Unmarshal(members[q.known.shows], &shown) != nil {
		return errMisfit
	}
	if byNumber {
		if n, ok := parseQuantity(shown); !ok || n != number {
			return errMisfit
		}
		return nil
	}
	if !strings.EqualFold(shown, asked) {
		return errMisfit
	}
	return nil
}
