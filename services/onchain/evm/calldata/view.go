package calldata

import "encoding/binary"

// WordSize is the size of an ABI word, in bytes.
const WordSize = 32

// View reads encoded arguments, results or struct members: for each a word, or the offset of its data. It is for data of contracts that anyone wrote: it checks
// every offset and length, and refers to the data instead of copying them. [Values.Read] copies each item, so that a list of a thousand offsets to one item of
// 1 MB would take a gigabyte.
type View []byte

// Word returns the word at an index.
func (v View) Word(index int) (word [WordSize]byte, ok bool) {
	if index < 0 || index > len(v)/WordSize-1 {
		return word, false
	}
	return [WordSize]byte(v[index*WordSize:]), true
}

// Bytes returns the `bytes` or `string` at an index.
func (v View) Bytes(index int) (b []byte, ok bool) {
	rest, length, ok := v.sized(index)
	if !ok || length > len(rest) {
		return nil, false
	}
	return rest[:length], true
}

// List returns the T[] at an index, where T is dynamic: its items and their number.
func (v View) List(index int) (items View, count int, ok bool) {
	rest, count, ok := v.sized(index)
	if !ok || count > len(rest)/WordSize {
		return nil, 0, false
	}
	return rest, count, true
}

// Struct returns the dynamic struct at an index.
func (v View) Struct(index int) (members View, ok bool) {
	word, ok := v.Word(index)
	if !ok {
		return nil, false
	}
	offset, ok := v.size(word)
	if !ok {
		return nil, false
	}
	return v[offset:], true
}

// BytesList returns the `bytes[]` or `string[]` at an index.
func (v View) BytesList(index int) (all [][]byte, ok bool) {
	items, count, ok := v.List(index)
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

// sized returns the size at the start of a dynamic value, and what follows it.
func (v View) sized(index int) (rest View, size int, ok bool) {
	begin, ok := v.Struct(index)
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

// size decodes a size; false if it exceeds the remaining bytes.
func (v View) size(word [WordSize]byte) (int, bool) {
	if [WordSize - 8]byte(word[:]) != [WordSize - 8]byte{} {
		return 0, false
	}
	n := binary.BigEndian.Uint64(word[WordSize-8:])
	if n > uint64(len(v)) {
		return 0, false
	}
	return int(n), true
}
