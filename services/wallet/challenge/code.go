package challenge

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/seal"
)

// macs is the key of the HMACs that are stored instead of codes and addresses.
type macs seal.Secret

func (c *Challenges) macs(ctx context.Context) (macs, error) {
	pepper, err := c.pepper(ctx)
	return macs(pepper), err
}

// setCode sets a new code of the challenge, and returns it.
func (m macs) setCode(to *Challenge) string {
	code := newCode()
	to.CodeMAC = m.ofCode(to, code)
	return code
}

func (m macs) ofCode(of *Challenge, code string) string {
	return m.of("code", of.ID, of.Email, strings.TrimSpace(code))
}

// of returns the HMAC of parts, which are encoded unambiguously.
func (m macs) of(parts ...string) string {
	h := hmac.New(sha256.New, m)
	for _, part := range parts {
		_ = binary.Write(h, binary.BigEndian, uint32(len(part)))
		_, _ = h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// newCode returns six digits. Every code is equally likely.
func newCode() string {
	const fair = 1 << 32 / digits * digits
	var raw [4]byte
	for {
		_, _ = rand.Read(raw[:])
		if n := uint64(binary.BigEndian.Uint32(raw[:])); n < fair {
			return fmt.Sprintf("%06d", n%digits)
		}
	}
}
