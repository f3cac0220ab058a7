package signature_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcutil"
	"github.com/btcsuite/btcd/chaincfg"
	"github.com/btcsuite/btcd/chaincfg/chainhash"
	"github.com/btcsuite/btcd/wire"

	"github.com/hawser-dev/hawser/services/onchain/signature"
)

const (
	bitcoinMainnet = "bip122:000000000019d6689c085ae165831e93"
	segwit         = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l"
	taproot        = "bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3"
	ofNothing      = "AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI="
	ofHello        = "AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI="
	taprootHello   = "AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ=="
)

// The vectors are those of BIP-322.
func TestSignaturesOfBIP322(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		chain, address, text, signature string
		want                            error
	}{
		"P2WPKH of nothing":        {bitcoinMainnet, segwit, "", ofNothing, nil},
		"P2WPKH":                   {bitcoinMainnet, segwit, "Hello World", ofHello, nil},
		"P2WPKH with its name":     {bitcoinMainnet, segwit, "Hello World", "smp" + ofHello, nil},
		"P2TR":                     {bitcoinMainnet, taproot, "Hello World", taprootHello, nil},
		"another text":             {bitcoinMainnet, segwit, "Hello world", ofHello, signature.ErrWrong},
		"another text of P2TR":     {bitcoinMainnet, taproot, "Hello world", taprootHello, signature.ErrWrong},
		"another address":          {bitcoinMainnet, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "Hello World", ofHello, signature.ErrWrong},
		"another network":          {"bip122:0f9188f13cb7b2c71f2a335e3a4fc328", segwit, "Hello World", ofHello, signature.ErrMalformed},
		"an unknown network":       {"bip122:00", segwit, "Hello World", ofHello, signature.ErrMalformed},
		"a witness of another":     {bitcoinMainnet, taproot, "Hello World", ofHello, signature.ErrMalformed},
		"an address with a script": {bitcoinMainnet, "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3", "Hello World", ofHello, signature.ErrMalformed},
		"bytes that follow":        {bitcoinMainnet, segwit, "Hello World", ofHello[:len(ofHello)-1] + "AAA=", signature.ErrMalformed},
		"an address in upper case": {bitcoinMainnet, strings.ToUpper(segwit), "Hello World", ofHello, signature.ErrMalformed},
		"nothing":                  {bitcoinMainnet, segwit, "Hello World", "", signature.ErrMalformed},
		"a witness that is empty":  {bitcoinMainnet, segwit, "Hello World", "AA==", signature.ErrMalformed},
	} {
		if err := signature.VerifyBitcoin(tt.chain, tt.address, tt.text, tt.signature); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", behaviour, err, tt.want)
		}
	}
}

func TestSignaturesOfSignmessage(t *testing.T) {
	const text = "shop.example wants you to sign in"
	key, public := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{7}, 32))
	params := &chaincfg.MainNetParams
	hash := btcutil.Hash160(public.SerializeCompressed())
	inner, _ := btcutil.NewAddressWitnessPubKeyHash(hash, params)
	legacy, _ := btcutil.NewAddressPubKeyHash(hash, params)
	uncompressed, _ := btcutil.NewAddressPubKeyHash(btcutil.Hash160(public.SerializeUncompressed()), params)
	nested, err := btcutil.NewAddressScriptHash(append([]byte{0, 20}, hash...), params)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	_ = wire.WriteVarString(&b, 0, "Bitcoin Signed Message:\n")
	_ = wire.WriteVarString(&b, 0, text)
	sign := func(compressed bool, header byte) string {
		raw := ecdsa.SignCompact(key, chainhash.DoubleHashB(b.Bytes()), compressed)
		raw[0] += header
		return base64.StdEncoding.EncodeToString(raw)
	}
	for behaviour, tt := range map[string]struct {
		address   btcutil.Address
		signature string
		want      error
	}{
		"P2PKH":                           {legacy, sign(true, 0), nil},
		"P2PKH of the key in full":        {uncompressed, sign(false, 0), nil},
		"P2SH-P2WPKH, BIP-137":            {nested, sign(true, 4), nil},
		"P2WPKH, BIP-137":                 {inner, sign(true, 8), nil},
		"P2WPKH with the header of P2PKH": {inner, sign(true, 0), nil},
		"P2WPKH of the key in full":       {inner, sign(false, 0), signature.ErrWrong},
		"P2PKH of the other form":         {uncompressed, sign(true, 0), signature.ErrWrong},
		"a header that does not exist":    {legacy, sign(true, 90), signature.ErrMalformed},
		"a signature that is of no curve": {legacy, base64.StdEncoding.EncodeToString(append([]byte{31}, make([]byte, 64)...)), signature.ErrWrong},
	} {
		if err := signature.VerifyBitcoin(bitcoinMainnet, tt.address.EncodeAddress(), text, tt.signature); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", behaviour, err, tt.want)
		}
		if err := signature.VerifyBitcoin(bitcoinMainnet, tt.address.EncodeAddress(), text+".", tt.signature); err == nil {
			t.Errorf("%s: another text", behaviour)
		}
	}
}

func FuzzBitcoin(f *testing.F) {
	f.Add(segwit, "Hello World", ofHello)
	f.Add(taproot, "Hello World", taprootHello)
	f.Add("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "", strings.Repeat("H", 88))
	f.Fuzz(func(t *testing.T, address, text, sig string) {
		if signature.VerifyBitcoin(bitcoinMainnet, address, text, sig) == nil && signature.VerifyBitcoin(bitcoinMainnet, address, text+"x", sig) == nil {
			t.Error("one signature is of two texts")
		}
	})
}
