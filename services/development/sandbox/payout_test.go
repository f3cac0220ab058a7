package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/payout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/killtest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// child is the replica that a test kills.
type child struct {
	DSN    string
	Config Config
	Devnet []byte
}

func TestMain(m *testing.M) {
	killtest.Main(payUntilKilled)
	goleak.VerifyTestMain(m)
}

// payUntilKilled works as a replica that prints when it is about to send, and then blocks.
func payUntilKilled(ctx context.Context, in *json.Decoder) error {
	var c child
	if err := in.Decode(&c); err != nil {
		return err
	}
	db, err := store.Open(ctx, c.DSN)
	if err != nil {
		return err
	}
	n := &nodes{devnet: &devnettest.Devnet{}}
	if err := json.Unmarshal(c.Devnet, n.devnet); err != nil {
		return err
	}
	n.devnet.Raw = c.Devnet
	refuse := func(body []byte) error {
		if bytes.Contains(body, []byte("eth_sendRawTransaction")) {
			fmt.Fprintln(os.Stdout, "about to send")
			select {}
		}
		return nil
	}
	n.refuse.Store(&refuse)
	s, err := newSandbox(ctx, c.Config, Deps{Chain: chainclient.NewFrom(n, n, clock.System{}), DB: db, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	return s.Work(ctx)
}

func TestAPayoutIsSentOnceAfterAKillBeforeSending(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		w := open(t, storetest.Open(t, dsn))
		p := purchase("tUSD", one)
		id := w.begin(t, p)
		w.submit(t, id, ActionPay, card("4242424242424242"))
		replica := killtest.Start(t, child{DSN: dsn, Config: w.cfg, Devnet: w.devnet.Raw})
		replica.Await(1)
		replica.Kill()

		kept, found, err := w.store.Payout(t.Context(), id)
		if err != nil || !found {
			t.Fatalf("nothing was kept before it was sent: %v", err)
		}
		if got := w.units(t, one, "tUSD", p.Wallets[0].Address); got.Sign() != 0 {
			t.Fatalf("it was sent: %s", got)
		}
		startWork(t, w.Sandbox)
		if c := w.ends(t, id); c.Stage != checkout.Completed || c.Transaction != kept.Hash {
			t.Errorf("it is %s by %s, want that which was kept, %s", c.Stage, c.Transaction, kept.Hash)
		}
		w.wantPaidOnce(t, id)
		if reported := states(w.listener.eventsOf(p.OrderID)); len(reported) != 3 || !slices.Contains(reported, ramp.Paid) {
			t.Errorf("reported as %v: a message was lost", reported)
		}
	})
}

// wantPaidOnce compares what the wallet received with what was bought.
func (w *world) wantPaidOnce(t *testing.T, id string) {
	t.Helper()
	c := w.record(t, id)
	if c.Stage != checkout.Completed {
		t.Fatalf("the checkout is %s (%s)", c.Stage, c.Reason)
	}
	want := checkout.BaseUnits(c.Terms.Purchase, c.Terms.Decimals)
	if got := w.units(t, c.Terms.ChainID, c.Terms.Symbol, c.Wallet); got.Cmp(want) != 0 {
		t.Errorf("the wallet got %s, want %s", got, want)
	}
}

func TestSubmittingTwicePaysOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		startWork(t, w.Sandbox)
		id := w.begin(t, purchase("tUSD", one))
		var presses sync.WaitGroup
		for range 12 {
			presses.Go(func() {
				if page, err := w.Submit(t.Context(), id, ActionPay, card("4242424242424242")); err != nil || page != nil {
					t.Errorf("a press is answered with %s, %v", page, err)
				}
			})
		}
		presses.Wait()
		w.ends(t, id)
		w.submit(t, id, ActionPay, card("4000000000000002"))
		w.submit(t, id, ActionCancel, nil)
		w.wantPaidOnce(t, id)
	})
}

func TestReplicasPayEachCheckoutOnce(t *testing.T) {
	w := open(t, storetest.Open(t, storetest.PostgreSQL(t)))
	for range 3 {
		startWork(t, w.replica(t))
	}
	var ids []string
	for i := range 24 {
		p := purchase("tUSD", one)
		if i%3 == 0 {
			p = purchase("ETH", two)
		}
		ids = append(ids, w.begin(t, p))
	}
	before := w.sent(t, one) + w.sent(t, two)
	for _, id := range ids {
		w.submit(t, id, ActionPay, card("4242424242424242"))
	}
	for _, id := range ids {
		w.ends(t, id)
		w.wantPaidOnce(t, id)
	}
	if got := w.sent(t, one) + w.sent(t, two) - before; got != len(ids) {
		t.Errorf("%d transactions were sent for %d checkouts", got, len(ids))
	}
}

