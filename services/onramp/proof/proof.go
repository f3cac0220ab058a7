// Package proof makes and checks the tokens by which a browser shows that it began a purchase. Whoever places an order is given its token,
// once; only the token's digest is kept, and goes to other services.
package proof

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
)

const (
	// tokenBytes is how much of a token is random.
	tokenBytes = 16
	// MaxTokens bounds how many tokens of one call count.
	MaxTokens = 64
)

var form = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)

// New returns a token that nobody can guess: 22 letters, digits, _ and -.
func New() string {
	token := make([]byte, tokenBytes)
	// It never fails, see crypto/rand.
	_, _ = rand.Read(token)
	return base64.RawURLEncoding.EncodeToString(token)
}

// Digest returns the SHA-256 of a token in hex, under which its order is kept.
func Digest(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Digests returns the digests of the tokens in a list separated by commas. What is no token is left out, and so is what comes after the first
// [MaxTokens].
func Digests(tokens string) (digests []string) {
	for token := range strings.SplitSeq(tokens, ",") {
		if token = strings.TrimSpace(token); form.MatchString(token) && len(digests) < MaxTokens {
			digests = append(digests, Digest(token))
		}
	}
	return digests
}
