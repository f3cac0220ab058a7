package execution

import (
	"bytes"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/evm"
)

// wordSize is the EVM's word in bytes.
const wordSize = 32

// argument is one value in the encoding of the Solidity contract ABI. What has no fixed size is written behind the words of its
// neighbours, which point to it.
type argument struct {
	encoded []byte
	dynamic bool
}

// encodeCall writes a call of the function with the given signature, such as `approve(address,uint256)`.
func encodeCall(signature string, arguments ...argument) []byte {
	return append(evm.Selector(signature), sequence(arguments)...)
}

// sequence writes heads, then tails; offsets count from its own beginning.
func sequence(items []argument) []byte {
	size := 0
	for _, item := range items {
		size += item.headSize()
	}
	var heads, tails bytes.Buffer
	for _, item := range items {
		if !item.dynamic {
			heads.Write(item.encoded)
			continue
		}
		heads.Write(integer(uint64(size + tails.Len())).encoded)
		tails.Write(item.encoded)
	}
	return append(heads.Bytes(), tails.Bytes()...)
}

func (a argument) headSize() int {
	if a.dynamic {
		return wordSize
	}
	return len(a.encoded)
}

// number is any unsigned integer type.
func number(n *uint256.Int) argument {
	word := n.Bytes32()
	return argument{encoded: word[:]}
}

func integer(n uint64) argument { return number(uint256.NewInt(n)) }

func address(a evm.Address) argument { return argument{encoded: evm.Word(a)} }

// fixed is a bytes32.
func fixed(word [wordSize]byte) argument { return argument{encoded: word[:]} }

// byteString is a `bytes`: its length, then itself, filled up to whole words.
func byteString(b []byte) argument {
	encoded := integer(uint64(len(b))).encoded
	encoded = append(encoded, b...)
	for len(encoded)%wordSize != 0 {
		encoded = append(encoded, 0)
	}
	return argument{encoded: encoded, dynamic: true}
}

// list is a T[]: how many, then they.
func list(items ...argument) argument {
	return argument{encoded: append(integer(uint64(len(items))).encoded, sequence(items)...), dynamic: true}
}

// tuple is a struct.
func tuple(items ...argument) argument {
	t := argument{encoded: sequence(items)}
	for _, item := range items {
		t.dynamic = t.dynamic || item.dynamic
	}
	return t
}

// addresses is an address[].
func addresses(all []evm.Address) argument {
	items := make([]argument, len(all))
	for i, a := range all {
		items[i] = address(a)
	}
	return list(items...)
}

// byteStrings is a bytes[].
func byteStrings(all [][]byte) argument {
	items := make([]argument, len(all))
	for i, b := range all {
		items[i] = byteString(b)
	}
	return list(items...)
}
