package chains

import (
	"encoding/json"

	"github.com/maypok86/otter/v2"
)

const (
	// confirmations is how many blocks must follow on one before what lies in it counts as final.
	confirmations = 64
	// finalsBytes bounds what is kept for all chains together, finalBytes one entry.
	finalsBytes = 32 << 20
	finalBytes  = 1 << 20
)

// finals keeps results that cannot change any more.
type finals struct {
	kept *otter.Cache[string, json.RawMessage]
}

func newFinals() *finals {
	return &finals{kept: otter.Must(&otter.Options[string, json.RawMessage]{
		MaximumWeight: finalsBytes,
		Weigher:       func(key string, result json.RawMessage) uint32 { return uint32(len(key) + len(result)) },
	})}
}

func (f *finals) find(key string) (json.RawMessage, bool) { return f.kept.GetIfPresent(key) }

func (f *finals) keep(key string, result json.RawMessage) {
	if len(key)+len(result) <= finalBytes {
		f.kept.Set(key, result)
	}
}

// isFinal reports whether the result of a read cannot change any more, on a chain of that height: what it is of must lie deep enough.
// On a development chain nothing is final, since its owner may rewrite it.
func (d *door) isFinal(q request, result json.RawMessage, height uint64) bool {
	number, ok := q.speaksOf(result)
	return ok && !d.network.Dev && number+confirmations <= height
}

// speaksOf is the block that the result of a read depends on, where request or result tell.
func (q request) speaksOf(result json.RawMessage) (uint64, bool) {
	switch {
	case len(result) == 0 || string(result) == "null":
		return 0, false
	case q.known.byHash || q.known.mined:
		return shownBlock(result)
	case q.Method == methodGetLogs:
		span, ok := readLogSpan(q.Params)
		if ok && span.hashed {
			return shownBlock(first(result))
		}
		return span.to, ok && span.closed
	case q.known.block == 0:
		return 0, false
	}
	block := blockOf(q.Params, q.known.block)
	return block.number, block.exact
}

// first is the first of a list, or null.
func first(list json.RawMessage) json.RawMessage {
	var items []json.RawMessage
	if json.Unmarshal(list, &items) != nil || len(items) == 0 {
		return json.RawMessage("null")
	}
	return items[0]
}
