package activity

import (
	"slices"

	"github.com/hawser-dev/hawser/services/activity/classifier"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/spam"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
)

// Lists looks up listed tokens. It is implemented by [tokens.Lists].
type Lists interface {
	// Find returns the listed token at an address, and false for an unlisted one.
	Find(chainID string, address evm.Address) (tokens.Token, bool)
	// On lists the tokens of a chain.
	On(chainID string) []tokens.Token
}

// Entry is a row with its spam marks.
type Entry struct {
	index.Row
	// Spam is set if every transfer of the row is a claim.
	Spam bool
	// Claims is how many of the last transfers are claims: transfers that only the log of an untrusted contract states.
	Claims int
}

// entry separates the transfers of a row from those that any contract can claim. In a transaction that the account
// sent, every transfer is trusted. In a transaction of another sender, an unlisted token can emit any transfer, and an
// NFT can emit that it left the account: such claims are moved to the end and do not affect the operation. A row that
// has only claims is spam.
func (p Page) entry(r index.Row) Entry {
	if r.From == r.Account.Address {
		return Entry{Row: r}
	}
	var known, claims []index.Transfer
	for _, t := range r.Transfers {
		if p.isClaim(r, t) {
			claims = append(claims, t)
		} else {
			known = append(known, t)
		}
	}
	switch {
	case len(known) == 0:
		r.Operation = index.Execute
		return Entry{Row: r, Spam: true, Claims: len(claims)}
	case r.Operation != index.Approve:
		r.Operation = classifier.Operation(known, false, false)
	}
	r.Transfers = slices.Concat(known, claims)
	return Entry{Row: r, Claims: len(claims)}
}

// isClaim reports whether a transfer is stated only by the log of a contract that is not trusted.
func (p Page) isClaim(r index.Row, t index.Transfer) bool {
	switch t.Standard {
	case index.Native:
		return false
	case index.ERC20:
		// Even a listed token lets anyone transfer zero units of any account.
		return !p.Tokens[tokenKey{r.ChainID, t.Contract}].Listed || r.Operation != index.Approve && !classifier.HasUnits(t)
	default:
		return t.Direction != index.In || spam.NameHasLink(p.Tokens[tokenKey{r.ChainID, t.Contract}].Name)
	}
}

// withoutSpam returns the entry without its claims, and false if nothing is left.
func (e Entry) withoutSpam() (Entry, bool) {
	e.Transfers, e.Claims = e.Transfers[:len(e.Transfers)-e.Claims], 0
	return e, !e.Spam
}

// compareWithLists replaces what listed tokens return by the entries of their lists, and adds warnings to other tokens
// whose names resemble listed ones.
func compareWithLists(lists Lists, chainID string, native index.Token, known map[evm.Address]index.Token) map[evm.Address]index.Token {
	var names spam.ListedNames
	all := make(map[evm.Address]index.Token, len(known))
	for contract, t := range known {
		if listed, ok := lists.Find(chainID, contract); ok {
			t.Name, t.Symbol, t.Icon, t.Listed = listed.Name, listed.Symbol, listed.Icon, true
		} else {
			if names == nil {
				names = listedNames(lists, chainID, native)
			}
			t.Warning = names.Warning(t.Name, t.Symbol)
		}
		all[contract] = t
	}
	return all
}

func listedNames(lists Lists, chainID string, native index.Token) spam.ListedNames {
	names := spam.ListedNames{}
	names.Add(native.Name, native.Symbol)
	for _, t := range lists.On(chainID) {
		names.Add(t.Name, t.Symbol)
	}
	return names
}
