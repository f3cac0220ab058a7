package solana

import (
	"slices"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// dust is the amount, in lamports, below which a payment counts as dust: accounts send such amounts to appear in a
// history.
const dust = 10_000

// withClaims returns the row with its claims at the end; claims do not affect the operation. A row that has only claims
// is spam.
func (r Row) withClaims(known map[svm.Address]Token) Row {
	if r.Signed {
		return r
	}
	var rest, claims []Transfer
	for _, t := range r.Transfers {
		if t.isClaim(known[t.Mint]) {
			claims = append(claims, t)
		} else {
			rest = append(rest, t)
		}
	}
	if r.Claims = len(claims); len(claims) == 0 {
		return r
	}
	if r.Spam = len(rest) == 0; r.Spam {
		return r
	}
	r.Transfers = slices.Concat(rest, claims)
	r.Operation = operation(rest)
	return r.withParties()
}

// isClaim reports whether a transfer that the owner did not sign only serves to draw attention: tokens whose name
// advertises a site or imitates a listed token, and dust.
func (t Transfer) isClaim(token Token) bool {
	isSOL := t.Mint == svm.Native || t.Mint == svm.WrappedSOL
	return t.Direction == index.In && (token.Warning != "" || isSOL && t.Units < dust)
}

// withoutSpam returns the row without its claims, and false if nothing is left.
func (r Row) withoutSpam() (Row, bool) {
	r.Transfers, r.Claims = r.Transfers[:len(r.Transfers)-r.Claims], 0
	return r, !r.Spam
}
