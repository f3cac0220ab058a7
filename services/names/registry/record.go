package registry

import (
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
)

// Record is a registered name.
type Record struct {
	Name       Name
	Owner      Owner
	Attributes Attributes
	// Addresses are sorted by coin type, at most one per coin type.
	Addresses []Address
	// RegisteredAt and UpdatedAt are exact to the millisecond.
	RegisteredAt, UpdatedAt time.Time
}

// Owner is the account to which a name belongs.
type Owner struct {
	Address evm.Address
	// CoinType is that of the chain on which the account signed, or must sign.
	CoinType CoinType
	// Proof is how the owner signed for the name. After a transfer it is empty until the new owner signs.
	Proof signature.Kind
}

// Address is the address of a name for one coin type.
type Address struct {
	CoinType CoinType
	Address  evm.Address
	SetAt    time.Time
}

// Signer is an account that signed a text.
type Signer struct {
	Address  evm.Address
	CoinType CoinType
	Proof    signature.Kind
}

// is reports whether the signer is the owner. A key is the same account on every chain, and an owner that signed with
// its key must do so again; a contract is an account only on its own chain.
func (o Owner) is(s Signer) bool {
	if o.Address != s.Address {
		return false
	}
	if o.Proof == signature.Key {
		return s.isKey()
	}
	return o.CoinType == s.CoinType
}

// setProof stores how the owner signed, if that was not known.
func (r *Record) setProof(s Signer) {
	if r.Owner.Proof == "" {
		r.Owner.Proof = s.Proof
	}
}

// setAddress sets the address for a coin type.
func (r *Record) setAddress(a Address) {
	r.Addresses = slices.DeleteFunc(r.Addresses, func(old Address) bool { return old.CoinType == a.CoinType })
	r.Addresses = append(r.Addresses, a)
	slices.SortFunc(r.Addresses, func(a, b Address) int { return int(int64(a.CoinType) - int64(b.CoinType)) })
}

// shows reports whether the account may be shown by the name: it signed for it, and the name resolves to it.
func (r Record) shows(account evm.Address) bool {
	return r.Owner.Address == account && r.Owner.Proof != "" &&
		slices.ContainsFunc(r.Addresses, func(a Address) bool { return a.Address == account })
}

// IsGiven reports whether the name was transferred to the owner, and the owner has not signed a change of it since.
func (r Record) IsGiven() bool { return r.Owner.Proof == "" }

// Touched returns the accounts whose names may change with the record.
func (r Record) Touched() []evm.Address {
	all := []evm.Address{r.Owner.Address}
	for _, a := range r.Addresses {
		all = append(all, a.Address)
	}
	return all
}

// isKey reports whether the account's own key signed.
func (s Signer) isKey() bool { return s.Proof == signature.Key }
