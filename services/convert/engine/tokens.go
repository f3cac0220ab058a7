package engine

import (
	"context"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
)

// Token is a token that can be swapped.
type Token struct {
	Address  evm.Address
	Name     string
	Symbol   string
	Decimals uint8
	// Icon is a URL, or empty.
	Icon string
	// Permits says that the token takes signed approvals (EIP-2612).
	Permits bool
}

// Tokens lists the tokens of a chain that can be swapped: the native currency, then the listed tokens in the order of the list.
func (e *Engine) Tokens(ctx context.Context, chainID string) ([]Token, error) {
	network, err := e.Chain(ctx, chainID)
	if err != nil {
		return nil, err
	}
	listed := e.Lists.On(chainID)
	addresses := make([]evm.Address, len(listed))
	for i, t := range listed {
		addresses[i] = t.Address
	}
	return swappable(network, listed, e.Permits.Among(ctx, chainID, addresses)), nil
}

// swappable leaves out tokens without decimals, as balances do.
func swappable(network chainclient.Network, listed []tokens.Token, permits map[evm.Address]bool) []Token {
	list := make([]Token, 1, len(listed)+1)
	list[0] = Token{Address: evm.Native, Name: network.Native.Name, Symbol: network.Native.Symbol, Decimals: network.Native.Decimals}
	for _, t := range listed {
		if t.Decimals > 0 {
			list = append(list, Token{Address: t.Address, Name: t.Name, Symbol: t.Symbol, Decimals: t.Decimals, Icon: t.Icon, Permits: permits[t.Address]})
		}
	}
	return list
}

// Token returns the token at an address, listed or not; false if there is none that can be swapped.
func (e *Engine) Token(ctx context.Context, chainID string, address evm.Address) (Token, bool, error) {
	list, err := e.Tokens(ctx, chainID)
	if err != nil {
		return Token{}, false, err
	}
	for _, t := range list {
		if t.Address == address {
			return t, true, nil
		}
	}
	fact, err := e.Accounts.Facts(ctx, chainID, address)
	if err != nil || fact == nil || fact.Decimals == 0 {
		return Token{}, false, err
	}
	permits := e.Permits.Among(ctx, chainID, []evm.Address{address})
	return Token{Address: address, Name: fact.Name, Symbol: fact.Symbol, Decimals: fact.Decimals, Permits: permits[address]}, true, nil
}
