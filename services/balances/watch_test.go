package balances

import (
	"context"
	"errors"
	"math/big"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

const watchedChain = "eip155:31337"

// countedChain is a chain whose accounts all hold the same, which the test sets.
type countedChain struct {
	reads atomic.Int64
	units atomic.Int64
	down  atomic.Bool
	told  atomic.Int64
}

var errNodes = errors.New("no node answers")

func (c *countedChain) read(context.Context, cacheKey) ([]Holding, error) {
	c.reads.Add(1)
	if c.down.Load() {
		return nil, errNodes
	}
	return []Holding{{ChainID: watchedChain, Symbol: "ETH", Decimals: 18, Units: big.NewInt(c.units.Load())}}, nil
}

func (c *countedChain) tell(context.Context, cacheKey, uint64, []Holding) { c.told.Add(1) }

func (c *countedChain) open(change ...func(*pauses)) *watches {
	p := pauses{alive: time.Hour, refresh: time.Hour, retry: time.Hour, patience: time.Hour}
	for _, f := range change {
		f(&p)
	}
	return newWatches(&watches{read: c.read, tell: c.tell, pauses: p})
}

func accountNumber(n int) cacheKey {
	return cacheKey{chainID: watchedChain, owner: evm.Address{18: byte(n >> 8), 19: byte(n)}, currency: "usd"}
}

// noLeak fails the test when it leaves goroutines behind.
func noLeak(tb testing.TB) {
	tb.Helper()
	before := goleak.IgnoreCurrent()
	tb.Cleanup(func() { goleak.VerifyNone(tb, before) })
}

// take returns the next change, which must come.
func take(tb testing.TB, w *watcher) change {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 20*time.Second)
	defer cancel()
	c, err := w.next(ctx)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func TestTenThousandWatchersCostOneReadingAnAccountABlock(t *testing.T) {
	noLeak(t)
	const watchers, accounts, blocks = 10_000, 100, 5
	chain := &countedChain{}
	w := chain.open()
	crowd := make([]*watcher, watchers)
	for i := range crowd {
		crowd[i] = w.join(caller.Caller{}, accountNumber(i%accounts))
	}
	for block := range int64(blocks) {
		if block > 0 {
			chain.units.Store(block)
			w.onHead(watchedChain, uint64(block))
		}
		var everybody sync.WaitGroup
		for _, one := range crowd {
			everybody.Go(func() {
				if c := take(t, one); c.block != uint64(block) || c.holdings[0].Units.Int64() != block {
					t.Errorf("block %d: got %v of block %d", block, c.holdings[0].Units, c.block)
				}
			})
		}
		everybody.Wait()
		if n := chain.reads.Load(); n != (block+1)*accounts {
			t.Fatalf("block %d: %d readings by now, want %d", block, n, (block+1)*accounts)
		}
	}
	if n := chain.told.Load(); n != (blocks-1)*accounts {
		t.Errorf("%d changes were told, want %d", n, (blocks-1)*accounts)
	}
	for _, one := range crowd {
		one.leave()
	}
	if len(w.accounts) != 0 {
		t.Errorf("%d accounts are still watched", len(w.accounts))
	}
}

func TestAWatcherThatComesLateGetsTheNewestStateOnly(t *testing.T) {
	noLeak(t)
	chain := &countedChain{}
	w := chain.open()
	quick, late := w.join(caller.Caller{}, accountNumber(1)), w.join(caller.Caller{}, accountNumber(1))
	defer quick.leave()
	defer late.leave()
	take(t, quick)
	for block := int64(1); block <= 3; block++ {
		chain.units.Store(block)
		w.onHead(watchedChain, uint64(block))
		take(t, quick)
	}
	if c := take(t, late); c.block != 3 || c.holdings[0].Units.Int64() != 3 {
		t.Errorf("got %v of block %d, want 3 of block 3", c.holdings[0].Units, c.block)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c, err := late.next(ctx); err == nil {
		t.Errorf("got %+v as well", c)
	}
}

func TestABlockThatChangesNothingIsNoNews(t *testing.T) {
	noLeak(t)
	chain := &countedChain{}
	w := chain.open(func(p *pauses) { p.alive = time.Millisecond })
	one := w.join(caller.Caller{}, accountNumber(1))
	defer one.leave()
	for !take(t, one).listed { // until the first reading is there
	}
	w.onHead(watchedChain, 7)
	for c := take(t, one); c.block != 7; c = take(t, one) {
		if c.listed || c.activity {
			t.Fatalf("got %+v, want nothing but signs of life", c)
		}
	}
	if n := chain.told.Load(); n != 0 {
		t.Errorf("%d changes were told", n)
	}
}

func TestAnAccountIsReadNowAndThenWithoutABlock(t *testing.T) {
	noLeak(t)
	chain := &countedChain{}
	w := chain.open(func(p *pauses) { p.refresh = time.Millisecond })
	one := w.join(caller.Caller{}, accountNumber(1))
	defer one.leave()
	take(t, one)
	chain.units.Store(9)
	if c := take(t, one); c.holdings[0].Units.Int64() != 9 {
		t.Errorf("got %v, want what is there now", c.holdings[0].Units)
	}
}

func TestAFailureEndsOnlyWatchersThatKnowNothingYet(t *testing.T) {
	noLeak(t)
	chain := &countedChain{}
	chain.down.Store(true)
	w := chain.open(func(p *pauses) { p.retry = time.Millisecond })
	first := w.join(caller.Caller{}, accountNumber(1))
	if _, err := first.next(t.Context()); !errors.Is(err, errNodes) {
		t.Errorf("got %v, want %v", err, errNodes)
	}
	first.leave()

	chain.down.Store(false)
	second := w.join(caller.Caller{}, accountNumber(1))
	defer second.leave()
	take(t, second)
	chain.down.Store(true)
	w.onHead(watchedChain, 1)
	for n := chain.reads.Load(); chain.reads.Load() < n+3; { // it failed, and was tried again
		runtime.Gosched()
	}
	chain.units.Store(4)
	chain.down.Store(false)
	if c := take(t, second); c.holdings[0].Units.Int64() != 4 {
		t.Errorf("got %v, want 4", c.holdings[0].Units)
	}
}

func TestAChangedHistoryIsToldToTheAccountsWatchers(t *testing.T) {
	noLeak(t)
	chain := &countedChain{}
	w := chain.open()
	one, dollars, euros := accountNumber(1), w.join(caller.Caller{}, accountNumber(1)), w.join(caller.Caller{}, cacheKey{watchedChain, accountNumber(1).owner, "eur"})
	defer dollars.leave()
	defer euros.leave()
	for _, each := range []*watcher{dollars, euros} {
		take(t, each)
	}
	w.onActivity(watchedChain, accountNumber(2).owner, 11)
	w.onActivity("eip155:1", one.owner, 12)
	w.onActivity(watchedChain, one.owner, 13)
	for _, each := range []*watcher{dollars, euros} {
		if c := take(t, each); !c.activity || c.block != 13 {
			t.Errorf("got %+v, want a changed history of block 13", c)
		}
	}
}

func TestAWatcherThatComesLateIsToldOfAnIdentityOnceAndOfEveryPurchase(t *testing.T) {
	noLeak(t)
	w := (&countedChain{}).open()
	one := w.join(caller.Caller{}, accountNumber(1))
	one.proofs = []string{"mine"}
	defer one.leave()
	take(t, one)
	owner := accountNumber(1).owner
	for _, id := range []string{"a", "b", "a"} {
		w.onIdentity(owner)
		w.onOrder(owner, id, "mine")
	}
	if c := take(t, one); !c.identity {
		t.Errorf("got %+v, want another identity", c)
	}
	for _, want := range []string{"b", "a"} {
		if c := take(t, one); !c.ordered || c.order != want {
			t.Errorf("got %+v, want order %s", c, want)
		}
	}
	late := w.join(caller.Caller{}, accountNumber(1))
	late.proofs = []string{"mine"}
	defer late.leave()
	take(t, late)
	w.onOrder(owner, "c", "mine")
	for who, each := range map[string]*watcher{"the first": one, "who came later": late} {
		if c := take(t, each); c.order != "c" {
			t.Errorf("%s: got %+v, want order c and nothing from before", who, c)
		}
	}
}

func TestAWatcherHearsOfNoPurchaseButItsOwn(t *testing.T) {
	noLeak(t)
	w := (&countedChain{}).open()
	buyer, stranger := w.join(caller.Caller{}, accountNumber(1)), w.join(caller.Caller{}, accountNumber(1))
	buyer.proofs = []string{"mine"}
	for _, each := range []*watcher{buyer, stranger} {
		defer each.leave()
		take(t, each)
	}
	owner := accountNumber(1).owner
	w.onOrder(owner, "older", "")
	w.onOrder(owner, "theirs", "theirs")
	w.onOrder(owner, "bought", "mine")
	if c, _ := stranger.take(stranger.account.current()); c.ordered {
		t.Errorf("who has no token hears %+v", c)
	}
	if c := take(t, buyer); c.order != "bought" {
		t.Errorf("the buyer hears %+v", c)
	}
	for n := range 2 * ordersTold {
		w.onOrder(owner, strconv.Itoa(n), "theirs")
	}
	if c, _ := stranger.take(stranger.account.current()); c.ordered {
		t.Errorf("who has no token hears %+v", c)
	}
}

func TestAWatcherThatMissedTooManyPurchasesIsToldToAskForAll(t *testing.T) {
	noLeak(t)
	w := (&countedChain{}).open()
	one := w.join(caller.Caller{}, accountNumber(1))
	one.proofs = []string{"mine"}
	defer one.leave()
	take(t, one)
	owner := accountNumber(1).owner
	for n := range ordersTold + 1 {
		w.onOrder(owner, strconv.Itoa(n), "mine")
	}
	if c := take(t, one); !c.ordered || c.order != "" {
		t.Errorf("got %+v, want a purchase without an id", c)
	}
	w.onOrder(owner, "next", "mine")
	if c := take(t, one); c.order != "next" {
		t.Errorf("got %+v, want the next one alone", c)
	}
	if kept := len(one.account.current().orders.list); kept != ordersTold {
		t.Errorf("%d purchases are kept, want %d", kept, ordersTold)
	}
}

// BenchmarkWatchers is what a watcher costs while nothing happens, its goroutine included, and what is left after all have gone.
func BenchmarkWatchers(b *testing.B) {
	const watchers, accounts = 10_000, 100
	var held, left float64
	for b.Loop() {
		chain := &countedChain{}
		w := chain.open()
		before, goroutines := memory(), runtime.NumGoroutine()
		ctx, stop := context.WithCancel(b.Context())
		var all, first sync.WaitGroup
		first.Add(watchers)
		for i := range watchers {
			all.Go(func() {
				one := w.join(caller.Caller{}, accountNumber(i%accounts))
				defer one.leave()
				_, err := one.next(ctx)
				first.Done()
				for err == nil {
					_, err = one.next(ctx)
				}
			})
		}
		first.Wait()
		held = float64(memory()-before) / watchers
		stop()
		all.Wait()
		for runtime.NumGoroutine() > goroutines {
			runtime.Gosched()
		}
		left = float64(memory()) - float64(before)
	}
	b.ReportMetric(held, "B/watcher")
	b.ReportMetric(max(0, left)/watchers, "B/watcher-left")
	b.ReportMetric(0, "ns/op")
}

// memory is what the heap and the stacks hold, in bytes.
func memory() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
