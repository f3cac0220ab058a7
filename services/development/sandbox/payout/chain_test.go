package payout

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
)

func TestAReceiptOfAnotherTransactionSettlesNoPayout(t *testing.T) {
	key, err := account.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for receipt, want := range map[string]outcome{
		`{"transactionHash":"0xAB","status":"0x1"}`: mined,
		`{"transactionHash":"0xab","status":"0x0"}`: reverted,
		`null`: pending,
		`{"transactionHash":"0xcd","status":"0x0"}`: -1,
		`{"status":"0x0"}`:                          -1,
		`{"transactionHash":"0xab"}`:                -1,
	} {
		p := &Payer{Key: key, Connect: func(string) chainclient.Transport {
			return func(context.Context, []byte) ([]byte, error) {
				return []byte(`[{"jsonrpc":"2.0","id":0,"result":"0x0"},{"jsonrpc":"2.0","id":1,"result":` + receipt + `}]`), nil
			}
		}}
		got, _, err := p.look(t.Context(), sqlstore.Payout{Hash: "0xab"})
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%s: %d, %v", receipt, got, err)
		}
	}
}

func TestASolanaPayoutWithoutATreasuryIsRefunded(t *testing.T) {
	p := &Payer{}
	if _, err := p.signSolana(t.Context(), checkout.Checkout{}); !errors.Is(err, errUnpayable) {
		t.Errorf("got %v", err)
	}
}
