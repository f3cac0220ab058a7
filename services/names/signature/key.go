package signature

import (
	"strconv"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/evm"
)

// keySize is r, s and v, in bytes.
const keySize = 65

// digest is what is signed of a text (ERC-191, version 0x45).
func digest(message []byte) [32]byte {
	return crypto.Keccak256Hash(append([]byte("\x19Ethereum Signed Message:\n"+strconv.Itoa(len(message))), message...))
}

// recovered returns the account whose key made the signature, and whether s is in the lower half of the curve's order, as it must be: the
// other half is the same signature made anew by a stranger (EIP-2).
func recovered(hash [32]byte, signature []byte) (signer evm.Address, low, ok bool) {
	if len(signature) != keySize {
		return signer, false, false
	}
	v := signature[keySize-1]
	if v >= 27 {
		v -= 27
	}
	if v > 1 {
		return signer, false, false
	}
	// The library wants v first, as Bitcoin has it.
	compact := append([]byte{27 + v}, signature[:keySize-1]...)
	key, _, err := ecdsa.RecoverCompact(compact, hash[:])
	if err != nil {
		return signer, false, false
	}
	var s secp256k1.ModNScalar
	s.SetByteSlice(signature[32 : keySize-1])
	return addressOf(key), !s.IsOverHalfOrder(), true
}

// addressOf is the account of a key.
func addressOf(key *secp256k1.PublicKey) evm.Address {
	hash := crypto.Keccak256Hash(key.SerializeUncompressed()[1:])
	return evm.Address(hash[12:])
}
