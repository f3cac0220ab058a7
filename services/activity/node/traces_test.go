package node

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
)

// tracer is the answer to every trace.
type tracer struct {
	response *chainsv1.TraceBlockResponse
	err      error
}

func (t tracer) TraceBlock(context.Context, *chainsv1.TraceBlockRequest, ...grpc.CallOption) (*chainsv1.TraceBlockResponse, error) {
	return t.response, t.err
}

func TestATraceOfAReplacedBlockIsAReadToRepeat(t *testing.T) {
	r := NewReader(nil, tracer{err: status.Error(codes.Aborted, "the block was replaced")}, nil)
	if _, err := r.trace(t.Context(), "eip155:1", Header{}); !errors.Is(err, ErrMoved) {
		t.Errorf("%v, want ErrMoved", err)
	}
}

func TestTheLastBlockTellsWhetherAChainIsTraced(t *testing.T) {
	for _, traced := range []bool{true, false} {
		r := NewReader(nil, tracer{response: &chainsv1.TraceBlockResponse{Traced: traced}}, nil)
		if moved, err := r.trace(t.Context(), "eip155:1", Header{}); err != nil || (moved != nil) != traced || r.Traces("eip155:1") != traced {
			t.Errorf("traced %t: %v, %v, traces %t", traced, moved, err, r.Traces("eip155:1"))
		}
	}
}
