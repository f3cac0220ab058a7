package indexer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/activity/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// quiet is a chain whose blocks have no transactions. It counts the whole blocks that are read, and for how many accounts each was.
type quiet struct {
	blocks
	read map[uint64]int
	// refused is an account whose blocks cannot be read.
	refused evm.Address
	// full is of how many reads the memory has no bytes for the answer.
	full int
}

func (q *quiet) Blocks(_ context.Context, _ string, from, to uint64, accounts []evm.Address) ([]node.Header, []node.Found, error) {
	for n := from; n <= to; n++ {
		q.read[n]++
	}
	if q.full--; q.full >= 0 {
		return nil, nil, fmt.Errorf("answer: %w", limit.ErrMemory)
	}
	if slices.Contains(accounts, q.refused) {
		return nil, nil, errors.New("the answer is too long")
	}
	return nil, nil, nil
}

// noArchive covers no chain.
type noArchive struct{ Archive }

func (noArchive) Covers(string) bool { return false }

func numberedHeader(n uint64) (h node.Header) {
	h.Number = n
	binary.BigEndian.PutUint64(h.Hash[:], n+1)
	return h
}

// backfill is an indexer of a chain of blocks from 0 to tip.
func backfill(t *testing.T, tip uint64, change ...func(*Config)) (*Indexer, *Chain, *quiet) {
	t.Helper()
	var cfg Config
	db := storetest.Open(t, storetest.SQLite(t))
	s, err := sqlstore.New(t.Context(), db, bustest.Outbox(t, db), func(string) uint64 { return cfg.WholeBlocks })
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Jump(t.Context(), "eip155:1", node.Hash{}, 0, []node.Header{numberedHeader(tip)}); err != nil {
		t.Fatal(err)
	}
	q, stopped := &quiet{read: map[uint64]int{}}, clocktest.StoppedAt(time.Unix(1_700_000_000, 0))
	cfg = Config{Store: s, Blocks: q, Archive: noArchive{}, Clock: stopped, Log: slog.New(slog.DiscardHandler), Followed: 1_000, Kept: 1_000, WholeBlocks: tip + 1, Limiter: limit.NewLocal(stopped, 0)}
	for _, c := range change {
		c(&cfg)
	}
	return New(cfg), newChain("eip155:1"), q
}

func (i *Indexer) trackFor(t *testing.T, caller string, accounts ...evm.Address) {
	t.Helper()
	for _, a := range accounts {
		r := index.Request{Account: index.Account{ChainID: "eip155:1", Address: a}, Caller: caller, At: i.Clock.Now()}
		if err := i.Store.Track(t.Context(), r, i.Kept, i.activeSince()); err != nil {
			t.Fatal(err)
		}
	}
}

