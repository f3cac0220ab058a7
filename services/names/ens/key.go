package ens

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/abi"
)

// ErrKey is what a text gives that is no key. It does not say the text.
var ErrKey = errors.New("not a private key: 64 hex digits")

// Key signs answers.
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

// Address is the account whose signatures a resolver has to trust.
func (k Key) Address() evm.Address {
	hash := evm.Keccak(k.private.PubKey().SerializeUncompressed()[1:])
	return evm.Address(hash[12:])
}

// Sign returns r, s, and v, which is 27 or 28; s is in the lower half of the curve's order (EIP-2).
func (k Key) Sign(hash [32]byte) []byte {
	// The library puts v first, as Bitcoin has it.
	compact := ecdsa.SignCompact(k.private, hash[:], false)
	return slices.Concat(compact[1:], compact[:1])
}

// Answer spells what a resolver is to be given: the ABI's (bytes result, uint64 expires, bytes signature). The signature binds the record to
// that resolver, to the call that it answers, and to a time, which is exact to the second (ERC-191, version 0).
func (k Key) Answer(resolver evm.Address, call []byte, r Record, expires time.Time) []byte {
	until := uint64(expires.Unix())
	asked, answered := evm.Keccak(call), evm.Keccak(r)
	signed := append([]byte{0x19, 0x00}, resolver[:]...)
	signed = binary.BigEndian.AppendUint64(signed, until)
	signed = append(append(signed, asked[:]...), answered[:]...)
	hash := evm.Keccak(signed)
	signature := k.Sign(hash)

	return abi.Spell(abi.Bytes(r), abi.Number(until), abi.Bytes(signature))
}
