package signature_test

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"testing"

	schnorrkel "github.com/ChainSafe/go-schnorrkel"
	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/ethereum/go-ethereum/crypto"
	"golang.org/x/crypto/blake2b"

	"github.com/hawser-dev/hawser/services/onchain/signature"
)

const (
	polkadotMainnet = "polkadot:91b171bb158e2d3848fa23a9f1c25182"
	westend         = "polkadot:e143f23803ac50e8f6f8e62695d1ce9e"
	// otherChain is an unknown network.
	otherChain = "polkadot:00000000000000000000000000000000"
)

// addressOf returns the SS58 address of a key on a network.
func addressOf(prefix, key []byte) string {
	body := append(bytes.Clone(prefix), key...)
	sum := blake2b.Sum512(append([]byte("SS58PRE"), body...))
	return base58.Encode(append(body, sum[:2]...))
}

func TestSignaturesOfPolkadot(t *testing.T) {
	const text = "shop.example wants you to sign in with your Polkadot account"
	wrapped := []byte("<Bytes>" + text + "</Bytes>")

	var seed [32]byte
	seed[0] = 1
	mini, err := schnorrkel.NewMiniSecretKeyFromRaw(seed)
	if err != nil {
		t.Fatal(err)
	}
	srKey := mini.Public().Encode()
	sr := func(message []byte) []byte {
		s, err := mini.ExpandEd25519().Sign(schnorrkel.NewSigningContext([]byte("substrate"), message))
		if err != nil {
			t.Fatal(err)
		}
		raw := s.Encode()
		return raw[:]
	}
	ed := ed25519.NewKeyFromSeed(seed[:])
	edKey := []byte(ed.Public().(ed25519.PublicKey))
	ec, err := crypto.ToECDSA(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	ecHash := blake2b.Sum256(wrapped)
	ecSigned, err := crypto.Sign(ecHash[:], ec)
	if err != nil {
		t.Fatal(err)
	}
	ecKey := blake2b.Sum256(crypto.CompressPubkey(&ec.PublicKey))
	polkadot := addressOf([]byte{0}, srKey[:])

	for behaviour, tt := range map[string]struct {
		address   string
		signature []byte
		want      error
		chain     string
	}{
		"sr25519":                        {polkadot, sr(wrapped), nil, polkadotMainnet},
		"the generic prefix":             {addressOf([]byte{42}, srKey[:]), sr(wrapped), nil, polkadotMainnet},
		"the prefix of another network":  {addressOf([]byte{2}, srKey[:]), sr(wrapped), signature.ErrMalformed, polkadotMainnet},
		"a prefix of one byte in two":    {addressOf([]byte{0x40, 0}, srKey[:]), sr(wrapped), signature.ErrMalformed, ""},
		"sr25519 with its kind":          {polkadot, append([]byte{1}, sr(wrapped)...), nil, ""},
		"sr25519 of the text alone":      {polkadot, sr([]byte(text)), nil, ""},
		"Ed25519":                        {addressOf([]byte{42}, edKey), ed25519.Sign(ed, wrapped), nil, ""},
		"Ed25519 with its kind":          {addressOf([]byte{42}, edKey), append([]byte{0}, ed25519.Sign(ed, wrapped)...), nil, ""},
		"ECDSA":                          {addressOf([]byte{2}, ecKey[:]), append([]byte{2}, ecSigned...), nil, ""},
		"a prefix of two bytes":          {addressOf([]byte{0x50, 0x01}, srKey[:]), sr(wrapped), nil, ""},
		"another text":                   {polkadot, sr([]byte("another text")), signature.ErrWrong, ""},
		"another account":                {addressOf([]byte{0}, edKey), sr(wrapped), signature.ErrWrong, ""},
		"the wrong kind":                 {polkadot, append([]byte{0}, sr(wrapped)...), signature.ErrWrong, ""},
		"ECDSA without its kind":         {addressOf([]byte{2}, ecKey[:]), ecSigned, signature.ErrMalformed, ""},
		"a kind that does not exist":     {polkadot, append([]byte{3}, sr(wrapped)...), signature.ErrMalformed, ""},
		"nothing":                        {polkadot, nil, signature.ErrMalformed, ""},
		"an address with a wrong letter": {"2" + polkadot[1:], sr(wrapped), signature.ErrMalformed, ""},
		"no address":                     {"", sr(wrapped), signature.ErrMalformed, ""},
	} {
		if err := signature.VerifyPolkadot(cmp.Or(tt.chain, otherChain), tt.address, text, "0x"+hex.EncodeToString(tt.signature)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", behaviour, err, tt.want)
		}
	}
}

// The vector is from wasm-crypto of polkadot-js.
func TestASignatureOfPolkadotJS(t *testing.T) {
	key, _ := hex.DecodeString("46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a")
	const signed = "0x4e172314444b8f820bb54c22e95076f220ed25373e5c178234aa6c211d29271244b947e3ff3418ff6b45fd1df1140c8cbff69fc58ee6dc96df70936a2bb74b82"
	if err := signature.VerifyPolkadot(westend, addressOf([]byte{42}, key), "this is a message", signed); err != nil {
		t.Error(err)
	}
}

func FuzzPolkadot(f *testing.F) {
	f.Add("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", "0x00")
	f.Fuzz(func(t *testing.T, address, sig string) {
		if signature.VerifyPolkadot(westend, address, "a", sig) == nil && signature.VerifyPolkadot(westend, address, "b", sig) == nil {
			t.Error("one signature is of two texts")
		}
	})
}
