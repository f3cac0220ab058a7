package aggregator_test

import (
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/dex/aggregator"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

var (
	sold, bought   = evm.Address{1}, evm.Address{2}
	user, executor = evm.Address{3}, evm.Address{4}
	amount, least  = big.NewInt(1000), big.NewInt(900)
	none, one      = new(big.Int), big.NewInt(1)
	word           [32]byte
)

func write(signature string, values ...any) []byte { return calldata.Parse(signature).Write(values...) }

func oneInch(flags *big.Int) []byte {
	return write("swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)", executor,
		[]any{sold, bought, executor, user, amount, least, flags}, []byte{})
}

func zeroX(target evm.Address, receiver evm.Address) []byte {
	inner := write("execute((address,address,uint256),bytes[],bytes32)", []any{receiver, bought, least}, [][]byte{}, word)
	return write("exec(address,address,uint256,address,bytes)", executor, sold, amount, target, inner)
}

// kyber is SwapDescriptionV2, with a list of amounts that pools receive, of accounts that receive a fee, flags and a permit.
func kyber(sent []any, fees []any, flags *big.Int, permit []byte) []any {
	shares := make([]any, len(fees))
	for i := range shares {
		shares[i] = one
	}
	return []any{sold, bought, []any{executor}, sent, fees, shares, user, amount, least, flags, permit}
}

const kyberDescription = "(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes)"

func kyberSwap(description []any) []byte {
	return write("swap((address,address,bytes,"+kyberDescription+",bytes))", []any{executor, executor, []byte{}, description, []byte{}})
}

func openOcean(flags *big.Int, permit []byte) []byte {
	return write("swap(address,(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes),(uint256,uint256,uint256,bytes)[])",
		executor, []any{sold, bought, executor, user, amount, least, least, flags, executor, permit}, []any{})
}

func velora(quoted, partner *big.Int, permit []byte) []byte {
	return write("swapExactAmountIn(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,bytes)",
		executor, []any{sold, bought, amount, least, quoted, word, user}, partner, permit, []byte{})
}

const lifiArguments = "(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool)"

func lifi(function string, receiver evm.Address, swaps ...any) []byte {
	return write(function+lifiArguments+"[])", word, "", "", receiver, least, swaps)
}

func lifiSwap(from evm.Address, to evm.Address, deposit bool) []any {
	return []any{executor, executor, from, to, amount, []byte{}, deposit}
}

// read decodes a call with the functions of every router.
func read(t *testing.T, data []byte, value *big.Int) (aggregator.Terms, bool) {
	t.Helper()
	for _, call := range aggregator.All() {
		if v, ok := call.Function.Read(data); ok {
			return call.Terms(v, value)
		}
	}
	t.Fatal("no router has this function")
	return aggregator.Terms{}, false
}

func TestTheTermsOfASwapAreRead(t *testing.T) {
	everything := []any{amount}
	for name, data := range map[string][]byte{
		"1inch":                  oneInch(none),
		"0x":                     zeroX(executor, user),
		"KyberSwap":              kyberSwap(kyber(everything, []any{}, none, []byte{})),
		"KyberSwap, simple mode": write("swapSimpleMode(address,"+kyberDescription+",bytes,bytes)", executor, kyber(everything, []any{}, none, []byte{}), []byte{}, []byte{}),
		"OpenOcean":              openOcean(none, []byte{}),
		"Velora":                 velora(least, none, []byte{}),
		"LI.FI":                  lifi("swapTokensGeneric", user, lifiSwap(sold, executor, true), lifiSwap(executor, bought, false)),
		"LI.FI, several":         lifi("swapTokensMultipleV3ERC20ToERC20", user, lifiSwap(sold, bought, true)),
		"LI.FI, one":             write("swapTokensSingleV3ERC20ToERC20"+lifiArguments+")", word, "", "", user, least, lifiSwap(sold, bought, true)),
	} {
		terms, ok := read(t, data, none)
		if !ok || terms.From != sold || terms.To != bought || terms.Receiver != user || terms.Amount.Cmp(amount) != 0 || terms.MinOut.Cmp(least) != 0 || terms.Unbounded != (name == "0x") {
			t.Errorf("%s: read %+v, %t", name, terms, ok)
		}
	}
}

func TestTheNativeCurrencyIsTheValueOfTheCall(t *testing.T) {
	terms, ok := read(t, lifi("swapTokensMultipleV3NativeToERC20", user, lifiSwap(evm.Address{}, bought, true)), big.NewInt(77))
	if !ok || terms.Amount.Int64() != 77 {
		t.Errorf("LI.FI: read %+v, %t", terms, ok)
	}
}

func TestACallThatDoesMoreThanASwapIsRefused(t *testing.T) {
	for name, data := range map[string][]byte{
		"1inch sells a part":                  oneInch(one),
		"0x pays no account":                  zeroX(executor, evm.Address{}),
		"0x gives the amount to another":      zeroX(user, user),
		"KyberSwap sells a part":              kyberSwap(kyber([]any{amount}, []any{}, one, []byte{})),
		"KyberSwap takes a fee":               kyberSwap(kyber([]any{amount}, []any{executor}, none, []byte{})),
		"KyberSwap takes more":                kyberSwap(kyber([]any{amount, one}, []any{}, none, []byte{})),
		"KyberSwap has a permit":              kyberSwap(kyber([]any{amount}, []any{}, none, []byte{1})),
		"OpenOcean sells a part":              openOcean(one, []byte{}),
		"OpenOcean has a permit":              openOcean(none, []byte{1}),
		"Velora takes a fee":                  velora(least, big.NewInt(200), []byte{}),
		"Velora quotes less than is promised": velora(big.NewInt(899), none, []byte{}),
		"Velora has a permit":                 velora(least, none, []byte{1}),
		"LI.FI takes another token":           lifi("swapTokensGeneric", user, lifiSwap(sold, executor, true), lifiSwap(executor, bought, true)),
		"LI.FI swaps nothing":                 lifi("swapTokensGeneric", user, []any{}...),
		"LI.FI pays no account":               lifi("swapTokensGeneric", evm.Address{}, lifiSwap(sold, bought, true)),
		"LI.FI pays ether as a token":         lifi("swapTokensMultipleV3ERC20ToNative", user, lifiSwap(sold, bought, true)),
	} {
		if terms, ok := read(t, data, none); ok {
			t.Errorf("%s: read %+v", name, terms)
		}
	}
}
