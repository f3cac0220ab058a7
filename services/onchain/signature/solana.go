package signature

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/caip"
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
	if !verifyEd25519(key, []byte(text), raw) {
		return ErrWrong
	}
	return nil
}

// smallOrder are the encodings of Ed25519 points of small order, without the sign bit. For such a public key,
// signatures of any text can be created without a private key.
var smallOrder = []string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}

// verifyEd25519 verifies a signature by a key of 32 bytes. It refuses keys of small order.
func verifyEd25519(key, message, signature []byte) bool {
	const signBit = 0x80
	unsigned := bytes.Clone(key)
	unsigned[len(unsigned)-1] &^= signBit
	return !slices.Contains(smallOrder, hex.EncodeToString(unsigned)) && ed25519.Verify(key, message, signature)
}

// VerifyKey verifies an account's signature of a text in the form of its namespace: solana, bip122 or polkadot. It fails with [ErrMalformed] or
// [ErrWrong].
func VerifyKey(chainID, address, text, signature string) error {
	namespace, _, _ := strings.Cut(chainID, ":")
	switch namespace {
	case "solana":
		return VerifySolana(address, text, signature)
	case "bip122":
		return VerifyBitcoin(chainID, address, text, signature)
	case "polkadot":
		return VerifyPolkadot(chainID, address, text, signature)
	default:
		return ErrMalformed
	}
}
