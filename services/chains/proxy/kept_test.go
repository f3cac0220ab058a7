package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/chains/traces"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// replica is a proxy with a database of final results, as one process of a suite has it.
type replica struct {
	*Proxy
	clock *clocktest.Ahead
	stop  func()
}

// openReplica starts a replica whose blocks are final after 64 confirmations. It runs until stop is called, or the test ends.
func openReplica(tb testing.TB, db *store.DB, nodes ...*chainstest.Node) *replica {
	tb.Helper()
	if err := finalcache.Migrate(tb.Context(), db); err != nil {
		tb.Fatal(err)
	}
	clock := &clocktest.Ahead{}
	c := pool.Chain{ID: "eip155:31337", BlockTime: time.Second, FinalAfter: time.Minute}
	for _, n := range nodes {
		c.Nodes = append(c.Nodes, n.URL)
	}
	kept := finalcache.New(finalcache.DefaultConfig(), finalcache.Deps{
		Clock: clock, Log: slog.New(slog.DiscardHandler),
		Open: func(context.Context) (finalcache.Store, func() error, error) {
			return finalcache.NewSQLStore(db), func() error { return nil }, nil
		},
	})
	ctx, cancel := context.WithCancel(tb.Context())
	ended := make(chan error, 1)
	go func() { ended <- kept.Run(ctx) }()
	poster := upstream.New(pool.NodeTimeout, 10<<20)
	r := &replica{clock: clock, Proxy: New(pool.New(c, poster, clock, slog.New(slog.DiscardHandler)), clock, NewResults(), kept, nil)}
	r.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
		r.pool.Close()
		poster.Close()
	})
	tb.Cleanup(r.stop)
	return r
}

// forget empties what the replica has in memory.
func (r *replica) forget() { r.results = NewResults() }

// settle returns once the replica knows that a block is final.
func (r *replica) settle(tb testing.TB, number uint64) {
	tb.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if got, ok := r.pool.Finalized(); ok && got >= number {
			return
		}
		if time.Now().After(end) {
			got, ok := r.pool.Finalized()
			tb.Fatalf("block %d is not final: %d, %t", number, got, ok)
		}
		r.clock.Pass(time.Minute)
		r.pool.EnsureProbed(tb.Context())
	}
}

// rows returns how many results the database has, and how many claims.
func rows(tb testing.TB, db *store.DB) (results, claims int) {
	tb.Helper()
	query := `SELECT coalesce(sum(CASE WHEN length(result) > 0 THEN 1 ELSE 0 END), 0), coalesce(sum(CASE WHEN length(result) > 0 THEN 0 ELSE 1 END), 0) FROM chains_results`
	if err := db.Reader().QueryRowContext(tb.Context(), query).Scan(&results, &claims); err != nil {
		tb.Fatal(err)
	}
	return results, claims
}

// awaitRows waits until the database has as many results and claims.
func awaitRows(tb testing.TB, db *store.DB, results, claims int) {
	tb.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		gotResults, gotClaims := rows(tb, db)
		if gotResults == results && gotClaims == claims {
			return
		}
		if time.Now().After(end) {
			tb.Fatalf("the database has %d results and %d claims, want %d and %d", gotResults, gotClaims, results, claims)
		}
	}
}

// history is a chain whose blocks have transactions, and makes random reads of it.
type history struct {
	*world
	random *rand.Rand
	hashes []string
	head   uint64
}

func newHistory(tb testing.TB, blocks int) *history {
	tb.Helper()
	h := &history{world: startWorld(tb), random: rand.New(rand.NewPCG(1, 2))}
	h.grow(tb, blocks)
	return h
}

// grow mines blocks with a transaction each.
func (h *history) grow(tb testing.TB, blocks int) {
	tb.Helper()
	for range blocks {
		h.hashes = append(h.hashes, h.transact(tb, map[string]string{"from": rich, "to": receiver, "value": fmt.Sprintf("0x%x", h.random.IntN(1<<20))}))
	}
	h.receipt(tb, h.hashes[len(h.hashes)-1])
	h.head = h.height(tb)
}

func (h *history) height(tb testing.TB) uint64 {
	tb.Helper()
	var number string
	if err := json.Unmarshal(h.chain.Call(tb, "eth_blockNumber"), &number); err != nil {
		tb.Fatal(err)
	}
	n, _ := rpc.ParseQuantity(number)
	return n
}

