package exchangetest

import (
	"encoding/hex"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Routers are contracts that trade an exchange's pools, and the wrapped currency that they use.
type Routers struct {
	// Wrapped is a WETH9 that holds enough ether for the amounts that [Give] sets.
	Wrapped string
	// Both is a SwapRouter02, First a SwapRouter of v3, V2 a UniswapV2Router02.
	Both, First, V2 string
}

// Routers deploys routers. wrapped is the address of a WETH9; if it is empty, one is deployed.
func (u *Uniswap) Routers(tb testing.TB, wrapped string) Routers {
	tb.Helper()
	r := Routers{Wrapped: wrapped}
	if wrapped == "" {
		r.Wrapped = u.create(tb, "v2-periphery/build/WETH9.json")
		u.chain.Call(tb, "anvil_setBalance", r.Wrapped, "0xffffffffffffffffffffffff")
	}
	weth, v2, v3 := evm.Word(evm.MustAddress(r.Wrapped)), evm.Word(evm.MustAddress(u.V2)), evm.Word(evm.MustAddress(u.V3))
	r.V2 = u.create(tb, "v2-periphery/build/UniswapV2Router02.json", v2, weth)
	r.First = u.create(tb, "v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json", v3, weth)
	r.Both = u.create(tb, "swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json", v2, v3, make([]byte, 32), weth)
	return r
}

// Contract deploys a contract of the @uniswap packages, such as `v2-periphery/build/ERC20.json`, and returns its
// address. Tokens that its constructor mints for its creator belong to the trader, see [Uniswap.Spend].
func (u *Uniswap) Contract(tb testing.TB, artifact string, arguments ...*big.Int) string {
	tb.Helper()
	words := make([][]byte, len(arguments))
	for i, n := range arguments {
		words[i] = word(n)
	}
	return u.create(tb, artifact, words...)
}

// Spend transfers the trader's tokens.
func (u *Uniswap) Spend(tb testing.TB, token, to string, units *big.Int) {
	tb.Helper()
	u.send(tb, token, data("transfer(address,uint256)", evm.Word(evm.MustAddress(to)), word(units)))
}

// Ask makes a call that changes nothing and returns its answer, which has at least one word.
func (u *Uniswap) Ask(tb testing.TB, to, signature string, words ...[]byte) []byte {
	tb.Helper()
	return u.call(tb, to, data(signature, words...))
}

// Transact sends a transaction from any account and returns how much gas it used; ok is false if it reverted.
func (u *Uniswap) Transact(tb testing.TB, from, to string, callData []byte, wei *big.Int) (gas uint64, ok bool) {
	tb.Helper()
	u.chain.Call(tb, "anvil_impersonateAccount", from)
	r := u.receipt(tb, map[string]string{"from": from, "to": to, "data": "0x" + hex.EncodeToString(callData), "value": "0x" + wei.Text(16)})
	used, valid := new(big.Int).SetString(r.GasUsed, 0)
	if !valid {
		tb.Fatalf("gas used: %q", r.GasUsed)
	}
	return used.Uint64(), r.Status == "0x1"
}

// Open opens a v2 pool and fills it: with the trader's own units of the first token, and with units of the second that
// [Give] sets.
func (u *Uniswap) Open(tb testing.TB, spent, given Amount) {
	tb.Helper()
	pair := [][]byte{evm.Word(evm.MustAddress(spent.Token)), evm.Word(evm.MustAddress(given.Token))}
	u.send(tb, u.V2, data("createPair(address,address)", pair...))
	pool := evm.Address(u.call(tb, u.V2, data("getPair(address,address)", pair...))[12:32]).String()
	u.Spend(tb, spent.Token, pool, spent.Units)
	Give(tb, u.chain, given.Token, pool, given.Units)
	u.send(tb, pool, data("mint(address)", evm.Word(evm.MustAddress(trader))))
}
