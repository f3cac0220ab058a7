package aggregator

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

// The functions of LI.FI's diamond for swaps on one chain.
const (
	lifiSwapData = "(address,address,address,address,uint256,bytes,bool)"
	lifiOne      = "(bytes32,string,string,address,uint256," + lifiSwapData + ")"
	lifiSeveral  = "(bytes32,string,string,address,uint256," + lifiSwapData + "[])"
)

// LIFI lists the functions of LI.FI's diamond for swaps on one chain.
func LIFI() []Call {
	all := []Call{{calldata.Parse("swapTokensGeneric" + lifiSeveral), lifiTerms(false, nil)}}
	// The names say which side is the native currency.
	for name, native := range map[string][2]bool{"ERC20ToERC20": {}, "ERC20ToNative": {false, true}, "NativeToERC20": {true, false}} {
		all = append(all,
			Call{calldata.Parse("swapTokensSingleV3" + name + lifiOne), lifiTerms(true, &native)},
			Call{calldata.Parse("swapTokensMultipleV3" + name + lifiSeveral), lifiTerms(false, &native)})
	}
	return all
}

// lifiTerms returns the decoder of one function. Native says whether the sold and the bought token are the native currency; nil if the function takes any.
func lifiTerms(single bool, native *[2]bool) func(calldata.Value, *big.Int) (Terms, bool) {
	return func(v calldata.Value, value *big.Int) (Terms, bool) {
		swaps := []calldata.Value{v.At(5)}
		if !single {
			swaps = nil
			for i := range v.At(5).Len() {
				swaps = append(swaps, v.At(5).At(i))
			}
		}
		if len(swaps) == 0 {
			return Terms{}, false
		}
		from, to := swaps[0].At(2).Address(), swaps[len(swaps)-1].At(3).Address()
		amount := lifiDeposits(swaps, single, from)
		if amount != nil && isNative(from) {
			amount = value
		}
		t := Terms{From: from, To: to, Receiver: v.At(3).Address(), Amount: amount, MinOut: v.At(4).Int()}
		fits := native == nil || *native == [2]bool{isNative(from), isNative(to)}
		// The diamond pays the zero address if the receiver is zero.
		return t, amount != nil && fits && t.Receiver != (evm.Address{})
	}
}

// lifiDeposits returns the amount of the sold token that is taken; nil if another token is taken as well.
func lifiDeposits(swaps []calldata.Value, single bool, from evm.Address) *big.Int {
	sum := new(big.Int)
	for _, s := range swaps {
		if !single && !s.At(6).Bool() {
			continue
		}
		if s.At(2).Address() != from {
			return nil
		}
		sum.Add(sum, s.At(4).Int())
	}
	return sum
}

func isNative(a evm.Address) bool { return a == evm.Address{} || a == evm.Native }
