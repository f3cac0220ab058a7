package transactions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/killtest"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
	"github.com/hawser-dev/hawser/services/webhooks/transactions"
)

func TestMain(m *testing.M) {
	killtest.Main(live)
	devnettest.VerifyNoLeaks(m)
}

const (
	project = "00000000000000000000000000000001"
	other   = "00000000000000000000000000000002"
	chainID = "eip155:31337"
	// pollPause is the pause between two looks at what was told.
	pollPause = 10 * time.Millisecond
)

// network is a local chain, whose blocks are final after a time as the node says.
type network struct {
	chain      devnettest.Chain
	finalAfter time.Duration
	// mostCalls is how many calls the node answers in one body before its answer is too large; 0 for any.
	mostCalls int
	// untagged makes the node refuse the tag finalized.
	untagged bool
	bodies   atomic.Int64
}

func (n *network) Network(_ context.Context, id string) (chainclient.Network, bool, error) {
	return chainclient.Network{ChainID: id, FinalAfter: n.finalAfter}, id == chainID, nil
}

func (n *network) Transport(string) chainclient.Transport {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		n.bodies.Add(1)
		var calls []json.RawMessage
		if err := json.Unmarshal(body, &calls); err == nil && n.mostCalls > 0 && len(calls) > n.mostCalls {
			return tooLarge(len(calls))
		}
		answer, err := n.chain.Forward(ctx, body)
		if err != nil || !n.untagged {
			return answer, err
		}
		return withoutFinalized(body, answer)
	}
}

// tooLarge is the answer to calls whose results are too large together.
func tooLarge(calls int) ([]byte, error) {
	answers := make([]map[string]any, calls)
	for i := range answers {
		answers[i] = map[string]any{"jsonrpc": "2.0", "id": i, "error": jsonrpc.TooLarge("the answer is too large")}
	}
	return json.Marshal(answers)
}

// withoutFinalized replaces the answers to calls for the finalized block by errors.
func withoutFinalized(body, answer []byte) ([]byte, error) {
	var calls []struct {
		ID     int
		Params []json.RawMessage
	}
	var answers []map[string]any
	if err := errors.Join(json.Unmarshal(body, &calls), json.Unmarshal(answer, &answers)); err != nil {
		return nil, err
	}
	for _, c := range calls {
		if string(c.Params[0]) == `"finalized"` {
			for _, a := range answers {
				if a["id"] == float64(c.ID) {
					delete(a, "result")
					a["error"] = map[string]any{"code": -32602, "message": "invalid block tag"}
				}
			}
		}
	}
	return json.Marshal(answers)
}

// told is a transaction that was told.
type told struct {
	transactions.Followed
	transactions.Result
}

// world is a follower on a local chain.
type world struct {
	t     *testing.T
	db    *store.DB
	store *transactions.Store
	net   *network
	clock *clocktest.Stopped
	// tell is called before a transaction counts as told.
	tell func() error

	mu   sync.Mutex
	told []told
	run  *transactions.Follower
	stop func()
}

func newWorld(t *testing.T, db *store.DB, finalAfter time.Duration) *world {
	t.Helper()
	if _, err := deliveries.NewStore(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, db: db, store: transactions.NewStore(db), net: &network{chain: devnettest.Start(t).Chain(t, chainID), finalAfter: finalAfter},
		clock: clocktest.StoppedAt(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)), tell: func() error { return nil },
	}
	w.run, w.stop = w.start()
	return w
}

// start starts a follower, as a replica would.
func (w *world) start() (*transactions.Follower, func()) {
	ctx, cancel := context.WithCancel(w.t.Context())
	f := transactions.New(transactions.Deps{
		Store: w.store, Chains: w.net, Lock: w.db.Exclusively, Clock: w.clock, Log: slog.New(slog.DiscardHandler),
		Tell: func(_ context.Context, f transactions.Followed, r transactions.Result) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.told = append(w.told, told{f, r})
			return w.tell()
		},
	})
	ended := routine.Go(ctx, func() error { return f.Run(ctx) })
	stop := sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	w.t.Cleanup(stop)
	return f, stop
}

// follow has a transaction followed.
func (w *world) follow(hash common.Hash, reference string) {
	w.t.Helper()
	if err := w.insert(project, hash, reference); err != nil {
		w.t.Fatal(err)
	}
	w.run.Follow(chainID)
}

// rules are those of insert.
var rules = transactions.Rules{OfProject: 3, Total: 5}

func (w *world) insert(project string, hash common.Hash, reference string) error {
	return w.insertWithin(rules, project, hash, reference)
}

func (w *world) insertWithin(rules transactions.Rules, project string, hash common.Hash, reference string) error {
	return w.store.Insert(w.t.Context(), transactions.Followed{
		Project: project, ChainID: chainID, Hash: hash, Reference: reference, FollowedAt: w.clock.Now(),
	}, rules)
}

