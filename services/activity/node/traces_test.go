package node

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// tracer is the answer to every trace.
type tracer struct {
	response *chainsv1.TraceBlockResponse
	err      error
}

func (t tracer) TraceBlock(context.Context, *chainsv1.TraceBlockRequest, ...grpc.CallOption) (*chainsv1.TraceBlockResponse, error) {
	return t.response, t.err
}

func TestATraceThatCanBeRepeatedIsNoFailure(t *testing.T) {
	for code, want := range map[codes.Code]error{codes.Aborted: ErrMoved, codes.ResourceExhausted: limit.ErrMemory} {
		r := NewReader(nil, tracer{err: status.Error(code, "again")}, nil)
		if _, err := r.trace(t.Context(), "eip155:1", Header{}); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
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
