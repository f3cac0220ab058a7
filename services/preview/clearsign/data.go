package clearsign

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common/math"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// value is one value of the data. What it has depends on the kind of its type: a number for integers and booleans, bytes for addresses and bytes, or a text.
type value struct {
	of     *dataType
	number *big.Int
	bytes  []byte
	text   string
}

// address returns an address. Of other bytes, 20 of them are one.
func (v value) address() (evm.Address, bool) {
	if len(v.bytes) != len(evm.Address{}) {
		return evm.Address{}, false
	}
	return evm.Address(v.bytes), true
}

// integer returns a number. Bytes that a path cuts out are one too, the most significant first.
func (v value) integer() (*big.Int, bool) {
	switch {
	case v.number != nil && v.of.kind != boolType:
		return v.number, true
	case len(v.bytes) > 0 && len(v.bytes) <= wordSize && v.of.kind != addressType:
		return new(big.Int).SetBytes(v.bytes), true
	}
	return nil, false
}

// cursor is a place in the data of a request. Its methods return false for data that does not have the type.
type cursor interface {
	member(i int) (cursor, bool)
	// count returns the number of items of a list.
	count() (int, bool)
	item(i int) (cursor, bool)
	value() (value, bool)
}

// encoded is a place in data of the contract ABI. It refers to the data and copies nothing: offsets of hostile data may point to one item many times.
type encoded struct {
	of *dataType
	// frame is what offsets are relative to, and at the place in it, in bytes.
	frame []byte
	at    int
}

func (e encoded) word(at int) ([]byte, bool) {
	if at < 0 || at > len(e.frame)-wordSize {
		return nil, false
	}
	return e.frame[at : at+wordSize], true
}

// size reads a word that is an offset or a length within the rest of the data.
func (e encoded) size(at int) (int, bool) {
	word, ok := e.word(at)
	if !ok {
		return 0, false
	}
	n := binary.BigEndian.Uint64(word[wordSize-8:])
	return int(n), isZero(word[:wordSize-8]) && n <= uint64(len(e.frame)) //nolint:gosec // no larger than the data
}

func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// body returns the place where the value is encoded: behind its offset, for a dynamic type.
func (e encoded) body() (encoded, bool) {
	if !e.of.isDynamic {
		return e, true
	}
	offset, ok := e.size(e.at)
	if !ok {
		return e, false
	}
	return encoded{of: e.of, frame: e.frame[offset:]}, true
}

func (e encoded) member(i int) (cursor, bool) {
	b, ok := e.body()
	at := b.at
	for _, m := range e.of.members[:i] {
		at += wordSize * m.of.headWords()
	}
	return encoded{e.of.members[i].of, b.frame, at}, ok
}

// items returns the place of the first item of a list.
func (e encoded) items() (first encoded, count int, ok bool) {
	b, ok := e.body()
	if !ok {
		return b, 0, false
	}
	count = e.of.size
	if count == anyLength {
		if count, ok = b.size(0); !ok {
			return b, 0, false
		}
		b.frame = b.frame[wordSize:]
	}
	// Every item takes a word at least.
	return b, count, count <= (len(b.frame)-b.at)/(wordSize*max(e.of.item.headWords(), 1))
}

func (e encoded) count() (int, bool) {
	_, count, ok := e.items()
	return count, ok
}

func (e encoded) item(i int) (cursor, bool) {
	first, count, ok := e.items()
	return encoded{e.of.item, first.frame, first.at + i*wordSize*e.of.item.headWords()}, ok && 0 <= i && i < count
}

func (e encoded) value() (value, bool) {
	v := value{of: e.of}
	b, ok := e.body()
	if !ok || !e.of.isLeaf() {
		return v, false
	}
	if e.of.isDynamic {
		length, ok := b.size(0)
		if !ok || length > len(b.frame)-wordSize {
			return v, false
		}
		v.bytes = b.frame[wordSize : wordSize+length]
		if e.of.kind == stringType {
			v.text = string(v.bytes)
		}
		return v, true
	}
	word, ok := b.word(b.at)
	if !ok {
		return v, false
	}
	return v, v.read(word)
}

// read reads a value from its word. Contracts refuse words with other bits than those of the type.
func (v *value) read(word []byte) bool {
	v.number = new(big.Int).SetBytes(word)
	switch v.of.kind {
	case uintType:
		return v.number.BitLen() <= v.of.size
	case boolType:
		return v.number.BitLen() <= 1
	case intType:
		if v.number.BitLen() == 8*wordSize { // two's complement
			v.number.Sub(v.number, new(big.Int).Lsh(big.NewInt(1), 8*wordSize))
		}
		return fits(v.number, v.of)
	case addressType:
		v.number, v.bytes = nil, word[wordSize-len(evm.Address{}):]
		return isZero(word[:wordSize-len(evm.Address{})])
	case fixedBytesType:
		v.number, v.bytes = nil, word[:v.of.size]
		return isZero(word[v.of.size:])
	}
	return false
}

