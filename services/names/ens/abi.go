package ens

import "encoding/binary"

// wordSize is the size of what the ABI lays everything out in, in bytes.
const wordSize = 32

// arguments are a function's, as the ABI spells them.
type arguments []byte

// word is the argument at a place, or where the argument is to be found.
func (a arguments) word(place int) (word [wordSize]byte, ok bool) {
	return a.wordAt(place * wordSize)
}

func (a arguments) wordAt(offset int) (word [wordSize]byte, ok bool) {
	if offset < 0 || offset > len(a)-wordSize {
		return word, false
	}
	return [wordSize]byte(a[offset:]), true
}

// bytes are the argument of any length at a place.
func (a arguments) bytes(place int) (b []byte, ok bool) {
	word, ok := a.word(place)
	if !ok {
		return nil, false
	}
	offset, ok := a.size(word)
	if !ok {
		return nil, false
	}
	if word, ok = a.wordAt(offset); !ok {
		return nil, false
	}
	length, ok := a.size(word)
	begin := offset + wordSize
	if !ok || length > len(a)-begin {
		return nil, false
	}
	return a[begin : begin+length], true
}

// size is a number that is no larger than what there is.
func (a arguments) size(word [wordSize]byte) (int, bool) {
	if [wordSize - 8]byte(word[:wordSize-8]) != [wordSize - 8]byte{} {
		return 0, false
	}
	n := binary.BigEndian.Uint64(word[wordSize-8:])
	if n > uint64(len(a)) {
		return 0, false
	}
	return int(n), true
}

// number spells a number.
func number(n uint64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, wordSize-8, wordSize), n)
}

// tail spells what has any length: how much it is, and then it, in whole words.
func tail(b []byte) []byte {
	spelled := append(number(uint64(len(b))), b...)
	return append(spelled, make([]byte, (wordSize-len(b)%wordSize)%wordSize)...)
}
