package calldata

import (
	"bytes"
	"math/big"
	"strings"

	"github.com/hawser-dev/hawser/services/evm"
)

// kind is a type: a struct where it has members, else what its name says; list makes it a list of them.
type kind struct {
	name    string
	members []kind
	list    bool
}

// parser reads a signature's types.
type parser struct {
	text string
	at   int
}

func (p *parser) kind() kind {
	var k kind
	if p.peek() == '(' {
		for p.at++; ; p.at++ {
			k.members = append(k.members, p.kind())
			if p.peek() != ',' {
				break
			}
		}
		if p.peek() != ')' {
			panic(p.text + ": a struct does not end")
		}
		p.at++
	} else {
		end := p.at + strings.IndexAny(p.text[p.at:], ",)[")
		if end < p.at {
			end = len(p.text)
		}
		k.name = p.text[p.at:end]
		p.at = end
		switch k.name {
		case "address", "bool", "bytes", "bytes32", "string", "uint256":
		default:
			panic(p.text + ": no type " + k.name)
		}
	}
	if strings.HasPrefix(p.text[p.at:], "[]") {
		k.list = true
		p.at += len("[]")
	}
	return k
}

func (p *parser) peek() byte {
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// dynamic says that a value stands behind its neighbours, with an offset in its place.
func (k kind) dynamic() bool {
	if k.list || k.name == "bytes" || k.name == "string" {
		return true
	}
	for _, member := range k.members {
		if member.dynamic() {
			return true
		}
	}
	return false
}

// headSize is what a value takes among its neighbours, in bytes.
func (k kind) headSize() int {
	if k.dynamic() || k.members == nil {
		return wordSize
	}
	size := 0
	for _, member := range k.members {
		size += member.headSize()
	}
	return size
}

// item is what a list is of.
func (k kind) item() kind { return kind{name: k.name, members: k.members} }

// readMembers reads values that stand one after another; offsets count from the beginning of the area.
func readMembers(area []byte, kinds []kind) (Value, bool) {
	v := Value{members: make([]Value, len(kinds))}
	head := 0
	for i, member := range kinds {
		at := head
		if member.dynamic() {
			offset, ok := number(area, head)
			if !ok || offset > len(area) {
				return Value{}, false
			}
			at = offset
		}
		var ok bool
		if at > len(area) {
			return Value{}, false
		}
		if v.members[i], ok = member.read(area[at:]); !ok {
			return Value{}, false
		}
		head += member.headSize()
	}
	return v, true
}

func (k kind) read(area []byte) (Value, bool) {
	switch {
	case k.list:
		length, ok := number(area, 0)
		if !ok || length > len(area)/wordSize {
			return Value{}, false
		}
		kinds := make([]kind, length)
		for i := range kinds {
			kinds[i] = k.item()
		}
		return readMembers(area[wordSize:], kinds)
	case k.members != nil:
		return readMembers(area, k.members)
	case k.name == "bytes" || k.name == "string":
		length, ok := number(area, 0)
		if !ok || length > len(area)-wordSize {
			return Value{}, false
		}
		return Value{content: area[wordSize : wordSize+length]}, true
	case len(area) < wordSize:
		return Value{}, false
	case k.name == "address" && !bytes.Equal(area[:wordSize-addressSize], make([]byte, wordSize-addressSize)):
		return Value{}, false
	}
	return Value{word: area[:wordSize]}, true
}

// number is a word that is an offset or a length: no more than the area can hold.
func number(area []byte, at int) (int, bool) {
	if at+wordSize > len(area) {
		return 0, false
	}
	n := new(big.Int).SetBytes(area[at : at+wordSize])
	if !n.IsInt64() || n.Int64() > int64(len(area)) {
		return 0, false
	}
	return int(n.Int64()), true
}

func writeMembers(kinds []kind, values []any) []byte {
	size := 0
	for _, k := range kinds {
		size += k.headSize()
	}
	var heads, tails []byte
	for i, k := range kinds {
		written := k.write(values[i])
		if k.dynamic() {
			heads = append(heads, word(big.NewInt(int64(size+len(tails))))...)
			tails = append(tails, written...)
		} else {
			heads = append(heads, written...)
		}
	}
	return append(heads, tails...)
}

func (k kind) write(value any) []byte {
	switch v := value.(type) {
	case []any:
		if !k.list {
			return writeMembers(k.members, v)
		}
		kinds := make([]kind, len(v))
		for i := range kinds {
			kinds[i] = k.item()
		}
		return append(word(big.NewInt(int64(len(v)))), writeMembers(kinds, v)...)
	case string:
		return k.write([]byte(v))
	case []byte:
		padded := append(word(big.NewInt(int64(len(v)))), v...)
		return append(padded, make([]byte, (wordSize-len(v)%wordSize)%wordSize)...)
	case evm.Address:
		return evm.Word(v)
	case bool:
		if v {
			return word(big.NewInt(1))
		}
		return word(new(big.Int))
	case [wordSize]byte:
		return v[:]
	default:
		return word(value.(*big.Int))
	}
}

func word(n *big.Int) []byte { return n.FillBytes(make([]byte, wordSize)) }
