package ens

import (
	"encoding/binary"
	"io"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Key signs answers. A resolver contract must trust its address.
type Key struct{ account.Key }

// ParseKey parses 64 hex digits, with or without 0x. It fails with [account.ErrKey].
func ParseKey(text string) (Key, error) {
	k, err := account.ParseKey(text)
	return Key{k}, err
}

// NewKey generates a key.
func NewKey(random io.Reader) (Key, error) {
	k, err := account.NewKey(random)
	return Key{k}, err
}

// Sign returns r, s and v, which is 27 or 28.
func (k Key) Sign(hash [32]byte) []byte {
	signature := k.Key.Sign(hash)
	signature[len(signature)-1] += 27
	return signature
}

var answerTypes = calldata.Types("(bytes,uint64,bytes)")

// Answer encodes the answer for a resolver: (bytes result, uint64 expires, bytes signature). The signature covers the resolver, the call and the
// expiry, which is exact to the second (ERC-191, version 0).
func (k Key) Answer(resolver evm.Address, call []byte, r Record, expires time.Time) []byte {
	until := uint64(expires.Unix())
	requestHash, answerHash := crypto.Keccak256Hash(call), crypto.Keccak256Hash(r)
	signed := append([]byte{0x19, 0x00}, resolver[:]...)
	signed = binary.BigEndian.AppendUint64(signed, until)
	signed = append(append(signed, requestHash[:]...), answerHash[:]...)
	hash := crypto.Keccak256Hash(signed)
	signature := k.Sign(hash)

	return answerTypes.Write([]byte(r), until, signature)
}
