package activity

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
)

// cursorVersion is the first byte of a cursor; another form takes another one.
const cursorVersion = 1

// errCursor is what a text gives that no page ended with.
var errCursor = errors.New("not a cursor")

// Cursor prints a place as the text that a caller gives back: where a page ended, whatever stands before it by then.
func (p Place) Cursor() string {
	b := []byte{cursorVersion}
	b = binary.AppendVarint(b, p.Time)
	b = binary.AppendUvarint(b, p.Block)
	b = binary.AppendUvarint(b, p.Index)
	b = append(b, p.ChainID...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return base64.RawURLEncoding.EncodeToString(b)
}

// ParseCursor reads what [Place.Cursor] printed.
func ParseCursor(text string) (p Place, err error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < 5 {
		return Place{}, errCursor
	}
	body, sum := b[:len(b)-4], binary.BigEndian.Uint32(b[len(b)-4:])
	if crc32.ChecksumIEEE(body) != sum || body[0] != cursorVersion {
		return Place{}, errCursor
	}
	rest := body[1:]
	read := func(n int) bool {
		if n > 0 {
			rest = rest[n:]
		}
		return n > 0
	}
	var n int
	if p.Time, n = binary.Varint(rest); !read(n) {
		return Place{}, errCursor
	}
	if p.Block, n = binary.Uvarint(rest); !read(n) {
		return Place{}, errCursor
	}
	if p.Index, n = binary.Uvarint(rest); !read(n) {
		return Place{}, errCursor
	}
	p.ChainID = string(rest)
	return p, nil
}
