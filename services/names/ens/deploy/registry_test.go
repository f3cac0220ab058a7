package deploy_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/ens/deploy"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

func TestAttach(t *testing.T) {
	chain := resolvertest.Start(t)
	payer, nonOwner := draw(t), draw(t)
	for _, key := range []ens.Key{payer, nonOwner} {
		chain.Call(t, "anvil_setBalance", key.Address().String(), "0x56bc75e2d63100000")
	}
	registry := deploy.Registry{Node: chain.Forward, ChainID: new(big.Int).SetUint64(chain.ChainID), Address: chain.Registry}
	chain.Own(t, "attached.deploy", payer.Address())

	t.Run("is permitted only to the zone's owner", func(t *testing.T) {
		if err := registry.MayAttach(t.Context(), payer.Address(), "attached.deploy"); err != nil {
			t.Error(err)
		}
		for zone, owner := range map[string]evm.Address{"attached.deploy": payer.Address(), "nobodys.deploy": {}} {
			err := registry.MayAttach(t.Context(), nonOwner.Address(), zone)
			if e, ok := errors.AsType[*deploy.OwnerError](err); !ok || e.Owner != owner || e.Zone != zone || !strings.Contains(err.Error(), zone) {
				t.Errorf("%s: %v", zone, err)
			}
		}
	})

	t.Run("requires a registry", func(t *testing.T) {
		for what, where := range map[string]evm.Address{"an account": payer.Address(), "another contract": chain.UniversalResolver} {
			other := registry
			other.Address = where
			if err := other.MayAttach(t.Context(), payer.Address(), "attached.deploy"); !errors.Is(err, deploy.ErrRegistry) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})

	resolver := evm.MustAddress("0x976EA74026E726554dB657fA54763abd0C3a0aa9")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	t.Run("makes a contract the zone's resolver", func(t *testing.T) {
		if _, err := registry.Attach(ctx, payer, "attached.deploy", resolver); err != nil {
			t.Fatal(err)
		}
		var word string
		call := map[string]string{"to": chain.Registry.String(), "data": hexutil.Encode(calldata.Parse("resolver(bytes32)").Write(ens.Node("attached.deploy")))}
		if err := json.Unmarshal(chain.Call(t, "eth_call", call, "latest"), &word); err != nil || word != hexutil.Encode(evm.Word(resolver)) {
			t.Errorf("%s, %v", word, err)
		}
	})

	t.Run("sends nothing to another chain, or without need", func(t *testing.T) {
		foreign := registry
		foreign.ChainID = big.NewInt(1)
		if _, err := foreign.Attach(ctx, payer, "attached.deploy", resolver); err == nil {
			t.Error("no error")
		}
		if _, err := registry.Attach(ctx, nonOwner, "attached.deploy", resolver); err == nil {
			t.Error("no error")
		}
		for key, want := range map[ens.Key]string{payer: `"0x1"`, nonOwner: `"0x0"`} {
			if sent := string(chain.Call(t, "eth_getTransactionCount", key.Address().String(), "pending")); sent != want {
				t.Errorf("%s transactions, want %s", sent, want)
			}
		}
	})
}