// request returns a random read of the last blocks, without its id.
func (h *history) request(tb testing.TB, blocks uint64) string {
	number := h.head - h.random.Uint64N(min(blocks, h.head))
	at := rpc.Quantity(number)
	hash := h.hashes[len(h.hashes)-1-h.random.IntN(min(int(blocks), len(h.hashes)))]
	var block struct{ Hash string }
	if err := json.Unmarshal(h.chain.Call(tb, "eth_getBlockByNumber", at, false), &block); err != nil {
		tb.Fatal(err)
	}
	calls := []string{
		`"method":"eth_getBlockByNumber","params":["` + at + `",true]`,
		`"method":"eth_getBlockByNumber","params":["` + at + `",false]`,
		`"method":"eth_getBlockByHash","params":["` + block.Hash + `",false]`,
		`"method":"eth_getBlockReceipts","params":["` + at + `"]`,
		`"method":"eth_getTransactionByHash","params":["` + hash + `"]`,
		`"method":"eth_getTransactionReceipt","params":["` + hash + `"]`,
		`"method":"eth_getTransactionByBlockNumberAndIndex","params":["` + at + `","0x0"]`,
		`"method":"eth_getTransactionByBlockNumberAndIndex","params":["` + at + `","0x5"]`,
		`"method":"eth_getLogs","params":[{"blockHash":"` + block.Hash + `"}]`,
		`"method":"eth_getLogs","params":[{"fromBlock":"` + rpc.Quantity(number-min(number, 50)) + `","toBlock":"` + at + `"}]`,
		`"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"` + at + `","address":"` + h.chain.Tokens[0].Address + `"}]`,
		`"method":"eth_getBlockTransactionCountByNumber","params":["` + at + `"]`,
		`"method":"eth_getBalance","params":["` + receiver + `","` + at + `"]`,
		`"method":"eth_getBlockByNumber","params":["latest",false]`,
		`"method":"eth_getTransactionReceipt","params":["0x` + strings.Repeat("ab", 32) + `"]`,
	}
	return calls[h.random.IntN(len(calls))]
}

// body returns a random read, or a batch of several.
func (h *history) body(tb testing.TB, blocks uint64) string {
	if h.random.IntN(4) > 0 {
		return `{"jsonrpc":"2.0","id":1,` + h.request(tb, blocks) + `}`
	}
	var items []string
	for i := range 1 + h.random.IntN(5) {
		items = append(items, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, i, h.request(tb, blocks)))
	}
	return "[" + strings.Join(items, ",") + "]"
}

// compare makes random reads, and fails the test if an answer is not that of the node itself.
func (h *history) compare(t *testing.T, r *replica, times int, blocks uint64) {
	t.Helper()
	for i := range times {
		if i%50 == 0 {
			r.forget()
		}
		body := h.body(t, blocks)
		got, err := r.Answer(t.Context(), []byte(body))
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		want, err := h.chain.Forward(t.Context(), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(got, want) {
			t.Fatalf("%s:\ngot  %.500s\nwant %.500s", body, got, want)
		}
	}
}

func TestEveryAnswerIsThatOfTheNodeWhateverIsKept(t *testing.T) {
	h := newHistory(t, 150)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		r := openReplica(t, db, h.node(t, chainstest.None), h.node(t, chainstest.None))
		r.settle(t, h.head-64)
		h.compare(t, r, 900, 150)
		for fork := range 3 {
			before := len(h.hashes)
			revert := h.chain.Snapshot(t)
			h.grow(t, 10+fork)
			r.settle(t, h.head-64)
			h.compare(t, r, 150, 40)
			// The last blocks are replaced by as many others.
			revert(t)
			h.hashes = h.hashes[:before]
			h.grow(t, 10+fork)
			r.forget()
			h.compare(t, r, 150, 40)
		}
		if results, _ := rows(t, db); results < 20 {
			t.Errorf("the database has %d results after so many reads", results)
		}
	})
}

// mined is a read of a block that is final, and one that is not.
func (h *history) blockRead(number uint64) string {
	return `{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["` + rpc.Quantity(number) + `",true]}`
}

