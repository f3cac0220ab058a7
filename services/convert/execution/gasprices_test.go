package execution

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// node answers every call of a method with the same result, and refuses methods without one.
func node(answers map[string]string) chainclient.Transport {
	return func(_ context.Context, body []byte) ([]byte, error) {
		var requested []struct {
			ID     int
			Method string
		}
		if err := json.Unmarshal(body, &requested); err != nil {
			return nil, err
		}
		responses := make([]string, len(requested))
		for i, q := range requested {
			outcome := `"error":{"code":-32601,"message":"the method does not exist"}`
			if answer, ok := answers[q.Method]; ok {
				outcome = `"result":` + answer
			}
			responses[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, q.ID, outcome)
		}
		return []byte("[" + strings.Join(responses, ",") + "]"), nil
	}
}

func TestGasPricesRiseWithUrgency(t *testing.T) {
	cases := map[string]struct {
		suggested, history string
		want               [5]uint64 // slow, standard, fast, instant, expected
	}{
		"base fee and tips; an empty block and one of spam do not count": {
			`"0x4a817c800"`,
			`{"oldestBlock":"0x1","baseFeePerGas":["0x1","0x2","0x3","0x4","0x2540be400"],"gasUsedRatio":[0.5,0,0.9,0.5],
			"reward":[["0x1","0x3b9aca00","0x77359400"],["0x0","0x0","0x0"],["0x1","0x3b9aca00","0x77359400"],["0xffffffffff","0xffffffffff","0xffffffffff"]]}`,
			[5]uint64{10_000_000_001, 13_500_000_000, 18_000_000_000, 22_000_000_000, 11_000_000_000},
		},
		"only empty blocks: the tip is the node's suggestion": {
			`"0x4a817c800"`, `{"baseFeePerGas":["0x2540be400","0x2540be400"],"gasUsedRatio":[0],"reward":[["0x0","0x0","0x0"]]}`,
			[5]uint64{20_000_000_000, 22_500_000_000, 26_000_000_000, 30_000_000_000, 20_000_000_000},
		},
		"a suggestion below the base fee": {
			`"0x1"`, `{"baseFeePerGas":["0x64"],"gasUsedRatio":[],"reward":[]}`,
			[5]uint64{100, 125, 160, 200, 100},
		},
		"no base fee":                 {`"0x3b9aca00"`, `{"baseFeePerGas":["0x0","0x0"],"gasUsedRatio":[0.1],"reward":[["0x1","0x1","0x1"]]}`, [5]uint64{1e9, 1e9, 1.25e9, 1.5e9, 1e9}},
		"a history without base fees": {`"0x3b9aca00"`, `{"oldestBlock":"0x1","gasUsedRatio":[0.1]}`, [5]uint64{1e9, 1e9, 1.25e9, 1.5e9, 1e9}},
		"a base fee beyond belief": {
			`"0x3b9aca00"`, `{"baseFeePerGas":["0xffffffffffffffffffffffffffffffffffffffffffffffff"],"gasUsedRatio":[0.5],"reward":[["0x1","0x1","0x1"]]}`,
			[5]uint64{1e9, 1e9, 1.25e9, 1.5e9, 1e9},
		},
		"no history":         {`"0x3b9aca00"`, "", [5]uint64{1e9, 1e9, 1.25e9, 1.5e9, 1e9}},
		"an invalid history": {`"0x3b9aca00"`, `"soon"`, [5]uint64{1e9, 1e9, 1.25e9, 1.5e9, 1e9}},
	}
	for name, c := range cases {
		answers := map[string]string{"eth_gasPrice": c.suggested}
		if c.history != "" {
			answers["eth_feeHistory"] = c.history
		}
		g := NewGasPrices(func(string) chainclient.Transport { return node(answers) })
		p, err := g.On(t.Context(), "eip155:1")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, n := range []*uint256.Int{p.Slow, p.Standard, p.Fast, p.Instant, p.Expected} {
			if n.Uint64() != c.want[i] {
				t.Errorf("%s: price %d of 5 is %s, want %d", name, i+1, n, c.want[i])
			}
		}
	}
	for _, suggested := range []string{`"0x"`, `"0x` + strings.Repeat("f", 60) + `"`, `null`} {
		g := NewGasPrices(func(string) chainclient.Transport { return node(map[string]string{"eth_gasPrice": suggested}) })
		if p, err := g.On(t.Context(), "eip155:1"); err == nil {
			t.Errorf("a node that suggests %s: got %+v, want an error", suggested, p)
		}
	}
}

func TestGasPricesOfARunningChain(t *testing.T) {
	chain := devnettest.Start(t).Chain(t, "eip155:31337")
	var requested atomic.Int32
	g := NewGasPrices(func(string) chainclient.Transport {
		return func(ctx context.Context, body []byte) ([]byte, error) {
			requested.Add(1)
			return chain.Forward(ctx, body)
		}
	})
	for range 3 {
		p, err := g.On(t.Context(), chain.CAIP2)
		if err != nil {
			t.Fatal(err)
		}
		if p.Slow.IsZero() || p.Slow.Gt(p.Standard) || p.Standard.Gt(p.Fast) || p.Fast.Gt(p.Instant) {
			t.Errorf("the prices are not in order: %+v", p)
		}
	}
	if n := requested.Load(); n != 1 {
		t.Errorf("%d requests for what was read a moment ago, want 1", n)
	}
}

func TestAnUnreachableChainHasNoGasPrices(t *testing.T) {
	g := NewGasPrices(func(string) chainclient.Transport {
		return func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no node") }
	})
	if p, err := g.On(t.Context(), "eip155:1"); err == nil {
		t.Errorf("got %+v", p)
	}
}

// TestRollupsChargeForData deploys contracts at the rollups' addresses that return the size of their call data.
func TestRollupsChargeForData(t *testing.T) {
	chain := devnettest.Start(t).Chain(t, "eip155:31338")
	code, err := evm.Assemble("CALLDATASIZE 0x00 MSTORE 0x20 0x00 RETURN", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []evm.Address{oracleOfOptimism, nodeInterface} {
		chain.Call(t, "anvil_setCode", at.String(), hexutil.Encode(code))
	}
	g := NewGasPrices(func(string) chainclient.Transport { return chain.Forward })
	c := Call{To: evm.Native, Data: make([]byte, 100), Value: new(uint256.Int)}
	words := func(b []byte) uint64 { return uint64(len(b)+31) / 32 * 32 }
	for chainID, want := range map[string]DataFee{
		"eip155:8453":  {Wei: uint256.NewInt(2 * (4 + 64 + words(unsigned(8453, c))))},
		"eip155:10":    {Wei: uint256.NewInt(2 * (4 + 64 + words(unsigned(10, c))))},
		"eip155:42161": {Wei: uint256.NewInt(0), Gas: 2 * (4 + 4*32 + words(c.Data))},
		"eip155:1":     {Wei: uint256.NewInt(0)},
	} {
		fee, err := g.DataFee(t.Context(), chainID, []Call{c, c})
		if err != nil || !fee.Wei.Eq(want.Wei) || fee.Gas != want.Gas {
			t.Errorf("%s: got %+v %v, want %+v", chainID, fee, err, want)
		}
	}
}

func TestAPanicWhileGasPricesAreReadIsAnError(t *testing.T) {
	g := NewGasPrices(func(string) chainclient.Transport { panic("broken") })
	if _, err := g.On(t.Context(), "eip155:1"); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("got %v", err)
	}
}
