package activity

import (
	"cmp"
	"context"
	"strings"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Networks looks up native tokens.
type Networks interface {
	// Native returns the native token of a chain, and false for a chain that is not served.
	Native(ctx context.Context, chainID string) (index.Token, bool, error)
	// FirstOf returns the CAIP-2 id of the first chain of a namespace that is served, main networks before test networks; empty if there is none.
	FirstOf(ctx context.Context, namespace string) (string, error)
}

// ContractNames names well-known contracts. It is implemented by [contracts.Names].
type ContractNames interface {
	// Name returns the name of a contract, and false for an unknown one.
	Name(chainID string, contract evm.Address) (string, bool)
}

// tokenReader implements [indexer.Contracts] by calls to the contracts.
type tokenReader struct{ reader *evm.Reader }

// Describe reads name, symbol and decimals in one round trip.
func (d tokenReader) Describe(ctx context.Context, chainID string, contracts []evm.Address) ([]index.Token, error) {
	reading, err := d.reader.Read(ctx, chainID, evm.TokenFacts(contracts))
	if err != nil {
		return nil, err
	}
	facts := evm.ReadTokenFacts(reading.Answers)
	tokens := make([]index.Token, len(contracts))
	for i, c := range contracts {
		tokens[i] = index.Token{Contract: c, Symbol: reading.Answers[0][i].Text(), Name: reading.Answers[1][i].Text()}
		// A contract without decimals has indivisible units, as NFTs are.
		if facts[i] != nil {
			tokens[i].Decimals = facts[i].Decimals
		}
	}
	return tokens, nil
}

// networkTable implements [Networks] with the chains service.
type networkTable struct{ chain *chainclient.Client }

// Native implements [Networks].
func (t networkTable) Native(ctx context.Context, chainID string) (index.Token, bool, error) {
	n, ok, err := t.chain.Network(ctx, chainID)
	return index.Token{Name: n.Native.Name, Symbol: n.Native.Symbol, Decimals: n.Native.Decimals}, ok, err
}

// FirstOf implements [Networks].
func (t networkTable) FirstOf(ctx context.Context, namespace string) (chainID string, err error) {
	list, err := t.chain.Networks(ctx)
	for _, n := range list {
		if !strings.HasPrefix(n.ChainID, namespace+":") {
			continue
		}
		if !n.Testnet {
			return n.ChainID, nil
		}
		chainID = cmp.Or(chainID, n.ChainID)
	}
	return chainID, err
}
