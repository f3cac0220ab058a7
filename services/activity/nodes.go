package activity

import (
	"context"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm"
)

// describer is [Contracts] by calls to the contracts.
type describer struct{ reader *evm.Reader }

// Describe asks for name, symbol and decimals in one round trip.
func (d describer) Describe(ctx context.Context, chainID string, contracts []evm.Address) ([]Token, error) {
	reading, err := d.reader.Read(ctx, chainID, evm.TokenFacts(contracts))
	if err != nil {
		return nil, err
	}
	facts := evm.ReadTokenFacts(reading.Answers)
	tokens := make([]Token, len(contracts))
	for i, c := range contracts {
		tokens[i] = Token{Contract: c, Symbol: reading.Answers[0][i].Text(), Name: reading.Answers[1][i].Text()}
		// A contract without decimals counts whole tokens, as NFTs are counted.
		if facts[i] != nil {
			tokens[i].Decimals = facts[i].Decimals
		}
	}
	return tokens, nil
}

// networkTable is [Networks] of the chains service.
type networkTable struct{ chain *chainclient.Client }

// Native returns the native currency of a chain, and false for a chain that is not in the table.
func (t networkTable) Native(ctx context.Context, chainID string) (Token, bool, error) {
	n, ok, err := t.chain.Network(ctx, chainID)
	return Token{Name: n.Native.Name, Symbol: n.Native.Symbol, Decimals: n.Native.Decimals}, ok, err
}
