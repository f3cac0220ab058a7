package indexer

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/activity/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

const (
	// fastBlocks is the time between two blocks of a fast chain, and sentPerBlock how many transactions between followed accounts each block has.
	fastBlocks, sentPerBlock = 250 * time.Millisecond, 100
	// followedAccounts is how many accounts are followed on it.
	followedAccounts = 3_000
	// firstFollowed is the first block that is followed, and lastOfFirst is from which on the first replica fails at its next block.
	firstFollowed, lastOfFirst = 10, 30
	// marked is in the hashes of blocks from lastOfFirst on.
	marked = "5eed5eed5eed5eed"
)

// fastChain is a chain on which each transaction is between two followed accounts.
type fastChain struct {
	accounts []evm.Address
	tip      atomic.Uint64
}

func newFastChain() *fastChain {
	c := &fastChain{}
	for n := range followedAccounts {
		a := evm.Address{0: 0xac}
		binary.BigEndian.PutUint64(a[12:], uint64(n))
		c.accounts = append(c.accounts, a)
	}
	c.tip.Store(firstFollowed - 1)
	return c
}

func (c *fastChain) header(number uint64) node.Header {
	hash := func(n uint64) (h node.Hash) {
		if n >= lastOfFirst {
			copy(h[:], []byte{0x5e, 0xed, 0x5e, 0xed, 0x5e, 0xed, 0x5e, 0xed})
		}
		binary.BigEndian.PutUint64(h[24:], n+1)
		return h
	}
	return node.Header{Number: number, Hash: hash(number), Parent: hash(number - 1), Time: 1_700_000_000 + int64(number/4)}
}

func (c *fastChain) Head(context.Context, string) (node.Header, error) {
	return c.header(c.tip.Load()), nil
}

func (c *fastChain) Headers(_ context.Context, _ string, from, to uint64) (list []node.Header, err error) {
	for n := from; n <= to; n++ {
		list = append(list, c.header(n))
	}
	return list, nil
}

func (c *fastChain) Block(_ context.Context, _ string, h node.Header, _ []evm.Address) (list []node.Found, err error) {
	for i := range uint64(sentPerBlock) {
		at := h.Number*sentPerBlock + i
		to := c.accounts[(at+1)%followedAccounts]
		var hash node.Hash
		binary.BigEndian.PutUint64(hash[8:], at+1)
		list = append(list, node.Found{
			Header:      h,
			Transaction: node.Transaction{Hash: hash, Index: i, From: c.accounts[at%followedAccounts], To: &to, Nonce: at, Value: big.NewInt(1)},
			Receipt:     node.Receipt{Block: h.Hash, Succeeded: true, Fee: big.NewInt(1)},
		})
	}
	return list, nil
}

func (c *fastChain) Blocks(_ context.Context, _ string, from, to uint64, _ []evm.Address) ([]node.Header, []node.Found, error) {
	return nil, nil, fmt.Errorf("blocks from %d to %d are read later", from, to)
}

func (c *fastChain) Logged(_ context.Context, _ string, from, to uint64, _ []evm.Address, _ []node.Hash) ([]node.Found, error) {
	return nil, fmt.Errorf("blocks from %d to %d are read later", from, to)
}

// replica is an indexer with its own connections to the database.
func (c *fastChain) replica(t *testing.T, db *store.DB) *Indexer {
	t.Helper()
	s, err := sqlstore.New(t.Context(), db, bustest.Outbox(t, db), func(string) uint64 { return 1_000 })
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{
		Store: s, Blocks: c, Contracts: noContracts{}, Archive: noArchive{}, Lock: db.Exclusively, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
		KeepFor: time.Hour, WholeBlocks: 1_000, Followed: followedAccounts, Kept: followedAccounts, Limiter: limit.NewLocal(clock.System{}, 0),
	})
}