func TestOnlyFinalBlocksAreKeptAndOnlyAfterTwoReads(t *testing.T) {
	h := newHistory(t, 100)
	db := storetest.Open(t, storetest.SQLite(t))
	r := openReplica(t, db, h.node(t, chainstest.None), h.node(t, chainstest.None))
	r.settle(t, h.head-64)
	timed(t, r.Proxy, h.read(t, h.head-64))
	awaitRows(t, db, 0, 1)
	// The claim is of another process, or of long ago.
	r.forget()
	timed(t, r.Proxy, h.read(t, h.head-63))
	timed(t, r.Proxy, h.read(t, h.head-63))
	timed(t, r.Proxy, h.read(t, h.head-64))
	awaitRows(t, db, 1, 0)
}

// read returns the read of a block with the answer of the node.
func (h *history) read(tb testing.TB, number uint64) read {
	tb.Helper()
	body := h.blockRead(number)
	want, err := h.chain.Forward(tb.Context(), []byte(body))
	if err != nil {
		tb.Fatal(err)
	}
	return read{name: fmt.Sprintf("block %d", number), body: body, want: want}
}

func TestWhatOneReplicaKeptAnotherOneAnswersWithoutNodes(t *testing.T) {
	h := newHistory(t, 100)
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		first := openReplica(t, db, h.node(t, chainstest.None), h.node(t, chainstest.None))
		first.settle(t, h.head-64)
		want := h.read(t, h.head-64)
		for range 2 {
			timed(t, first.Proxy, want)
		}
		awaitRows(t, db, 1, 0)
		first.stop()
		second := openReplica(t, storetest.Open(t, dsn), h.node(t, chainstest.Dead), h.node(t, chainstest.Dead))
		until := time.Now().Add(30 * time.Second)
		for {
			// It reads once the database is open.
			got, err := second.Answer(t.Context(), []byte(want.body))
			if err == nil && sameJSON(got, want.want) {
				break
			}
			if time.Now().After(until) || err != nil && !errors.Is(err, pool.ErrNoNode) {
				t.Fatalf("got %.300s, %v", got, err)
			}
		}
		second.forget()
		timed(t, second.Proxy, read{name: "batch", body: "[" + want.body + "]", want: []byte("[" + string(want.want) + "]")})
		// What only nodes know is an error beside it.
		second.forget()
		mixed := "[" + want.body + `,{"jsonrpc":"2.0","id":2,"method":"eth_gasPrice","params":[]}]`
		timed(t, second.Proxy, read{name: "mixed batch", body: mixed, want: []byte("[" + string(want.want) + `,{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"no node answered"}}]`)})
	})
}

func TestAChainWithOneNodeKeepsWhatItReturnedTwice(t *testing.T) {
	h := newHistory(t, 100)
	db := storetest.Open(t, storetest.SQLite(t))
	node := h.node(t, chainstest.None)
	r := openReplica(t, db, node)
	r.settle(t, h.head-64)
	want := h.read(t, h.head-70)
	timed(t, r.Proxy, want)
	awaitRows(t, db, 0, 1)
	timed(t, r.Proxy, want)
	awaitRows(t, db, 1, 0)
	// The second read after a restart asks the node again.
	other := h.read(t, h.head-71)
	timed(t, r.Proxy, other)
	awaitRows(t, db, 1, 1)
	r.forget()
	timed(t, r.Proxy, other)
	awaitRows(t, db, 2, 0)
	// An empty list may be that of a node that lacks the logs.
	none := read{name: "no logs", body: `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"` + rpc.Quantity(h.head-90) + `","toBlock":"` +
		rpc.Quantity(h.head-80) + `"}]}`, want: []byte(`{"jsonrpc":"2.0","id":1,"result":[]}`)}
	for range 3 {
		timed(t, r.Proxy, none)
	}
	third := h.read(t, h.head-72)
	timed(t, r.Proxy, third)
	awaitRows(t, db, 2, 1)
}

func TestNoLogsOnWhichTwoNodesAgreeAreKept(t *testing.T) {
	h := newHistory(t, 100)
	db := storetest.Open(t, storetest.SQLite(t))
	r := openReplica(t, db, h.node(t, chainstest.None), h.node(t, chainstest.None))
	r.settle(t, h.head-64)
	body := `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"` + rpc.Quantity(h.head-90) + `","toBlock":"` + rpc.Quantity(h.head-80) + `"}]}`
	none := read{name: "no logs", body: body, want: []byte(`{"jsonrpc":"2.0","id":1,"result":[]}`)}
	timed(t, r.Proxy, none)
	timed(t, r.Proxy, none)
	awaitRows(t, db, 1, 0)
}

