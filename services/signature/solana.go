package signature

import (
	"crypto/ed25519"

	"github.com/hawser-dev/hawser/services/caip"
)

// VerifySolana verifies an account's signature (Ed25519) of a text, both in base 58. It fails with [ErrMalformed] or [ErrWrong].
func VerifySolana(address, text, signature string) error {
	key, ok := caip.DecodeBase58(address, ed25519.PublicKeySize)
	if !ok {
		return ErrMalformed
	}
	raw, ok := caip.DecodeBase58(signature, ed25519.SignatureSize)
	if !ok {
		return ErrMalformed
	}
	if !ed25519.Verify(key, []byte(text), raw) {
		return ErrWrong
	}
	return nil
}
