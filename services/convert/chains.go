package convert

import (
	"context"

	"github.com/hawser-dev/hawser/services/chainclient"
)

// networkTable is [Networks] of the chains service.
type networkTable struct{ chain *chainclient.Client }

// Network returns a chain by its CAIP-2 id.
func (t networkTable) Network(ctx context.Context, chainID string) (Network, bool, error) {
	n, ok, err := t.chain.Network(ctx, chainID)
	return Network{ChainID: n.ChainID, Name: n.Native.Name, Symbol: n.Native.Symbol, Decimals: n.Native.Decimals}, ok, err
}
