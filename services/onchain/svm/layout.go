package svm

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"

	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

// ErrLayout is returned for account data that is truncated, malformed or of another kind.
var ErrLayout = errors.New("the account has another layout")

// Cursor reads the fields of an account in sequence. After the first truncated field all further fields are zero, and
// Err returns an error.
type Cursor struct {
	rest []byte
	cut  bool
}

// NewCursor returns a cursor at an offset of the data.
func NewCursor(data []byte, offset int) *Cursor {
	if offset > len(data) {
		return &Cursor{cut: true}
	}
	return &Cursor{rest: data[offset:]}
}

// Err returns [ErrLayout] if a field was truncated.
func (c *Cursor) Err() error {
	if c.cut {
		return ErrLayout
	}
	return nil
}

// Len returns the number of bytes that are left.
func (c *Cursor) Len() int { return len(c.rest) }

// Bytes returns the next n bytes; nil if they are truncated.
func (c *Cursor) Bytes(n int) []byte {
	if c.cut || n < 0 || n > len(c.rest) {
		c.cut = true
		return nil
	}
	field := c.rest[:n:n]
	c.rest = c.rest[n:]
	return field
}

// Skip skips n bytes.
func (c *Cursor) Skip(n int) { c.Bytes(n) }

// Address reads 32 bytes.
func (c *Cursor) Address() (a Address) {
	copy(a[:], c.Bytes(len(a)))
	return a
}

// Uint8 reads one byte.
func (c *Cursor) Uint8() uint8 { return uint8(c.unsigned(1)) }

// Uint16 reads a little-endian integer, as do the methods below.
func (c *Cursor) Uint16() uint16 { return uint16(c.unsigned(2)) }

// Uint32 reads 4 bytes.
func (c *Cursor) Uint32() uint32 { return uint32(c.unsigned(4)) }

// Int32 reads 4 bytes in two's complement.
func (c *Cursor) Int32() int32 { return int32(c.Uint32()) }

// Uint64 reads 8 bytes.
func (c *Cursor) Uint64() uint64 { return c.unsigned(8) }

// Int64 reads 8 bytes in two's complement.
func (c *Cursor) Int64() int64 { return int64(c.Uint64()) }

// Float128 reads 16 bytes as the nearest float, for prices.
func (c *Cursor) Float128() float64 {
	low, high := c.Uint64(), c.Uint64()
	return math.Ldexp(float64(high), 64) + float64(low)
}

// SignedFloat128 reads 16 bytes in two's complement as the nearest float.
func (c *Cursor) SignedFloat128() float64 {
	low, high := c.Uint64(), c.Int64()
	return math.Ldexp(float64(high), 64) + float64(low)
}

// unsigned reads an integer of up to 8 bytes.
func (c *Cursor) unsigned(size int) uint64 {
	var word [8]byte
	copy(word[:], c.Bytes(size))
	return binary.LittleEndian.Uint64(word[:])
}

// Text reads a length of 4 bytes and that many bytes of text. Trailing zero bytes and characters that cannot be shown
// are removed, see [plaintext.Text].
func (c *Cursor) Text(limit int) string {
	length := c.Uint32()
	if length > math.MaxInt32 {
		c.cut = true
	}
	return plaintext.Text(string(c.Bytes(int(length&math.MaxInt32))), limit)
}

// Kind is the discriminator at the start of accounts of programs made with Anchor.
type Kind [8]byte

// KindOf returns the discriminator of an account type, such as `PoolState`.
func KindOf(name string) Kind {
	sum := sha256.Sum256([]byte("account:" + name))
	return Kind(sum[:8])
}

// Of reports whether data begins with the discriminator.
func (k Kind) Of(data []byte) bool { return len(data) >= len(k) && Kind(data[:len(k)]) == k }
