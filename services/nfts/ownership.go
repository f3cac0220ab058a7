package nfts

import (
	"context"
	"math/big"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// maxCandidates bounds how many tokens of one account are checked: five round trips.
const maxCandidates = 2000

// candidate is a token that an account may own.
type candidate struct {
	token asset.Token
	// quantity is how many of it the account owns, once it was read.
	quantity *big.Int
}

// candidates returns the tokens to check, each once; truncated means that there are more.
func candidates(touched []Touched) (list []candidate, truncated bool) {
	seen := map[asset.Token]bool{}
	for _, t := range touched {
		for _, id := range t.IDs {
			token := asset.Token{Contract: t.Contract, ID: id}
			if seen[token] {
				continue
			}
			if len(list) == maxCandidates {
				return list, true
			}
			seen[token] = true
			list = append(list, candidate{token: token})
		}
	}
	return list, false
}

// owned reads from the chain which candidates the owner holds now.
func (g *lister) owned(ctx context.Context, chainID string, owner evm.Address, list []candidate) ([]candidate, error) {
	queries := make([]evm.Query, len(list))
	for i, c := range list {
		queries[i] = evm.Query{Call: asset.OwnershipCall(c.token, owner), Keep: 32, Targets: []evm.Address{c.token.Contract.Address}}
	}
	reading, err := g.reader.Read(ctx, chainID, queries)
	if err != nil {
		return nil, err
	}
	var owned []candidate
	for i, c := range list {
		c.quantity = asset.Quantity(c.token.Contract.Standard, reading.Answers[i][0], owner)
		if c.quantity.Sign() > 0 {
			owned = append(owned, c)
		}
	}
	return owned, nil
}
