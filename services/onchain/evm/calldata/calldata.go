// Package calldata reads and writes calls of contracts by the signatures of their functions (Solidity contract ABI). It uses accounts/abi of
// go-ethereum.
package calldata

import (
	"bytes"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// selectorSize is the size of a selector in bytes.
const selectorSize = 4

// Function is a function of a contract, or a custom error.
type Function struct {
	selector []byte
	inputs   abi.Arguments
}

// parsed caches functions by signature. Its size is bounded, because signatures are constants.
var parsed sync.Map

// Parse parses a signature, such as `swap(address,(address,uint256),bytes)`. It panics on an invalid one, because signatures are constants.
func Parse(signature string) Function {
	if f, ok := parsed.Load(signature); ok {
		return f.(Function)
	}
	f := parse(signature)
	parsed.Store(signature, f)
	return f
}

func parse(signature string) Function {
	return Function{crypto.Keccak256([]byte(signature))[:selectorSize:selectorSize], Types(signature[max(strings.IndexByte(signature, '('), 0):]).inputs}
}

// Values is a list of types without a function, such as the results of a function.
type Values struct{ inputs abi.Arguments }

// Types parses types in parentheses, such as `(bytes,address)`. It panics on invalid ones.
func Types(types string) Values {
	function, err := abi.ParseSelector("f" + types)
	if err != nil {
		panic(types + ": " + err.Error())
	}
	inputs := make(abi.Arguments, len(function.Inputs))
	for i, in := range function.Inputs {
		t, err := abi.NewType(in.Type, in.InternalType, in.Components)
		if err != nil {
			panic(types + ": " + err.Error())
		}
		inputs[i] = abi.Argument{Name: in.Name, Type: t}
	}
	return Values{inputs}
}

// Selector returns the first four bytes of the hash of the signature.
func (f Function) Selector() [selectorSize]byte { return [selectorSize]byte(f.selector) }

// Read returns the arguments of a call, and false if data calls another function or does not encode its arguments.
func (f Function) Read(data []byte) (Value, bool) {
	if !bytes.HasPrefix(data, f.selector) {
		return Value{}, false
	}
	return Values{f.inputs}.Read(data[selectorSize:])
}

// Read returns the values that data encodes, and false if it does not encode values of these types, or has far more values than words: offsets of lists in
// lists may refer to one list many times.
func (t Values) Read(data []byte) (Value, bool) {
	if len(t.inputs) == 0 {
		return Value{}, true
	}
	if !isBounded(t.inputs, data) {
		return Value{}, false
	}
	values, err := t.inputs.UnpackValues(data)
	if err != nil {
		return Value{}, false
	}
	return Value{reflect.ValueOf(values)}, true
}

// Write returns the data of a call. Structs are []any; lists are []any or slices; integers are int, uint8 to uint64, [*big.Int] or [*uint256.Int];
// `bytes` and `string` are []byte or string; other types are [common.Address], bool and byte arrays. It panics on values of other types than
// those of the function.
func (f Function) Write(values ...any) []byte {
	return append(bytes.Clone(f.selector), Values{f.inputs}.Write(values...)...)
}

// Write encodes values as [Function.Write] does, without a selector.
func (t Values) Write(values ...any) []byte {
	if len(values) != len(t.inputs) {
		panic(fmt.Sprintf("calldata: %d values for %d", len(values), len(t.inputs)))
	}
	converted := make([]any, len(values))
	for i, v := range values {
		converted[i] = convert(t.inputs[i].Type, v).Interface()
	}
	data, err := t.inputs.PackValues(converted)
	if err != nil {
		panic("calldata: " + err.Error())
	}
	return data
}

// convert returns a value in the form that accounts/abi expects for a type.
func convert(t abi.Type, v any) reflect.Value {
	wanted := t.GetType()
	switch t.T {
	case abi.TupleTy:
		s := reflect.New(wanted).Elem()
		for i, member := range v.([]any) {
			s.Field(i).Set(convert(*t.TupleElems[i], member))
		}
		return s
	case abi.SliceTy:
		from := reflect.ValueOf(v)
		list := reflect.MakeSlice(wanted, from.Len(), from.Len())
		for i := range from.Len() {
			list.Index(i).Set(convert(*t.Elem, from.Index(i).Interface()))
		}
		return list
	case abi.UintTy, abi.IntTy:
		if wanted == reflect.TypeFor[*big.Int]() {
			return reflect.ValueOf(integer(v))
		}
	}
	return reflect.ValueOf(v).Convert(wanted)
}

func integer(v any) *big.Int {
	switch n := v.(type) {
	case *big.Int:
		return n
	case *uint256.Int:
		return n.ToBig()
	case int:
		return big.NewInt(int64(n))
	}
	return new(big.Int).SetUint64(reflect.ValueOf(v).Convert(reflect.TypeFor[uint64]()).Uint())
}

// Value is an argument, or all of them. The signature determines which of its methods apply; the others panic.
type Value struct{ v reflect.Value }

// At returns a member of a struct or a list, or one of the arguments.
func (v Value) At(i int) Value {
	member := v.v
	if member.Kind() == reflect.Struct {
		member = member.Field(i)
	} else {
		member = member.Index(i)
	}
	if member.Kind() == reflect.Interface {
		member = member.Elem()
	}
	return Value{member}
}

// Len returns the number of members of a struct or a list.
func (v Value) Len() int {
	switch v.v.Kind() {
	case reflect.Invalid:
		return 0
	case reflect.Struct:
		return v.v.NumField()
	}
	return v.v.Len()
}

// Address returns an address.
func (v Value) Address() common.Address { return v.v.Interface().(common.Address) }

// Int returns an integer.
func (v Value) Int() *big.Int { return integer(v.v.Interface()) }

// Bool returns a boolean.
func (v Value) Bool() bool { return v.v.Bool() }

// Bytes returns a `bytes`, a `string` or a fixed array of bytes.
func (v Value) Bytes() []byte {
	switch v.v.Kind() {
	case reflect.String:
		return []byte(v.v.String())
	case reflect.Array:
		b := make([]byte, v.v.Len())
		reflect.Copy(reflect.ValueOf(b), v.v)
		return b
	}
	return v.v.Bytes()
}

// Word returns a bytes32.
func (v Value) Word() [32]byte { return v.v.Interface().([32]byte) }
