package evm

import (
	"context"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/chainclient"
)

const (
	// gasPerCall is what each contract may spend on its answer; proxies of large tokens need about 40,000.
	gasPerCall = 200_000
	// wordSize is the EVM's word in bytes.
	wordSize = 32
)

// Query is one call asked of many contracts.
type Query struct {
	// Call is the call data, below 64 KiB. Empty asks for the target's native balance in wei, as one word.
	Call []byte
	// Keep bounds the answer, in bytes: what a contract returns beyond it is cut off.
	Keep uint16
	// Targets are asked in order.
	Targets []Address
}

// Answer is what one target gave.
type Answer struct {
	// OK is false when the call reverted or ran out of its gas.
	OK bool
	// Data is what it returned, at most Keep bytes; nil when OK is false.
	Data []byte
}

// Reading is what a chain said at one block.
type Reading struct {
	// Answers has one list a query, in the order asked, with one answer a target.
	Answers [][]Answer
	// At is the block's own time.
	At time.Time
}

// form is one way to carry queries to a chain.
type form interface {
	name() string
	// limit is how many targets one request may hold.
	limit() int
	// ask returns at least one answer and at most one a target, flat and in order; fewer mean that the node's gas ran out before
	// the next call could be given its share, and that the rest must be asked again.
	// The block is one that JSON-RPC takes, a number or a tag.
	ask(ctx context.Context, send chainclient.Transport, block string, queries []Query) ([]Answer, time.Time, error)
}

// count is how many answers the queries ask for.
func count(queries []Query) int {
	n := 0
	for _, q := range queries {
		n += len(q.Targets)
	}
	return n
}

// slice returns the queries for targets from to from+n, counted over all queries.
func slice(queries []Query, from, n int) []Query {
	var part []Query
	for _, q := range queries {
		if n == 0 {
			break
		}
		if from >= len(q.Targets) {
			from -= len(q.Targets)
			continue
		}
		take := min(n, len(q.Targets)-from)
		part = append(part, Query{Call: q.Call, Keep: q.Keep, Targets: q.Targets[from : from+take]})
		n -= take
		from = 0
	}
	return part
}

// group folds flat answers back into one list a query.
func group(queries []Query, flat []Answer) [][]Answer {
	grouped := make([][]Answer, len(queries))
	for i, q := range queries {
		grouped[i], flat = flat[:len(q.Targets):len(q.Targets)], flat[len(q.Targets):]
	}
	return grouped
}

// kept returns a successful answer cut to the query's bound.
func (q Query) kept(data []byte) Answer {
	return Answer{OK: true, Data: data[:min(len(data), int(q.Keep))]}
}

func (q Query) check() error {
	if len(q.Call) > 0xffff || len(q.Targets) > 0xffff {
		return fmt.Errorf("query of %d bytes for %d contracts is too large", len(q.Call), len(q.Targets))
	}
	if len(q.Call) == 0 && q.Keep != wordSize {
		return fmt.Errorf("a native balance is %d bytes, not %d", wordSize, q.Keep)
	}
	return nil
}
