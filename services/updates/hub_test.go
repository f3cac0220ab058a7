package updates

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const watchedChain = "eip155:31337"

// countedChain is a chain whose accounts all hold the same amount, which the test sets.
type countedChain struct {
	reads atomic.Int64
	units atomic.Int64
	down  atomic.Bool
}

var errNodes = errors.New("no node answers")

func (c *countedChain) read(_ context.Context, _ accountKey, currencies []string, _ uint64) (balanceLists, error) {
	c.reads.Add(1)
	if c.down.Load() {
		return nil, errNodes
	}
	lists := balanceLists{}
	for _, currency := range currencies {
		lists[currency] = balanceList{list: []*balancesv1.Balance{{
			ChainId: watchedChain, Symbol: "ETH", Quantity: &balancesv1.Quantity{Decimals: "0", Numeric: strconv.FormatInt(c.units.Load(), 10)},
			PriceSource: &currency,
		}}}
	}
	return lists, nil
}

// find returns the same native balance for all accounts.
func (c *countedChain) find(_ context.Context, _ string, addresses []string, _, _ uint64) (changes, error) {
	return changes{natives: slices.Repeat([]string{strconv.FormatInt(c.units.Load(), 10)}, len(addresses))}, nil
}

func (c *countedChain) open(modify ...func(*intervals)) *hub {
	i := intervals{alive: time.Hour, refresh: time.Hour, retry: time.Hour, send: time.Hour}
	for _, f := range modify {
		f(&i)
	}
	return newHub(c.read, c.find, clock.System{}, i)
}

// units returns the amount in a change.
func (c change) units() int64 {
	if len(c.balances.list) == 0 {
		return -1
	}
	units, _ := strconv.ParseInt(c.balances.list[0].GetQuantity().GetNumeric(), 10, 64)
	return units
}

func accountNumber(n int) accountKey {
	return accountKey{chainID: watchedChain, address: evm.Address{18: byte(n >> 8), 19: byte(n)}.String()}
}

// watch joins as a caller without a project.
func (h *hub) watch(key accountKey, proofs ...string) *watcher {
	return h.join(caller.Caller{}, key, "usd", proofs)
}

// noLeak fails the test if it leaks goroutines.
func noLeak(tb testing.TB) {
	tb.Helper()
	before := goleak.IgnoreCurrent()
	tb.Cleanup(func() { goleak.VerifyNone(tb, before) })
}

// take returns the next change. It fails the test if there is none.
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
		crowd[i] = w.watch(accountNumber(i % accounts))
	}
	for block := range int64(blocks) {
		if block > 0 {
			chain.units.Store(block)
			w.onHead(head{chainID: watchedChain, number: uint64(block)})
		}
		var everybody sync.WaitGroup
		for _, one := range crowd {
			everybody.Go(func() {
				if c := take(t, one); c.block != uint64(block) || c.units() != block {
					t.Errorf("block %d: got %v of block %d", block, c.units(), c.block)
				}
			})
		}
		everybody.Wait()
		if n := chain.reads.Load(); n != (block+1)*accounts {
			t.Fatalf("block %d: %d readings by now, want %d", block, n, (block+1)*accounts)
		}
	}
	for _, one := range crowd {
		one.leave()
	}
	if n := len(w.chains[watchedChain].accounts); n != 0 {
		t.Errorf("%d accounts are still watched", n)
	}
}

