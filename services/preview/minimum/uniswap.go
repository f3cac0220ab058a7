package minimum

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// Routers that are newer than the first one of Uniswap v3 accept addresses that stand for their caller and for themselves.
var caller = evm.Address{19: 1}

// named returns the account that an address of a newer router stands for.
func (r *reader) named(to evm.Address) evm.Address {
	if to == caller {
		return r.account
	}
	return to
}

// constantProduct returns the functions of routers of Uniswap v2 and its copies.
func constantProduct() (all []function) {
	// add adds a function by the indexes of its arguments; least is the one of the minimum, or of the exact output.
	add := func(signature string, least, path, to int, getsNative bool) {
		all = append(all, function{calldata.Parse(signature), func(r *reader, v calldata.Value) {
			tokens := v.At(path)
			if tokens.Len() == 0 {
				return
			}
			token := tokens.At(tokens.Len() - 1).Address()
			if getsNative {
				token = evm.Native
			}
			r.add(token, v.At(to).Address(), v.At(least).Int())
		}})
	}
	for _, form := range []string{"", "SupportingFeeOnTransferTokens"} {
		add("swapExactTokensForTokens"+form+"(uint256,uint256,address[],address,uint256)", 1, 2, 3, false)
		for _, native := range []string{"ETH", "AVAX"} {
			add("swapExactTokensFor"+native+form+"(uint256,uint256,address[],address,uint256)", 1, 2, 3, true)
			add("swapExact"+native+"ForTokens"+form+"(uint256,address[],address,uint256)", 0, 1, 2, false)
		}
	}
	add("swapTokensForExactTokens(uint256,uint256,address[],address,uint256)", 0, 2, 3, false)
	for _, native := range []string{"ETH", "AVAX"} {
		add("swapTokensForExact"+native+"(uint256,uint256,address[],address,uint256)", 0, 2, 3, true)
		add("swap"+native+"ForExactTokens(uint256,address[],address,uint256)", 0, 1, 2, false)
	}
	for signature, least := range map[string]int{"swapExactTokensForTokens(uint256,uint256,address[],address)": 1, "swapTokensForExactTokens(uint256,uint256,address[],address)": 0} {
		all = append(all, function{calldata.Parse(signature), func(r *reader, v calldata.Value) {
			if tokens := v.At(2); tokens.Len() > 0 {
				r.add(tokens.At(tokens.Len()-1).Address(), r.named(v.At(3).Address()), v.At(least).Int())
			}
		}})
	}
	return all
}

// concentrated returns the functions of routers of Uniswap v3, of both versions, and of Algebra.
func concentrated() (all []function) {
	add := func(signature string, isNewer bool, read func(v calldata.Value) (token, to evm.Address, least *big.Int)) {
		all = append(all, function{calldata.Parse(signature), func(r *reader, v calldata.Value) {
			token, to, least := read(v.At(0))
			if isNewer {
				to = r.named(to)
			}
			if least != nil {
				r.add(token, to, least)
			}
		}})
	}
	// single adds a function of one pool, by the indexes of its parameters. A limit of the price may end an exact output early.
	single := func(signature string, isNewer bool, to, least, limit int) {
		add(signature, isNewer, func(v calldata.Value) (evm.Address, evm.Address, *big.Int) {
			if limit > 0 && v.At(limit).Int().Sign() != 0 {
				return evm.Address{}, evm.Address{}, nil
			}
			return v.At(1).Address(), v.At(to).Address(), v.At(least).Int()
		})
	}
	const unbound = 0
	single("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", true, 3, 5, unbound)
	single("exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))", true, 3, 4, 6)
	single("exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))", false, 3, 6, unbound)
	single("exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))", false, 3, 5, 7)
	single("exactInputSingle((address,address,address,uint256,uint256,uint256,uint160))", false, 2, 5, unbound)
	path := func(signature string, isNewer, isExactOut bool, least int) {
		add(signature, isNewer, func(v calldata.Value) (evm.Address, evm.Address, *big.Int) {
			token, ok := endOf(v.At(0).Bytes(), isExactOut)
			if !ok {
				return evm.Address{}, evm.Address{}, nil
			}
			return token, v.At(1).Address(), v.At(least).Int()
		})
	}
	path("exactInput((bytes,address,uint256,uint256))", true, false, 3)
	path("exactOutput((bytes,address,uint256,uint256))", true, true, 2)
	path("exactInput((bytes,address,uint256,uint256,uint256))", false, false, 4)
	path("exactOutput((bytes,address,uint256,uint256,uint256))", false, true, 3)
	return all
}

// endOf returns the bought token of a packed path, which is the first one of an exact output.
func endOf(path []byte, isExactOut bool) (evm.Address, bool) {
	const size = len(evm.Address{})
	switch {
	case len(path) < 2*size:
		return evm.Address{}, false
	case isExactOut:
		return evm.Address(path[:size]), true
	default:
		return evm.Address(path[len(path)-size:]), true
	}
}

// feeWhole is 100 percent in basis points.
const feeWhole = 10_000

// payments returns the functions by which routers pay out what they have collected.
func payments() []function {
	less := func(amount, fee *big.Int) *big.Int {
		part := new(big.Int).Sub(big.NewInt(feeWhole), fee)
		if part.Sign() < 0 {
			return new(big.Int)
		}
		part.Mul(part, amount)
		return part.Quo(part, big.NewInt(feeWhole))
	}
	pay := func(signature string, read func(*reader, calldata.Value)) function {
		return function{calldata.Parse(signature), read}
	}
	native := func(r *reader, v calldata.Value) { r.add(evm.Native, v.At(1).Address(), v.At(0).Int()) }
	return []function{
		pay("unwrapWETH9(uint256,address)", native),
		pay("unwrapWNativeToken(uint256,address)", native),
		pay("unwrapWETH9(uint256)", func(r *reader, v calldata.Value) { r.add(evm.Native, r.account, v.At(0).Int()) }),
		pay("unwrapWETH9WithFee(uint256,address,uint256,address)", func(r *reader, v calldata.Value) {
			r.add(evm.Native, v.At(1).Address(), less(v.At(0).Int(), v.At(2).Int()))
		}),
		pay("unwrapWETH9WithFee(uint256,uint256,address)", func(r *reader, v calldata.Value) {
			r.add(evm.Native, r.account, less(v.At(0).Int(), v.At(1).Int()))
		}),
		pay("sweepToken(address,uint256,address)", func(r *reader, v calldata.Value) { r.add(v.At(0).Address(), v.At(2).Address(), v.At(1).Int()) }),
		pay("sweepToken(address,uint256)", func(r *reader, v calldata.Value) { r.add(v.At(0).Address(), r.account, v.At(1).Int()) }),
		pay("sweepTokenWithFee(address,uint256,address,uint256,address)", func(r *reader, v calldata.Value) {
			r.add(v.At(0).Address(), v.At(2).Address(), less(v.At(1).Int(), v.At(3).Int()))
		}),
		pay("sweepTokenWithFee(address,uint256,uint256,address)", func(r *reader, v calldata.Value) {
			r.add(v.At(0).Address(), r.account, less(v.At(1).Int(), v.At(2).Int()))
		}),
	}
}