// until makes blocks known, and lets time pass, until there is a condition.
func (w *world) until(what string, condition func() bool) {
	w.t.Helper()
	for !condition() {
		if w.t.Context().Err() != nil {
			w.t.Fatalf("not %s", what)
		}
		w.clock.Pass(5 * time.Second)
		w.run.OnHead(chainID)
		time.Sleep(pollPause)
	}
}

func (w *world) tolds() []told {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.told
}

// place returns the block that a transaction is known to be in.
func (w *world) place() (hash common.Hash) {
	w.t.Helper()
	f, _, err := w.store.Oldest(w.t.Context(), chainID)
	if err != nil {
		w.t.Fatal(err)
	}
	return f.BlockHash
}

// left returns how many transactions are followed.
func (w *world) left() (n int) {
	w.t.Helper()
	if err := w.db.Reader().QueryRowContext(w.t.Context(), `SELECT count(*) FROM webhooks_transactions`).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// payment is a transaction of the second account, which has the same hash whenever it is sent.
func (w *world) payment() map[string]any {
	w.t.Helper()
	accounts := devnettest.Start(w.t).Accounts
	from := accounts[1].Address
	var nonce string
	if err := json.Unmarshal(w.net.chain.Call(w.t, "eth_getTransactionCount", from, "latest"), &nonce); err != nil {
		w.t.Fatal(err)
	}
	return map[string]any{
		"from": from, "to": accounts[2].Address, "value": "0x7b", "nonce": nonce, "gas": "0x5208", "maxFeePerGas": "0x12a05f2000", "maxPriorityFeePerGas": "0x1",
	}
}

// send sends a transaction, and returns its hash and block.
func (w *world) send(transaction map[string]any) (hash, block common.Hash) {
	w.t.Helper()
	var receipt struct{ TransactionHash, BlockHash common.Hash }
	if err := json.Unmarshal(w.net.chain.Send(w.t, transaction), &receipt); err != nil {
		w.t.Fatal(err)
	}
	return receipt.TransactionHash, receipt.BlockHash
}

func (w *world) mine(blocks int) { w.net.chain.Call(w.t, "anvil_mine", fmt.Sprintf("0x%x", blocks)) }

func TestATransactionIsToldOnceItsBlockIsFinal(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, 20*time.Minute)
		hash, block := w.send(w.payment())
		w.follow(hash, "order-1")
		w.until("found in its block", func() bool { return w.place() == block })
		w.mine(3)
		w.until("read again", func() bool { before := w.net.bodies.Load(); w.clock.Pass(time.Minute); return before > 4 })
		if got := w.tolds(); len(got) != 0 {
			t.Fatalf("told before it is final: %v", got)
		}
		w.mine(70)
		w.until("told", func() bool { return len(w.tolds()) > 0 })
		got := w.tolds()[0]
		if got.Hash != hash || got.Reference != "order-1" || got.Project != project || !got.Succeeded || got.Value.String() != "123" || got.Result.BlockHash != block ||
			got.Confirmations < 65 || got.To == nil || got.To.String() != devnettest.Start(t).Accounts[2].Address || got.From.String() != devnettest.Start(t).Accounts[1].Address {
			t.Errorf("told %+v", got)
		}
		w.until("forgotten", func() bool { return w.left() == 0 })
	})
}

func TestANodeWithoutAFinalizedBlockNeedsBlocksAndTime(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), 20*time.Minute)
	w.net.untagged = true
	hash, block := w.send(w.payment())
	w.follow(hash, "")
	w.until("found in its block", func() bool { return w.place() == block })
	found := w.clock.Now()
	w.mine(70)
	w.until("told", func() bool { return len(w.tolds()) > 0 })
	if after := w.clock.Now().Sub(found); after < 20*time.Minute-time.Minute {
		t.Errorf("told after %s", after)
	}
}

func TestATransactionThatRevertedIsToldSo(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), 0)
	reverting := w.payment()
	// The calldata is no function of the token.
	reverting["to"], reverting["value"], reverting["data"], reverting["gas"] = w.net.chain.Tokens[0].Address, "0x0", "0xdeadbeef", "0x30d40"
	hash, _ := w.send(reverting)
	w.follow(hash, "")
	w.until("told", func() bool { return len(w.tolds()) > 0 })
	if w.tolds()[0].Succeeded {
		t.Error("it succeeded")
	}
}

func TestAReorgIsNotTold(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), 20*time.Minute)
	payment := w.payment()
	revert := w.net.chain.Snapshot(t)
	hash, first := w.send(payment)
	w.follow(hash, "")
	w.until("found in its block", func() bool { return w.place() == first })

	revert(t)
	w.mine(80)
	w.until("in no block", func() bool { return w.place() == common.Hash{} })
	again, second := w.send(payment)
	if again != hash || second == first {
		t.Fatalf("%s in %s, then %s in %s", hash, first, again, second)
	}
	w.until("found in its new block", func() bool { return w.place() == second })
	if got := w.tolds(); len(got) != 0 {
		t.Fatalf("told %v", got)
	}
	w.mine(80)
	w.until("told", func() bool { return len(w.tolds()) > 0 })
	if got := w.tolds()[0]; got.Result.BlockHash != second {
		t.Errorf("told of block %s", got.Result.BlockHash)
	}
}

