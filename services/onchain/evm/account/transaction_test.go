package account_test

import (
	"encoding/hex"
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
)

// vectors are transactions signed by viem 2.57.1.
type vectors struct {
	Key          string
	Address, To  evm.Address
	Transactions []struct {
		Name             string
		ChainID          uint64 `json:"chainId"`
		Nonce, Gas       uint64
		Tip, FeeCap      string
		Value, Data, Raw string
		Hash             string
	}
}

func read(t *testing.T) (v vectors) {
	t.Helper()
	raw, err := os.ReadFile("testdata/viem.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func wei(t *testing.T, text string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		t.Fatalf("%q is not a number", text)
	}
	return n
}

func TestSignaturesAreThoseOfViem(t *testing.T) {
	v := read(t)
	key, err := account.ParseKey(v.Key)
	if err != nil {
		t.Fatal(err)
	}
	if key.Address() != v.Address {
		t.Fatalf("the account is %s, want %s", key.Address(), v.Address)
	}
	for _, want := range v.Transactions {
		t.Run(want.Name, func(t *testing.T) {
			data, err := hex.DecodeString(strings.TrimPrefix(want.Data, "0x"))
			if err != nil {
				t.Fatal(err)
			}
			signed, err := key.SignTransaction(&types.DynamicFeeTx{
				ChainID: new(big.Int).SetUint64(want.ChainID), Nonce: want.Nonce, GasTipCap: wei(t, want.Tip), GasFeeCap: wei(t, want.FeeCap),
				Gas: want.Gas, To: &v.To, Value: wei(t, want.Value), Data: data,
			})
			if err != nil {
				t.Fatal(err)
			}
			raw, err := signed.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if got := hexutil.Encode(raw); got != want.Raw {
				t.Errorf("signed\n%s, want\n%s", got, want.Raw)
			}
			if got := signed.Hash().String(); got != want.Hash {
				t.Errorf("the hash is %s, want %s", got, want.Hash)
			}
		})
	}
}
