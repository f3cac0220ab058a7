package clearsign

import (
	"fmt"
	"strconv"
	"strings"
)

// typeKind is the kind of a type of Solidity, or of EIP-712.
type typeKind int

const (
	uintType typeKind = iota + 1
	intType
	addressType
	boolType
	bytesType
	fixedBytesType
	stringType
	structType
	listType
)

const (
	// anyLength is the size of a list type without one.
	anyLength = -1
	// maxWords bounds the size of types that are encoded in place, in words of 32 bytes.
	maxWords = 1024
	// maxParts bounds the members of the types of one function, and maxTypeDepth their nesting.
	maxParts     = 256
	maxTypeDepth = 10
	wordSize     = 32
)

// dataType is the type of an argument, or of all of them.
type dataType struct {
	kind typeKind
	// size is the bits of an integer, the bytes of fixed bytes, or the items of a list.
	size    int
	item    *dataType
	members []typeMember
	// name is that of a struct of EIP-712.
	name string
	// isDynamic reports whether the type is encoded behind an offset, and words is the size of its encoding in place.
	isDynamic bool
	words     int
}

type typeMember struct {
	name string
	of   *dataType
}

// integer reports whether values are numbers.
func (t *dataType) integer() bool { return t.kind == uintType || t.kind == intType }

// isLeaf reports whether values have no parts.
func (t *dataType) isLeaf() bool { return t.kind != structType && t.kind != listType }

// String returns the type as in a signature.
func (t *dataType) String() string {
	switch t.kind {
	case uintType:
		return "uint" + strconv.Itoa(t.size)
	case intType:
		return "int" + strconv.Itoa(t.size)
	case addressType:
		return "address"
	case boolType:
		return "bool"
	case bytesType:
		return "bytes"
	case fixedBytesType:
		return "bytes" + strconv.Itoa(t.size)
	case stringType:
		return "string"
	case listType:
		if t.size == anyLength {
			return t.item.String() + "[]"
		}
		return fmt.Sprintf("%s[%d]", t.item, t.size)
	default:
		if t.name != "" {
			return t.name
		}
		all := make([]string, len(t.members))
		for i, m := range t.members {
			all[i] = m.of.String()
		}
		return "(" + strings.Join(all, ",") + ")"
	}
}

// headWords returns how many words a value of the type takes among its neighbours.
func (t *dataType) headWords() int {
	if t.isDynamic {
		return 1
	}
	return t.words
}

// elementary returns the type of a name such as uint256; false for any other name. Aliases such as uint are none.
func elementary(name string) (*dataType, bool) {
	switch name {
	case "address":
		return &dataType{kind: addressType, words: 1}, true
	case "bool":
		return &dataType{kind: boolType, words: 1}, true
	case "string":
		return &dataType{kind: stringType, isDynamic: true}, true
	case "bytes":
		return &dataType{kind: bytesType, isDynamic: true}, true
	}
	for prefix, kind := range map[string]typeKind{"uint": uintType, "int": intType, "bytes": fixedBytesType} {
		digits, ok := strings.CutPrefix(name, prefix)
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || strconv.Itoa(n) != digits || n <= 0 {
			continue
		}
		if kind == fixedBytesType && n <= wordSize || kind != fixedBytesType && n <= 8*wordSize && n%8 == 0 {
			return &dataType{kind: kind, size: n, words: 1}, true
		}
	}
	return nil, false
}

// listOf returns the type of lists of a type; size is anyLength for those of any length.
func listOf(item *dataType, size int) (*dataType, error) {
	t := &dataType{kind: listType, size: size, item: item, isDynamic: size == anyLength || item.isDynamic}
	if t.isDynamic {
		return t, nil
	}
	if t.words = size * item.words; size > maxWords || t.words > maxWords {
		return nil, fmt.Errorf("the type %s is too large", t)
	}
	return t, nil
}

// structOf returns the type of structs. A struct without members has no encoding.
func structOf(name string, members []typeMember) (*dataType, error) {
	t := &dataType{kind: structType, name: name, members: members}
	seen := map[string]bool{}
	for _, m := range members {
		if m.name != "" && seen[m.name] {
			return nil, fmt.Errorf("the name %q is there twice", m.name)
		}
		seen[m.name] = true
		t.isDynamic = t.isDynamic || m.of.isDynamic
		t.words += m.of.headWords()
	}
	if t.words > maxWords {
		return nil, fmt.Errorf("the type %s is too large", t)
	}
	return t, nil
}

// withSuffixes returns the type of lists by suffixes such as `[][3]`.
func withSuffixes(t *dataType, suffixes string) (*dataType, error) {
	for depth := 0; suffixes != ""; depth++ {
		inside, rest, ok := strings.Cut(strings.TrimPrefix(suffixes, "["), "]")
		if !ok || suffixes[0] != '[' || depth >= maxTypeDepth {
			return nil, fmt.Errorf("%q is no list type", suffixes)
		}
		size := anyLength
		if inside != "" {
			n, err := strconv.Atoi(inside)
			if err != nil || n <= 0 || strconv.Itoa(n) != inside {
				return nil, fmt.Errorf("%q is no length of a list", inside)
			}
			size = n
		}
		var err error
		if t, err = listOf(t, size); err != nil {
			return nil, err
		}
		suffixes = rest
	}
	return t, nil
}
