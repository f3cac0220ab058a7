package access

import (
	"context"
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/contracts"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

const (
	// nameLetters and symbolLetters bound the text of a contract, in letters.
	nameLetters, symbolLetters = 64, 32
	// editionIDs bounds the tokens of ERC-1155 whose balances are read.
	editionIDs = 2_000
)

var (
	supplyCall  = calldata.Parse("totalSupply()")
	editionCall = calldata.Parse("balanceOf(address,uint256)")
)

// holding is what an account has of a contract, and what the contract returns about itself. Amounts that it does not return are nil.
type holding struct {
	balance, supply *big.Int
	// forPermit2 is the allowance of Permit2.
	forPermit2 *big.Int
	// editions is how many tokens of ERC-1155 the account has; nil for another contract.
	editions     *big.Int
	name, symbol string
	decimals     uint8
}

// nfts returns how many NFTs of the contract the account has.
func (h holding) nfts() *big.Int {
	if h.editions != nil {
		return h.editions
	}
	return least(h.balance)
}

// holdings reads what an account has of the contracts of rights.
func (l *lister) holdings(ctx context.Context, chainID string, owner evm.Address, rights []right) (map[evm.Address]holding, error) {
	var list, editable []evm.Address
	seen := map[evm.Address]bool{}
	for _, r := range rights {
		if seen[r.Contract] {
			continue
		}
		seen[r.Contract] = true
		list = append(list, r.Contract)
		if r.Kind == Operator {
			editable = append(editable, r.Contract)
		}
	}
	editions, err := l.editions(ctx, chainID, owner, editable)
	if err != nil {
		return nil, err
	}
	queries := []evm.Query{
		evm.TokenBalances(owner, list),
		{Call: supplyCall.Write(), Keep: wordSize, Targets: list},
		{Call: allowanceCall.Write(owner, contracts.Permit2), Keep: wordSize, Targets: list},
	}
	facts := len(queries)
	queries = append(queries, evm.TokenFacts(list)...)
	counts := len(queries)
	for _, e := range editions {
		for _, id := range e.IDs {
			queries = append(queries, evm.Query{Call: editionCall.Write(owner, id), Keep: wordSize, Targets: []evm.Address{e.Contract}})
		}
	}
	reading, err := l.reader.Read(ctx, chainID, queries)
	if err != nil {
		return nil, unavailable(chainID, err)
	}
	held := map[evm.Address]holding{}
	described := evm.ReadTokenFacts(reading.Answers[facts:counts])
	for i, contract := range list {
		var h holding
		for k, into := range []**big.Int{&h.balance, &h.supply, &h.forPermit2} {
			if n, ok := reading.Answers[k][i].Amount(); ok {
				*into = n
			}
		}
		h.symbol = plaintext.Text(reading.Answers[facts][i].Text(), symbolLetters)
		h.name = plaintext.Text(reading.Answers[facts+1][i].Text(), nameLetters)
		// A contract without decimals has indivisible units, as NFTs are.
		if described[i] != nil {
			h.decimals = described[i].Decimals
		}
		held[contract] = h
	}
	addEditions(held, editions, reading.Answers[counts:])
	return held, nil
}

// editions lists the tokens of contracts that are of ERC-1155, as far as the index knows them.
func (l *lister) editions(ctx context.Context, chainID string, owner evm.Address, of []evm.Address) (list []Edition, err error) {
	if len(of) == 0 {
		return nil, nil
	}
	all, err := l.index.Editions(ctx, chainID, owner)
	if err != nil {
		return nil, err
	}
	wanted := map[evm.Address]bool{}
	for _, a := range of {
		wanted[a] = true
	}
	left := editionIDs
	for _, e := range all {
		if wanted[e.Contract] {
			e.IDs = e.IDs[:min(len(e.IDs), left)]
			left -= len(e.IDs)
			list = append(list, e)
		}
	}
	return list, nil
}

// addEditions adds the balances of tokens of ERC-1155, which answers has in the order of the editions and their ids.
func addEditions(held map[evm.Address]holding, editions []Edition, answers [][]evm.Answer) {
	for _, e := range editions {
		h := held[e.Contract]
		h.editions = new(big.Int)
		for _, answer := range answers[:len(e.IDs)] {
			if n, ok := answer[0].Amount(); ok {
				h.editions.Add(h.editions, n)
			}
		}
		held[e.Contract], answers = h, answers[len(e.IDs):]
	}
}

// token describes a contract by its entry in the token list, or by what it returns.
func (l *lister) token(chainID string, contract evm.Address, h holding, names spam.ListedNames) Token {
	if t, listed := l.lists.Find(chainID, contract); listed {
		return Token{ID: t.ID, Name: t.Name, Symbol: t.Symbol, Decimals: t.Decimals, Icon: t.Icon}
	}
	return Token{ID: chainID + ":" + contract.String(), Name: h.name, Symbol: h.symbol, Decimals: h.decimals, Warning: names.Warning(h.name, h.symbol)}
}

// listedNames returns the names of the native and the listed tokens of a chain.
func (l *lister) listedNames(ctx context.Context, chainID string) spam.ListedNames {
	return namesOf(l.native(ctx, chainID), l.lists.On(chainID))
}

// namesOf returns the names of a native token and of listed ones.
func namesOf[A comparable](native chainclient.Currency, list []tokens.Listed[A]) spam.ListedNames {
	names := spam.ListedNames{}
	names.Add(native.Name, native.Symbol)
	for _, t := range list {
		names.Add(t.Name, t.Symbol)
	}
	return names
}
