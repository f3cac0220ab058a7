package transaction

import (
	"bytes"
	"encoding/binary"
	"math/big"
)

const (
	// shortText and shortList begin what is up to shortest bytes long; beyond that, the length is spelled too.
	shortText, longText = 0x80, 0xb7
	shortList, longList = 0xc0, 0xf7
	shortest            = 55
)

// text spells bytes (RLP).
func text(b []byte) []byte {
	if len(b) == 1 && b[0] < shortText {
		return []byte{b[0]}
	}
	return append(head(shortText, longText, len(b)), b...)
}

// number spells an unsigned integer: big-endian, without leading zeros; nil is 0.
func number(n *big.Int) []byte {
	if n == nil {
		return text(nil)
	}
	return text(n.Bytes())
}

func small(n uint64) []byte { return number(new(big.Int).SetUint64(n)) }

// word spells a part of a signature, which is a number.
func word(b []byte) []byte { return text(bytes.TrimLeft(b, "\x00")) }

// list spells items that are spelled already.
func list(items ...[]byte) []byte {
	body := bytes.Join(items, nil)
	return append(head(shortList, longList, len(body)), body...)
}

func head(short, long byte, length int) []byte {
	if length <= shortest {
		return []byte{short + byte(length)}
	}
	spelled := bytes.TrimLeft(binary.BigEndian.AppendUint64(nil, uint64(length)), "\x00")
	return append([]byte{long + byte(len(spelled))}, spelled...)
}
