package balances

import (
	"context"
	"strings"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/balances/holdings"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

// networkTable implements [holdings.Networks] with the chains service.
type networkTable struct{ chain *chainclient.Client }

// Networks returns the network table.
func (t networkTable) Networks(ctx context.Context) ([]holdings.Network, error) {
	networks, err := t.chain.Networks(ctx)
	list := make([]holdings.Network, len(networks))
	for i, n := range networks {
		list[i] = holdings.Network{ChainID: n.ChainID, Testnet: n.Testnet, Name: n.Native.Name, Symbol: n.Native.Symbol, Decimals: n.Native.Decimals}
	}
	return list, err
}

// localChains returns the CAIP-2 ids of the local development chains.
func localChains(file devnet.Source) func() []string {
	return func() []string {
		chains := file.Describe().Chains
		ids := make([]string, len(chains))
		for i, c := range chains {
			ids[i] = c.CAIP2
		}
		if solana := file.Describe().Solana; solana != nil {
			ids = append(ids, solana.CAIP2)
		}
		return ids
	}
}

// history implements [holdings.Touched] with the index of the activity service.
type history struct {
	holdings activityv1.HoldingsServiceClient
}

// Touched returns the ERC-20 contracts that moved tokens to an account.
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

// noHistory is an empty history.
type noHistory struct{}

// Touched returns nothing.
func (noHistory) Touched(context.Context, string, evm.Address, bool) ([]evm.Address, error) {
	return nil, nil
}
