package evm

import (
	"context"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
)

const (
	// gasPerCall is the gas of each call. Proxies of large tokens need about 40,000.
	gasPerCall = 200_000
	// wordSize is the size of an EVM word in bytes.
	wordSize = 32
)

// Query is one call to many contracts.
type Query struct {
	// Call is the calldata, below 64 KiB. If empty, the query reads the target's native balance in wei, as one word.
	Call []byte
	// Keep bounds the answer in bytes. A longer one is cut.
	Keep uint16
	// Targets are the contracts, in the order of the answers.
	Targets []Address
}

// Answer is the result of one target.
type Answer struct {
	// OK is false if the call reverted or ran out of gas.
	OK bool
	// Data is the returned data, at most Keep bytes; nil if OK is false.
	Data []byte
}

// Reading is the result of queries at one block.
type Reading struct {
	// Answers has one list per query, in their order, with one answer per target.
	Answers [][]Answer
	// At is the time of the block.
	At time.Time
}

// form is one way to send queries to a chain.
type form interface {
	name() string
	// limit is how many targets one request may have.
	limit() int
	// send returns at least one answer and at most one per target, flat and in order. If there are fewer, the node's gas limit did not allow
	// the next call, and the rest must be sent again. block is a JSON-RPC block parameter, a number or a tag.
	send(ctx context.Context, t chainclient.Transport, block string, queries []Query) ([]Answer, time.Time, error)
}

// count returns the number of targets of all queries.
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

// group splits flat answers into one list per query.
func group(queries []Query, flat []Answer) [][]Answer {
	grouped := make([][]Answer, len(queries))
	for i, q := range queries {
		grouped[i], flat = flat[:len(q.Targets):len(q.Targets)], flat[len(q.Targets):]
	}
	return grouped
}

// kept returns a successful answer, cut to Keep bytes.
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
