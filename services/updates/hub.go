package updates

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// parallelReads bounds how many accounts are read concurrently.
	parallelReads = 32
	// maxWatchers bounds the number of watchers, and so how many accounts are read with every block.
	maxWatchers = 20_000
)

// intervals are the durations that the hub uses.
type intervals struct {
	// alive is the longest time without a message to a watcher.
	alive time.Duration
	// refresh is the longest time between two reads of an account. It is shorter than the time for which the chains
	// service follows a chain that is not requested.
	refresh time.Duration
	// retry is the pause after a failed read.
	retry time.Duration
	// send is how long a watcher may take to receive one message.
	send time.Duration
}

var defaultIntervals = intervals{alive: 15 * time.Second, refresh: 45 * time.Second, retry: 5 * time.Second, send: 30 * time.Second}

// accountKey identifies an account on one chain.
type accountKey struct {
	// chainID is a CAIP-2 id.
	chainID string
	// address is canonical, see [request.Canonical].
	address string
}

// balanceLists are the balances of one read by currency.
type balanceLists map[string]balanceList

// balanceList holds the balances of an account.
type balanceList struct {
	list []*balancesv1.Balance
	// more is set if the account holds further tokens.
	more bool
}

// readBalances reads the balances of an account, bypassing every cache, priced in each of the currencies; block is the
// newest known block.
type readBalances func(ctx context.Context, key accountKey, currencies []string, block uint64) (balanceLists, error)

// hub reads each watched account when a block may have changed it, however many clients watch it. A watcher has no queue: it takes the
// newest state when it is ready, so a slow watcher uses no memory and only misses states that were superseded.
type hub struct {
	read      readBalances
	find      findChanges
	clock     clock.Clock
	intervals intervals
	// slots limits concurrent reads.
	slots    chan struct{}
	measured measured

	mu sync.Mutex
	// chains are by CAIP-2 id.
	chains map[string]*chain
}

func newHub(read readBalances, find findChanges, c clock.Clock, i intervals) *hub {
	return &hub{read: read, find: find, clock: c, intervals: i, slots: make(chan struct{}, parallelReads), measured: newMeasured(), chains: map[string]*chain{}}
}

// chain returns what is known of a chain. The caller holds mu.
func (h *hub) chain(chainID string) *chain {
	c := h.chains[chainID]
	if c == nil {
		c = &chain{id: chainID, accounts: map[string]*account{}}
		h.chains[chainID] = c
	}
	return c
}

// join adds a watcher of an account. The watcher receives the balances in a currency, and the purchases for which it
// has proofs. The account is read until its last watcher leaves; the requests count for the caller of the first
// watcher.
func (h *hub) join(who caller.Caller, key accountKey, currency string, proofs []string) *watcher {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.chain(key.chainID)
	a := c.accounts[key.address]
	if a == nil {
		ctx, stop := context.WithCancel(caller.NewIncomingContext(context.Background(), caller.Caller{Project: who.Project, Address: who.Address}))
		a = newAccount(key, stop)
		c.accounts[key.address] = a
		a.currencies[currency]++
		routine.Go(ctx, func() error { h.follow(ctx, a); return nil })
	} else {
		a.currencies[currency]++
		if a.currencies[currency] == 1 {
			a.wake()
		}
	}
	now := a.current()
	return &watcher{hub: h, account: a, currency: currency, proofs: proofs, activity: now.activity, identity: now.identity, orders: now.orders.count}
}

// leave removes a watcher, and the account if it was the last watcher.
func (h *hub) leave(w *watcher) {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := w.account
	if a.currencies[w.currency]--; a.currencies[w.currency] == 0 {
		delete(a.currencies, w.currency)
	}
	if len(a.currencies) == 0 {
		c := h.chain(a.key.chainID)
		delete(c.accounts, a.key.address)
		delete(c.natives, a.key.address)
		a.stop()
	}
}

// onHead makes the watched accounts of the chain be read again that its new blocks may have changed.
func (h *hub) onHead(head head) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.chain(head.chainID)
	if c.add(head) {
		h.compare(c)
	}
}

// onActivity notifies the watchers of an account on one chain that its history changed.
func (h *hub) onActivity(key accountKey, block uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a := h.chain(key.chainID).accounts[key.address]; a != nil {
		a.setActivity(block)
	}
}

// onIdentity notifies the watchers of an account on every chain that its name or picture may have changed.
func (h *hub) onIdentity(address, name string) {
	h.each(address, func(a *account) { a.setIdentity(name) })
}

// onOrder notifies the watchers of an account on every chain that have the proof of a purchase.
func (h *hub) onOrder(address, id, proof string, order *onrampv1.Order) {
	h.each(address, func(a *account) { a.setOrder(orderUpdate{id: id, proof: proof, order: order}) })
}

// onMissed is called when events were lost. It makes every watched account be read again, and notifies all watchers of
// all kinds of changes.
func (h *hub) onMissed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.chains {
		c.forget()
		for _, a := range c.accounts {
			a.wake()
			a.setActivity(c.head.number)
			a.setIdentity("")
			a.setAllOrders()
		}
	}
}

// each calls visit for an account on every chain on which it is watched.
func (h *hub) each(address string, visit func(*account)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.chains {
		if a := c.accounts[address]; a != nil {
			visit(a)
		}
	}
}

// head returns the number of the newest block of a chain; 0 if none is known.
func (h *hub) head(chainID string) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.chain(chainID).head.number
}

// currencies returns the currencies of the watchers of an account, sorted.
func (h *hub) currencies(a *account) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(maps.Keys(a.currencies))
}

// follow reads the account until ctx ends: at once, after every block, and at intervals, so that the chains service
// keeps following the chain.
func (h *hub) follow(ctx context.Context, a *account) {
	for ctx.Err() == nil {
		next := h.intervals.retry
		_ = routine.Call(ctx, func() error { next = h.update(ctx, a); return nil })
		timer := time.NewTimer(next)
		select {
		case <-ctx.Done():
		case <-a.due:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// update reads the account once and returns when to read it again without a block.
func (h *hub) update(ctx context.Context, a *account) time.Duration {
	select {
	case <-ctx.Done():
		return 0
	case h.slots <- struct{}{}:
	}
	defer func() { <-h.slots }()
	currencies := h.currencies(a)
	if len(currencies) == 0 {
		return 0 // The last watcher has just left.
	}
	block := h.head(a.key.chainID)
	h.measured.reads.Add(ctx, 1)
	lists, err := h.read(ctx, a.key, currencies, block)
	if err != nil {
		a.setFailure(err)
		return h.intervals.retry
	}
	// The history of a Solana account is read from nodes, without events, so a change of the amounts indicates a new
	// transaction.
	if a.setBalances(lists, block, h.clock.Now()) && strings.HasPrefix(a.key.chainID, request.Solana+":") {
		a.setActivity(block)
	}
	return h.intervals.refresh
}
