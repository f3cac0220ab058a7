// Package proof verifies that an account agrees to a call, by its signature of typed data (EIP-712).
package proof

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/signature"
)

// maxAhead is how far in the future a deadline may be.
const maxAhead = 10 * time.Minute

// Errors of proofs.
var (
	// ErrMalformed is returned for a proof that is missing or malformed.
	ErrMalformed = errors.New("the proof is missing or malformed")
	// ErrStale is returned for a deadline that has passed or is too far ahead.
	ErrStale = errors.New("the deadline of the proof has passed, or is over ten minutes ahead")
)

// Proof is an account's signature for a call.
type Proof struct {
	Nonce     [32]byte
	Deadline  uint32
	Signature []byte
}

// Parse parses the text form of a proof: 0x and the hex digits of the nonce (32 bytes), the deadline (8 bytes) and the signature.
func Parse(text string) (Proof, error) {
	const head = 32 + 8
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(raw) <= head {
		return Proof{}, ErrMalformed
	}
	deadline := binary.BigEndian.Uint64(raw[32:head])
	if deadline > uint64(^uint32(0)) {
		return Proof{}, ErrStale
	}
	return Proof{[32]byte(raw[:32]), uint32(deadline), raw[head:]}, nil
}

// The kinds of calls.
const (
	List      = "ListSessions"
	Revoke    = "RevokeSession"
	RevokeAll = "RevokeAllSessions"
)

// Statement is the text that an account signs.
type Statement struct {
	// Kind is one of [List], [Revoke] and [RevokeAll].
	Kind string
	// PCI is the id of the session to revoke.
	PCI     string
	Account request.Account
}

var (
	listTypes   = calldata.Types("(bytes32,address,uint256,bytes32,uint64)")
	revokeTypes = calldata.Types("(bytes32,bytes32,address,uint256,bytes32,uint64)")
	domainTypes = calldata.Types("(bytes32,bytes32,bytes32,uint256)")
)

// Hash returns the hash that the account signs. origin is that of the gateway or of the embedded wallet's pages, so that a
// proof for one installation is not one for another.
func (s Statement) Hash(origin string, nonce [32]byte, deadline uint32) common.Hash {
	chain, _ := new(big.Int).SetString(strings.TrimPrefix(s.Account.ChainID, "eip155:"), 10)
	const members = "address account,uint256 chainId,bytes32 nonce,uint64 deadline)"
	var inner []byte
	if s.Kind == Revoke {
		inner = revokeTypes.Write(hashOf(Revoke+"(string pci,"+members), hashOf(s.PCI), s.Account.Address, chain, nonce, deadline)
	} else {
		inner = listTypes.Write(hashOf(s.Kind+"("+members), s.Account.Address, chain, nonce, deadline)
	}
	domain := domainTypes.Write(hashOf("EIP712Domain(string name,string version,uint256 chainId)"), hashOf("Hawser Sessions at "+origin), hashOf("1"), chain)
	return crypto.Keccak256Hash([]byte{0x19, 0x01}, crypto.Keccak256(domain), crypto.Keccak256(inner))
}

func hashOf(text string) [32]byte { return crypto.Keccak256Hash([]byte(text)) }

// Store stores used proofs.
type Store interface {
	// UseProof stores the nonce of a proof. It fails if the nonce is already stored.
	UseProof(ctx context.Context, account evm.Address, nonce [32]byte, deadline time.Time) error
}

// Verifier verifies proofs. It is safe for concurrent use.
type Verifier struct {
	Signatures *signature.Verifier
	Store      Store
	// Origins are those of the installation.
	Origins []string
}

// Verify verifies that the account signed the statement. A proof is accepted once.
func (v Verifier) Verify(ctx context.Context, s Statement, p Proof, now time.Time) error {
	deadline := time.Unix(int64(p.Deadline), 0)
	if !deadline.After(now) || deadline.After(now.Add(maxAhead)) {
		return ErrStale
	}
	err := signature.ErrWrong
	for _, origin := range v.Origins {
		_, err = v.Signatures.VerifyHash(ctx, s.Account.ChainID, s.Account.Address, s.Hash(origin, p.Nonce, p.Deadline), p.Signature)
		if !errors.Is(err, signature.ErrWrong) {
			break
		}
	}
	if err != nil {
		return err
	}
	return v.Store.UseProof(ctx, s.Account.Address, p.Nonce, deadline)
}
