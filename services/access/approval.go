package access

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"time"
)

// Kind is what an approval lets its spender move.
type Kind string

// The kinds of approvals.
const (
	// Allowance is of a token (ERC-20), and Permit2 of a token that Permit2 moves.
	Allowance Kind = "erc20"
	Permit2   Kind = "permit2"
	// NFT is of one token, and Operator of all tokens of a contract (ERC-721 and ERC-1155).
	NFT      Kind = "nft"
	Operator Kind = "operator"
	// Delegate is of a token account on Solana.
	Delegate Kind = "delegate"
)

// Approval is what one spender may move now.
type Approval struct {
	Kind  Kind
	Token Token
	// TokenID is decimal; empty unless the kind is NFT.
	TokenID string
	Spender Spender
	// Allowance is in base units; 1 for an NFT, nil for an Operator.
	Allowance *big.Int
	// Unlimited is set if the allowance is no limit in practice.
	Unlimited bool
	// ExpiresAt is the last second of a Permit2 allowance, in seconds since 1970; 0 for others.
	ExpiresAt uint64
	// AtRisk is how much the spender could move at this moment: base units, or the number of NFTs.
	AtRisk *big.Int
	// Value is that of AtRisk in the requested currency; nil if no price is known.
	Value *float64
	// ChangedAt is the time of the block of the last change, and ChangedBy the hash of its transaction; zero and empty on Solana.
	ChangedAt time.Time
	ChangedBy string
	// TokenAccount is in base 58; empty on EVM chains.
	TokenAccount string
}

// Token names the contract of an approval, or the mint.
type Token struct {
	// ID is a CAIP-10 id.
	ID           string
	Name, Symbol string
	Decimals     uint8
	// Icon is a URL, or empty.
	Icon string
	// Warning is what is wrong with the name of an unlisted token, see [spam.ListedNames.Warning].
	Warning string
}

// Spender is who may move assets.
type Spender struct {
	// ID is a CAIP-10 id.
	ID string
	// Name is that of a well-known contract; empty for others.
	Name string
	// HasNoCode is set if a key moves the assets.
	HasNoCode bool
}

// Delegation is the code that an account runs (EIP-7702).
type Delegation struct {
	// ID is a CAIP-10 id.
	ID string
	// Name is that of a well-known implementation; empty for others.
	Name string
}

// Listing has the approvals of an account on one chain.
type Listing struct {
	Approvals []Approval
	// Delegation is nil for none.
	Delegation *Delegation
	// Backfilling is set while older blocks are being indexed, so that there may be more.
	Backfilling bool
	// FromBlock is the oldest block that was read; nil on Solana, and before any was read.
	FromBlock *uint64
	// Truncated is set if there are more approvals than were checked or listed.
	Truncated bool
}

// listedMost bounds the approvals of a listing.
const listedMost = 1_000

// sort puts the approvals with the most value at risk first, and keeps the order of others. It drops those beyond listedMost.
func (l *Listing) sort() {
	value := func(a Approval) float64 {
		if a.Value == nil {
			return 0
		}
		return *a.Value
	}
	slices.SortStableFunc(l.Approvals, func(a, b Approval) int { return cmp.Compare(value(b), value(a)) })
	if len(l.Approvals) > listedMost {
		l.Approvals, l.Truncated = l.Approvals[:listedMost], true
	}
}

// priced returns the ids of the tokens with something at risk that has a price, each once.
func (l *Listing) priced() (ids []string) {
	seen := map[string]bool{}
	for _, a := range l.Approvals {
		if a.hasPrice() && !seen[a.Token.ID] {
			seen[a.Token.ID] = true
			ids = append(ids, a.Token.ID)
		}
	}
	return ids
}

// value sets the values by the prices of whole units, by token id. A value that cannot be written as a number is left out.
func (l *Listing) value(prices map[string]float64) {
	for i := range l.Approvals {
		a := &l.Approvals[i]
		price, known := prices[a.Token.ID]
		if !known || !a.hasPrice() {
			continue
		}
		units, _ := new(big.Float).SetInt(a.AtRisk).Float64()
		if v := units / math.Pow10(int(a.Token.Decimals)) * price; !math.IsInf(v, 0) && !math.IsNaN(v) {
			a.Value = &v
		}
	}
}

// hasPrice reports whether what is at risk has a price: NFTs have none, and a token that imitates another one is not worth what it seems.
func (a Approval) hasPrice() bool {
	isFungible := a.Kind == Allowance || a.Kind == Permit2 || a.Kind == Delegate
	return isFungible && a.Token.Warning == "" && a.AtRisk.Sign() > 0
}