// fillAll reads until there is nothing to read, and returns the number of reads.
func (i *Indexer) fillAll(t *testing.T, c *Chain) (reads int) {
	t.Helper()
	for ; reads < 1_000; reads++ {
		more, err := i.fill(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
	}
	return reads
}

// unread returns how many blocks of an account are not read.
func (i *Indexer) unread(t *testing.T, a evm.Address) uint64 {
	t.Helper()
	p, tracked, err := i.Store.Progress(t.Context(), index.Account{ChainID: "eip155:1", Address: a})
	if err != nil || !tracked {
		t.Fatalf("tracked %t, %v", tracked, err)
	}
	return p.From
}

func TestABlockIsReadOnceForAllAccounts(t *testing.T) {
	i, c, q := backfill(t, 499)
	for n := range 20 {
		i.trackFor(t, "", evm.Address{1: byte(n + 1)})
	}
	i.fillAll(t, c)
	if most := slices.Max(slices.Collect(maps.Values(q.read))); most != 1 || len(q.read) != 500 {
		t.Errorf("%d blocks are read, up to %d times", len(q.read), most)
	}
	for n := range 20 {
		if left := i.unread(t, evm.Address{1: byte(n + 1)}); left != 0 {
			t.Errorf("account %d has %d unread blocks", n, left)
		}
	}
}

func TestAnAccountThatCannotBeReadDoesNotHoldUpOthers(t *testing.T) {
	i, c, q := backfill(t, 499)
	q.refused = evm.Address{1}
	i.trackFor(t, "attacker", q.refused)
	i.trackFor(t, "victim", evm.Address{2})
	if reads := i.fillAll(t, c); reads > 20 || i.unread(t, evm.Address{2}) != 0 {
		t.Errorf("after %d reads the other account has %d unread blocks", reads, i.unread(t, evm.Address{2}))
	}
	if size := c.turns.spanOf("victim", true).size; size != wholeSpan {
		t.Errorf("blocks of the other caller are read %d at a time", size)
	}
}

func TestCallsForOldBlocksHaveABudget(t *testing.T) {
	i, c, q := backfill(t, 4_999, func(c *Config) { c.CallsPerHour, c.CallsPerCaller = 3_000, 1_000 })
	i.trackFor(t, "greedy", evm.Address{1})
	total := func() (sum int) {
		i.fillAll(t, c)
		for _, times := range q.read {
			sum += times
		}
		return sum
	}
	if n := total(); n < 900 || n > 1_100 {
		t.Errorf("%d blocks are read for one caller", n)
	}
	if !i.Waits(t.Context(), "eip155:1", "greedy") || i.Waits(t.Context(), "eip155:1", "second") {
		t.Error("the caller that used up its calls does not wait, or another one does")
	}
	i.trackFor(t, "second", evm.Address{2})
	if n := total(); n < 1_800 || n > 2_200 {
		t.Errorf("%d blocks are read for two callers", n)
	}
	for n := range 5 {
		i.trackFor(t, string(rune('a'+n)), evm.Address{3, byte(n)})
	}
	before := total()
	if before > 3_200 {
		t.Errorf("%d blocks are read in an hour", before)
	}
	i.Clock.(*clocktest.Stopped).Pass(30 * time.Minute)
	if n := total() - before; n < 1_300 || n > 1_700 {
		t.Errorf("%d blocks are read in the half hour after it", n)
	}
}

func TestTurnsGoByCaller(t *testing.T) {
	turn := newTurns()
	list := func(callers ...string) (windows []index.Window) {
		for n, c := range callers {
			windows = append(windows, index.Window{Caller: c, High: uint64(n)})
		}
		return windows
	}
	all := func(index.Window) bool { return true }
	var order string
	for range 6 {
		turn.load(list("a", "b", "c", "a", "a"), time.Time{})
		// Only the first window is read before another account is tracked.
		w, ok := turn.take(all)
		if !ok {
			t.Fatal("no window")
		}
		order += w.Caller
		turn.reset()
	}
	if order != "abcabc" {
		t.Errorf("turns %s", order)
	}
	turn.load(list("a", "b", "a"), time.Time{})
	if w, ok := turn.take(func(w index.Window) bool { return w.Caller == "b" }); !ok || w.Caller != "b" {
		t.Errorf("%+v %t", w, ok)
	}
}

func TestAWatchedAccountIsFirstInARound(t *testing.T) {
	turn := newTurns()
	all := func(index.Window) bool { return true }
	var order string
	for range 9 {
		turn.load([]index.Window{{Caller: "a"}, {Caller: "b"}, {Caller: "w", Watched: true}}, time.Time{})
		w, _ := turn.take(all)
		order += w.Caller
	}
	if order != "wabwabwab" {
		t.Errorf("turns %s, want one of each caller in a round, first that whose account is watched", order)
	}
}

func TestCallersThatUsedLittleHaveAReserveOfCalls(t *testing.T) {
	i, c, q := backfill(t, 9_999, func(c *Config) { c.CallsPerHour, c.CallsPerCaller = 8_000, 2_000 })
	total := func() (sum int) {
		i.fillAll(t, c)
		for _, times := range q.read {
			sum += times
		}
		return sum
	}
	for n := range 4 {
		caller := string(rune('a' + n))
		i.trackFor(t, caller, evm.Address{1: byte(n + 1)})
		i.watchFor(t, caller, evm.Address{1: byte(n + 1)})
		total()
	}
	before := total()
	if before > 7_500 {
		t.Errorf("%d blocks are read for four callers that watch their accounts", before)
	}
	i.trackFor(t, "honest", evm.Address{2})
	if n := total() - before; n < 250 {
		t.Errorf("%d blocks are read for a caller after them", n)
	}
}

// watchFor has a page of the caller watch an account.
func (i *Indexer) watchFor(t *testing.T, caller string, a evm.Address) {
	t.Helper()
	at := i.Clock.Now()
	if _, err := i.Store.Requested(t.Context(), index.Request{Account: index.Account{ChainID: "eip155:1", Address: a}, Caller: caller, Watched: true, At: at}); err != nil {
		t.Fatal(err)
	}
}

func TestAnAccountThatCannotBeReadLeavesTheOthersTogether(t *testing.T) {
	i, c, q := backfill(t, 499)
	q.refused = evm.Address{1: 40}
	for n := range 64 {
		i.trackFor(t, "", evm.Address{1: byte(n + 1)})
	}
	if reads := i.fillAll(t, c); reads > 100 {
		t.Errorf("%d reads of 6 parts of the chain for 64 accounts", reads)
	}
	for n := range 64 {
		if a := (evm.Address{1: byte(n + 1)}); a != q.refused && i.unread(t, a) != 0 {
			t.Errorf("account %d has %d unread blocks", n, i.unread(t, a))
		}
	}
}
