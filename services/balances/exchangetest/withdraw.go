package exchangetest

import (
	"math/big"
	"testing"
	"time"
)

// Positions returns how many positions were opened so far.
func (u *Uniswap) Positions(tb testing.TB) int64 {
	tb.Helper()
	return new(big.Int).SetBytes(u.call(tb, u.positions, data("totalSupply()"))[:32]).Int64()
}

// Withdraw removes a share of the liquidity, in percent, from a position. Positions are numbered from 1 in the order of
// [Uniswap.Position].
func (u *Uniswap) Withdraw(tb testing.TB, position, percent int64) {
	tb.Helper()
	id := word(big.NewInt(position))
	held := new(big.Int).SetBytes(u.call(tb, u.positions, data("positions(uint256)", id))[7*32 : 8*32])
	part := held.Div(held.Mul(held, big.NewInt(percent)), big.NewInt(100))
	deadline := big.NewInt(time.Now().Add(24 * time.Hour).Unix())
	u.send(tb, u.positions, data("decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))",
		id, word(part), word(new(big.Int)), word(new(big.Int)), word(deadline)))
}
