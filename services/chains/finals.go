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

// isFinal reports whether the result of a read cannot change any more, on a chain of that height. What is named by a block's hash is final
// wherever the block stands; what is named by a number is so when the block is deep enough, and never on a development chain, which
// its owner may rewrite.
func (d *door) isFinal(q request, result json.RawMessage, height uint64) bool {
	if string(result) == "null" || len(result) == 0 {
		return false
	}
	deep := func(number uint64) bool { return !d.network.Dev && number+confirmations <= height }
	switch {
	case q.known.byHash:
		return true
	case q.known.mined:
		number, ok := shownBlock(result)
		return ok && deep(number)
	case q.Method == methodGetLogs:
		span, ok := readLogSpan(q.Params)
		return ok && (span.hashed || span.closed && deep(span.to))
	case q.known.block == 0:
		return false
	}
	block := blockOf(q.Params, q.known.block)
	return block.hashed || block.exact && deep(block.number)
}
