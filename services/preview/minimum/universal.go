package minimum

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Commands of Uniswap's UniversalRouter, without the bit that lets one fail, and actions of Uniswap v4.
const (
	mayFail       = 0x80
	commandMask   = 0x7f
	v3ExactIn     = 0x00
	v3ExactOut    = 0x01
	sweep         = 0x04
	v2ExactIn     = 0x08
	v2ExactOut    = 0x09
	unwrap        = 0x0c
	v4Swap        = 0x10
	actionTake    = 0x0e
	actionTakeAll = 0x0f
)

// The arguments of commands and actions.
var (
	v3Arguments      = calldata.Types("(address,uint256,uint256,bytes,bool)")
	v2Arguments      = calldata.Types("(address,uint256,uint256,address[],bool)")
	sweepArguments   = calldata.Types("(address,address,uint256)")
	unwrapArguments  = calldata.Types("(address,uint256)")
	v4Arguments      = calldata.Types("(bytes,bytes[])")
	takeArguments    = calldata.Types("(address,address,uint256)")
	takeAllArguments = calldata.Types("(address,uint256)")
)

// universal returns the functions of the UniversalRouter.
func universal() []function {
	read := func(r *reader, v calldata.Value) {
		commands, inputs := v.At(0).Bytes(), v.At(1)
		count := min(len(commands), inputs.Len())
		if !r.take(count) {
			return
		}
		for i := range count {
			if commands[i]&mayFail == 0 {
				r.command(commands[i]&commandMask, inputs.At(i).Bytes())
			}
		}
	}
	return []function{{calldata.Parse("execute(bytes,bytes[],uint256)"), read}, {calldata.Parse("execute(bytes,bytes[])"), read}}
}

func (r *reader) command(command byte, input []byte) {
	switch command {
	case v3ExactIn, v3ExactOut:
		v, ok := v3Arguments.Read(input)
		if !ok {
			return
		}
		if token, ok := endOf(v.At(3).Bytes(), command == v3ExactOut); ok {
			r.add(token, r.named(v.At(0).Address()), exact(v, command == v3ExactOut))
		}
	case v2ExactIn, v2ExactOut:
		if v, ok := v2Arguments.Read(input); ok && v.At(3).Len() > 0 {
			r.add(v.At(3).At(v.At(3).Len()-1).Address(), r.named(v.At(0).Address()), exact(v, command == v2ExactOut))
		}
	case sweep:
		if v, ok := sweepArguments.Read(input); ok {
			r.add(v.At(0).Address(), r.named(v.At(1).Address()), v.At(2).Int())
		}
	case unwrap:
		if v, ok := unwrapArguments.Read(input); ok {
			r.add(evm.Native, r.named(v.At(0).Address()), v.At(1).Int())
		}
	case v4Swap:
		if v, ok := v4Arguments.Read(input); ok {
			r.actions(v.At(0).Bytes(), v.At(1))
		}
	}
}

// exact returns the exact output of a command, or its least one.
func exact(v calldata.Value, isExactOut bool) *big.Int {
	if isExactOut {
		return v.At(1).Int()
	}
	return v.At(2).Int()
}

// actions reads the actions of Uniswap v4 that pay out.
func (r *reader) actions(actions []byte, parameters calldata.Value) {
	count := min(len(actions), parameters.Len())
	if !r.take(count) {
		return
	}
	for i := range count {
		switch actions[i] {
		case actionTake:
			if v, ok := takeArguments.Read(parameters.At(i).Bytes()); ok {
				r.add(v.At(0).Address(), r.named(v.At(1).Address()), v.At(2).Int())
			}
		case actionTakeAll:
			if v, ok := takeAllArguments.Read(parameters.At(i).Bytes()); ok {
				r.add(v.At(0).Address(), r.account, v.At(1).Int())
			}
		}
	}
}
