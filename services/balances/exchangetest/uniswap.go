package exchangetest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// trader sends every transaction of this package.
const trader = "0x00000000000000000000000000000000007Ade01"

// Uniswap is a deployment of Uniswap v2 and v3.
type Uniswap struct {
	// V2 and V3 are the factories' addresses.
	V2, V3 string

	chain             devnettest.Chain
	positions, quoter string
	// router is deployed by the first swap.
	router string
}

// Amount is an amount of a token, in base units.
type Amount struct {
	Token string
	Units *big.Int
}

// Deploy deploys factories without pools.
func Deploy(tb testing.TB, chain devnettest.Chain) *Uniswap {
	tb.Helper()
	chain.Call(tb, "anvil_setBalance", trader, "0xffffffffffffffffffff")
	chain.Call(tb, "anvil_impersonateAccount", trader)
	u := &Uniswap{chain: chain}
	nothing := make([]byte, 32)
	u.V2 = u.create(tb, "v2-core/build/UniswapV2Factory.json", nothing)
	u.V3 = u.create(tb, "v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json")
	factory := evm.Word(evm.MustAddress(u.V3))
	const periphery = "v3-periphery/artifacts/contracts/"
	u.positions = u.create(tb, periphery+"NonfungiblePositionManager.sol/NonfungiblePositionManager.json", factory, nothing, nothing)
	u.quoter = u.create(tb, periphery+"lens/QuoterV2.sol/QuoterV2.json", factory, nothing)
	return u
}

// PoolV2 opens a pool and fills it.
func (u *Uniswap) PoolV2(tb testing.TB, a, b Amount) {
	tb.Helper()
	pair := [][]byte{evm.Word(evm.MustAddress(a.Token)), evm.Word(evm.MustAddress(b.Token))}
	u.send(tb, u.V2, data("createPair(address,address)", pair...))
	pool := evm.Address(u.call(tb, u.V2, data("getPair(address,address)", pair...))[12:32]).String()
	for _, amount := range []Amount{a, b} {
		Give(tb, u.chain, amount.Token, pool, amount.Units)
	}
	u.send(tb, pool, data("mint(address)", evm.Word(evm.MustAddress(trader))))
}

// PoolV3 opens a pool at the price at which a and b have the same value.
func (u *Uniswap) PoolV3(tb testing.TB, fee int64, a, b Amount) {
	tb.Helper()
	a, b = sorted(a, b)
	root := new(big.Int).Lsh(b.Units, 192)
	root.Sqrt(root.Div(root, a.Units))
	u.send(tb, u.positions, data("createAndInitializePoolIfNecessary(address,address,uint24,uint160)",
		evm.Word(evm.MustAddress(a.Token)), evm.Word(evm.MustAddress(b.Token)), word(big.NewInt(fee)), word(root)))
}

// Position adds up to a and b to a pool between two ticks, in token1 per token0 in base units.
func (u *Uniswap) Position(tb testing.TB, fee int64, a, b Amount, lower, upper int64) {
	tb.Helper()
	a, b = sorted(a, b)
	for _, amount := range []Amount{a, b} {
		Give(tb, u.chain, amount.Token, trader, amount.Units)
		u.send(tb, amount.Token, data("approve(address,uint256)", evm.Word(evm.MustAddress(u.positions)), word(amount.Units)))
	}
	deadline := big.NewInt(time.Now().Add(24 * time.Hour).Unix())
	u.send(tb, u.positions, data("mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))",
		evm.Word(evm.MustAddress(a.Token)), evm.Word(evm.MustAddress(b.Token)), word(big.NewInt(fee)), word(big.NewInt(lower)), word(big.NewInt(upper)),
		word(a.Units), word(b.Units), word(new(big.Int)), word(new(big.Int)), evm.Word(evm.MustAddress(trader)), word(deadline)))
}

