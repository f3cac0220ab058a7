package activity

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/proxy"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// replayAccounts is how many accounts a replay reads, and replayTransfers how many transfers each has.
const replayAccounts, replayTransfers = 20, 15

// counted is a poster that counts the requests that nodes get, by method, without probes.
type counted struct {
	pool.Poster
	mu    sync.Mutex
	calls map[string]int
}

func (c *counted) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	if text := string(body); text != chainstest.ChainIDProbe && text != chainstest.HeadProbe && !strings.Contains(text, `"finalized"`) {
		c.mu.Lock()
		for _, item := range jsonrpc.Parse(body).Items {
			c.calls[item.Method]++
		}
		c.mu.Unlock()
	}
	return c.Poster.PostJSON(ctx, url, body)
}

func (c *counted) total() (sum int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.calls {
		sum += n
	}
	return sum
}

// replayNodes is the chains service of one process: a proxy to two nodes, with or without a database of final results, and nothing in memory.
func replayNodes(b *testing.B, chain devnettest.Chain, urls []string, db *store.DB) (*proxy.Proxy, *counted) {
	b.Helper()
	clock := &clocktest.Ahead{}
	poster := upstream.New(pool.NodeTimeout, 10<<20)
	b.Cleanup(poster.Close)
	calls := &counted{Poster: poster, calls: map[string]int{}}
	c := pool.Chain{ID: chain.CAIP2, Nodes: urls, BlockTime: time.Second, FinalAfter: time.Minute}
	p := pool.New(c, calls, clock, slog.New(slog.DiscardHandler))
	b.Cleanup(p.Close)
	if db == nil {
		return proxy.New(p, clock, proxy.NewResults(), nil, nil), calls
	}
	if err := finalcache.Migrate(b.Context(), db); err != nil {
		b.Fatal(err)
	}
	kept := finalcache.New(finalcache.DefaultConfig(), finalcache.Deps{Clock: clock, Log: slog.New(slog.DiscardHandler), Open: func(context.Context) (finalcache.Store, func() error, error) {
		return finalcache.NewSQLStore(db), func() error { return nil }, nil
	}})
	ctx, cancel := context.WithCancel(context.WithoutCancel(b.Context()))
	ended := make(chan error, 1)
	go func() { ended <- kept.Run(ctx) }()
	b.Cleanup(func() {
		cancel()
		<-ended
	})
	eventually(b, "a block is final", func() bool {
		p.EnsureProbed(b.Context())
		number, ok := p.Finalized()
		return ok && number > 0
	})
	return proxy.New(p, clock, proxy.NewResults(), kept, nil), calls
}

// BenchmarkReplay replays the reads of the suite: it indexes the history of accounts, pages through all of it, and makes the reads of a page with balances
// after each page. Each round has a new index, as after the loss of a database or in another installation, and nothing in memory; the database of final
// results stays. It prints how many requests the nodes got in each round.
func BenchmarkReplay(b *testing.B) {
	devnet := devnettest.Start(b)
	chain := devnet.Chain(b, "eip155:31337")
	accounts := replayHistory(b, devnet, chain)
	db := storetest.Open(b, storetest.SQLite(b))
	urls := []string{chainstest.Start(b, chain.RPCURL, chainstest.None).URL, chainstest.Start(b, chain.RPCURL, chainstest.None).URL}
	for b.Loop() {
		var without int
		for round, kept := range []*store.DB{nil, db, db, db} {
			nodes, calls := replayNodes(b, chain, urls, kept)
			w := openOn(b, storetest.SQLite(b))
			w.nodes.forward = nodes.Answer
			rows := 0
			for _, account := range accounts {
				rows += replayAccount(b, w, nodes, account)
			}
			w.stop()
			total := calls.total()
			if round == 0 {
				without = total
				b.Logf("%d accounts, %d rows. Without the database: %d requests: %s", len(accounts), rows, total, calls)
				continue
			}
			saved := 1 - float64(total)/float64(without)
			b.Logf("round %d with it: %d requests, %.0f%% saved: %s", round, total, 100*saved, calls)
			b.ReportMetric(saved, fmt.Sprintf("saved-%d", round))
		}
	}
	sizes, err := finalcache.NewSQLStore(db).Sizes(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("the database has %d results in %d KiB", sizes[chain.CAIP2].Results, sizes[chain.CAIP2].Bytes>>10)
}

// String lists the methods that were called most.
func (c *counted) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var parts []string
	for _, method := range slices.SortedFunc(maps.Keys(c.calls), func(a, b string) int { return cmp.Compare(c.calls[b], c.calls[a]) }) {
		parts = append(parts, fmt.Sprintf("%s %d", method, c.calls[method]))
	}
	return strings.Join(parts, ", ")
}

// replayHistory gives accounts a history of transfers between each other, which is final.
func replayHistory(b *testing.B, devnet *devnettest.Devnet, chain devnettest.Chain) (accounts []string) {
	b.Helper()
	rich, token := devnet.Accounts[0].Address, chain.Token(b, "tUSD").Address
	for i := range replayAccounts {
		accounts = append(accounts, fmt.Sprintf("0x%040x", 0x4e91a70000+i))
	}
	for i := range replayTransfers {
		for _, account := range accounts {
			transaction := map[string]any{"from": rich, "to": account, "value": fmt.Sprintf("0x%x", i+1)}
			if i%3 > 0 {
				transaction = map[string]any{"from": rich, "to": token, "data": callData("transfer(address,uint256)", account, i+1)}
			}
			chain.Send(b, transaction)
		}
	}
	chain.Call(b, "anvil_mine", "0x50")
	return accounts
}

// replayAccount reads the history of an account to its end, and the balances of a page beside each part. It returns the number of rows.
func replayAccount(b *testing.B, w *world, nodes *proxy.Proxy, account string) (rows int) {
	b.Helper()
	usd := w.chain.Token(b, "tUSD").Address
	page := fmt.Sprintf(`[{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["%s","latest"]},{"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"to":"%s","data":"%s"},"latest"]}]`,
		account, usd, callData("balanceOf(address)", account))
	for cursor := ""; ; {
		res := w.request(b, account, cursor)
		rows += len(res.GetData())
		answer, err := nodes.Answer(b.Context(), []byte(page))
		if err != nil || !json.Valid(answer) {
			b.Fatalf("%s, %v", answer, err)
		}
		if cursor = res.GetNext(); cursor == "" {
			return rows
		}
	}
}
