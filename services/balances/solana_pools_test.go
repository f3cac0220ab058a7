package balances

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/balances/solprices"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/svm/pool"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// solanaExchange writes pools that contain tUSD, which is worth a dollar, to the local Solana chain.
type solanaExchange struct {
	tb    testing.TB
	chain *devnettest.Solana
	// vaults is how many vaults were written.
	vaults byte
}

// orcaRoot is the account that the Whirlpools belong to.
var orcaRoot = svm.MustAddress("2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ")

func (x *solanaExchange) mint(symbol string) svm.Address {
	return svm.MustAddress(x.chain.Token(x.tb, symbol).Address)
}

// vault writes a token account and returns its address.
func (x *solanaExchange) vault(mint svm.Address, units uint64) svm.Address {
	x.vaults++
	at, data := svm.Address{0: 77, 31: x.vaults}, make([]byte, 165)
	copy(data, mint[:])
	binary.LittleEndian.PutUint64(data[64:], units)
	data[108] = 1
	x.chain.SetAccount(x.tb, at.String(), svm.TokenProgram.String(), data)
	return at
}

// sorted returns a token and tUSD with their amounts in the order that pools have.
func (x *solanaExchange) sorted(symbol string, units, anchor uint64) (mints [2]svm.Address, reserves [2]uint64) {
	mints, reserves = [2]svm.Address{x.mint(symbol), x.mint("tUSD")}, [2]uint64{units, anchor}
	if bytes.Compare(mints[0][:], mints[1][:]) > 0 {
		mints[0], mints[1], reserves[0], reserves[1] = mints[1], mints[0], reserves[1], reserves[0]
	}
	return mints, reserves
}

// cpmm writes a pool of Raydium's CPMM with a fee of 0.25 %.
func (x *solanaExchange) cpmm(symbol string, units, anchor uint64) {
	mints, reserves := x.sorted(symbol, units, anchor)
	kind, index := svm.KindOf("AmmConfig"), []byte{0, 0}
	config := slices.Concat(kind[:], make([]byte, 56))
	binary.LittleEndian.PutUint64(config[12:], 2_500)
	configAt := svm.Derive(pool.RaydiumCPMM, []byte("amm_config"), index)
	x.chain.SetAccount(x.tb, configAt.String(), pool.RaydiumCPMM.String(), config)
	kind = svm.KindOf("PoolState")
	data := slices.Concat(kind[:], make([]byte, 637-8))
	for offset, a := range map[int]svm.Address{8: configAt, 72: x.vault(mints[0], reserves[0]), 104: x.vault(mints[1], reserves[1]), 168: mints[0], 200: mints[1]} {
		copy(data[offset:], a[:])
	}
	at := pool.Exchange{Program: pool.RaydiumCPMM, Configs: []uint16{0}}.Candidates(mints[0], mints[1])[0]
	x.chain.SetAccount(x.tb, at.String(), pool.RaydiumCPMM.String(), data)
}

// whirlpool writes a pool of Orca without initialized ticks near its price, which is given in base units of tUSD per
// base unit of the token.
func (x *solanaExchange) whirlpool(symbol string, price float64, liquidity, anchor uint64) {
	mints, reserves := x.sorted(symbol, 1, anchor)
	if mints[0] == x.mint("tUSD") {
		price = 1 / price
	}
	kind := svm.KindOf("Whirlpool")
	data := slices.Concat(kind[:], make([]byte, 653-8))
	binary.LittleEndian.PutUint16(data[41:], 64)
	binary.LittleEndian.PutUint16(data[45:], 3_000)
	binary.LittleEndian.PutUint64(data[49:], liquidity)
	whole, part := math.Modf(math.Sqrt(price))
	binary.LittleEndian.PutUint64(data[65:], uint64(part*math.Ldexp(1, 63))<<1)
	binary.LittleEndian.PutUint64(data[73:], uint64(whole))
	binary.LittleEndian.PutUint32(data[81:], uint32(int32(math.Floor(math.Log(price)/math.Log(1.0001)))))
	for offset, a := range map[int]svm.Address{101: mints[0], 133: x.vault(mints[0], reserves[0]), 181: mints[1], 213: x.vault(mints[1], reserves[1])} {
		copy(data[offset:], a[:])
	}
	at := pool.Exchange{Program: pool.Whirlpool, Root: orcaRoot, Configs: []uint16{64}}.Candidates(mints[0], mints[1])[0]
	x.chain.SetAccount(x.tb, at.String(), pool.Whirlpool.String(), data)
}

func TestTokensOfSolanaArePricedByTheirPools(t *testing.T) {
	w := openSolana(t, func(c *Config) {
		chain := devnettest.StartSolana(t)
		c.Solana = map[string]solprices.Chain{chain.CAIP2: {Anchors: []string{chain.Token(t, "tUSD").Address}, Orca: orcaRoot.String()}}
	})
	x := &solanaExchange{tb: t, chain: w.chain}
	x.cpmm("tJUP", 1_000_000e9, 500_000e6)
	x.whirlpool("TAX", 0.02, 1e15, 100_000e6)
	x.cpmm("HUGE", 1_000e5, 100e6)
	res := w.balances(t, &balancesv1.GetBalanceRequest{Address: w.chain.Accounts[0].Address, ChainId: w.chain.CAIP2})
	got := map[string]*balancesv1.Balance{}
	for _, b := range res.GetBalances() {
		got[b.GetSymbol()] = b
	}
	if b := got["tJUP"]; b.GetPrice() != 0.5 || b.GetPriceSource() != "pool" {
		t.Errorf("in a pool of constant product: %v", b)
	}
	if b := got["TAX"]; math.Abs(b.GetPrice()-2) > 1e-6 || b.GetPriceSource() != "pool" {
		t.Errorf("in a pool of concentrated liquidity: %v", b)
	}
	if b := got["HUGE"]; b.PriceSource != nil || b.GetHidden() != "no_liquidity" {
		t.Errorf("in a pool that is not deep enough: %v", b)
	}
}
