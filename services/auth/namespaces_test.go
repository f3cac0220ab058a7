package auth_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"testing"

	schnorrkel "github.com/ChainSafe/go-schnorrkel"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcutil"
	ss58 "github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/chaincfg"
	"github.com/btcsuite/btcd/chaincfg/chainhash"
	"github.com/btcsuite/btcd/wire"
	"golang.org/x/crypto/blake2b"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/onchain/signature"
)

func TestSignInOnBitcoin(t *testing.T) {
	key, public := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	address, err := btcutil.NewAddressWitnessPubKeyHash(btcutil.Hash160(public.SerializeCompressed()), &chaincfg.MainNetParams)
	if err != nil {
		t.Fatal(err)
	}
	signsIn(t, siwe.Bitcoin, "000000000019d6689c085ae165831e93", address.EncodeAddress(), func(text string) string {
		var b bytes.Buffer
		_ = wire.WriteVarString(&b, 0, "Bitcoin Signed Message:\n")
		_ = wire.WriteVarString(&b, 0, text)
		return base64.StdEncoding.EncodeToString(ecdsa.SignCompact(key, chainhash.DoubleHashB(b.Bytes()), true))
	})
}

func TestSignInOnPolkadot(t *testing.T) {
	mini, err := schnorrkel.NewMiniSecretKeyFromRaw([32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	key := mini.Public().Encode()
	body := append([]byte{0}, key[:]...)
	sum := blake2b.Sum512(append([]byte("SS58PRE"), body...))
	signsIn(t, siwe.Polkadot, "91b171bb158e2d3848fa23a9f1c25182", ss58.Encode(append(body, sum[:2]...)), func(text string) string {
		s, err := mini.ExpandEd25519().Sign(schnorrkel.NewSigningContext([]byte("substrate"), []byte("<Bytes>"+text+"</Bytes>")))
		if err != nil {
			t.Fatal(err)
		}
		raw := s.Encode()
		return "0x01" + hex.EncodeToString(raw[:])
	})
}

// signsIn checks that an account can sign in, and that its signature of another text is refused.
func signsIn(t *testing.T, namespace, reference, address string, sign func(text string) string) {
	t.Helper()
	w := newWorld(t)
	m, token := w.message(address)
	m.Namespace, m.ChainID = namespace, reference
	session, _, err := w.signIn(m, token, sign)
	if err != nil || session.ChainID != namespace+":"+reference || !session.AllChains || session.Address != address {
		t.Errorf("%+v, %v", session, err)
	}
	m, token = w.message(address)
	m.Namespace, m.ChainID = namespace, reference
	if _, _, err := w.signIn(m, token, func(text string) string { return sign(text + ".") }); !errors.Is(err, signature.ErrWrong) {
		t.Errorf("a signature of another text: %v", err)
	}
}
