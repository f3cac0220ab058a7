// Package record stores sessions, the spending that their co-signers signed, and used proofs of accounts.
package record

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/sessions/grant"
)

// Errors of the store.
var (
	// ErrUnknown is returned for a session that does not exist.
	ErrUnknown = errors.New("there is no such session")
	// ErrRevoked is returned for a session that is revoked.
	ErrRevoked = errors.New("the session is revoked")
	// ErrUsed is returned for a proof that was used.
	ErrUsed = errors.New("the proof was used")
	// ErrSpent is returned for an operation that exceeds a limit.
	ErrSpent = errors.New("the limit of the session is reached")
)

// Session is a session.
type Session struct {
	PCI, Project, Origin string
	ChainID              string
	Account              evm.Address
	// SiteKey and CoSigner are the accounts of the two keys, and SealedKey is the encrypted private key of the co-signer.
	SiteKey, CoSigner evm.Address
	SealedKey         string
	Terms             Terms
	// Delegate and Context are empty until the activation.
	Delegate evm.Address
	Context  []byte
	// Nonce is the nonce of the delegation's caveat. For a session that was revoked without activation, it is the nonce
	// of the account at the revocation; nil before that, and if it was not known.
	Nonce *big.Int
	// RevokedAt and EndedAt are zero until the session is revoked, and until the revocation is found on chain.
	CreatedAt, RevokedAt, EndedAt time.Time
}

// Terms are the requested or granted terms.
type Terms struct {
	Expiry      uint32          `json:"expiry"`
	Signer      json.RawMessage `json:"signer"`
	Permissions []grant.Item    `json:"permissions"`
	Policies    []grant.Item    `json:"policies"`
}

// IsActivated reports whether the account granted the session.
func (s Session) IsActivated() bool { return len(s.Context) > 0 }

// IsRevoked reports whether the session was revoked.
func (s Session) IsRevoked() bool { return !s.RevokedAt.IsZero() }

// IsExpired reports whether the time of the session is over.
func (s Session) IsExpired(now time.Time) bool { return now.Unix() >= int64(s.Terms.Expiry) }

// Grant returns the rules of the terms, as of the creation of the session.
func (s Session) Grant() (grant.Grant, error) {
	return grant.Parse(s.Terms.Expiry, s.Terms.Permissions, s.Terms.Policies, s.CreatedAt)
}

// Spent is one amount that an operation spends.
type Spent struct {
	// Kind is native, token, calls or signatures.
	Kind string
	// Period is the number of the period.
	Period int64
	// Amount is added if the sum is at most Limit.
	Amount, Limit *big.Int
}

// sealedFor is the associated data of the key of a session.
func sealedFor(pci string) string { return "session|" + pci }

func encode(b []byte) string { return hex.EncodeToString(b) }
