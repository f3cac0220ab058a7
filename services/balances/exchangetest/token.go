// Package exchangetest deploys tokens and the real contracts of Uniswap on a local chain, for tests. The contracts come
// from npm packages that are development dependencies.
package exchangetest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// Storage slots of the local chains' tokens that the tests write.
const (
	nameSlot    = 0
	symbolSlot  = 1
	balanceSlot = 3
)

var tokens atomic.Int64

// Token deploys a token of eighteen decimals that is not in a list, and returns its address. Name and symbol are at
// most 31 bytes.
func Token(tb testing.TB, chain devnettest.Chain, name, symbol string) string {
	tb.Helper()
	return TokenLike(tb, chain, "tDAI", name, symbol)
}

// TokenLike is [Token] with the code of one of the local chains' tokens.
func TokenLike(tb testing.TB, chain devnettest.Chain, like, name, symbol string) string {
	tb.Helper()
	address := evm.MustAddress(fmt.Sprintf("0x%040x", 0xdecade0000+tokens.Add(1))).String()
	var code string
	if err := json.Unmarshal(chain.Call(tb, "eth_getCode", chain.Token(tb, like).Address, "latest"), &code); err != nil {
		tb.Fatal(err)
	}
	chain.Call(tb, "anvil_setCode", address, code)
	for slot, text := range map[int64]string{nameSlot: name, symbolSlot: symbol} {
		short := append(append([]byte(text), make([]byte, 31-len(text))...), byte(2*len(text)))
		chain.Call(tb, "anvil_setStorageAt", address, wordHex(big.NewInt(slot)), wordHex(new(big.Int).SetBytes(short)))
	}
	return address
}

// Give sets the balance of a holder in one of the local chains' tokens, in base units.
func Give(tb testing.TB, chain devnettest.Chain, token, holder string, units *big.Int) {
	tb.Helper()
	slot := crypto.Keccak256Hash(evm.Word(evm.MustAddress(holder)), evm.Word(evm.Address{19: balanceSlot}))
	chain.Call(tb, "anvil_setStorageAt", token, slot.String(), wordHex(units))
}

// Units returns an amount of whole units in base units.
func Units(whole int64, decimals int64) *big.Int {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil)
	return scale.Mul(scale, big.NewInt(whole))
}

func wordHex(n *big.Int) string { return fmt.Sprintf("0x%064x", n) }