// fits reports whether a number is within the bounds of its type.
func fits(n *big.Int, of *dataType) bool {
	if of.kind == uintType {
		return n.Sign() >= 0 && n.BitLen() <= of.size
	}
	// The least of n bits is one more than the largest, without its sign.
	return n.BitLen() < of.size || n.Sign() < 0 && new(big.Int).Add(n, big.NewInt(1)).BitLen() < of.size
}

// decoded is a place in typed data, which is JSON.
type decoded struct {
	of *dataType
	v  any
}

func (d decoded) member(i int) (cursor, bool) {
	m := d.of.members[i]
	object, _ := d.v.(map[string]any)
	v, ok := object[m.name]
	return decoded{m.of, v}, ok
}

func (d decoded) count() (int, bool) {
	list, ok := d.v.([]any)
	return len(list), ok && (d.of.size == anyLength || d.of.size == len(list))
}

func (d decoded) item(i int) (cursor, bool) {
	count, ok := d.count()
	if !ok || i < 0 || i >= count {
		return nil, false
	}
	return decoded{d.of.item, d.v.([]any)[i]}, true
}

func (d decoded) value() (value, bool) {
	v := value{of: d.of}
	switch d.of.kind {
	case uintType, intType:
		var ok bool
		v.number, ok = parseNumber(d.v)
		return v, ok && fits(v.number, d.of)
	case boolType:
		flag, ok := d.v.(bool)
		v.number = new(big.Int)
		if flag {
			v.number.SetInt64(1)
		}
		return v, ok
	case stringType:
		text, ok := d.v.(string)
		v.text, v.bytes = text, []byte(text)
		return v, ok
	}
	text, ok := d.v.(string)
	digits, isHex := strings.CutPrefix(text, "0x")
	raw, err := hex.DecodeString(digits)
	v.bytes = raw
	switch {
	case !ok || !isHex || err != nil:
		return v, false
	case d.of.kind == addressType:
		return v, len(raw) == len(evm.Address{})
	case d.of.kind == fixedBytesType:
		return v, len(raw) == d.of.size
	}
	return v, d.of.kind == bytesType
}

// maxDigits bounds the text of a number.
const maxDigits = 80

// parseNumber reads an integer from JSON: a number, or a text with decimal digits or with 0x and hex digits.
func parseNumber(v any) (*big.Int, bool) {
	var text string
	switch t := v.(type) {
	case json.Number:
		text = t.String()
	case string:
		text = t
	}
	digits, isNegative := strings.CutPrefix(text, "-")
	if digits == "" || len(digits) > maxDigits || strings.HasPrefix(digits, "-") || strings.HasPrefix(digits, "+") {
		return nil, false
	}
	n, ok := math.ParseBig256(digits)
	if ok && isNegative {
		n.Neg(n)
	}
	return n, ok
}

// data is the data of a request with what surrounds it.
type data struct {
	from, to     evm.Address
	value, chain *big.Int
	root         cursor
}

// read returns the values at a location; false if the data has none there, or more than the bound.
func (d data) read(l location) ([]value, bool) {
	switch l.container {
	case "from":
		return []value{{of: l.of, bytes: d.from[:]}}, true
	case "to":
		return []value{{of: l.of, bytes: d.to[:]}}, true
	case "value":
		return []value{{of: l.of, number: d.value}}, true
	case "chainId":
		return []value{{of: l.of, number: d.chain}}, true
	}
	places := []cursor{d.root}
	for _, s := range l.steps {
		var next []cursor
		for _, c := range places {
			selected, ok := s.selectFrom(c)
			if next = append(next, selected...); !ok || len(next) > maxRows {
				return nil, false
			}
		}
		places = next
	}
	values := make([]value, len(places))
	for i, c := range places {
		v, ok := c.value()
		if !ok {
			return nil, false
		}
		if l.cut != nil {
			if v, ok = v.slice(*l.cut); !ok {
				return nil, false
			}
		}
		values[i] = v
	}
	return values, true
}

// selectFrom returns the places that a step selects from one.
func (s step) selectFrom(c cursor) ([]cursor, bool) {
	if s.name != "" {
		m, ok := c.member(s.member)
		return []cursor{m}, ok
	}
	count, ok := c.count()
	if !ok {
		return nil, false
	}
	from, to := 0, 0
	if s.isRange {
		if from, to, ok = s.bounds(count); !ok || to-from > maxRows {
			return nil, false
		}
	} else {
		if from = *s.from; from < 0 {
			from += count
		}
		to = from + 1
	}
	var all []cursor
	for i := from; i < to; i++ {
		item, ok := c.item(i)
		if !ok {
			return nil, false
		}
		all = append(all, item)
	}
	return all, true
}

// cutBytes is the type of bytes that a path cuts out of a value.
var cutBytes = &dataType{kind: bytesType, isDynamic: true}

// slice returns a range of the bytes of a value; of an integer, those of its type, the most significant first.
func (v value) slice(s step) (value, bool) {
	raw := v.bytes
	if v.number != nil {
		if v.number.Sign() < 0 {
			return v, false
		}
		raw = v.number.FillBytes(make([]byte, v.of.size/8))
	}
	from, to, ok := s.bounds(len(raw))
	if !ok {
		return v, false
	}
	return value{of: cutBytes, bytes: raw[from:to]}, true
}
