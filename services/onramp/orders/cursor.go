package orders

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"

	"github.com/oklog/ulid/v2"
)

// cursorVersion is the first byte of a cursor; it changes with the format.
const cursorVersion = 1

// ErrCursor means that a cursor is invalid.
var ErrCursor = errors.New("not a cursor")

// newest is greater than every ULID.
const newest = "ZZZZZZZZZZZZZZZZZZZZZZZZZZ"

// cursorAfter encodes the id of the last order of a page.
func cursorAfter(id string) (string, error) {
	last, err := ulid.ParseStrict(id)
	if err != nil {
		return "", err
	}
	b := append([]byte{cursorVersion}, last[:]...)
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// readCursor decodes a cursor; an empty one starts with the newest order.
func readCursor(cursor string) (string, error) {
	if cursor == "" {
		return newest, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	var id ulid.ULID
	if err != nil || len(b) != 1+len(id)+crc32.Size {
		return "", ErrCursor
	}
	body, sum := b[:1+len(id)], binary.BigEndian.Uint32(b[1+len(id):])
	if crc32.ChecksumIEEE(body) != sum || body[0] != cursorVersion {
		return "", ErrCursor
	}
	copy(id[:], body[1:])
	return id.String(), nil
}
