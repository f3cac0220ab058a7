package solana

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// Place is the last transaction of a page.
type Place struct {
	// ChainID is the CAIP-2 chain id.
	ChainID   string
	Slot      uint64
	Signature svm.Signature
}

// cursorVersion is the first byte of a cursor. Cursors of indexed histories begin with another byte.
const cursorVersion = 0x51

// ErrCursor is returned for text that [Place.Cursor] did not write.
var ErrCursor = errors.New("not a cursor")

// Cursor writes a place as opaque text for callers, which stays valid while newer transactions arrive.
func (p Place) Cursor() string {
	b := binary.AppendUvarint([]byte{cursorVersion}, p.Slot)
	b = append(append(b, p.Signature[:]...), p.ChainID...)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b)))
}

// ParseCursor parses the text of [Place.Cursor].
func ParseCursor(text string) (p Place, err error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < 5 {
		return Place{}, ErrCursor
	}
	body, sum := b[:len(b)-4], binary.BigEndian.Uint32(b[len(b)-4:])
	if crc32.ChecksumIEEE(body) != sum || body[0] != cursorVersion {
		return Place{}, ErrCursor
	}
	slot, n := binary.Uvarint(body[1:])
	if n <= 0 || len(body) < 1+n+len(p.Signature) {
		return Place{}, ErrCursor
	}
	p.Slot = slot
	copy(p.Signature[:], body[1+n:])
	p.ChainID = string(body[1+n+len(p.Signature):])
	return p, nil
}
