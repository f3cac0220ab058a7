package exchangetest

import (
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// permit2Code is the init code of Uniswap's Permit2: Permit2.sol (MIT), as the npm package @uniswap/v4-periphery 1.0.3 has it in lib/permit2, by solc 0.8.17
// with the settings of its foundry.toml (via IR, 1,000,000 runs, no metadata hash). The address below proves it: the factory puts this code alone there
// (EIP-1014).
//
//go:embed permit2.hex
var permit2Code string

const (
	permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
	// permit2Salt is the salt that Permit2 was created with on every chain.
	permit2Salt = "0000000000000000000000000000000000000000d3af2663da51c10215000000"
	// create2Factory is the deterministic deployment proxy, which is part of anvil's genesis.
	create2Factory = "0x4e59b44847b379578588920cA78FbF26c0B4956C"
)

// Permit2 deploys Permit2 unless the chain has it, and returns its address, which is the same on every chain.
func Permit2(tb testing.TB, chain devnettest.Chain) string {
	tb.Helper()
	if hasCode(tb, chain, permit2) {
		return permit2
	}
	init := strings.Join(strings.Fields(permit2Code), "")
	if _, err := hex.DecodeString(init); err != nil {
		tb.Fatal(err)
	}
	chain.Call(tb, "anvil_setBalance", trader, "0xffffffffffffffffffff")
	chain.Call(tb, "anvil_impersonateAccount", trader)
	u := &Uniswap{chain: chain}
	u.transact(tb, map[string]string{"to": create2Factory, "data": "0x" + permit2Salt + init})
	if !hasCode(tb, chain, permit2) {
		tb.Fatal("the code is not that of Permit2: it was created at another address")
	}
	return permit2
}

func hasCode(tb testing.TB, chain devnettest.Chain, address string) bool {
	tb.Helper()
	var code string
	if err := json.Unmarshal(chain.Call(tb, "eth_getCode", address, "latest"), &code); err != nil {
		tb.Fatal(err)
	}
	return len(code) > len("0x")
}
