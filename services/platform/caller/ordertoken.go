package caller

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
)

const (
	// orderTokenBytes is the number of random bytes in an order token.
	orderTokenBytes = 16
	// maxOrderTokens is how many tokens of one request are used; the rest is ignored.
	maxOrderTokens = 64
)

var orderTokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)

// NewOrderToken returns a random token that proves which browser began a purchase: 128 bits in 22 characters of base64url. It is returned
// once, when the order is placed; only its digest is stored and sent to other services.
func NewOrderToken() string {
	token := make([]byte, orderTokenBytes)
	// It never fails, see crypto/rand.
	_, _ = rand.Read(token)
	return base64.RawURLEncoding.EncodeToString(token)
}

// OrderTokenDigest returns the SHA-256 of an order token in hex, as it is stored with the order.
func OrderTokenDigest(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// OrderTokenDigests returns the digests of [Caller.OrderTokens]. Invalid tokens are skipped, and those after the first 64.
func (c Caller) OrderTokenDigests() (digests []string) {
	for token := range strings.SplitSeq(c.OrderTokens, ",") {
		if token = strings.TrimSpace(token); orderTokenForm.MatchString(token) && len(digests) < maxOrderTokens {
			digests = append(digests, OrderTokenDigest(token))
		}
	}
	return digests
}
