package evm

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// Runtime code of contracts that misbehave.
const (
	returnsMax      = "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60005260206000f3"
	returnsNothing  = "0x00"
	returnsTooFew   = "0x601f6000f3"
	returnsTooMuch  = "0x6120006000f3"                                                                       // 8 KiB of zeros
	returnsBytes32  = "0x7f4d4b52000000000000000000000000000000000000000000000000000000000060005260206000f3" // "MKR"
	loopsForEver    = "0x5b600056"                                                                           //
	usesAnInvalidOp = "0xfe"                                                                                 //
	revertsWithData = "0x7f080000000000000000000000000000000000000000000000000000000000000060005260206000fd"
)

func allForms() []form {
	return []form{stateOverride{}, initCode{}, multicall{at: Multicall3}, rpcBatch{}}
}

// place deploys code at a new address of the chain.
func place(tb testing.TB, chain devnettest.Chain, n int, code string) Address {
	tb.Helper()
	a := MustAddress(fmt.Sprintf("0x%040x", 0xbad00000+n))
	chain.Call(tb, "anvil_setCode", a.String(), code)
	return a
}

func TestEveryFormReturnsTheSameAnswers(t *testing.T) {
	devnet := devnettest.Start(t)
	chain := devnet.Chain(t, "eip155:31337")
	owner := MustAddress(devnet.Accounts[0].Address)
	odd := MustAddress(devnet.Accounts[5].Address)
	token := func(symbol string) Address { return MustAddress(chain.Token(t, symbol).Address) }
	max := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))

	tokens := []struct {
		name    string
		address Address
		want    string // "" for none
	}{
		{"six decimals", token("tUSD"), "1000000000001"},
		{"burns gas", token("BURN"), ""},
		{"eighteen decimals", token("tDAI"), "1234567000000000000000001"},
		{"thirty-six decimals", token("WIDE"), "1234567890123456789012345678901234567"},
		{"reverts", token("RVRT"), ""},
		{"above 2^128", token("HUGE"), "340282366920938463463374607431768211457"},
		{"returns nothing from transfers", token("tUSDT"), "5000000123"},
		{"2^256-1", place(t, chain, 1, returnsMax), max.String()},
		{"returns nothing", place(t, chain, 2, returnsNothing), ""},
		{"returns 31 bytes", place(t, chain, 3, returnsTooFew), ""},
		{"returns 8 KiB", place(t, chain, 4, returnsTooMuch), "0"},
		{"loops for ever", place(t, chain, 5, loopsForEver), ""},
		{"runs an invalid opcode", place(t, chain, 6, usesAnInvalidOp), ""},
		{"reverts with a word that could be a balance", place(t, chain, 7, revertsWithData), ""},
		{"is not a contract", MustAddress(devnet.Accounts[7].Address), ""},
		{"no decimals, the last one", token("WHOLE"), "7"},
	}
	addresses := make([]Address, len(tokens))
	for i, tok := range tokens {
		addresses[i] = tok.address
	}
	queries := []Query{NativeBalance(odd), TokenBalances(owner, addresses), NativeBalance(MustAddress(devnet.Accounts[9].Address))}

	for _, f := range allForms() {
		t.Run(f.name(), func(t *testing.T) {
			reading, err := readAll(t.Context(), chain.Forward, f, newest, queries)
			if err != nil {
				t.Fatal(err)
			}
			if native, ok := reading.Answers[0][0].Amount(); !ok || native.String() != "1000000000000000001" {
				t.Errorf("native balance: got %v %v, want 1000000000000000001", native, ok)
			}
			if native, ok := reading.Answers[2][0].Amount(); !ok || native.Sign() != 0 {
				t.Errorf("native balance of an empty account: got %v %v, want 0", native, ok)
			}
			for i, tok := range tokens {
				got, ok := reading.Answers[1][i].Amount()
				if ok != (tok.want != "") || ok && got.String() != tok.want {
					t.Errorf("a token that %s: got %v %v, want %q", tok.name, got, ok, tok.want)
				}
			}
			if reading.At.Unix() < 1_600_000_000 {
				t.Errorf("block time: got %v", reading.At)
			}
		})
	}
}

func TestTokenFactsAreReadFromTheContract(t *testing.T) {
	devnet := devnettest.Start(t)
	chain := devnet.Chain(t, "eip155:31337")
	long := chain.Token(t, "ANUNREASONABLYLONGTOKENSYMBOL")
	old := place(t, chain, 8, returnsBytes32)
	targets := []Address{MustAddress(long.Address), old, MustAddress(devnet.Accounts[1].Address)}

	for _, f := range allForms() {
		t.Run(f.name(), func(t *testing.T) {
			reading, err := readAll(t.Context(), chain.Forward, f, newest, TokenFacts(targets))
			if err != nil {
				t.Fatal(err)
			}
			facts := ReadTokenFacts(reading.Answers)
			if facts[0] == nil || facts[0].Symbol != long.Symbol || facts[0].Name != long.Name || facts[0].Decimals != 18 {
				t.Errorf("token: got %+v", facts[0])
			}
			if facts[1] != nil {
				t.Errorf("decimals of 2^255 must not count as a token, got %+v", facts[1])
			}
			if symbol := reading.Answers[0][1].Text(); symbol != "MKR" {
				t.Errorf("bytes32 symbol: got %q, want MKR", symbol)
			}
			if facts[2] != nil {
				t.Errorf("an account is not a token, got %+v", facts[2])
			}
		})
	}
}

