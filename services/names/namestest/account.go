// Package namestest says what every store of names must do, and gives tests accounts that sign.
package namestest

import (
	"encoding/binary"
	"math/big"
	"slices"
	"strconv"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/evm"
)

// Account is an account with its own key.
type Account struct{ key *secp256k1.PrivateKey }

// NewAccount returns the account of one key; n tells it from others.
func NewAccount(n int) Account {
	seed := crypto.Keccak256Hash(binary.BigEndian.AppendUint64([]byte("hawser test account"), uint64(n)))
	return Account{secp256k1.PrivKeyFromBytes(seed[:])}
}

// Address is the account's.
func (a Account) Address() evm.Address {
	hash := crypto.Keccak256Hash(a.key.PubKey().SerializeUncompressed()[1:])
	return evm.Address(hash[12:])
}

// Sign signs a text as wallets do (ERC-191).
func (a Account) Sign(message string) string {
	hash := crypto.Keccak256Hash([]byte("\x19Ethereum Signed Message:\n" + strconv.Itoa(len(message)) + message))
	compact := ecdsa.SignCompact(a.key, hash[:], false)
	return hexutil.Encode(append(compact[1:], compact[0]))
}

// SignHigh signs with the other s, which everyone can make of a signature.
func (a Account) SignHigh(message string) string {
	hash := crypto.Keccak256Hash([]byte("\x19Ethereum Signed Message:\n" + strconv.Itoa(len(message)) + message))
	compact := ecdsa.SignCompact(a.key, hash[:], false)
	s := new(big.Int).Sub(secp256k1.S256().N, new(big.Int).SetBytes(compact[33:]))
	const either = 27 + 28
	return hexutil.Encode(slices.Concat(compact[1:33], s.FillBytes(make([]byte, 32)), []byte{either - compact[0]}))
}
