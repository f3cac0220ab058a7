package signature

import (
	"math/big"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/evm"
)

// recovered returns the account whose key made the signature, and whether s is in the lower half of the curve's order. Anybody can compute the same
// signature with s in the upper half (EIP-2). ok is false where the signature is not one of a key.
func recovered(hash [32]byte, signature []byte) (signer evm.Address, low, ok bool) {
	if len(signature) != crypto.SignatureLength {
		return signer, false, false
	}
	rsv := append([]byte{}, signature...)
	v := &rsv[crypto.RecoveryIDOffset]
	if *v >= 27 {
		*v -= 27
	}
	if *v > 1 {
		return signer, false, false
	}
	key, err := crypto.SigToPub(hash[:], rsv)
	if err != nil {
		return signer, false, false
	}
	r, s := new(big.Int).SetBytes(rsv[:32]), new(big.Int).SetBytes(rsv[32:64])
	return crypto.PubkeyToAddress(*key), crypto.ValidateSignatureValues(*v, r, s, true), true
}
