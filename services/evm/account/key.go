package account

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/evm"
)

// ErrKey is what a text gives that is no key. It does not say the text.
var ErrKey = errors.New("not a private key: 64 hex digits")

// Key signs for an account.
type Key struct{ private *secp256k1.PrivateKey }

// ParseKey reads 64 hex digits, with or without 0x. It fails with [ErrKey].
func ParseKey(text string) (Key, error) {
	b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(b) != secp256k1.PrivKeyBytesLen {
		return Key{}, ErrKey
	}
	var scalar secp256k1.ModNScalar
	if overflows := scalar.SetByteSlice(b); overflows || scalar.IsZero() {
		return Key{}, ErrKey
	}
	return Key{secp256k1.NewPrivateKey(&scalar)}, nil
}

// NewKey draws a key.
func NewKey(random io.Reader) (Key, error) {
	private, err := secp256k1.GeneratePrivateKeyFromRand(random)
	if err != nil {
		return Key{}, fmt.Errorf("draw a key: %w", err)
	}
	return Key{private}, nil
}

// Hex spells the key itself: for whoever keeps it, and nobody else.
func (k Key) Hex() string { return hex.EncodeToString(k.private.Serialize()) }

// String hides the key.
func (k Key) String() string { return "key of " + k.Address().String() }

// GoString hides it too.
func (k Key) GoString() string { return k.String() }

// Address is the account.
func (k Key) Address() evm.Address {
	hash := crypto.Keccak256Hash(k.private.PubKey().SerializeUncompressed()[1:])
	return evm.Address(hash[12:])
}

// Sign returns the parity of the signature's point, r and s; s is in the lower half of the curve's order (EIP-2). It is the same for the same
// hash (RFC 6979).
func (k Key) Sign(hash [32]byte) (parity byte, r, s []byte) {
	// The library puts 27 or 28 first, as Bitcoin has it.
	compact := ecdsa.SignCompact(k.private, hash[:], false)
	return compact[0] - 27, compact[1:33], compact[33:]
}
