// Package signaturetest provides tests with accounts and contract wallets that sign.
package signaturetest

import (
	"crypto/ecdsa"
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Account is an account with its own key.
type Account struct{ key *ecdsa.PrivateKey }

// NewAccount returns the account of a key; n selects the key.
func NewAccount(n int) Account {
	key, err := crypto.ToECDSA(crypto.Keccak256(binary.BigEndian.AppendUint64([]byte("hawser test account"), uint64(n))))
	if err != nil {
		panic(err)
	}
	return Account{key}
}

// Address returns the address of the account.
func (a Account) Address() evm.Address { return crypto.PubkeyToAddress(a.key.PublicKey) }

// Sign signs a text as wallets do (ERC-191).
func (a Account) Sign(message string) string { return hexutil.Encode(a.sign(message)) }

// SignHigh signs with s in the upper half of the curve's order, which anyone can compute from a signature.
func (a Account) SignHigh(message string) string {
	signature := a.sign(message)
	s := new(big.Int).Sub(crypto.S256().Params().N, new(big.Int).SetBytes(signature[32:64]))
	const either = 27 + 28
	return hexutil.Encode(slices.Concat(signature[:32], s.FillBytes(make([]byte, 32)), []byte{either - signature[64]}))
}

// sign returns r, s and v, which is 27 or 28.
func (a Account) sign(message string) []byte {
	signature, err := crypto.Sign(accounts.TextHash([]byte(message)), a.key)
	if err != nil {
		panic(err)
	}
	signature[64] += 27
	return signature
}
