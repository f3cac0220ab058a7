// Package calldata reads and writes calls of contracts by the signatures of their functions, in the encoding of the Solidity contract ABI.
package calldata

import (
	"bytes"
	"math/big"

	"github.com/hawser-dev/hawser/services/evm"
)

const (
	selectorSize = 4
	wordSize     = 32
	addressSize  = 20
)

// Function is one function of a contract.
type Function struct {
	selector []byte
	inputs   []kind
}

// Parse reads a signature, such as `swap(address,(address,uint256),bytes)`. Its types are address, bool, bytes, bytes32, string and uint256, and
// structs and lists of them. It panics on any other: signatures are constants.
func Parse(signature string) Function {
	open := bytes.IndexByte([]byte(signature), '(')
	if open <= 0 {
		panic(signature + ": not the signature of a function")
	}
	p := parser{text: signature, at: open}
	inputs := p.kind()
	if p.at != len(signature) || inputs.list {
		panic(signature + ": not the signature of a function")
	}
	return Function{evm.Selector(signature), inputs.members}
}

// Read returns the arguments of a call as the contract would read them; false where it calls another function, or its data are not what the
// function takes.
func (f Function) Read(data []byte) (Value, bool) {
	if !bytes.HasPrefix(data, f.selector) {
		return Value{}, false
	}
	return readMembers(data[selectorSize:], f.inputs)
}

// Write returns the data of a call. Structs and lists are []any; the others are [evm.Address], bool, []byte, [32]byte, string and *big.Int. It
// panics on values of other types than the function's.
func (f Function) Write(values ...any) []byte {
	return append(bytes.Clone(f.selector), writeMembers(f.inputs, values)...)
}

// Value is an argument, or all of them. Which of its methods has an answer, the signature says.
type Value struct {
	word    []byte
	content []byte
	members []Value
}

// At is a member of a struct or a list, or one of the arguments.
func (v Value) At(i int) Value { return v.members[i] }

// Len is how many members a struct or a list has.
func (v Value) Len() int { return len(v.members) }

// Address is an address.
func (v Value) Address() evm.Address { return evm.Address(v.word[wordSize-addressSize:]) }

// Int is a uint256.
func (v Value) Int() *big.Int { return new(big.Int).SetBytes(v.word) }

// Bool is a boolean.
func (v Value) Bool() bool { return v.Int().Sign() != 0 }

// Bytes are a `bytes` or a string.
func (v Value) Bytes() []byte { return v.content }