func TestAWatcherThatComesLateGetsTheNewestStateOnly(t *testing.T) {
	noLeak(t)
	chain := &countedChain{}
	w := chain.open()
	quick, late := w.watch(accountNumber(1)), w.watch(accountNumber(1))
	defer quick.leave()
	defer late.leave()
	take(t, quick)
	for block := int64(1); block <= 3; block++ {
		chain.units.Store(block)
		w.onHead(head{chainID: watchedChain, number: uint64(block)})
		take(t, quick)
	}
	if c := take(t, late); c.block != 3 || c.units() != 3 {
		t.Errorf("got %v of block %d, want 3 of block 3", c.units(), c.block)
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
	w := chain.open(func(i *intervals) { i.alive = time.Millisecond })
	one := w.watch(accountNumber(1))
	defer one.leave()
	for take(t, one).kind != balancesChanged { // until the first read has ended
	}
	w.onHead(head{chainID: watchedChain, number: 7})
	for c := take(t, one); c.block != 7; c = take(t, one) {
		if c.kind == balancesChanged || c.kind == activityChanged {
			t.Fatalf("got %+v, want nothing but signs of life", c)
		}
	}
}

func TestAnAccountIsReadNowAndThenWithoutABlock(t *testing.T) {
	noLeak(t)
	chain := &countedChain{}
	w := chain.open(func(i *intervals) { i.refresh = time.Millisecond })
	one := w.watch(accountNumber(1))
	defer one.leave()
	take(t, one)
	chain.units.Store(9)
	if c := take(t, one); c.units() != 9 {
		t.Errorf("got %v, want what is there now", c.units())
	}
}

func TestAFailureEndsOnlyWatchersThatKnowNothingYet(t *testing.T) {
	noLeak(t)
	chain := &countedChain{}
	chain.down.Store(true)
	w := chain.open(func(i *intervals) { i.retry = time.Millisecond })
	first := w.watch(accountNumber(1))
	if _, err := first.next(t.Context()); !errors.Is(err, errNodes) {
		t.Errorf("got %v, want %v", err, errNodes)
	}
	first.leave()

	chain.down.Store(false)
	second := w.watch(accountNumber(1))
	defer second.leave()
	take(t, second)
	chain.down.Store(true)
	w.onHead(head{chainID: watchedChain, number: 1})
	for n := chain.reads.Load(); chain.reads.Load() < n+3; { // it failed, and was retried
		runtime.Gosched()
	}
	chain.units.Store(4)
	chain.down.Store(false)
	if c := take(t, second); c.units() != 4 {
		t.Errorf("got %v, want 4", c.units())
	}
}

func TestAChangedHistoryIsToldToTheAccountsWatchers(t *testing.T) {
	noLeak(t)
	chain := &countedChain{}
	w := chain.open()
	one, dollars, euros := accountNumber(1), w.watch(accountNumber(1)), w.join(caller.Caller{}, accountNumber(1), "eur", nil)
	defer dollars.leave()
	defer euros.leave()
	for _, each := range []*watcher{dollars, euros} {
		take(t, each)
	}
	w.onActivity(accountNumber(2), 11)
	w.onActivity(accountKey{"eip155:1", one.address}, 12)
	w.onActivity(one, 13)
	for _, each := range []*watcher{dollars, euros} {
		if c := take(t, each); c.kind != activityChanged || c.block != 13 {
			t.Errorf("got %+v, want a changed history of block 13", c)
		}
	}
}

func TestAWatcherThatComesLateIsToldOfAnIdentityOnceAndOfEveryPurchase(t *testing.T) {
	noLeak(t)
	w := (&countedChain{}).open()
	one := w.watch(accountNumber(1), "mine")
	defer one.leave()
	take(t, one)
	owner := accountNumber(1).address
	for _, id := range []string{"a", "b", "a"} {
		w.onIdentity(owner, "alice.hawser.id")
		w.onOrder(owner, id, "mine", &onrampv1.Order{Id: id})
	}
	if c := take(t, one); c.kind != identityChanged {
		t.Errorf("got %+v, want another identity", c)
	}
	for _, want := range []string{"b", "a"} {
		if c := take(t, one); c.kind != orderChanged || c.orderID != want {
			t.Errorf("got %+v, want order %s", c, want)
		}
	}
	late := w.watch(accountNumber(1), "mine")
	defer late.leave()
	take(t, late)
	w.onOrder(owner, "c", "mine", &onrampv1.Order{Id: "c"})
	for who, each := range map[string]*watcher{"the first": one, "who came later": late} {
		if c := take(t, each); c.orderID != "c" {
			t.Errorf("%s: got %+v, want order c and nothing from before", who, c)
		}
	}
}

func TestAWatcherHearsOfNoPurchaseButItsOwn(t *testing.T) {
	noLeak(t)
	w := (&countedChain{}).open()
	buyer, other := w.watch(accountNumber(1)), w.watch(accountNumber(1))
	buyer.proofs = []string{"mine"}
	for _, each := range []*watcher{buyer, other} {
		defer each.leave()
		take(t, each)
	}
	owner := accountNumber(1).address
	w.onOrder(owner, "older", "", &onrampv1.Order{Id: "older"})
	w.onOrder(owner, "theirs", "theirs", &onrampv1.Order{Id: "theirs"})
	w.onOrder(owner, "bought", "mine", &onrampv1.Order{Id: "bought"})
	if c, _ := other.take(other.account.current()); c.kind == orderChanged {
		t.Errorf("who has no token hears %+v", c)
	}
	if c := take(t, buyer); c.orderID != "bought" {
		t.Errorf("the buyer hears %+v", c)
	}
	for n := range 2 * maxRecentOrders {
		w.onOrder(owner, strconv.Itoa(n), "theirs", &onrampv1.Order{Id: strconv.Itoa(n)})
	}
	if c, _ := other.take(other.account.current()); c.kind == orderChanged {
		t.Errorf("who has no token hears %+v", c)
	}
}

func TestAWatcherThatKeepsUpIsNotToldToAskForAll(t *testing.T) {
	noLeak(t)
	w := (&countedChain{}).open()
	buyer := w.watch(accountNumber(1), "mine")
	defer buyer.leave()
	take(t, buyer)
	owner := accountNumber(1).address
	for n := range maxRecentOrders + 1 {
		w.onOrder(owner, strconv.Itoa(n), "theirs", &onrampv1.Order{Id: strconv.Itoa(n)})
		if c, ok := buyer.take(buyer.account.current()); ok {
			t.Fatalf("after %d purchases of others: %+v", n+1, c)
		}
	}
	w.onOrder(owner, "bought", "mine", &onrampv1.Order{Id: "bought"})
	if c := take(t, buyer); c.orderID != "bought" {
		t.Errorf("got %+v, want the purchase of the buyer", c)
	}
}

func TestAWatcherThatMissedTooManyPurchasesIsToldToAskForAll(t *testing.T) {
	noLeak(t)
	w := (&countedChain{}).open()
	one := w.watch(accountNumber(1), "mine")
	defer one.leave()
	take(t, one)
	owner := accountNumber(1).address
	for n := range maxRecentOrders + 1 {
		w.onOrder(owner, strconv.Itoa(n), "mine", &onrampv1.Order{Id: strconv.Itoa(n)})
	}
	if c := take(t, one); c.kind != orderChanged || c.orderID != "" {
		t.Errorf("got %+v, want a purchase without an id", c)
	}
	w.onOrder(owner, "next", "mine", &onrampv1.Order{Id: "next"})
	if c := take(t, one); c.orderID != "next" {
		t.Errorf("got %+v, want the next one alone", c)
	}
	if kept := len(one.account.current().orders.list); kept != maxRecentOrders {
		t.Errorf("%d purchases are kept, want %d", kept, maxRecentOrders)
	}
}

// BenchmarkWatchers measures the memory of an idle watcher, including its goroutine, and the memory that remains after
// all watchers have left.
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
				one := w.watch(accountNumber(i % accounts))
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

// memory returns the size of the heap and the stacks, in bytes.
func memory() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
