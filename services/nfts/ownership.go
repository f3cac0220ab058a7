package nfts

import (
	"context"
	"math/big"

	"github.com/hawser-dev/hawser/services/evm"
)

// maxCandidates bounds how many tokens of one account are checked: five round trips.
const maxCandidates = 2000

// candidate is a token that an account may own.
type candidate struct {
	token Token
	// quantity is how many of it the account owns, once it was read.
	quantity *big.Int
}

// candidates returns the tokens to check, each once; truncated means that there are more.
func candidates(touched []Touched) (list []candidate, truncated bool) {
	seen := map[Token]bool{}
	for _, t := range touched {
		for _, id := range t.IDs {
			token := Token{t.Contract, id}
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
		queries[i] = evm.Query{Call: ownershipCall(c.token, owner), Keep: 32, Targets: []evm.Address{c.token.Contract.Address}}
	}
	reading, err := g.reader.Read(ctx, chainID, queries)
	if err != nil {
		return nil, err
	}
	var owned []candidate
	for i, c := range list {
		c.quantity = quantity(c.token.Contract.Standard, reading.Answers[i][0], owner)
		if c.quantity.Sign() > 0 {
			owned = append(owned, c)
		}
	}
	return owned, nil
}

var (
	ownerOf   = evm.Selector("ownerOf(uint256)")
	balanceOf = evm.Selector("balanceOf(address,uint256)")
)

// ownershipCall returns the call data of ownerOf for ERC-721, and of balanceOf for ERC-1155.
func ownershipCall(t Token, owner evm.Address) []byte {
	if t.Contract.Standard == ERC721 {
		return append(append([]byte{}, ownerOf...), t.ID[:]...)
	}
	call := append(append([]byte{}, balanceOf...), evm.Word(owner)...)
	return append(call, t.ID[:]...)
}

// quantity decodes the answer to [ownershipCall]; 0 if the contract returned none.
func quantity(s Standard, a evm.Answer, owner evm.Address) *big.Int {
	word, ok := a.Amount()
	if !ok {
		return new(big.Int)
	}
	if s == ERC1155 {
		return word
	}
	if word.Cmp(new(big.Int).SetBytes(owner[:])) == 0 {
		return big.NewInt(1)
	}
	return new(big.Int)
}