// A lying node does not get what it says kept.
func TestAResultThatNodesDisagreeOnIsNotKept(t *testing.T) {
	honest := fmt.Sprintf(`{"number":"0x1","hash":"0x%064x"}`, 1)
	lie := fmt.Sprintf(`{"number":"0x1","hash":"0x%064x"}`, 2)
	w := &fakeNodes{nodes: map[string]*fakeNode{"http://a": {1000, always(lie)}, "http://b": {1000, always(honest)}}}
	db := storetest.Open(t, storetest.SQLite(t))
	r := openReplica(t, db)
	p := pool.New(pool.Chain{ID: "eip155:31337", Nodes: []string{"http://a", "http://b"}, BlockTime: time.Second, FinalAfter: time.Minute}, w, r.clock, slog.New(slog.DiscardHandler))
	defer p.Close()
	p.EnsureProbed(t.Context())
	r.pool.Close()
	r.pool = p
	w.mu.Lock()
	for _, n := range w.nodes {
		of := n.result
		n.result = func(q chainstest.Request) string {
			if string(q.Params[0]) == `"finalized"` {
				return `{"number":"0x300","hash":"0x1"}`
			}
			return of(q)
		}
	}
	w.mu.Unlock()
	r.settle(t, 0x300)
	for range 6 {
		ask(t, r.Proxy, "eth_getBlockByNumber", `["0x1",false]`)
	}
	awaitRows(t, db, 0, 1)
}

func TestReadsAreAnsweredWhileTheDatabaseIsBroken(t *testing.T) {
	h := newHistory(t, 100)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		r := openReplica(t, db, h.node(t, chainstest.None), h.node(t, chainstest.None))
		r.settle(t, h.head-64)
		h.compare(t, r, 50, 100)
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `DROP TABLE chains_results`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		h.compare(t, r, 100, 100)
	})
}

func TestTransfersOfFinalBlocksAreKept(t *testing.T) {
	h := newHistory(t, 100)
	db := storetest.Open(t, storetest.SQLite(t))
	node := h.node(t, chainstest.None)
	r := openReplica(t, db, node)
	r.settle(t, h.head-64)
	block := func(number uint64) (b traces.Block) {
		var found struct{ Hash common.Hash }
		if err := json.Unmarshal(h.chain.Call(t, "eth_getBlockByNumber", rpc.Quantity(number), false), &found); err != nil {
			t.Fatal(err)
		}
		return traces.Block{Number: number, Hash: found.Hash}
	}
	final, newer := block(h.head-64), block(h.head-1)
	// The transaction that is traced has a call inside: the answer is that of a node whose blocks have one.
	answer := fmt.Sprintf(`[{"txHash":"0x%064x","result":{"type":"CALL","calls":[{"type":"CALL","from":"%s","to":"%s","value":"0xffffffffffffffffffff"}]}}]`, 1, rich, receiver)
	tracing := &fakeNodes{nodes: map[string]*fakeNode{}}
	calls := 0
	tracing.nodes[node.URL] = &fakeNode{h.head, func(q chainstest.Request) string {
		if q.Method == traces.DebugTrace {
			calls++
			return answer
		}
		return fmt.Sprintf(`{"number":"%s","hash":"0x%064x"}`, rpc.Quantity(h.head-64), 1)
	}}
	p := pool.New(pool.Chain{ID: "eip155:31337", Nodes: []string{node.URL}, BlockTime: time.Second, FinalAfter: time.Minute}, tracing, r.clock, slog.New(slog.DiscardHandler))
	defer p.Close()
	p.EnsureProbed(t.Context())
	r.pool.Close()
	r.pool = p
	r.settle(t, h.head-64)
	for _, b := range []traces.Block{final, newer, final, newer, final, newer} {
		r.forget()
		trace, err := r.Trace(t.Context(), traces.DebugTrace, b)
		list := trace.Transfers
		if err != nil || len(list) != 1 || list[0].Value.Text(16) != "ffffffffffffffffffff" || list[0].To != common.HexToAddress(receiver) || list[0].From != common.HexToAddress(rich) {
			t.Fatalf("block %d: %v, %v", b.Number, list, err)
		}
		if b == final && calls <= 4 {
			wantResults := calls / 3
			awaitRows(t, db, wantResults, 1-wantResults)
		}
	}
	if calls != 5 {
		t.Errorf("the node traced %d times: of six times, the last one of the final block is kept", calls)
	}
}
