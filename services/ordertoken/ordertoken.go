// Package ordertoken makes and parses the tokens that prove which browser began a purchase. The token is returned once, when the order is
// placed; only its digest is stored and sent to other services.
package ordertoken

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
)

const (
	// tokenBytes is the number of random bytes in a token.
	tokenBytes = 16
	// MaxTokens is how many tokens of one request are used; the rest is ignored.
	MaxTokens = 64
)

var form = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)

// New returns a random token of 128 bits: 22 characters of base64url.
func New() string {
	token := make([]byte, tokenBytes)
	// It never fails, see crypto/rand.
	_, _ = rand.Read(token)
	return base64.RawURLEncoding.EncodeToString(token)
}

// Digest returns the SHA-256 of a token in hex, as it is stored with the order.
func Digest(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Digests returns the digests of the tokens in a list separated by commas. Invalid tokens are skipped, and those after the first [MaxTokens].
func Digests(tokens string) (digests []string) {
	for token := range strings.SplitSeq(tokens, ",") {
		if token = strings.TrimSpace(token); form.MatchString(token) && len(digests) < MaxTokens {
			digests = append(digests, Digest(token))
		}
	}
	return digests
}
