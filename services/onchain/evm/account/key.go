// Package account signs for accounts whose private key is in this process.
package account

import (
	"crypto/ecdsa"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// ErrKey is returned for text that is not a private key. The error does not contain the text.
var ErrKey = errors.New("not a private key: 64 hex digits")

// Key is the private key of an account.
type Key struct{ private *ecdsa.PrivateKey }

// ParseKey parses 64 hex digits, with or without 0x. It fails with [ErrKey].
func ParseKey(text string) (Key, error) {
	private, err := crypto.HexToECDSA(strings.TrimPrefix(text, "0x"))
	if err != nil {
		return Key{}, ErrKey
	}
	return Key{private}, nil
}

// NewKey generates a key.
func NewKey(random io.Reader) (Key, error) {
	var seed [32]byte
	for {
		if _, err := io.ReadFull(random, seed[:]); err != nil {
			return Key{}, fmt.Errorf("generate a key: %w", err)
		}
		// One seed in 2^128 is zero or not below the order of the curve; the loop then tries another one.
		if private, err := crypto.ToECDSA(seed[:]); err == nil {
			return Key{private}, nil
		}
	}
}

// Hex returns the private key in hex, for storage.
func (k Key) Hex() string { return hex.EncodeToString(crypto.FromECDSA(k.private)) }

// String returns the address of the account, and not the key.
func (k Key) String() string { return "key of " + k.Address().String() }

// GoString is [Key.String].
func (k Key) GoString() string { return k.String() }

// Address returns the account.
func (k Key) Address() evm.Address { return crypto.PubkeyToAddress(k.private.PublicKey) }

// PublicKey returns the uncompressed public key: 65 bytes.
func (k Key) PublicKey() []byte { return crypto.FromECDSAPub(&k.private.PublicKey) }

// Sign returns a signature of 65 bytes: r, s and the recovery id (0 or 1). s is in the lower half of the order of the curve (EIP-2). Signatures are
// deterministic (RFC 6979).
func (k Key) Sign(hash [32]byte) []byte {
	signature, err := crypto.Sign(hash[:], k.private)
	if err != nil {
		panic(err) // it fails only for a key or hash of another length
	}
	return signature
}

// SignTransaction signs a transaction (EIP-1559). Signatures are deterministic.
func (k Key) SignTransaction(t *types.DynamicFeeTx) (*types.Transaction, error) {
	return types.SignNewTx(k.private, types.NewLondonSigner(t.ChainID), t)
}

// SignSetCode signs a transaction with authorizations (EIP-7702). Signatures are deterministic.
func (k Key) SignSetCode(t *types.SetCodeTx) (*types.Transaction, error) {
	return types.SignNewTx(k.private, types.NewPragueSigner(t.ChainID.ToBig()), t)
}

// SignAuthorization signs an authorization to run the code at an address (EIP-7702).
func (k Key) SignAuthorization(a types.SetCodeAuthorization) (types.SetCodeAuthorization, error) {
	return types.SignSetCode(k.private, a)
}