// follow makes the chain's accounts followed from firstFollowed on.
func (c *fastChain) follow(t *testing.T, s index.Store, db *store.DB) {
	t.Helper()
	headers, err := c.Headers(t.Context(), "eip155:1", 1, firstFollowed-1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Jump(t.Context(), "eip155:1", node.Hash{}, 0, headers); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, a := range c.accounts {
		texts = append(texts, strings.ToLower(a.String()))
	}
	err = db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO activity_accounts (chain_id, account, asked_at, native_from, caller, tracked_at, begun)
			SELECT 'eip155:1', account, $1, 0, '', $1, TRUE FROM jsonb_array_elements_text(CAST($2 AS JSONB)) account`, time.Now().UnixMilli(), store.List(texts))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// newest returns the newest block in the index.
func newest(t *testing.T, db *store.DB) (number uint64) {
	t.Helper()
	if number = indexed(t.Context(), db); number == 0 {
		t.Fatal("the index has no block")
	}
	return number
}

// indexed is [newest], and returns 0 if the database does not answer.
func indexed(ctx context.Context, db *store.DB) (number uint64) {
	_ = db.Reader().QueryRowContext(ctx, `SELECT MAX(number) FROM activity_blocks`).Scan(&number)
	return number
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// A replica fails in the middle of a block, while it holds the lock of the chain and has written a part of the block. The other one goes on, and each row and
// event is there once.
func TestAnotherReplicaGoesOnWithAFastChain(t *testing.T) {
	for name, fail := range map[string]func(*storetest.Link){
		// The kernel closes the connections of a process that is killed, and nothing closes those of a host that fails.
		"its process is killed": (*storetest.Link).Cut,
		"its host fails":        func(*storetest.Link) {},
	} {
		t.Run(name, func(t *testing.T) {
			dsn := storetest.PostgreSQL(t)
			link := storetest.LinkTo(t, dsn)
			db := storetest.Open(t, dsn)
			chain := newFastChain()
			second := chain.replica(t, db)
			chain.follow(t, second.Store, db)
			first := chain.replica(t, storetest.Open(t, link.DSN))
			link.FreezeAfter(marked)

			ctx, stop := context.WithCancel(t.Context())
			var running sync.WaitGroup
			defer running.Wait()
			defer stop()
			for _, i := range []*Indexer{first, second} {
				running.Go(func() { _ = i.Run(ctx) })
			}
			ending := make(chan struct{})
			running.Go(func() {
				block := time.NewTicker(fastBlocks)
				defer block.Stop()
				for {
					select {
					case <-ctx.Done():
						return
					case <-ending:
						return
					case <-block.C:
						// A machine that is too slow for the chain leaves blocks out, which are read as windows later.
						if chain.tip.Load() >= indexed(ctx, db)+followAtMost/2 {
							continue
						}
						head := chain.header(chain.tip.Add(1))
						first.OnHead("eip155:1", head)
						second.OnHead("eip155:1", head)
					}
				}
			})
			<-link.Frozen()
			fail(link)
			failed := time.Now()
			before := newest(t, db)
			eventually(t, "the other replica goes on", func() bool { return newest(t, db) > before })
			t.Logf("went on after %.1f s, at block %d", time.Since(failed).Seconds(), before+1)
			eventually(t, "it catches up", func() bool { return newest(t, db)+1 >= chain.tip.Load() })
			t.Logf("caught up after %.1f s, at block %d", time.Since(failed).Seconds(), chain.tip.Load())
			close(ending)
			var last uint64
			eventually(t, "the last block", func() bool { last = chain.tip.Load(); return newest(t, db) == last })
			chain.verify(t, db, last)
		})
	}
}

// verify checks that each row, and each event about it, is there once.
func (c *fastChain) verify(t *testing.T, db *store.DB, last uint64) {
	t.Helper()
	rows, err := db.Reader().QueryContext(t.Context(), `SELECT block, COUNT(*), COUNT(DISTINCT account || hash) FROM activity_rows GROUP BY block`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	blocks := map[uint64]int{}
	for rows.Next() {
		var block uint64
		var count, distinct int
		if err := rows.Scan(&block, &count, &distinct); err != nil {
			t.Fatal(err)
		}
		if blocks[block] = count; count != distinct {
			t.Errorf("%d of %d rows of block %d are doubled", count-distinct, count, block)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	told := map[uint64]map[string]int{}
	for _, e := range bustest.Waiting[*activityv1.ActivityChanged](t, db) {
		if told[e.GetBlock()] == nil {
			told[e.GetBlock()] = map[string]int{}
		}
		for _, a := range e.GetAccounts() {
			told[e.GetBlock()][a]++
		}
	}
	for n := uint64(firstFollowed); n <= last; n++ {
		if blocks[n] != 2*sentPerBlock {
			t.Errorf("block %d has %d rows, want %d", n, blocks[n], 2*sentPerBlock)
		}
		if len(told[n]) != sentPerBlock+1 {
			t.Errorf("events of block %d are about %d accounts, want %d", n, len(told[n]), sentPerBlock+1)
		}
		for a, times := range told[n] {
			if times != 1 {
				t.Errorf("%d events of block %d are about %s", times, n, a)
			}
		}
	}
}
