package transaction

import (
	"math/big"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/account"
)

// dynamicFee is the type of these transactions (EIP-1559, EIP-2718).
const dynamicFee = 0x02

// Transaction is a call, or a transfer of the chain's own currency.
type Transaction struct {
	// ChainID is the number of the chain (EIP-155).
	ChainID uint64
	Nonce   uint64
	// Tip and FeeCap are the priority fee and the highest whole fee for a unit of gas, in wei.
	Tip, FeeCap *big.Int
	// Gas bounds what may be used.
	Gas uint64
	To  evm.Address
	// Value is in wei; nil is 0.
	Value *big.Int
	Data  []byte
}

// Signed is a transaction that a node takes (eth_sendRawTransaction).
type Signed struct {
	Raw []byte
	// Hash is what it is called.
	Hash [32]byte
}

// Sign signs the transaction. The same transaction and key always give the same bytes.
func (t Transaction) Sign(k account.Key) Signed {
	parity, r, s := k.Sign(crypto.Keccak256Hash(t.spell()))
	raw := t.spell(small(uint64(parity)), word(r), word(s))
	return Signed{Raw: raw, Hash: crypto.Keccak256Hash(raw)}
}

// spell writes the type, and a list of the fields and what is added to them.
func (t Transaction) spell(signature ...[]byte) []byte {
	noAccessList := list()
	fields := [][]byte{
		small(t.ChainID), small(t.Nonce), number(t.Tip), number(t.FeeCap), small(t.Gas), text(t.To[:]), number(t.Value), text(t.Data), noAccessList,
	}
	return append([]byte{dynamicFee}, list(append(fields, signature...)...)...)
}
