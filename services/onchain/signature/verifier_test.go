package signature_test

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

const message = `{"name":"alice.hawser.id","timestamp":1700000000}`

func TestKeySignatureNeedsNoChain(t *testing.T) {
	v := signature.NewVerifier(func(string) chainclient.Transport {
		return func(context.Context, []byte) ([]byte, error) {
			t.Error("the chain was asked")
			return nil, errors.New("no chain here")
		}
	})
	for n := range 50 {
		account := signaturetest.NewAccount(n)
		kind, err := v.Verify(t.Context(), "eip155:1", account.Address(), []byte(message), decode(t, account.Sign(message)))
		if err != nil || kind != signature.Key {
			t.Errorf("account %d: %s, %v", n, kind, err)
		}
		_, err = v.Verify(t.Context(), "eip155:1", account.Address(), []byte(message), decode(t, account.SignHigh(message)))
		if !errors.Is(err, signature.ErrMalformed) {
			t.Errorf("account %d with s in the upper half: %v", n, err)
		}
	}
}

func TestWithoutAChainOnlyKeySignaturesAreValid(t *testing.T) {
	v, account := signature.NewVerifier(nil), signaturetest.NewAccount(1)
	if kind, err := v.Verify(t.Context(), "", account.Address(), []byte(message), decode(t, account.Sign(message))); err != nil || kind != signature.Key {
		t.Errorf("%s, %v", kind, err)
	}
	if _, err := v.Verify(t.Context(), "", account.Address(), []byte(message), decode(t, account.Sign("another text"))); !errors.Is(err, signature.ErrWrong) {
		t.Errorf("another's: %v", err)
	}
}

// The vector is from viem: signMessage of "hello" by account 0 of the test mnemonic.
func TestASignatureOfViem(t *testing.T) {
	account := evm.MustAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
	const signed = "0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c"
	v := signature.NewVerifier(nil)
	if kind, err := v.Verify(t.Context(), "eip155:1", account, []byte("hello"), decode(t, signed)); err != nil || kind != signature.Key {
		t.Errorf("%s, %v", kind, err)
	}
	zeroBased := strings.NewReplacer("1b", "00", "1c", "01").Replace(signed[130:])
	if kind, err := v.Verify(t.Context(), "eip155:1", account, []byte("hello"), decode(t, signed[:130]+zeroBased)); err != nil || kind != signature.Key {
		t.Errorf("v from 0: %s, %v", kind, err)
	}
}

func TestContractSignaturesAreVerifiedOnChain(t *testing.T) {
	chain := devnettest.Start(t).Chains[0]
	other := devnettest.Start(t).Chains[1]
	by := map[string]devnettest.Chain{chain.CAIP2: chain, other.CAIP2: other}
	v := signature.NewVerifier(func(chainID string) chainclient.Transport { return by[chainID].Forward })
	alice, bob := signaturetest.NewAccount(1), signaturetest.NewAccount(2)
	wallet := evm.MustAddress("0x00000000000000000000000000000000000a11ce")
	chain.Call(t, "anvil_setCode", wallet.String(), signaturetest.WalletCode)
	taken := signaturetest.WalletSignature(message)
	undeployed, wrapped := signaturetest.Counterfactual(message)

	for behaviour, tt := range map[string]struct {
		chain     string
		account   evm.Address
		signature []byte
		want      error
	}{
		"a contract accepts it":                                   {chain.CAIP2, wallet, taken, nil},
		"a contract refuses it":                                   {chain.CAIP2, wallet, make([]byte, 32), signature.ErrWrong},
		"the contract is on another chain":                        {other.CAIP2, wallet, taken, signature.ErrWrong},
		"a contract that is not deployed yet accepts it":          {chain.CAIP2, undeployed, wrapped, nil},
		"a deployed one accepts a signature with its factory":     {chain.CAIP2, wallet, wrapped, nil},
		"another contract would be deployed":                      {chain.CAIP2, bob.Address(), wrapped, signature.ErrWrong},
		"the factory is the zero address":                         {chain.CAIP2, undeployed, append(make([]byte, 128), wrapped[len(wrapped)-32:]...), signature.ErrWrong},
		"another account's key":                                   {chain.CAIP2, alice.Address(), decode(t, bob.Sign(message)), signature.ErrWrong},
		"another text":                                            {chain.CAIP2, alice.Address(), decode(t, alice.Sign(message+" ")), signature.ErrWrong},
		"the upper half, shown to a validator that would take it": {chain.CAIP2, alice.Address(), decode(t, alice.SignHigh(message)), signature.ErrMalformed},
		"one byte":          {chain.CAIP2, alice.Address(), []byte{1}, signature.ErrWrong},
		"nothing":           {chain.CAIP2, alice.Address(), nil, signature.ErrMalformed},
		"as long as may be": {chain.CAIP2, alice.Address(), make([]byte, signature.MaxSize), signature.ErrWrong},
		"too long":          {chain.CAIP2, alice.Address(), make([]byte, signature.MaxSize+1), signature.ErrMalformed},
		"no such v":         {chain.CAIP2, alice.Address(), append(decode(t, alice.Sign(message))[:64], 5), signature.ErrWrong},
		"r and s are 0":     {chain.CAIP2, alice.Address(), make([]byte, 65), signature.ErrWrong},
		"nobody's":          {chain.CAIP2, evm.Address{}, make([]byte, 65), signature.ErrWrong},
	} {
		t.Run(behaviour, func(t *testing.T) {
			kind, err := v.Verify(t.Context(), tt.chain, tt.account, []byte(message), tt.signature)
			if !errors.Is(err, tt.want) {
				t.Fatalf("%s, %v; want %v", kind, err, tt.want)
			}
			if tt.want == nil && kind != signature.Contract {
				t.Errorf("kind %s", kind)
			}
		})
	}

	t.Run("verification deploys nothing", func(t *testing.T) {
		if code := chain.Call(t, "eth_getCode", undeployed.String(), "latest"); string(code) != `"0x"` {
			t.Errorf("there is %s", code)
		}
	})
}

func TestUnreachableChainFailsVerification(t *testing.T) {
	for behaviour, answer := range map[string]string{
		"no answer":     ``,
		"a null answer": `[{"jsonrpc":"2.0","id":0,"result":null}]`,
		"a refusal":     `[{"jsonrpc":"2.0","id":0,"error":{"code":-32005,"message":"limit exceeded"}}]`,
	} {
		t.Run(behaviour, func(t *testing.T) {
			v := signature.NewVerifier(func(string) chainclient.Transport {
				return func(context.Context, []byte) ([]byte, error) {
					if answer == "" {
						return nil, errors.New("no node")
					}
					return []byte(answer), nil
				}
			})
			_, err := v.Verify(t.Context(), "eip155:1", signaturetest.NewAccount(1).Address(), []byte(message), []byte{1})
			if !errors.Is(err, signature.ErrUnavailable) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func decode(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
