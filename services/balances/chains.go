package balances

import (
	"context"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/balances/devnet"
	"github.com/hawser-dev/hawser/services/balances/evm"
)

// networkTable is the network table of the chains service.
type networkTable struct{ chains chainsv1.ChainsServiceClient }

// Networks asks for the table.
func (t networkTable) Networks(ctx context.Context) ([]Network, error) {
	res, err := t.chains.ListNetworks(ctx, &chainsv1.ListNetworksRequest{})
	if err != nil {
		return nil, err
	}
	list := make([]Network, len(res.GetNetworks()))
	for i, n := range res.GetNetworks() {
		native := n.GetNativeCurrency()
		list[i] = Network{
			ChainID: n.GetChainId(), Testnet: n.GetTestnet(),
			Name: native.GetName(), Symbol: native.GetSymbol(), Decimals: uint8(min(native.GetDecimals(), 255)),
		}
	}
	return list, nil
}

// nodeReader reaches nodes through the chains service, which holds their keys and retries.
type nodeReader struct{ nodes chainsv1.NodeServiceClient }

func (n nodeReader) connect(chainID string) evm.Transport {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		res, err := n.nodes.Forward(ctx, &chainsv1.ForwardRequest{ChainId: chainID, Body: body})
		return res.GetBody(), err
	}
}

// localChains names the local development chains.
func localChains(file *devnet.File) func() []string {
	return func() []string {
		chains := file.Describe().Chains
		ids := make([]string, len(chains))
		for i, c := range chains {
			ids[i] = c.CAIP2
		}
		return ids
	}
}