func TestATransactionThatIsNeverSentEndsAfterADay(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), 0)
	w.follow(common.Hash{1}, "")
	w.until("read", func() bool { return w.net.bodies.Load() > 0 })
	if err := w.store.DeleteOld(t.Context(), w.clock.Now().Add(23*time.Hour)); err != nil || w.left() != 1 {
		t.Fatalf("%d left, %v", w.left(), err)
	}
	if err := w.store.DeleteOld(t.Context(), w.clock.Now().Add(25*time.Hour)); err != nil || w.left() != 0 {
		t.Fatalf("%d left, %v", w.left(), err)
	}
	if got := w.tolds(); len(got) != 0 {
		t.Errorf("told %v", got)
	}
}

func TestWhatIsFollowedIsBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, 0)
		w.stop()
		for i := range byte(rules.OfProject) {
			if err := w.insert(project, common.Hash{i}, ""); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.insert(project, common.Hash{9}, ""); !errors.Is(err, transactions.ErrFull) {
			t.Errorf("one more of the project: %v", err)
		}
		for i := range byte(2) {
			if err := w.insert(other, common.Hash{i}, ""); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.insert(other, common.Hash{9}, ""); !errors.Is(err, transactions.ErrFull) {
			t.Errorf("one more of all: %v", err)
		}
		// What is in no block for long makes room, so that nobody fills it with transactions that do not exist.
		w.clock.Pass(2 * time.Hour)
		if err := w.insert(other, common.Hash{9}, ""); err != nil || w.left() != 1 {
			t.Errorf("after a while: %d left, %v", w.left(), err)
		}
	})
}

// One project's transactions do not delay another's.
func TestEachProjectHasItsTurn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, 0)
		w.stop()
		for i := range byte(3) {
			if err := w.insert(project, common.Hash{i}, ""); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.insert(other, common.Hash{7}, ""); err != nil {
			t.Fatal(err)
		}
		due, err := w.store.Open(t.Context(), chainID, w.clock.Now(), 2)
		if err != nil || len(due) != 2 || due[0].Project == due[1].Project {
			t.Errorf("due are %v, %v", due, err)
		}
	})
}

func TestManyTransactionsAreReadTogether(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), 0)
	w.stop()
	wide := transactions.Rules{OfProject: 1000, Total: 1000}
	for i := range 150 {
		if err := w.insertWithin(wide, project, common.BigToHash(common.Big1), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
		if err := w.insertWithin(wide, project, common.Hash{byte(i), 1}, ""); err != nil {
			t.Fatal(err)
		}
	}
	w.run, w.stop = w.start()
	w.until("read", func() bool {
		var unread int
		err := w.db.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM webhooks_transactions WHERE next_at = 0`).Scan(&unread)
		return err == nil && unread == 0
	})
	// 151 hashes in bodies of 100, in two checks; a check may be repeated.
	if got := w.net.bodies.Load(); got > 12 {
		t.Errorf("%d bodies", got)
	}
}

// Somebody may have transactions followed whose receipts are large.
func TestTransactionsThatAreLargeTogetherAreReadAlone(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), 0)
	w.net.mostCalls = 3
	w.stop()
	for range 3 {
		hash, _ := w.send(w.payment())
		if err := w.insert(project, hash, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.insert(other, common.Hash{7}, ""); err != nil {
		t.Fatal(err)
	}
	w.run, w.stop = w.start()
	w.until("told", func() bool { return len(w.tolds()) == 3 })
}

// A process that ends after it told a transaction tells it again, in the same words; another replica does not beside it.
func TestATransactionIsToldAgainOnlyAfterAFailure(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, 0)
		replica, _ := w.start()
		failed := false
		w.tell = func() error {
			if !failed {
				failed = true
				return errors.New("the process ends")
			}
			return nil
		}
		hash, _ := w.send(w.payment())
		w.follow(hash, "")
		replica.Follow(chainID)
		w.until("told again", func() bool { replica.OnHead(chainID); return w.left() == 0 })
		got := w.tolds()
		if len(got) != 2 || got[0].Followed != got[1].Followed || got[0].Result.BlockHash != got[1].Result.BlockHash {
			t.Errorf("told %+v", got)
		}
	})
}

func TestAFollowerGoesOnAfterARestart(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), 0)
	w.stop()
	hash, _ := w.send(w.payment())
	if err := w.insert(project, hash, ""); err != nil {
		t.Fatal(err)
	}
	w.run, w.stop = w.start()
	w.until("told", func() bool { return len(w.tolds()) == 1 })
}
