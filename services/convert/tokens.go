package convert

import (
	"context"
	"strings"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/tokens"
)

// Token is what can be swapped.
type Token struct {
	Address  evm.Address
	Name     string
	Symbol   string
	Decimals uint8
	// Icon is a URL, or empty.
	Icon string
	// Permits says that an approval can be signed instead of sent (EIP-2612).
	Permits bool
}

// offered lists what can be swapped on a chain: the own currency first, then the list in its order. A token without decimals is left out, as
// balances leave it out.
func offered(network Network, listed []tokens.Token, permits map[evm.Address]bool) []Token {
	list := make([]Token, 1, len(listed)+1)
	list[0] = Token{Address: evm.Native, Name: network.Name, Symbol: network.Symbol, Decimals: network.Decimals}
	for _, t := range listed {
		if t.Decimals > 0 {
			list = append(list, Token{Address: t.Address, Name: t.Name, Symbol: t.Symbol, Decimals: t.Decimals, Icon: t.Icon, Permits: permits[t.Address]})
		}
	}
	return list
}

// Token is the token at an address, on a list or not; false where there is none that can be swapped.
func (d *desk) Token(ctx context.Context, chainID string, address evm.Address) (Token, bool, error) {
	list, err := d.Tokens(ctx, chainID)
	if err != nil {
		return Token{}, false, err
	}
	for _, t := range list {
		if t.Address == address {
			return t, true, nil
		}
	}
	fact, err := d.accounts.Facts(ctx, chainID, address)
	if err != nil || fact == nil || fact.Decimals == 0 {
		return Token{}, false, err
	}
	permits := d.permits.Among(ctx, chainID, []evm.Address{address})
	return Token{Address: address, Name: fact.Name, Symbol: fact.Symbol, Decimals: fact.Decimals, Permits: permits[address]}, true, nil
}

// tokenID is the CAIP-10 id of a token: lower case for the own currency, as clients compare it, with a checksum otherwise.
func tokenID(chainID string, token evm.Address) string {
	if token == evm.Native {
		return chainID + ":" + strings.ToLower(token.String())
	}
	return chainID + ":" + token.String()
}

// Network is a chain as this service needs to know it.
type Network struct {
	// ChainID is the CAIP-2 id.
	ChainID string
	// Name, Symbol and Decimals describe the own currency.
	Name     string
	Symbol   string
	Decimals uint8
}
