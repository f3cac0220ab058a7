package userop_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

const complete = `{"sender":"0x52908400098527886E0F7030069857D2E4169EE7","nonce":"0x01","factory":"0x7702","factoryData":"0x","callData":"0xabcd",
"callGasLimit":"0x5208","verificationGasLimit":"0x1","preVerificationGas":"0x2","maxFeePerGas":"0x3","maxPriorityFeePerGas":"0x4","signature":"0x01",
"eip7702Auth":{"chainId":"0x1","address":"0x52908400098527886E0F7030069857D2E4169EE7","nonce":"0x0","yParity":"0x00","r":"0x1","s":"0x2"}}`

func TestMalformedOperationsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no sender":                  `{}`,
		"a nonce of 33 bytes":        `{"sender":"0x52908400098527886E0F7030069857D2E4169EE7","nonce":"0x` + "1" + "0000000000000000000000000000000000000000000000000000000000000000" + `"}`,
		"a negative fee":             `{"sender":"0x52908400098527886E0F7030069857D2E4169EE7","maxFeePerGas":"0x-1"}`,
		"a number that is not text":  `{"sender":"0x52908400098527886E0F7030069857D2E4169EE7","nonce":1}`,
		"a fee of 16 bytes":          `{"sender":"0x52908400098527886E0F7030069857D2E4169EE7","maxFeePerGas":"0xffffffffffffffffffffffffffffffff"}`,
		"a factory of 19 bytes":      `{"sender":"0x52908400098527886E0F7030069857D2E4169EE7","factory":"0x52908400098527886E0F7030069857D2E4169E"}`,
		"0x7702 without a signature": `{"sender":"0x52908400098527886E0F7030069857D2E4169EE7","factory":"0x7702"}`,
		"odd data":                   `{"sender":"0x52908400098527886E0F7030069857D2E4169EE7","callData":"0xabc"}`,
	} {
		if o, err := userop.Parse(json.RawMessage(text)); err == nil {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(complete)
	f.Fuzz(func(t *testing.T, text string) {
		o, err := userop.Parse(json.RawMessage(text))
		if err != nil {
			return
		}
		encoded, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		again, err := userop.Parse(encoded)
		if err != nil {
			t.Fatalf("%s is parsed and %s is not: %v", text, encoded, err)
		}
		for _, entryPoint := range []evm.Address{userop.EntryPoint07, userop.EntryPoint08} {
			if o.Hash(entryPoint, big.NewInt(1)) != again.Hash(entryPoint, big.NewInt(1)) {
				t.Errorf("%s and %s have different hashes", text, encoded)
			}
		}
	})
}
