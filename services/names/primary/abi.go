package primary

import "encoding/binary"

// wordSize is the size of what the ABI lays everything out in, in bytes.
const wordSize = 32

// arguments are what a contract returned, of which the first has any length.
type arguments []byte

// bytes is the first one.
func (a arguments) bytes() (b []byte, ok bool) {
	offset, ok := a.size(0)
	if !ok {
		return nil, false
	}
	length, ok := a.size(offset)
	begin := offset + wordSize
	if !ok || length > len(a)-begin {
		return nil, false
	}
	return a[begin : begin+length], true
}

// size is the word at an offset, a number that is no larger than what there is.
func (a arguments) size(offset int) (int, bool) {
	if offset > len(a)-wordSize {
		return 0, false
	}
	word := a[offset : offset+wordSize]
	if [wordSize - 8]byte(word) != [wordSize - 8]byte{} {
		return 0, false
	}
	n := binary.BigEndian.Uint64(word[wordSize-8:])
	if n > uint64(len(a)) {
		return 0, false
	}
	return int(n), true
}

// number spells a number.
func number(n int) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, wordSize-8, wordSize), uint64(n))
}
