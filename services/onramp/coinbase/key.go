package coinbase

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// tokenLifetime is how long the token of one call is valid.
const tokenLifetime = 2 * time.Minute

var errKey = errors.New("neither an EC P-256 key in PEM nor an Ed25519 key in base 64")

// key signs calls.
type key struct {
	id     string
	method jwt.SigningMethod
	secret crypto.PrivateKey
}

// parseKey parses a key in CDP's form. Its errors never quote it.
func parseKey(id, secret string) (key, error) {
	// In an environment variable a newline is written as \n.
	secret = strings.ReplaceAll(secret, `\n`, "\n")
	if block, _ := pem.Decode([]byte(secret)); block != nil {
		ec, err := parseEC(block.Bytes)
		return key{id, jwt.SigningMethodES256, ec}, err
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(secret))
	if err != nil || len(raw) != ed25519.PrivateKeySize {
		return key{}, errKey
	}
	private := ed25519.NewKeyFromSeed(raw[:ed25519.SeedSize])
	if !private.Equal(ed25519.PrivateKey(raw)) {
		return key{}, errKey
	}
	return key{id, jwt.SigningMethodEdDSA, private}, nil
}

func parseEC(der []byte) (*ecdsa.PrivateKey, error) {
	ec, err := x509.ParseECPrivateKey(der)
	if err != nil {
		any, err := x509.ParsePKCS8PrivateKey(der)
		private, ok := any.(*ecdsa.PrivateKey)
		if err != nil || !ok {
			return nil, errKey
		}
		ec = private
	}
	if ec.Curve != elliptic.P256() {
		return nil, errKey
	}
	return ec, nil
}

// authorizer returns a function that makes the header of a call, with a token for that call only.
func (k key) authorizer(c clock.Clock) func(method, host, path string) (http.Header, error) {
	return func(method, host, path string) (http.Header, error) {
		token, err := k.token(c.Now(), method+" "+host+path)
		if err != nil {
			return nil, err
		}
		return http.Header{"Authorization": {"Bearer " + token}, "Accept": {"application/json"}}, nil
	}
}

func (k key) token(now time.Time, uri string) (string, error) {
	nonce := make([]byte, 16)
	if _, err := rand.Read(nonce); err != nil {
		return "", fmt.Errorf("nonce: %w", err)
	}
	token := jwt.NewWithClaims(k.method, jwt.MapClaims{
		"sub": k.id, "iss": "cdp", "aud": []string{"cdp_service"}, "uris": []string{uri},
		"nbf": now.Unix(), "iat": now.Unix(), "exp": now.Add(tokenLifetime).Unix(),
	})
	token.Header["kid"], token.Header["nonce"] = k.id, hex.EncodeToString(nonce)
	return token.SignedString(k.secret)
}
