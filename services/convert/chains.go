package convert

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
	// networksRetry is how long a table that could not be read is not asked for again, so that nobody waits for what is down.
	networksRetry = 2 * time.Second
	// networksTimeout bounds a reading of the table.
	networksTimeout = 5 * time.Second
)

// networkTable is the network table of the chains service; while that is down, the last one read.
type networkTable struct {
	chains chainsv1.ChainsServiceClient
	clock  clock.Clock

	mu   sync.Mutex
	by   map[string]Network
	read time.Time
	// failed is when the table could not be read, and failure why.
	failed  time.Time
	failure error
}

// Network looks a chain up by its CAIP-2 id.
func (t *networkTable) Network(ctx context.Context, chainID string) (Network, bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.clock.Now(); now.Sub(t.read) >= networksLifetime && now.Sub(t.failed) >= networksRetry {
		// Whoever waits next wants the answer too, whether or not this caller still does.
		t.refresh(context.WithoutCancel(ctx), now)
	}
	if t.by == nil {
		return Network{}, false, t.failure
	}
	n, ok := t.by[chainID]
	return n, ok, nil
}

// refresh reads the table, or notes that it could not be read.
func (t *networkTable) refresh(ctx context.Context, now time.Time) {
	by, err := t.ask(ctx)
	if err != nil {
		t.failed, t.failure = now, err
		return
	}
	t.by, t.read, t.failure = by, now, nil
}

func (t *networkTable) ask(ctx context.Context) (map[string]Network, error) {
	ctx, cancel := context.WithTimeout(ctx, networksTimeout)
	defer cancel()
	res, err := t.chains.ListNetworks(ctx, &chainsv1.ListNetworksRequest{})
	if err != nil {
		return nil, err
	}
	by := make(map[string]Network, len(res.GetNetworks()))
	for _, n := range res.GetNetworks() {
		native := n.GetNativeCurrency()
		by[n.GetChainId()] = Network{
			ChainID: n.GetChainId(), Name: native.GetName(), Symbol: native.GetSymbol(), Decimals: uint8(min(native.GetDecimals(), 255)),
		}
	}
	return by, nil
}

// connect reaches a chain's nodes through the chains service, which holds their keys and retries.
func connect(nodes chainsv1.NodeServiceClient) func(chainID string) evm.Transport {
	return func(chainID string) evm.Transport {
		return func(ctx context.Context, body []byte) ([]byte, error) {
			res, err := nodes.Forward(ctx, &chainsv1.ForwardRequest{ChainId: chainID, Body: body})
			return res.GetBody(), err
		}
	}
}
