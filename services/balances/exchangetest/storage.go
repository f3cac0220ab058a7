package exchangetest

import (
	"encoding/hex"
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Storage slots of the pools that trades depend on.
const (
	pairReservesSlot  = 8
	poolPriceSlot     = 0
	poolLiquiditySlot = 4
	poolTicksSlot     = 5
	poolBitmapSlot    = 6
)

// StateV3 is the state of a v3 pool as the contract stores it.
type StateV3 struct {
	// SqrtPrice is Q64.96.
	SqrtPrice, Liquidity *big.Int
	Tick                 int64
	// Ticks are the initialised ticks, with the liquidity that is added when the price rises through them.
	Ticks map[int64]*big.Int
}

// Pair opens a v2 pool without reserves and returns its address.
func (u *Uniswap) Pair(tb testing.TB, a, b string) string {
	tb.Helper()
	pair := [][]byte{evm.Word(evm.MustAddress(a)), evm.Word(evm.MustAddress(b))}
	u.send(tb, u.V2, data("createPair(address,address)", pair...))
	return evm.Address(u.call(tb, u.V2, data("getPair(address,address)", pair...))[12:32]).String()
}

// SetReserves writes the reserves that a pair has stored, in base units. Its token balances are set by [Give].
func (u *Uniswap) SetReserves(tb testing.TB, pair string, reserve0, reserve1 *big.Int) {
	tb.Helper()
	packed := new(big.Int).Or(new(big.Int).Lsh(reserve1, 112), reserve0)
	u.chain.Call(tb, "anvil_setStorageAt", pair, wordHex(big.NewInt(pairReservesSlot)), wordHex(packed))
}

// SwapV2 returns the call that makes a pair pay to an address. It reverts if the pair received too little for that.
func SwapV2(pair string, out0, out1 *big.Int, to string) evm.Call {
	return evm.Call{To: evm.MustAddress(pair), Data: data("swap(uint256,uint256,address,bytes)",
		word(out0), word(out1), evm.Word(evm.MustAddress(to)), word(big.NewInt(128)), word(new(big.Int)))}
}

// EmptyPool opens a v3 pool of any fee (hundredths of a basis point) and spacing, and returns its address.
func (u *Uniswap) EmptyPool(tb testing.TB, a, b string, fee, spacing int64) string {
	tb.Helper()
	if known := u.call(tb, u.V3, data("feeAmountTickSpacing(uint24)", word(big.NewInt(fee)))); new(big.Int).SetBytes(known).Sign() == 0 {
		u.send(tb, u.V3, data("enableFeeAmount(uint24,int24)", word(big.NewInt(fee)), word(big.NewInt(spacing))))
	}
	pool := [][]byte{evm.Word(evm.MustAddress(a)), evm.Word(evm.MustAddress(b)), word(big.NewInt(fee))}
	u.send(tb, u.V3, data("createPool(address,address,uint24)", pool...))
	address := evm.Address(u.call(tb, u.V3, data("getPool(address,address,uint24)", pool...))[12:32]).String()
	u.send(tb, address, data("initialize(uint160)", word(new(big.Int).Lsh(big.NewInt(1), 96))))
	return address
}

// SetState writes the state of an empty pool. The ticks of the state before must be given, so that they are cleared.
func (u *Uniswap) SetState(tb testing.TB, pool string, spacing int64, before, state StateV3) {
	tb.Helper()
	words := map[string]*big.Int{}
	for tick := range before.Ticks {
		words[mappingSlot(tick, poolTicksSlot)] = new(big.Int)
		words[mappingSlot(tick/spacing>>8, poolBitmapSlot)] = new(big.Int)
	}
	for tick := range state.Ticks {
		words[mappingSlot(tick/spacing>>8, poolBitmapSlot)] = new(big.Int)
	}
	for tick, net := range state.Ticks {
		gross := new(big.Int).Abs(net)
		lowered := new(big.Int).Mod(net, new(big.Int).Lsh(big.NewInt(1), 128))
		words[mappingSlot(tick, poolTicksSlot)] = gross.Or(gross, lowered.Lsh(lowered, 128))
		bitmap := words[mappingSlot(tick/spacing>>8, poolBitmapSlot)]
		bitmap.SetBit(bitmap, int(tick/spacing&255), 1)
	}
	for slot, content := range words {
		u.chain.Call(tb, "anvil_setStorageAt", pool, slot, wordHex(content))
	}
	// Behind price and tick: one observation of one, no protocol fee, unlocked.
	packed := new(big.Int).Mod(big.NewInt(state.Tick), big.NewInt(1<<24))
	packed.Lsh(packed, 160).Or(packed, state.SqrtPrice)
	packed.SetBit(packed.SetBit(packed.SetBit(packed, 200, 1), 216, 1), 240, 1)
	u.chain.Call(tb, "anvil_setStorageAt", pool, wordHex(big.NewInt(poolPriceSlot)), wordHex(packed))
	u.chain.Call(tb, "anvil_setStorageAt", pool, wordHex(big.NewInt(poolLiquiditySlot)), wordHex(state.Liquidity))
}

// State reads the state of a pool, without its ticks.
func (u *Uniswap) State(tb testing.TB, pool string) StateV3 {
	tb.Helper()
	slot, liquidity := u.call(tb, pool, data("slot0()")), u.call(tb, pool, data("liquidity()"))
	tick := new(big.Int).SetBytes(slot[32:64])
	if tick.Bit(255) == 1 {
		tick.Sub(tick, new(big.Int).Lsh(big.NewInt(1), 256))
	}
	return StateV3{SqrtPrice: new(big.Int).SetBytes(slot[:32]), Tick: tick.Int64(), Liquidity: new(big.Int).SetBytes(liquidity)}
}

// SwapV3 sells an amount into the v3 pool of a fee, through Uniswap's own router, and returns what was paid; nil if it
// reverts.
func (u *Uniswap) SwapV3(tb testing.TB, fee int64, sold Amount, bought string) *big.Int {
	tb.Helper()
	if u.router == "" {
		u.router = u.create(tb, "v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json", evm.Word(evm.MustAddress(u.V3)), make([]byte, 32))
	}
	Give(tb, u.chain, sold.Token, trader, sold.Units)
	Give(tb, u.chain, bought, trader, new(big.Int))
	u.send(tb, sold.Token, data("approve(address,uint256)", evm.Word(evm.MustAddress(u.router)), word(sold.Units)))
	deadline := big.NewInt(time.Now().Add(24 * time.Hour).Unix())
	swap := data("exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
		evm.Word(evm.MustAddress(sold.Token)), evm.Word(evm.MustAddress(bought)), word(big.NewInt(fee)), evm.Word(evm.MustAddress(trader)),
		word(deadline), word(sold.Units), word(new(big.Int)), word(new(big.Int)))
	call := map[string]string{"from": trader, "to": u.router, "data": "0x" + hex.EncodeToString(swap), "gas": "0xe00000"}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": []any{call, "latest"}})
	if err != nil {
		tb.Fatal(err)
	}
	answer, err := u.chain.Forward(tb.Context(), body)
	if err != nil {
		tb.Fatal(err)
	}
	var result struct{ Result string }
	if err := json.Unmarshal(answer, &result); err != nil || len(result.Result) < 66 {
		return nil
	}
	u.send(tb, u.router, swap)
	return new(big.Int).SetBytes(u.call(tb, bought, data("balanceOf(address)", evm.Word(evm.MustAddress(trader)))))
}

// QuoteV3 returns the call whose answer [QuotedV3] decodes.
func (u *Uniswap) QuoteV3(fee int64, sold Amount, bought string) evm.Call {
	return evm.Call{To: evm.MustAddress(u.quoter), Data: data("quoteExactInputSingle((address,address,uint256,uint24,uint160))",
		evm.Word(evm.MustAddress(sold.Token)), evm.Word(evm.MustAddress(bought)), word(sold.Units), word(big.NewInt(fee)), word(new(big.Int)))}
}

// QuotedV3 decodes what the pool pays, its price afterwards (Q64.96), and how many ticks are crossed; false if the call
// reverted.
func QuotedV3(answer evm.Answer) (out, sqrtPrice *big.Int, crossed int64, ok bool) {
	if !answer.OK || len(answer.Data) < 96 {
		return nil, nil, 0, false
	}
	number := func(i int) *big.Int { return new(big.Int).SetBytes(answer.Data[32*i : 32*i+32]) }
	return number(0), number(1), number(2).Int64(), true
}

// mappingSlot returns the storage slot of a value in a Solidity mapping with integer keys.
func mappingSlot(key, slot int64) string {
	return crypto.Keccak256Hash(word(big.NewInt(key)), word(big.NewInt(slot))).String()
}
