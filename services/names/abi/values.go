package abi

import "encoding/binary"

// WordSize is the size of what everything is laid out in, in bytes.
const WordSize = 32

// Values are arguments, results, or the members of a struct: each a word, or where in them it begins.
type Values []byte

// Word is the value at a place, or where it is to be found.
func (v Values) Word(place int) (word [WordSize]byte, ok bool) {
	if place < 0 || place > len(v)/WordSize-1 {
		return word, false
	}
	return [WordSize]byte(v[place*WordSize:]), true
}

// Bytes are the value of any length at a place: `bytes` or `string`.
func (v Values) Bytes(place int) (b []byte, ok bool) {
	rest, length, ok := v.sized(place)
	if !ok || length > len(rest) {
		return nil, false
	}
	return rest[:length], true
}

// List is the T[] at a place, of values that have any length: how many there are, and they.
func (v Values) List(place int) (items Values, count int, ok bool) {
	rest, count, ok := v.sized(place)
	if !ok || count > len(rest)/WordSize {
		return nil, 0, false
	}
	return rest, count, true
}

// Struct is the struct of any length at a place.
func (v Values) Struct(place int) (members Values, ok bool) {
	word, ok := v.Word(place)
	if !ok {
		return nil, false
	}
	offset, ok := v.size(word)
	if !ok {
		return nil, false
	}
	return v[offset:], true
}

// BytesList is the `bytes[]` or `string[]` at a place.
func (v Values) BytesList(place int) (all [][]byte, ok bool) {
	items, count, ok := v.List(place)
	if !ok {
		return nil, false
	}
	for i := range count {
		item, ok := items.Bytes(i)
		if !ok {
			return nil, false
		}
		all = append(all, item)
	}
	return all, true
}

// sized is what begins at the place with its size, without it.
func (v Values) sized(place int) (rest Values, size int, ok bool) {
	begin, ok := v.Struct(place)
	if !ok {
		return nil, 0, false
	}
	word, ok := begin.Word(0)
	if !ok {
		return nil, 0, false
	}
	size, ok = v.size(word)
	return begin[WordSize:], size, ok
}

// size is a number that is no larger than what there is.
func (v Values) size(word [WordSize]byte) (int, bool) {
	if [WordSize - 8]byte(word[:]) != [WordSize - 8]byte{} {
		return 0, false
	}
	n := binary.BigEndian.Uint64(word[WordSize-8:])
	if n > uint64(len(v)) {
		return 0, false
	}
	return int(n), true
}
