package minimum_test

import (
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/preview/effect"
	"github.com/hawser-dev/hawser/services/preview/minimum"
	"github.com/hawser-dev/hawser/services/preview/simulation"
)

var (
	me, thief        = evm.Address{1}, evm.Address{2}
	sold, bought     = evm.Address{3}, evm.Address{4}
	router, executor = evm.Address{5}, evm.Address{6}
	amount, least    = big.NewInt(1000), big.NewInt(900)
	deadline         = big.NewInt(9_999_999_999)
	zero             = new(big.Int)
)

// packed is a path of Uniswap v3.
func packed(tokens ...evm.Address) (path []byte) {
	for i, t := range tokens {
		if i > 0 {
			path = append(path, 0, 1, 244)
		}
		path = append(path, t[:]...)
	}
	return path
}

func write(signature string, values ...any) []byte { return calldata.Parse(signature).Write(values...) }

// universal returns a call of the UniversalRouter with one command.
func universal(command byte, types string, values ...any) []byte {
	return write("execute(bytes,bytes[],uint256)", []byte{command}, [][]byte{calldata.Types(types).Write(values...)}, deadline)
}

// v4 returns a call of the UniversalRouter with one action of Uniswap v4.
func v4(action byte, types string, values ...any) []byte {
	return universal(0x10, "(bytes,bytes[])", []byte{action}, [][]byte{calldata.Types(types).Write(values...)})
}

func TestTheLeastThatARouterBringsIsDecoded(t *testing.T) {
	path := []evm.Address{sold, executor, bought}
	const v2, v3 = "(address,uint256,uint256,address[],bool)", "(address,uint256,uint256,bytes,bool)"
	one := evm.Address{19: 1}
	oneInch := func(to evm.Address, flags int64) []byte {
		return write("swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)", executor,
			[]any{sold, bought, executor, to, amount, least, big.NewInt(flags)}, []byte{})
	}
	single := func(to evm.Address) []byte {
		return write("exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", []any{sold, bought, big.NewInt(500), to, amount, least, zero})
	}
	offers := func(to evm.Address, kind uint8, numerator int64) []byte {
		order := []any{thief, evm.Address{}, []any{[]any{kind, bought, zero, big.NewInt(2000), big.NewInt(1800)}}, []any{}, uint8(0), zero, deadline, [32]byte{}, zero, [32]byte{}, zero}
		return write("fulfillAdvancedOrder(((address,address,(uint8,address,uint256,uint256,uint256)[],(uint8,address,uint256,uint256,uint256,address)[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256),uint120,uint120,bytes,bytes),(uint256,uint8,uint256,uint256,bytes32[])[],bytes32,address)",
			[]any{order, big.NewInt(numerator), big.NewInt(2), []byte{}, []byte{}}, []any{}, [32]byte{}, to)
	}
	for name, c := range map[string]struct {
		data []byte
		// want is the least amount of the bought token, or of the native token.
		want, native int64
	}{
		"Uniswap v2":                        {write("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", amount, least, path, me, deadline), 900, 0},
		"Uniswap v2, to another":            {write("swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", amount, least, path, thief, deadline), 0, 0},
		"Uniswap v2, for ether":             {write("swapExactTokensForETH(uint256,uint256,address[],address,uint256)", amount, least, path, me, deadline), 0, 900},
		"Uniswap v2, of ether":              {write("swapExactETHForTokens(uint256,address[],address,uint256)", least, path, me, deadline), 900, 0},
		"Uniswap v2, an exact output":       {write("swapTokensForExactTokens(uint256,uint256,address[],address,uint256)", least, amount, path, me, deadline), 900, 0},
		"Uniswap v3":                        {write("exactInput((bytes,address,uint256,uint256,uint256))", []any{packed(path...), me, deadline, amount, least}), 900, 0},
		"Uniswap v3, an exact output":       {write("exactOutput((bytes,address,uint256,uint256,uint256))", []any{packed(bought, executor, sold), me, deadline, least, amount}), 900, 0},
		"Uniswap v3, an output with a stop": {write("exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))", []any{sold, bought, big.NewInt(500), me, least, amount, big.NewInt(1)}), 0, 0},
		"Algebra":                           {write("exactInputSingle((address,address,address,uint256,uint256,uint256,uint160))", []any{sold, bought, me, deadline, amount, least, zero}), 900, 0},
		"the second router":                 {single(me), 900, 0},
		"the second router, to its caller":  {single(one), 900, 0},
		"the first router has no caller":    {write("exactInput((bytes,address,uint256,uint256,uint256))", []any{packed(path...), one, deadline, amount, least}), 0, 0},
		"several calls":                     {write("multicall(uint256,bytes[])", deadline, [][]byte{single(router), single(me), write("unwrapWETH9(uint256,address)", least, me)}), 900, 900},
		"a fee of a hundredth":              {write("sweepTokenWithFee(address,uint256,address,uint256,address)", bought, amount, me, big.NewInt(100), thief), 990, 0},
		"the universal router, v2":          {universal(0x08, v2, one, amount, least, path, true), 900, 0},
		"the universal router, v3":          {universal(0x00, v3, me, amount, least, packed(path...), true), 900, 0},
		"the universal router, may fail":    {universal(0x80, v3, me, amount, least, packed(path...), true), 0, 0},
		"the universal router, to itself":   {universal(0x00, v3, evm.Address{19: 2}, amount, least, packed(path...), true), 0, 0},
		"the universal router sweeps":       {universal(0x04, "(address,address,uint256)", bought, me, least), 900, 0},
		"the universal router unwraps":      {universal(0x0c, "(address,uint256)", one, least), 0, 900},
		"Uniswap v4":                        {v4(0x0f, "(address,uint256)", bought, least), 900, 0},
		"Uniswap v4, to another":            {v4(0x0e, "(address,address,uint256)", bought, thief, least), 0, 0},
		"1inch":                             {oneInch(me, 0), 900, 0},
		"1inch, to its caller":              {oneInch(evm.Address{}, 0), 900, 0},
		"1inch, to another":                 {oneInch(thief, 0), 0, 0},
		"1inch, a part":                     {oneInch(me, 1), 0, 0},
		"0x, by a contract that is not pinned": {write("exec(address,address,uint256,address,bytes)", executor, sold, amount, executor,
			write("execute((address,address,uint256),bytes[],bytes32)", []any{me, bought, least}, [][]byte{}, [32]byte{})), 0, 0},
		"an order of Seaport":              {offers(evm.Address{}, 1, 1), 900, 0},
		"an order of Seaport, for ether":   {offers(me, 0, 2), 0, 1800},
		"an order of Seaport, to another":  {offers(thief, 1, 1), 0, 0},
		"an order of Seaport, for an item": {offers(me, 2, 1), 0, 0},
		"an unknown function":              {[]byte{1, 2, 3, 4}, 0, 0},
		"nothing":                          {nil, 0, 0},
	} {
		got := minimum.Of(me, simulation.Call{To: &router, Value: zero, Data: c.data})
		for asset, want := range map[effect.Asset]int64{{Kind: effect.ERC20, Contract: bought}: c.want, {Kind: effect.Native}: c.native} {
			if found := got[asset]; (found == nil) != (want == 0) || found != nil && found.Int64() != want {
				t.Errorf("%s: got %v, want %d", name, got, want)
			}
			delete(got, asset)
		}
		if len(got) > 0 {
			t.Errorf("%s: %v is of another asset", name, got)
		}
	}
}
