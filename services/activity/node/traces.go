package node

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/activity/calls"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// tracesAtOnce is how many blocks are traced at once for a reader. A trace may be as large as a node's answer can be.
const tracesAtOnce = 2

// Tracer is the part of [chainsv1.NodeServiceClient] that traces blocks.
type Tracer interface {
	TraceBlock(ctx context.Context, in *chainsv1.TraceBlockRequest, opts ...grpc.CallOption) (*chainsv1.TraceBlockResponse, error)
}

// innerTransfers are the native tokens that calls moved, by block and transaction. A block that was not traced is missing.
type innerTransfers map[Hash]map[Hash][]Inner

// traces returns the native tokens that calls inside the transactions of blocks moved, of the blocks that a node traced.
func (r *Reader) traces(ctx context.Context, chainID string, blocks []Block) (innerTransfers, error) {
	if r.tracer == nil {
		return nil, nil
	}
	read := make([]map[Hash][]Inner, len(blocks))
	g, ctx := routine.NewGroup(ctx)
	g.SetLimit(tracesAtOnce)
	for i, b := range blocks {
		g.Go(func() (err error) {
			read[i], err = r.trace(ctx, chainID, b.Header)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	traced := innerTransfers{}
	for i, b := range blocks {
		if read[i] != nil {
			traced[b.Hash] = read[i]
		}
	}
	return traced, nil
}

// Traces reports whether the last block of a chain was traced, which is one call more for each whole block.
func (r *Reader) Traces(chainID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.traced[chainID]
}

func (r *Reader) setTraces(chainID string, traced bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.traced[chainID] = traced
}

// trace returns the native tokens that calls in a block moved, by transaction; nil if no node traced the block.
func (r *Reader) trace(ctx context.Context, chainID string, h Header) (map[Hash][]Inner, error) {
	res, err := r.tracer.TraceBlock(ctx, &chainsv1.TraceBlockRequest{ChainId: chainID, Number: h.Number, Hash: h.Hash[:]})
	switch status.Code(err) {
	case codes.OK:
	case codes.Aborted:
		return nil, fmt.Errorf("%w: %w", ErrMoved, err)
	case codes.ResourceExhausted:
		return nil, fmt.Errorf("%w: %w", limit.ErrMemory, err)
	default:
		return nil, err
	}
	r.setTraces(chainID, res.GetTraced())
	if !res.GetTraced() {
		return nil, nil
	}
	moved := map[Hash][]Inner{}
	for _, t := range res.GetTransfers() {
		if len(t.GetTransaction()) != common.HashLength || len(t.GetFrom()) != common.AddressLength || len(t.GetTo()) != common.AddressLength {
			return nil, fmt.Errorf("%w: a traced transfer of another form", chainclient.ErrAnswer)
		}
		transfer := calls.Transfer{From: evm.Address(t.GetFrom()), To: evm.Address(t.GetTo()), Value: new(big.Int).SetBytes(t.GetValue())}
		hash := Hash(t.GetTransaction())
		moved[hash] = append(moved[hash], Inner{Transfer: transfer, Confirmed: true})
	}
	return moved, nil
}

// name reports whether a call inside a transaction of a block moved native tokens from or to one of the accounts.
func (t innerTransfers) name(block, transaction Hash, accounts Accounts) bool {
	for _, m := range t[block][transaction] {
		if accounts.Has(m.From) || accounts.Has(m.To) {
			return true
		}
	}
	return false
}
