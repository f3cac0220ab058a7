package chainclient

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
)

// hour is a clock that stands still until it is moved.
type hour struct{ now time.Time }

func (h *hour) Now() time.Time { return h.now }

// registry is the chains service, which knows one chain.
type registry struct {
	chainsv1.ChainsServiceClient
	asks int
	err  error
}

func (r *registry) ListNetworks(ctx context.Context, _ *chainsv1.ListNetworksRequest, _ ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	r.asks++
	if err := errors.Join(r.err, ctx.Err()); err != nil {
		return nil, err
	}
	return &chainsv1.ListNetworksResponse{Networks: []*chainsv1.Network{{ChainId: "eip155:1"}}}, nil
}

func TestATableThatCannotBeReadIsNotWaitedForByEverybody(t *testing.T) {
	down := errors.New("down")
	chains, clock := &registry{err: down}, &hour{time.Unix(1e9, 0)}
	table := NewFrom(chains, nil, clock)
	ask := func(behaviour string, wantAsks int, wantKnown bool, want error) {
		t.Helper()
		_, known, err := table.Network(t.Context(), "eip155:1")
		if chains.asks != wantAsks || known != wantKnown || !errors.Is(err, want) {
			t.Errorf("%s: known %v, %v after %d asks; want %v, %v after %d", behaviour, known, err, chains.asks, wantKnown, want, wantAsks)
		}
	}
	ask("down from the beginning", 1, false, down)
	ask("still down", 1, false, down)
	clock.now = clock.now.Add(tableBackoff)
	chains.err = nil
	ask("up", 2, true, nil)
	ask("known", 2, true, nil)
	clock.now = clock.now.Add(tableLifetime)
	chains.err = down
	ask("down again", 3, true, nil)
	ask("still down again", 3, true, nil)
	clock.now = clock.now.Add(tableBackoff)
	chains.err = nil
	ask("up again", 4, true, nil)
}

func TestACallerWhoLeavesDoesNotTakeTheTableAlong(t *testing.T) {
	table := NewFrom(&registry{}, nil, &hour{time.Unix(1e9, 0)})
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, known, err := table.Network(gone, "eip155:1"); !known || err != nil {
		t.Errorf("known %v, %v", known, err)
	}
}
