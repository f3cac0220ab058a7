package signature

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"strings"

	schnorrkel "github.com/ChainSafe/go-schnorrkel"
	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/ethereum/go-ethereum/crypto"
	"golang.org/x/crypto/blake2b"
)

// Kinds of Polkadot's MultiSignature, its first byte.
const (
	multiEd25519 = iota
	multiSr25519
	multiECDSA
)

const (
	polkadotKeySize = 32
	// ss58Checksum is the size of the checksum of an address, in bytes.
	ss58Checksum = 2
)

// genericPrefix is the prefix of addresses that are not specific to a network. Wallets use it for every network.
const genericPrefix = 42

// prefixes are the prefixes of addresses by CAIP-2 id of the network.
var prefixes = map[string]int{
	"polkadot:91b171bb158e2d3848fa23a9f1c25182": 0,
	"polkadot:68d56f15f85d3136970ec16946040bc1": 0,
	"polkadot:e143f23803ac50e8f6f8e62695d1ce9e": genericPrefix,
}

// VerifyPolkadot verifies a signature of a text by an address (SS58) of a network (CAIP-2), as 0x and hex digits:
// sr25519 or Ed25519 with 64 bytes, or a MultiSignature, whose first byte is its kind, which may be ECDSA. Wallets sign
// the text between <Bytes> and </Bytes>; the text alone is accepted as well. The address must have the prefix of the
// network, or the generic one; if the network is not known, any prefix is accepted. It fails with [ErrMalformed] or
// [ErrWrong].
func VerifyPolkadot(chainID, address, text, signature string) error {
	key, prefix, ok := decodeSS58(address)
	if !ok {
		return ErrMalformed
	}
	if own, known := prefixes[chainID]; known && prefix != own && prefix != genericPrefix {
		return ErrMalformed
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(signature, "0x"))
	if err != nil {
		return ErrMalformed
	}
	verify := verifyPolkadotKey
	switch {
	case len(raw) == ed25519.SignatureSize:
	case len(raw) == 1+ed25519.SignatureSize && raw[0] == multiEd25519:
		raw, verify = raw[1:], verifyEd25519
	case len(raw) == 1+ed25519.SignatureSize && raw[0] == multiSr25519:
		raw, verify = raw[1:], verifySr25519
	case len(raw) == 1+crypto.SignatureLength && raw[0] == multiECDSA:
		raw, verify = raw[1:], verifyPolkadotECDSA
	default:
		return ErrMalformed
	}
	if !verify(key, []byte("<Bytes>"+text+"</Bytes>"), raw) && !verify(key, []byte(text), raw) {
		return ErrWrong
	}
	return nil
}

// decodeSS58 returns the 32 bytes of an account's address, and the prefix of its network. Each account has exactly one
// address per prefix.
func decodeSS58(address string) (key []byte, prefix int, ok bool) {
	if len(address) > 64 {
		return nil, 0, false
	}
	raw := base58.Decode(address)
	if len(raw) == 0 || raw[0]&0x80 != 0 {
		return nil, 0, false
	}
	prefix, size := int(raw[0]), 1
	// The bit indicates a second byte. The low six bits of the first byte are the middle of the prefix; of the second
	// byte, two bits are its end and six its start.
	if raw[0]&0x40 != 0 && len(raw) > 1 {
		prefix, size = int(raw[0]&0x3f)<<2|int(raw[1]>>6)|int(raw[1]&0x3f)<<8, 2
		if prefix < 0x40 {
			return nil, 0, false
		}
	}
	if len(raw) != size+polkadotKeySize+ss58Checksum {
		return nil, 0, false
	}
	body := raw[:size+polkadotKeySize]
	sum := blake2b.Sum512(append([]byte("SS58PRE"), body...))
	return body[size:], prefix, bytes.Equal(raw[len(body):], sum[:ss58Checksum])
}

func verifyPolkadotKey(key, message, signature []byte) bool {
	return verifySr25519(key, message, signature) || verifyEd25519(key, message, signature)
}

func verifySr25519(key, message, signature []byte) bool {
	public, err := schnorrkel.NewPublicKey([polkadotKeySize]byte(key))
	if err != nil {
		return false
	}
	var s schnorrkel.Signature
	if s.Decode([schnorrkel.SignatureSize]byte(signature)) != nil {
		return false
	}
	ok, err := public.Verify(&s, schnorrkel.NewSigningContext([]byte("substrate"), message))
	return err == nil && ok
}

// verifyPolkadotECDSA verifies the signature of a key whose hash is the account's.
func verifyPolkadotECDSA(key, message, signature []byte) bool {
	if signature[crypto.RecoveryIDOffset] > 3 {
		return false
	}
	hash := blake2b.Sum256(message)
	public, err := crypto.SigToPub(hash[:], signature)
	if err != nil {
		return false
	}
	account := blake2b.Sum256(crypto.CompressPubkey(public))
	return bytes.Equal(account[:], key)
}
