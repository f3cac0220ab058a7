package activity

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

var (
	executeOne   = calldata.Parse("execute(address,uint256,bytes)")
	executeBatch = calldata.Parse("executeBatch((address,uint256,bytes)[])")
)

// coded is an account that delegates to Simple7702Account.
type coded struct {
	key     account.Key
	address string
}

func (w *world) newCoded(tb testing.TB) coded {
	tb.Helper()
	key, err := account.NewKey(rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	var described struct {
		SmartAccounts struct{ SimpleDelegate evm.Address }
	}
	if err := json.Unmarshal(w.devnet.Describe(w.chain.CAIP2), &described); err != nil {
		tb.Fatal(err)
	}
	c := coded{key, key.Address().String()}
	w.chain.Call(tb, "anvil_impersonateAccount", c.address)
	w.chain.Call(tb, "anvil_setBalance", c.address, "0xde0b6b3a7640000000")
	w.chain.Call(tb, "anvil_setCode", c.address, "0xef0100"+described.SmartAccounts.SimpleDelegate.Hex()[2:])
	return c
}

// bundle returns a transaction of a bundler with an operation of the account.
func (w *world) bundle(tb testing.TB, c coded, nonce uint64, call []byte) map[string]any {
	tb.Helper()
	o := &userop.Operation{
		Sender: c.key.Address(), Nonce: userop.NewQuantity(nonce), CallData: call, CallGasLimit: userop.NewQuantity(200_000),
		VerificationGasLimit: userop.NewQuantity(200_000), PreVerificationGas: userop.NewQuantity(50_000),
		MaxFeePerGas: userop.NewQuantity(3e9), MaxPriorityFeePerGas: userop.NewQuantity(3e9),
	}
	o.Signature = c.key.Sign(o.Hash(userop.EntryPoint08, big.NewInt(31337)))
	o.Signature[64] += 27
	bundler := w.fresh(tb)
	return map[string]any{"from": bundler, "to": userop.EntryPoint08, "data": hexutil.Encode(o.HandleOps(evm.MustAddress(bundler))), "gas": "0xf4240"}
}

// pays is the call of a batch with 4 and 5 wei.
func pays(first, second string) []byte {
	return executeBatch.Write([]any{[]any{evm.MustAddress(first), 4, []byte{}}, []any{evm.MustAddress(second), 5, []byte{}}})
}

const wei = "0.00000000000000000"

// wantRow waits until the account has this one row.
func (w *world) wantRow(tb testing.TB, address, want string) {
	tb.Helper()
	var got string
	eventually(tb, address+" has "+want, func() bool {
		rows := w.request(tb, address, "").GetData()
		got = fmt.Sprint(len(rows), " rows")
		if len(rows) == 1 {
			got = lines(rows[0])
		}
		return got == want
	})
}

func TestAUserOperationIsInTheHistoryOfAllItPays(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		w, late := openOn(t, dsn), open(t)
		c, first, second := w.newCoded(t), w.fresh(t), w.fresh(t)
		for _, a := range []string{c.address, first, second} {
			w.request(t, a, "")
		}
		hash := w.send(t, w.bundle(t, c, 0, pays(first, second)))
		w.head(t)
		for _, read := range []*world{w, late} {
			read.wantRow(t, c.address, "send, out "+wei+"4 ETH, out "+wei+"5 ETH")
			read.wantRow(t, first, "receive, in "+wei+"4 ETH")
			read.wantRow(t, second, "receive, in "+wei+"5 ETH")
			m := read.newest(t, c.address).GetMetadata()
			if m.GetHash() != hash || m.GetSentFrom() != c.address || m.Fee == nil || m.GetFee() == "0" || m.GetStatus() != "confirmed" {
				t.Errorf("%v", m)
			}
			if m := read.newest(t, first).GetMetadata(); m.Fee != nil || m.GetHash() != hash {
				t.Errorf("%v", m)
			}
		}
	})
}

func TestAFailedUserOperationIsAFailedRowOfItsAccount(t *testing.T) {
	w := open(t)
	c, to := w.newCoded(t), w.fresh(t)
	w.request(t, c.address, "")
	w.request(t, to, "")
	tooMuch := new(big.Int).Lsh(big.NewInt(1), 100)
	w.send(t, w.bundle(t, c, 0, executeOne.Write(evm.MustAddress(to), tooMuch, []byte{})))
	w.head(t)
	w.wantRow(t, c.address, "send failed, out 0.000000000000000000 ETH")
	row := w.newest(t, c.address)
	if row.GetMetadata().Fee == nil || row.GetMetadata().GetSentFrom() != c.address || row.GetTransfers()[0].GetRecipient() != to {
		t.Errorf("%v", row)
	}
	if got := w.hashes(t, to); len(got) != 0 {
		t.Errorf("the recipient has %v", got)
	}
}

func TestABatchOfAnAccountWithCodeIsInTheHistoryOfAllItPays(t *testing.T) {
	w, late := open(t), open(t)
	c, first, second := w.newCoded(t), w.fresh(t), w.fresh(t)
	for _, a := range []string{c.address, first, second} {
		w.request(t, a, "")
	}
	w.send(t, map[string]any{"from": c.address, "to": c.address, "data": hexutil.Encode(pays(first, second)), "gas": "0xf4240"})
	w.head(t)
	for _, read := range []*world{w, late} {
		read.wantRow(t, c.address, "send, out "+wei+"4 ETH, out "+wei+"5 ETH")
		read.wantRow(t, first, "receive, in "+wei+"4 ETH")
		read.wantRow(t, second, "receive, in "+wei+"5 ETH")
	}
}

func TestAReorgReplacesTheRowsOfUserOperations(t *testing.T) {
	w := open(t)
	c, first, second := w.newCoded(t), w.fresh(t), w.fresh(t)
	bundle := w.bundle(t, c, 0, pays(first, second))
	for _, a := range []string{c.address, first, second} {
		w.request(t, a, "")
	}
	revert := w.chain.Snapshot(t)
	w.send(t, bundle)
	w.head(t)
	w.wantRow(t, first, "receive, in "+wei+"4 ETH")
	revert(t)
	w.chain.Call(t, "anvil_setNextBlockBaseFeePerGas", "0x12345678")
	w.send(t, w.bundle(t, c, 0, executeOne.Write(evm.MustAddress(second), 7, []byte{})))
	w.pay(t, w.fresh(t), w.fresh(t))
	w.wantRow(t, second, "receive, in "+wei+"7 ETH")
	w.wantRow(t, c.address, "send, out "+wei+"7 ETH")
	eventually(t, "the orphan gone", func() bool { return len(w.hashes(t, first)) == 0 })
}

// TestAnAccountCannotClaimToPayAnother uses an account whose code does nothing and calldata that looks like a payment.
func TestAnAccountCannotClaimToPayAnother(t *testing.T) {
	w := open(t)
	liar, victim := w.fresh(t), w.fresh(t)
	w.chain.Call(t, "anvil_setCode", liar, "0x00")
	w.request(t, victim, "")
	call := hexutil.Encode(executeOne.Write(evm.MustAddress(victim), 1_000_000, []byte{}))
	w.send(t, map[string]any{"from": liar, "to": liar, "data": call, "gas": "0xf4240"})
	known := w.pay(t, w.fresh(t), victim)
	eventually(t, "the real payment", func() bool { return len(w.hashes(t, victim)) > 0 })
	if got := w.hashes(t, victim); !slices.Equal(got, []string{known}) {
		t.Errorf("%v", got)
	}
}
