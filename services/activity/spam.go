package activity

import (
	"slices"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/spam"
	"github.com/hawser-dev/hawser/services/tokens"
)

// Lists knows which tokens are listed; [tokens.Lists] is the real one.
type Lists interface {
	Find(chainID string, address evm.Address) (tokens.Token, bool)
	On(chainID string) []tokens.Token
}

// Entry is a row as it is shown.
type Entry struct {
	Row
	// Spam says that nothing speaks for the row but claims.
	Spam bool
	// Claims are those of the transfers, the last ones, that only a token outside the lists claims.
	Claims int
}

// judged tells what of a row is known from what any contract may claim. In a transaction that the account sent, everything moved because the
// account wanted something. In one that somebody else sent, a token outside the lists may tell of any transfer that it likes, or an NFT
// that it left the account: such claims come last and do not say what the row was; a row of claims alone is spam.
func (p Page) judged(r Row) Entry {
	if r.From == r.Account.Address {
		return Entry{Row: r}
	}
	var known, claims []Transfer
	for _, t := range r.Transfers {
		if p.claimed(r, t) {
			claims = append(claims, t)
		} else {
			known = append(known, t)
		}
	}
	switch {
	case len(known) == 0:
		r.Operation = Execute
		return Entry{Row: r, Spam: true, Claims: len(claims)}
	case r.Operation != Approve:
		r.Operation = operation(known, false, false)
	}
	r.Transfers = slices.Concat(known, claims)
	return Entry{Row: r, Claims: len(claims)}
}

// claimed reports whether nothing speaks for a transfer but the contract's own log.
func (p Page) claimed(r Row, t Transfer) bool {
	switch t.Standard {
	case Native:
		return false
	case ERC20:
		// A listed token lets anybody move zero units of anybody.
		return !p.Tokens[tokenKey{r.ChainID, t.Contract}].Listed || r.Operation != Approve && !worthShowing(t)
	default:
		return t.Direction != In || spam.NameHasLink(p.Tokens[tokenKey{r.ChainID, t.Contract}].Name)
	}
}

// withoutSpam leaves the claims out of an entry; false where nothing is left.
func (e Entry) withoutSpam() (Entry, bool) {
	e.Transfers, e.Claims = e.Transfers[:len(e.Transfers)-e.Claims], 0
	return e, !e.Spam
}

// vouched completes what contracts say of themselves: a listed token is what its list says, and names of other tokens are compared with those
// of the lists.
func vouched(lists Lists, chainID string, native Token, known map[evm.Address]Token) map[evm.Address]Token {
	var taken spam.ListedNames
	all := make(map[evm.Address]Token, len(known))
	for contract, t := range known {
		if listed, ok := lists.Find(chainID, contract); ok {
			t.Name, t.Symbol, t.Icon, t.Listed = listed.Name, listed.Symbol, listed.Icon, true
		} else {
			if taken == nil {
				taken = takenNames(lists, chainID, native)
			}
			t.Warning = taken.Warning(t.Name, t.Symbol)
		}
		all[contract] = t
	}
	return all
}

func takenNames(lists Lists, chainID string, native Token) spam.ListedNames {
	taken := spam.ListedNames{}
	taken.Add(native.Name, native.Symbol)
	for _, t := range lists.On(chainID) {
		taken.Add(t.Name, t.Symbol)
	}
	return taken
}
