package clientauth

import (
	"crypto/ed25519"
	"errors"
	"math/big"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/caip"
)

// Client identifies a client of the relay: its Ed25519 public key.
type Client [ed25519.PublicKeySize]byte

// ClientOf returns the client that has a private key.
func ClientOf(key ed25519.PrivateKey) Client {
	return Client(key.Public().(ed25519.PublicKey))
}

const (
	didPrefix = "did:key:z"
	alphabet  = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
)

// multicodec marks an Ed25519 public key.
var multicodec = [2]byte{0xed, 0x01}

// String returns the did:key of the client.
func (c Client) String() string {
	// Neither the multicodec nor, therefore, the number begins with a zero byte, which base58btc would encode
	// separately.
	n := new(big.Int).SetBytes(append(multicodec[:], c[:]...))
	var digits []byte
	for base, digit := big.NewInt(58), new(big.Int); n.Sign() > 0; {
		n.DivMod(n, base, digit)
		digits = append(digits, alphabet[digit.Int64()])
	}
	for i, j := 0, len(digits)-1; i < j; i, j = i+1, j-1 {
		digits[i], digits[j] = digits[j], digits[i]
	}
	return didPrefix + string(digits)
}

// ParseClient reads the did:key of an Ed25519 key.
func ParseClient(did string) (Client, error) {
	digits, ok := strings.CutPrefix(did, didPrefix)
	if !ok {
		return Client{}, errNoClient
	}
	raw, ok := caip.DecodeBase58(digits, len(multicodec)+len(Client{}))
	if !ok || raw[0] != multicodec[0] || raw[1] != multicodec[1] {
		return Client{}, errNoClient
	}
	return Client(raw[len(multicodec):]), nil
}

var errNoClient = errors.New("not a did:key of an Ed25519 key")
