package deploy

import (
	"bytes"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/ens"
)

// transaction is one without value (EIP-1559); fees are in wei per gas.
type transaction struct {
	chainID, nonce, tip, maxFee, gas *big.Int
	// to is the contract that is called; nil for one that the data creates.
	to   *evm.Address
	data []byte
}

// signed is the transaction as it is sent, and its hash.
func (t transaction) signed(by ens.Key) (raw []byte, hash [32]byte) {
	const dynamicFee = 2
	fields := [][]byte{
		integer(t.chainID), integer(t.nonce), integer(t.tip), integer(t.maxFee), integer(t.gas),
		// Without value, and with nothing in its access list.
		text(t.receiver()), integer(new(big.Int)), text(t.data), list(),
	}
	signature := by.Sign(crypto.Keccak256Hash(append([]byte{dynamicFee}, list(fields...)...)))
	const legacy = 27
	r, s, parity := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:64]), big.NewInt(int64(signature[64]-legacy))
	raw = append([]byte{dynamicFee}, list(append(fields, integer(parity), integer(r), integer(s))...)...)
	return raw, crypto.Keccak256Hash(raw)
}

func (t transaction) receiver() []byte {
	if t.to == nil {
		return nil
	}
	return t.to[:]
}

// address is where the contract of an account's transaction will be.
func address(creator evm.Address, nonce *big.Int) evm.Address {
	hash := crypto.Keccak256Hash(list(text(creator[:]), integer(nonce)))
	return evm.Address(hash[12:])
}

// RLP's marks of what follows them: bytes, and lists.
const (
	shortText, longText = 0x80, 0xb7
	shortList, longList = 0xc0, 0xf7
	// short is how many bytes the short marks can tell of.
	short = 55
)

func integer(n *big.Int) []byte { return text(n.Bytes()) }

func text(b []byte) []byte {
	if len(b) == 1 && b[0] < shortText {
		return b
	}
	return append(mark(len(b), shortText, longText), b...)
}

func list(items ...[]byte) []byte {
	all := bytes.Join(items, nil)
	return append(mark(len(all), shortList, longList), all...)
}

func mark(length int, shortMark, longMark byte) []byte {
	if length <= short {
		return []byte{shortMark + byte(length)}
	}
	size := big.NewInt(int64(length)).Bytes()
	return slices.Concat([]byte{longMark + byte(len(size))}, size)
}
