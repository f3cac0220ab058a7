package chainclient

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// registry is the chains service with one chain.
type registry struct {
	chainsv1.ChainsServiceClient
	reads int
	err   error
}

func (r *registry) ListNetworks(ctx context.Context, _ *chainsv1.ListNetworksRequest, _ ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	r.reads++
	if err := errors.Join(r.err, ctx.Err()); err != nil {
		return nil, err
	}
	return &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: "eip155:1"}}}, nil
}

func TestAFailedReadOfTheTableIsNotRepeatedAtOnce(t *testing.T) {
	down := errors.New("down")
	chains, clock := &registry{err: down}, clocktest.StoppedAt(time.Unix(1e9, 0))
	table := NewFrom(chains, nil, clock)
	read := func(behaviour string, wantReads int, wantKnown bool, want error) {
		t.Helper()
		_, known, err := table.Network(t.Context(), "eip155:1")
		if chains.reads != wantReads || known != wantKnown || !errors.Is(err, want) {
			t.Errorf("%s: known %v, %v after %d reads; want %v, %v after %d", behaviour, known, err, chains.reads, wantKnown, want, wantReads)
		}
	}
	read("down at first", 1, false, down)
	read("still down", 1, false, down)
	clock.Pass(tableBackoff)
	chains.err = nil
	read("up", 2, true, nil)
	read("cached", 2, true, nil)
	clock.Pass(tableLifetime)
	chains.err = down
	read("down again", 3, true, nil)
	read("still down again", 3, true, nil)
	clock.Pass(tableBackoff)
	chains.err = nil
	read("up again", 4, true, nil)
}

func TestACancelledCallerDoesNotCancelTheReadOfTheTable(t *testing.T) {
	table := NewFrom(&registry{}, nil, clocktest.StoppedAt(time.Unix(1e9, 0)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, known, err := table.Network(ctx, "eip155:1"); !known || err != nil {
		t.Errorf("known %v, %v", known, err)
	}
}
