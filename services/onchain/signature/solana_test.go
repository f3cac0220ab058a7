package signature_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"strconv"
	"testing"

	"github.com/mr-tron/base58"

	"github.com/hawser-dev/hawser/services/onchain/signature"
)

// forge returns a text and a signature that is valid for a public key without a private key. It tries points of small
// order as the first half of the signature.
func forge(t *testing.T, key []byte, points [][]byte) (text string, signed []byte) {
	t.Helper()
	for n := range 100 {
		text = strconv.Itoa(n)
		for _, point := range points {
			signed = append(append([]byte{}, point...), make([]byte, 32)...)
			if ed25519.Verify(key, []byte(text), signed) {
				return text, signed
			}
		}
	}
	t.Fatalf("%x is no point of small order", key)
	return "", nil
}

func TestKeysOfSmallOrderSignNothing(t *testing.T) {
	var points [][]byte
	for _, encoding := range []string{
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0000000000000000000000000000000000000000000000000000000000000080",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		// The remaining ones are not canonical encodings.
		"0100000000000000000000000000000000000000000000000000000000000080",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	} {
		point, err := hex.DecodeString(encoding)
		if err != nil {
			t.Fatal(err)
		}
		points = append(points, point)
	}
	for _, key := range points {
		text, signed := forge(t, key, points)
		if err := signature.VerifySolana(base58.Encode(key), text, base58.Encode(signed)); !errors.Is(err, signature.ErrWrong) {
			t.Errorf("solana, %x: %v", key, err)
		}
		if err := signature.VerifyPolkadot(westend, addressOf([]byte{42}, key), text, "0x00"+hex.EncodeToString(signed)); !errors.Is(err, signature.ErrWrong) {
			t.Errorf("polkadot, %x: %v", key, err)
		}
	}
}
