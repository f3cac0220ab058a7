package abi

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Value is one encoded value. Values of dynamic length follow the head, which has their offsets.
type Value struct {
	encoded []byte
	long    bool
}

// Call encodes a call of a function, such as `addr(bytes32)`.
func Call(function string, arguments ...Value) []byte {
	return append(evm.Selector(function), Encode(arguments...)...)
}

// Encode encodes values; offsets count from the start.
func Encode(values ...Value) []byte {
	heads, tails := make([]byte, 0, len(values)*WordSize), []byte{}
	for _, v := range values {
		if !v.long {
			heads = append(heads, v.encoded...)
			continue
		}
		heads = append(heads, Number(uint64(len(values)*WordSize+len(tails))).encoded...)
		tails = append(tails, v.encoded...)
	}
	return append(heads, tails...)
}

// Word returns a value of 32 bytes, such as bytes32.
func Word(w [WordSize]byte) Value { return Value{encoded: w[:]} }

// Number returns an unsigned integer.
func Number(n uint64) Value {
	return Value{encoded: binary.BigEndian.AppendUint64(make([]byte, WordSize-8, WordSize), n)}
}

// BigNumber returns an unsigned integer below 2^256.
func BigNumber(n *big.Int) Value { return Value{encoded: n.FillBytes(make([]byte, WordSize))} }

// Bool returns a boolean.
func Bool(b bool) Value {
	if b {
		return Number(1)
	}
	return Number(0)
}

// Address returns an account or a contract.
func Address(a evm.Address) Value { return Value{encoded: evm.Word(a)} }

// Selector returns a bytes4.
func Selector(s [4]byte) Value {
	word := [WordSize]byte{}
	copy(word[:], s[:])
	return Word(word)
}

// Bytes returns a `bytes` or a `string`: its length, then its bytes, padded to words.
func Bytes(b []byte) Value {
	rest := make([]byte, (WordSize-len(b)%WordSize)%WordSize)
	return Value{encoded: slices.Concat(Number(uint64(len(b))).encoded, b, rest), long: true}
}

// List returns a T[]: its length, then its items.
func List(items ...Value) Value {
	return Value{encoded: append(Number(uint64(len(items))).encoded, Encode(items...)...), long: true}
}

// BytesList returns a `bytes[]` or a `string[]`.
func BytesList(all [][]byte) Value {
	items := make([]Value, len(all))
	for i, b := range all {
		items[i] = Bytes(b)
	}
	return List(items...)
}

// Struct returns a struct with dynamic members.
func Struct(members ...Value) Value { return Value{encoded: Encode(members...), long: true} }
