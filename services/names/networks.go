package names

import (
	"context"
	"sync"
	"time"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// networksLifetime is how long the network table is kept; it changes only when its service starts anew.
	networksLifetime = time.Minute
	// networksTimeout bounds a reading of the table.
	networksTimeout = 5 * time.Second
)

// networkTable is the network table of the chains service; while that is down, the last one read.
type networkTable struct {
	chains chainsv1.ChainsServiceClient
	clock  clock.Clock

	mu   sync.Mutex
	ids  map[string]bool
	read time.Time
}

// Has reports whether a chain is in the table.
func (t *networkTable) Has(ctx context.Context, chainID string) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ids == nil || t.clock.Now().Sub(t.read) >= networksLifetime {
		ids, err := t.ask(ctx)
		if err != nil && t.ids == nil {
			return false, err
		}
		if err == nil {
			t.ids, t.read = ids, t.clock.Now()
		}
	}
	return t.ids[chainID], nil
}

func (t *networkTable) ask(ctx context.Context) (map[string]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, networksTimeout)
	defer cancel()
	res, err := t.chains.ListNetworks(ctx, &chainsv1.ListNetworksRequest{})
	if err != nil {
		return nil, err
	}
	ids := make(map[string]bool, len(res.GetNetworks()))
	for _, n := range res.GetNetworks() {
		ids[n.GetChainId()] = true
	}
	return ids, nil
}

// connect reaches a chain's nodes through the chains service, which holds their keys and retries; agreed says that only what two nodes of
// the chain say counts, where there are two.
func connect(nodes chainsv1.NodeServiceClient, agreed bool) func(chainID string) evm.Transport {
	return func(chainID string) evm.Transport {
		return func(ctx context.Context, body []byte) ([]byte, error) {
			res, err := nodes.Forward(ctx, &chainsv1.ForwardRequest{ChainId: chainID, Body: body, Agreed: agreed})
			return res.GetBody(), err
		}
	}
}