// Quote returns what the v3 pool of a fee pays for an amount, by its own calculation.
func (u *Uniswap) Quote(tb testing.TB, fee int64, sold Amount, bought string) *big.Int {
	tb.Helper()
	result := u.call(tb, u.quoter, data("quoteExactInputSingle((address,address,uint256,uint24,uint160))",
		evm.Word(evm.MustAddress(sold.Token)), evm.Word(evm.MustAddress(bought)), word(sold.Units), word(big.NewInt(fee)), word(new(big.Int))))
	return new(big.Int).SetBytes(result[:32])
}

// sorted returns the amounts in the order of their tokens' addresses, as pools do.
func sorted(a, b Amount) (first, second Amount) {
	x, y := evm.MustAddress(a.Token), evm.MustAddress(b.Token)
	if bytes.Compare(x[:], y[:]) < 0 {
		return a, b
	}
	return b, a
}

func data(signature string, words ...[]byte) []byte {
	return append(evm.Selector(signature), bytes.Join(words, nil)...)
}

// word encodes a number as an EVM word, negative ones in two's complement.
func word(n *big.Int) []byte {
	if n.Sign() < 0 {
		n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), 256))
	}
	return n.FillBytes(make([]byte, 32))
}

// create deploys a contract of an npm package and returns its address.
func (u *Uniswap) create(tb testing.TB, artifact string, arguments ...[]byte) string {
	tb.Helper()
	code := append(creationCode(tb, artifact), bytes.Join(arguments, nil)...)
	return u.transact(tb, map[string]string{"data": "0x" + hex.EncodeToString(code)}).ContractAddress
}

func (u *Uniswap) send(tb testing.TB, to string, data []byte) {
	tb.Helper()
	u.transact(tb, map[string]string{"to": to, "data": "0x" + hex.EncodeToString(data)})
}

func (u *Uniswap) call(tb testing.TB, to string, data []byte) []byte {
	tb.Helper()
	var result string
	call := map[string]string{"to": to, "data": "0x" + hex.EncodeToString(data)}
	if err := json.Unmarshal(u.chain.Call(tb, "eth_call", call, "latest"), &result); err != nil {
		tb.Fatal(err)
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(result, "0x"))
	if err != nil || len(raw) < 32 {
		tb.Fatalf("%s answered %s: %v", to, result, err)
	}
	return raw
}

type receipt struct {
	Status          string `json:"status"`
	ContractAddress string `json:"contractAddress"`
	GasUsed         string `json:"gasUsed"`
}

// transact sends a transaction from the trader and waits for its block; it fails the test if it reverted.
func (u *Uniswap) transact(tb testing.TB, transaction map[string]string) receipt {
	tb.Helper()
	transaction["from"] = trader
	r := u.receipt(tb, transaction)
	if r.Status != "0x1" {
		tb.Fatalf("a transaction to %s reverted", transaction["to"])
	}
	return r
}

// receipt sends a transaction and waits for its block.
func (u *Uniswap) receipt(tb testing.TB, transaction map[string]string) receipt {
	tb.Helper()
	transaction["gas"] = "0xe00000"
	hash := u.chain.Call(tb, "eth_sendTransaction", transaction)
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		var r *receipt
		if err := json.Unmarshal(u.chain.Call(tb, "eth_getTransactionReceipt", hash), &r); err != nil {
			tb.Fatal(err)
		}
		if r != nil {
			return *r
		}
	}
	tb.Fatalf("transaction %s was not mined", hash)
	return receipt{}
}

// creationCode reads an artifact of the @uniswap packages.
func creationCode(tb testing.TB, artifact string) []byte {
	tb.Helper()
	root, err := devnettest.Repository()
	if err != nil {
		tb.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "node_modules/@uniswap", artifact))
	if err != nil {
		tb.Fatalf("run `make setup` first: %v", err)
	}
	var parsed struct {
		Bytecode string `json:"bytecode"`
	}
	if err := json.Unmarshal(text, &parsed); err != nil {
		tb.Fatal(err)
	}
	code, err := hex.DecodeString(strings.TrimPrefix(parsed.Bytecode, "0x"))
	if err != nil || len(code) == 0 {
		tb.Fatalf("%s has no code: %v", artifact, err)
	}
	return code
}
