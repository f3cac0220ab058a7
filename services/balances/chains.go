package balances

import (
	"context"
	"strings"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/devnet"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
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

// history is the index of the activity service.
type history struct {
	holdings activityv1.HoldingsServiceClient
}

// Touched asks for the ERC-20 contracts of an account.
func (h history) Touched(ctx context.Context, chainID string, owner evm.Address, watched bool) ([]evm.Address, error) {
	res, err := h.holdings.ListTouched(caller.Forward(ctx), &activityv1.ListTouchedRequest{Account: chainID + ":" + strings.ToLower(owner.String()), Watched: watched})
	if err != nil {
		return nil, err
	}
	var touched []evm.Address
	for _, c := range res.GetContracts() {
		if address, err := evm.ParseAddress(c.GetAddress()); err == nil && c.GetStandard() == "erc20" {
			touched = append(touched, address)
		}
	}
	return touched, nil
}

// noHistory knows nothing.
type noHistory struct{}

// Touched finds nothing.
func (noHistory) Touched(context.Context, string, evm.Address, bool) ([]evm.Address, error) {
	return nil, nil
}