// sent returns how many transactions the treasury has sent.
func (w *world) sent(t *testing.T, chainID string) int {
	t.Helper()
	var count string
	decode(t, w.devnet.Chain(t, chainID).Call(t, "eth_getTransactionCount", treasury(t).Address().String(), "latest"), &count)
	n, _ := new(big.Int).SetString(strings.TrimPrefix(count, "0x"), 16)
	return int(n.Int64())
}

func TestPayoutsAreRepeatedOnARestartedChain(t *testing.T) {
	w := onSQLite(t)
	chain := w.devnet.Chain(t, one)
	var first struct{ Hash string }
	decode(t, chain.Call(t, "eth_getBlockByNumber", "0x0", false), &first)
	other := func(answer []byte) []byte {
		return bytes.ReplaceAll(answer, []byte(first.Hash), []byte("0x"+strings.Repeat("ab", 32)))
	}
	w.nodes.rewrite.Store(&other)
	w.nodes.refuseSends()
	stop := startWork(t, w.Sandbox)
	id := w.begin(t, purchase("tUSD", one))
	w.submit(t, id, ActionPay, card("4242424242424242"))
	before := w.kept(t, id)
	stop()

	w.nodes.rewrite.Store(nil)
	w.nodes.refuse.Store(nil)
	startWork(t, w.replica(t))
	w.ends(t, id)
	if after := w.kept(t, id); after.Genesis != first.Hash || after.Genesis == before.Genesis {
		t.Errorf("it was paid on the chain of %s, after that of %s", after.Genesis, before.Genesis)
	}
	w.wantPaidOnce(t, id)
}

