package calldata

import "github.com/ethereum/go-ethereum/accounts/abi"

// mostPerWord is how many items the lists in data may have for each of its words. An item takes at least a word, unless several offsets refer to it.
const mostPerWord = 4

// isBounded reports whether the lists in data have no more items together than its size allows. Data that does not encode the values counts as bounded: it
// is not read.
func isBounded(inputs abi.Arguments, data []byte) bool {
	c := counter{left: mostPerWord * len(data) / WordSize}
	at := 0
	for _, in := range inputs {
		if !c.value(in.Type, data, at) {
			return false
		}
		at += headSize(in.Type)
	}
	return true
}

// counter counts the items of lists without reading them.
type counter struct{ left int }

// value counts a value whose head is at a place of a frame, which offsets are relative to. It returns false if there are too many items.
func (c *counter) value(t abi.Type, frame View, at int) bool {
	if at > len(frame)-WordSize {
		return true
	}
	if isDynamic(t) {
		word := [WordSize]byte(frame[at:])
		if t.T == abi.ArrayTy {
			clear(word[:WordSize-8]) // accounts/abi does not read them there.
		}
		offset, ok := frame.size(word)
		if !ok {
			return true
		}
		frame, at = frame[offset:], 0
	}
	switch t.T {
	case abi.SliceTy, abi.StringTy:
		word, ok := frame.Word(0)
		length, isWithin := frame.size(word)
		if !ok || !isWithin {
			return true
		}
		if t.T == abi.StringTy {
			// A text is copied.
			return c.take(length / WordSize)
		}
		return c.items(*t.Elem, frame[WordSize:], 0, length)
	case abi.ArrayTy:
		return c.items(*t.Elem, frame, at, t.Size)
	case abi.TupleTy:
		for _, member := range t.TupleElems {
			if !c.value(*member, frame, at) {
				return false
			}
			at += headSize(*member)
		}
	}
	return true
}

func (c *counter) items(of abi.Type, frame View, at, count int) bool {
	if !c.take(count) {
		return false
	}
	if !hasLists(of) {
		return true
	}
	size := headSize(of)
	for range count {
		if !c.value(of, frame, at) {
			return false
		}
		at += size
	}
	return true
}

func (c *counter) take(items int) bool {
	c.left -= items
	return c.left >= 0
}

// hasLists reports whether values of a type have items or texts.
func hasLists(t abi.Type) bool {
	switch t.T {
	case abi.SliceTy, abi.ArrayTy, abi.StringTy:
		return true
	case abi.TupleTy:
		for _, member := range t.TupleElems {
			if hasLists(*member) {
				return true
			}
		}
	}
	return false
}

// isDynamic reports whether values of a type are encoded behind an offset.
func isDynamic(t abi.Type) bool {
	switch t.T {
	case abi.StringTy, abi.BytesTy, abi.SliceTy:
		return true
	case abi.ArrayTy:
		return isDynamic(*t.Elem)
	case abi.TupleTy:
		for _, member := range t.TupleElems {
			if isDynamic(*member) {
				return true
			}
		}
	}
	return false
}

// headSize returns the size in bytes of a value among its neighbours.
func headSize(t abi.Type) int {
	switch {
	case isDynamic(t):
		return WordSize
	case t.T == abi.ArrayTy:
		return t.Size * headSize(*t.Elem)
	case t.T == abi.TupleTy:
		size := 0
		for _, member := range t.TupleElems {
			size += headSize(*member)
		}
		return size
	}
	return WordSize
}