func TestAReadingContinuesAfterTheGasLimit(t *testing.T) {
	devnet := devnettest.Start(t)
	chain := devnet.Chain(t, "eip155:31337")
	owner := MustAddress(devnet.Accounts[0].Address)
	burn, good := place(t, chain, 9, usesAnInvalidOp), MustAddress(chain.Token(t, "tUSD").Address)
	var targets []Address
	for range 150 { // 150 x 200,000 gas is the gas limit of the node for one call
		targets = append(targets, burn)
	}
	targets = append(targets, good)

	requests := 0
	counted := func(ctx context.Context, body []byte) ([]byte, error) {
		requests++
		return chain.Forward(ctx, body)
	}
	reading, err := readAll(t.Context(), counted, stateOverride{}, newest, []Query{TokenBalances(owner, targets)})
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := reading.Answers[0][150].Amount(); !ok || got.String() != "1000000000001" {
		t.Errorf("the last token: got %v %v, want 1000000000001", got, ok)
	}
	if requests < 2 {
		t.Errorf("got %d requests: the test no longer reaches the node's gas limit", requests)
	}
}

func TestALargeReadingIsSplitAndJoined(t *testing.T) {
	devnet := devnettest.Start(t)
	chain := devnet.Chain(t, "eip155:31337")
	owner := MustAddress(devnet.Accounts[0].Address)
	tusd, tdai := MustAddress(chain.Token(t, "tUSD").Address), MustAddress(chain.Token(t, "tDAI").Address)
	var targets []Address
	for range 600 {
		targets = append(targets, tusd, tdai)
	}
	for _, f := range allForms() {
		t.Run(f.name(), func(t *testing.T) {
			reading, err := readAll(t.Context(), chain.Forward, f, newest, []Query{TokenBalances(owner, targets), NativeBalance(owner)})
			if err != nil {
				t.Fatal(err)
			}
			for i, a := range reading.Answers[0] {
				want := []string{"1000000000001", "1234567000000000000000001"}[i%2]
				if got, ok := a.Amount(); !ok || got.String() != want {
					t.Fatalf("token %d: got %v %v, want %s", i, got, ok, want)
				}
			}
			if native, ok := reading.Answers[1][0].Amount(); !ok || native.Sign() <= 0 {
				t.Errorf("native balance: got %v %v", native, ok)
			}
		})
	}
}

// refuse returns a node that does not support some forms.
func refuse(send chainclient.Transport, forms ...string) chainclient.Transport {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		text := string(body)
		kind := "init code"
		switch {
		case strings.HasPrefix(text, "["):
			kind = "JSON-RPC batch"
		case strings.Contains(text, programAddress.String()):
			kind = "state override"
		case strings.Contains(text, Multicall3.String()):
			kind = "Multicall3"
		}
		for _, f := range forms {
			if f == kind {
				return json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 0, "error": map[string]any{"code": -32602, "message": "invalid params"}})
			}
		}
		return send(ctx, body)
	}
}

func TestTheFirstSupportedFormIsRemembered(t *testing.T) {
	devnet := devnettest.Start(t)
	chain := devnet.Chain(t, "eip155:31337")
	owner := MustAddress(devnet.Accounts[5].Address)
	refused := []string{}
	for _, f := range allForms() {
		t.Run("a node that supports "+f.name()+" and later forms", func(t *testing.T) {
			requests := 0
			node := refuse(func(ctx context.Context, body []byte) ([]byte, error) {
				requests++
				return chain.Forward(ctx, body)
			}, refused...)
			r := NewReader(func(string) chainclient.Transport { return node })
			for range 2 {
				reading, err := r.Read(t.Context(), chain.CAIP2, []Query{NativeBalance(owner)})
				if err != nil {
					t.Fatal(err)
				}
				if got, ok := reading.Answers[0][0].Amount(); !ok || got.String() != "1000000000000000001" {
					t.Errorf("got %v %v, want 1000000000000000001", got, ok)
				}
			}
			if requests != 2 || r.preferred[chain.CAIP2] != f.name() {
				t.Errorf("%d requests reached the node and %q is remembered; want 2 and %q", requests, r.preferred[chain.CAIP2], f.name())
			}
		})
		refused = append(refused, f.name())
	}
}