// kept waits for the stored transaction that pays out a checkout.
func (w *world) kept(t *testing.T, id string) (p sqlstore.Payout) {
	t.Helper()
	until(t, "a payout is kept", func() bool {
		var found bool
		var err error
		if p, found, err = w.store.Payout(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return found
	})
	return p
}

func TestAUsedNonceIsReplaced(t *testing.T) {
	w := onSQLite(t)
	w.nodes.refuseSends()
	startWork(t, w.Sandbox)
	id := w.begin(t, purchase("ETH", one))
	w.submit(t, id, ActionPay, card("4242424242424242"))
	before := w.kept(t, id)
	w.sendFromTreasury(t, one)
	w.nodes.refuse.Store(nil)
	w.ends(t, id)
	if after := w.kept(t, id); after.Nonce != before.Nonce+1 {
		t.Errorf("the nonce is %d after %d", after.Nonce, before.Nonce)
	}
	w.wantPaidOnce(t, id)
}

// A node may count the payout's nonce before it returns the receipt: the nonce is used, and by the payout itself.
func TestAPayoutWhoseReceiptComesLateIsNotMadeTwice(t *testing.T) {
	w := onSQLite(t)
	var hidden atomic.Int64
	hide := func(answer []byte) []byte {
		var results []map[string]json.RawMessage
		if json.Unmarshal(answer, &results) != nil {
			return answer
		}
		for _, result := range results {
			if bytes.Contains(result["result"], []byte("cumulativeGasUsed")) {
				hidden.Add(1)
				result["result"] = json.RawMessage("null")
			}
		}
		text, err := json.Marshal(results)
		if err != nil {
			t.Error(err)
		}
		return text
	}
	w.nodes.rewrite.Store(&hide)
	startWork(t, w.Sandbox)
	id := w.begin(t, purchase("ETH", one))
	w.submit(t, id, ActionPay, card("4242424242424242"))
	// Longer than it takes to assume that another transaction used the nonce.
	until(t, "the receipt was looked for", func() bool { return hidden.Load() > 2*payout.StraysAllowed })
	w.nodes.rewrite.Store(nil)
	w.ends(t, id)
	w.wantPaidOnce(t, id)
}

// Nodes that are no archives answer for the states of their last blocks.
func TestAUsedNonceIsReplacedByNodesWithoutOldStates(t *testing.T) {
	w := onSQLite(t)
	w.nodes.refuseSends()
	startWork(t, w.Sandbox)
	id := w.begin(t, purchase("ETH", one))
	w.submit(t, id, ActionPay, card("4242424242424242"))
	before := w.kept(t, id)
	chain := w.devnet.Chain(t, one)
	chain.Call(t, "anvil_mine", "0x40")
	var first string
	decode(t, chain.Call(t, "eth_blockNumber"), &first)
	w.sendFromTreasury(t, one)
	w.nodes.keepStatesFrom(t, first)
	w.ends(t, id)
	if after := w.kept(t, id); after.Nonce != before.Nonce+1 {
		t.Errorf("the nonce is %d after %d", after.Nonce, before.Nonce)
	}
	w.wantPaidOnce(t, id)
}

func TestAPayoutWhoseTransactionWasPrunedEnds(t *testing.T) {
	w := onSQLite(t)
	w.nodes.refuseSends()
	stop := startWork(t, w.Sandbox)
	id := w.begin(t, purchase("ETH", one))
	w.submit(t, id, ActionPay, card("4242424242424242"))
	w.kept(t, id)
	stop()
	w.sendFromTreasury(t, one)
	w.nodes.keepStatesFrom(t, "0xffffffff")
	if err := w.db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE onramp_sandbox_payouts SET strays = $1`, payout.StraysUnexplained-1)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	startWork(t, w.Sandbox)
	next := w.begin(t, purchase("ETH", one))
	w.submit(t, next, ActionPay, card("4242424242424242"))
	if c := w.ends(t, id); c.Stage != checkout.Refunded || c.Reason != checkout.PayoutUnconfirmed {
		t.Errorf("it is %s: %q", c.Stage, c.Reason)
	}
	w.ends(t, next)
	w.wantPaidOnce(t, next)
}

func TestAFailedTransferIsRefunded(t *testing.T) {
	for _, moment := range []string{"before it is signed", "after it is signed"} {
		t.Run(moment, func(t *testing.T) {
			w := onSQLite(t)
			chain := w.devnet.Chain(t, two)
			token := chain.Token(t, "tEUR").Address
			var code string
			decode(t, chain.Call(t, "eth_getCode", token, "latest"), &code)
			// PUSH0 PUSH0 REVERT: every call of the token fails.
			spoil := func() { chain.Call(t, "anvil_setCode", token, "0x5f5ffd") }
			t.Cleanup(func() {
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				defer cancel()
				_, _ = chain.Forward(ctx, []byte(`{"jsonrpc":"2.0","id":1,"method":"anvil_setCode","params":["`+token+`","`+code+`"]}`))
			})
			p := purchase("tEUR", two)
			id := w.begin(t, p)
			if moment == "before it is signed" {
				spoil()
			} else {
				w.nodes.refuseSends()
			}
			startWork(t, w.Sandbox)
			w.submit(t, id, ActionPay, card("4242424242424242"))
			if moment == "after it is signed" {
				w.kept(t, id)
				spoil()
				w.nodes.refuse.Store(nil)
			}
			if c := w.ends(t, id); c.Stage != checkout.Refunded || c.Reason != checkout.PayoutFailed {
				t.Errorf("it is %s: %q", c.Stage, c.Reason)
			}
			if reported := states(w.listener.eventsOf(p.OrderID)); len(reported) != 4 {
				t.Errorf("reported as %v", reported)
			}
		})
	}
}

func TestAnUnreachableChainIsRetriedAndThenRefunded(t *testing.T) {
	w := onSQLite(t)
	var away atomic.Bool
	refuse := func([]byte) error {
		if away.Load() {
			return errors.New("no node answers")
		}
		return nil
	}
	w.nodes.refuse.Store(&refuse)
	waits, gives := w.begin(t, purchase("tUSD", one)), w.begin(t, purchase("tUSD", one))
	away.Store(true)
	startWork(t, w.Sandbox)
	w.submit(t, waits, ActionPay, card("4242424242424242"))
	until(t, "the payout was tried", func() bool { return w.record(t, waits).Due.After(w.record(t, waits).PaidAt) })
	away.Store(false)
	w.ends(t, waits)
	w.wantPaidOnce(t, waits)

	away.Store(true)
	w.submit(t, gives, ActionPay, card("4242424242424242"))
	w.clock.Pass(payout.PrepareFor + time.Second)
	if c := w.ends(t, gives); c.Stage != checkout.Refunded {
		t.Errorf("after %s it is %s", payout.PrepareFor, c.Stage)
	}
}

func TestAChainThatHangsDoesNotDelayThePayoutsOfAnother(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		var hang []string
		for range 2 * stepsAtOnce {
			hang = append(hang, w.begin(t, purchase("ETH", two)))
		}
		pays := w.begin(t, purchase("ETH", one))
		w.nodes.hangs.Store(two)
		for _, id := range hang {
			w.submit(t, id, ActionPay, card("4242424242424242"))
		}
		startWork(t, w.Sandbox)
		w.submit(t, pays, ActionPay, card("4242424242424242"))
		until(t, "the other chain pays", func() bool { return w.record(t, pays).Stage.Ended() })
		w.wantPaidOnce(t, pays)
		if c := w.record(t, hang[0]); c.Stage != checkout.Paid {
			t.Errorf("a payout of the chain that hangs is %s", c.Stage)
		}
	})
}

func TestPayoutsOfAChainThatIsDownAreRefundedTogether(t *testing.T) {
	w := onSQLite(t)
	var ids []string
	for range 30 {
		ids = append(ids, w.begin(t, purchase("ETH", two)))
	}
	w.nodes.hangs.Store(two)
	for _, id := range ids {
		w.submit(t, id, ActionPay, card("4242424242424242"))
	}
	w.clock.Pass(payout.PrepareFor + time.Second)
	startWork(t, w.Sandbox)
	for _, id := range ids {
		if c := w.ends(t, id); c.Stage != checkout.Refunded {
			t.Errorf("it is %s", c.Stage)
		}
	}
}
