package abi

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/evm"
)

// Value is one value as it is spelled; what has any length is behind the words of its neighbours, which point to it.
type Value struct {
	spelled []byte
	long    bool
}

// Call spells a call of a function, such as `addr(bytes32)`.
func Call(function string, arguments ...Value) []byte {
	return append(evm.Selector(function), Encode(arguments...)...)
}

// Encode lays values out; offsets count from their beginning.
func Encode(values ...Value) []byte {
	heads, tails := make([]byte, 0, len(values)*WordSize), []byte{}
	for _, v := range values {
		if !v.long {
			heads = append(heads, v.spelled...)
			continue
		}
		heads = append(heads, Number(uint64(len(values)*WordSize+len(tails))).spelled...)
		tails = append(tails, v.spelled...)
	}
	return append(heads, tails...)
}

// Word is a value of 32 bytes, such as bytes32.
func Word(w [WordSize]byte) Value { return Value{spelled: w[:]} }

// Number is any unsigned integer.
func Number(n uint64) Value {
	return Value{spelled: binary.BigEndian.AppendUint64(make([]byte, WordSize-8, WordSize), n)}
}

// BigNumber is an unsigned integer below 2^256.
func BigNumber(n *big.Int) Value { return Value{spelled: n.FillBytes(make([]byte, WordSize))} }

// Bool is true or false.
func Bool(b bool) Value {
	if b {
		return Number(1)
	}
	return Number(0)
}

// Address is an account or a contract.
func Address(a evm.Address) Value { return Value{spelled: evm.Word(a)} }

// Selector is a bytes4.
func Selector(s [4]byte) Value {
	word := [WordSize]byte{}
	copy(word[:], s[:])
	return Word(word)
}

// Bytes is a `bytes` or a `string`: its length, then itself, in whole words.
func Bytes(b []byte) Value {
	rest := make([]byte, (WordSize-len(b)%WordSize)%WordSize)
	return Value{spelled: slices.Concat(Number(uint64(len(b))).spelled, b, rest), long: true}
}

// List is a T[]: how many, then they.
func List(items ...Value) Value {
	return Value{spelled: append(Number(uint64(len(items))).spelled, Encode(items...)...), long: true}
}

// BytesList is a `bytes[]` or a `string[]`.
func BytesList(all [][]byte) Value {
	items := make([]Value, len(all))
	for i, b := range all {
		items[i] = Bytes(b)
	}
	return List(items...)
}

// Struct is a struct that has members of any length.
func Struct(members ...Value) Value { return Value{spelled: Encode(members...), long: true} }
