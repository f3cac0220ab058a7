package deploy_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/ens/deploy"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

func TestDeploy(t *testing.T) {
	chain := devnettest.Start(t).Chain(t, "eip155:31338")
	payer, signer, next := draw(t), draw(t), draw(t)
	here := new(big.Int).SetUint64(chain.ChainID)
	owner := evm.MustAddress("0x976EA74026E726554dB657fA54763abd0C3a0aa9")

	t.Run("fails where the account cannot pay", func(t *testing.T) {
		if d, err := deploy.Deploy(t.Context(), chain.Forward, here, payer, deploy.Resolver{Owner: owner}); err == nil {
			t.Errorf("%+v", d)
		}
	})

	chain.Call(t, "anvil_setBalance", payer.Address().String(), "0x56bc75e2d63100000")
	t.Run("sends nothing to a node of another chain", func(t *testing.T) {
		_, err := deploy.Deploy(t.Context(), chain.Forward, big.NewInt(1), payer, deploy.Resolver{Owner: owner})
		if wrong, ok := errors.AsType[*deploy.ChainError](err); !ok || wrong.Node.Cmp(here) != 0 {
			t.Errorf("%v", err)
		}
		if sent := string(chain.Call(t, "eth_getTransactionCount", payer.Address().String(), "pending")); sent != `"0x0"` {
			t.Errorf("%s transactions", sent)
		}
	})

	urls := []string{"https://gateway.example/v1/ens/{sender}/{data}.json", strings.Repeat("a", 32), "https://other.example"}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	d, err := deploy.Deploy(ctx, chain.Forward, here, payer, deploy.Resolver{Owner: owner, URLs: urls, Signers: []evm.Address{next.Address(), signer.Address()}})
	if err != nil {
		t.Fatal(err)
	}
	call := func(t *testing.T, data []byte) string {
		t.Helper()
		var answer string
		if err := json.Unmarshal(chain.Call(t, "eth_call", map[string]string{"to": d.Contract.String(), "data": hexutil.Encode(data)}, "latest"), &answer); err != nil {
			t.Fatal(err)
		}
		return answer
	}

	t.Run("sets the owner of the contract", func(t *testing.T) {
		if got := call(t, evm.Selector("owner()")); got != hexutil.Encode(evm.Word(owner)) {
			t.Errorf("%s", got)
		}
	})

	t.Run("sets the gateways of the contract", func(t *testing.T) {
		got := call(t, evm.Selector("urls()"))
		for _, url := range urls {
			if !strings.Contains(got, hexutil.Encode([]byte(url))[2:]) {
				t.Errorf("no %s in %s", url, got)
			}
		}
	})

	t.Run("makes it accept only the answers of its signers", func(t *testing.T) {
		trusted := func(a evm.Address) bool {
			return strings.HasSuffix(call(t, append(evm.Selector("isSigner(address)"), evm.Word(a)...)), "1")
		}
		if !trusted(signer.Address()) || !trusted(next.Address()) || trusted(payer.Address()) {
			t.Error("other signers than were given")
		}
		request, record := []byte("what was asked"), ens.StringRecord("what is answered")
		answer := signer.Answer(d.Contract, request, record, time.Now().Add(time.Hour))
		data := calldata.Parse("resolveWithProof(bytes,bytes)").Write(answer, request)
		if got := call(t, data); got != hexutil.Encode(ens.BytesRecord(record)) {
			t.Errorf("%s", got)
		}
	})
}

func draw(t *testing.T) ens.Key {
	t.Helper()
	key, err := ens.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
