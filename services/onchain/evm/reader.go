package evm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// parallelRequests bounds the concurrent requests of one reading.
const parallelRequests = 4

// newest is the tag of the newest block.
const newest = "latest"

// Reader reads contracts of many chains and remembers which form the nodes of each support. It is safe for concurrent use.
type Reader struct {
	connect func(chainID string) chainclient.Transport

	mu        sync.Mutex
	preferred map[string]string // form name by CAIP-2 chain id
}

// NewReader returns a reader. connect returns the transport to the nodes of a chain, by CAIP-2 id.
func NewReader(connect func(chainID string) chainclient.Transport) *Reader {
	return &Reader{connect: connect, preferred: map[string]string{}}
}

// Read sends queries to the chain with a CAIP-2 id: in one request if they have up to 460 targets and the chain's form
// is known. It fails if no node is reached, or if no form gives a valid result; it never returns an incomplete reading.
// The requests of a larger reading may be answered at different recent blocks.
func (r *Reader) Read(ctx context.Context, chainID string, queries []Query) (Reading, error) {
	return r.read(ctx, chainID, newest, queries)
}

// ReadAt is [Reader.Read] at the block with that number for every request.
func (r *Reader) ReadAt(ctx context.Context, chainID string, block uint64, queries []Query) (Reading, error) {
	return r.read(ctx, chainID, fmt.Sprintf("%#x", block), queries)
}

func (r *Reader) read(ctx context.Context, chainID, block string, queries []Query) (Reading, error) {
	for _, q := range queries {
		if err := q.check(); err != nil {
			return Reading{}, err
		}
	}
	if count(queries) == 0 {
		return Reading{Answers: make([][]Answer, len(queries))}, nil
	}
	var errs []error
	for _, f := range r.forms(chainID) {
		reading, err := readAll(ctx, r.connect(chainID), f, block, queries)
		if err == nil {
			r.remember(chainID, f)
			return reading, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", f.name(), err))
		if ctx.Err() != nil || errors.As(err, new(*chainclient.TransportError)) {
			break
		}
	}
	return Reading{}, errors.Join(errs...)
}

// forms returns the forms for a chain, the one that worked last first.
func (r *Reader) forms(chainID string) []form {
	all := []form{stateOverride{}, initCode{}, multicall{at: Multicall3}, rpcBatch{}}
	// ZKsync's VM is not the EVM, and does not run the program.
	switch chainID {
	case "eip155:324", "eip155:300":
		all = []form{multicall{at: zkSyncMulticall3}, rpcBatch{}}
	case "eip155:2741":
		all = []form{multicall{at: abstractMulticall3}, rpcBatch{}}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(all, func(f form) bool { return f.name() == r.preferred[chainID] })
	if i <= 0 {
		return all
	}
	best := all[i]
	return slices.Insert(slices.Delete(all, i, i+1), 0, best)
}

func (r *Reader) remember(chainID string, f form) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.preferred[chainID] = f.name()
}

// readAll splits queries into requests of the form's size and joins the answers.
func readAll(ctx context.Context, t chainclient.Transport, f form, block string, queries []Query) (Reading, error) {
	total := count(queries)
	flat := make([]Answer, total)
	if total <= f.limit() {
		at, err := readPart(ctx, t, f, block, queries, flat)
		return Reading{Answers: group(queries, flat), At: at}, err
	}
	times := make([]time.Time, (total+f.limit()-1)/f.limit())
	g, ctx := routine.NewGroup(ctx)
	g.SetLimit(parallelRequests)
	for i := range times {
		from := i * f.limit()
		n := min(f.limit(), total-from)
		g.Go(func() error {
			var err error
			times[i], err = readPart(ctx, t, f, block, slice(queries, from, n), flat[from:from+n])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return Reading{}, err
	}
	return Reading{Answers: group(queries, flat), At: slices.MinFunc(times, time.Time.Compare)}, nil
}

// readPart fills flat, with more requests if the node's gas limit does not allow all calls in one.
func readPart(ctx context.Context, t chainclient.Transport, f form, block string, queries []Query, flat []Answer) (time.Time, error) {
	var first time.Time
	for done := 0; done < len(flat); {
		answers, at, err := f.send(ctx, t, block, slice(queries, done, len(flat)-done))
		if err != nil {
			return time.Time{}, err
		}
		if done == 0 {
			first = at
		}
		done += copy(flat[done:], answers)
	}
	return first, nil
}
