package balances

import (
	"context"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// parallelReadings bounds how many watched accounts are read at once.
const parallelReadings = 32

// watchersAtOnce bounds how many watchers there are, and so how many accounts are read with every block.
const watchersAtOnce = 20_000

// pauses are the times that watching keeps.
type pauses struct {
	// alive is the longest silence towards a watcher.
	alive time.Duration
	// refresh is the longest time between two readings of an account; it is below the time for which a chain is followed unasked.
	refresh time.Duration
	// retry follows a reading that failed.
	retry time.Duration
	// patience is how long a watcher may take to read one message.
	patience time.Duration
}

var usualPauses = pauses{alive: 15 * time.Second, refresh: 45 * time.Second, retry: 5 * time.Second, patience: 30 * time.Second}

// watches reads each watched account once a block, however many watch it. A watcher holds no queue: it takes the newest state when it
// comes, so one that reads slowly costs no memory and misses no state but those that are over.
type watches struct {
	// read counts what the account holds now, past anything kept.
	read func(ctx context.Context, key cacheKey) ([]Holding, error)
	// tell announces that a block changed what an account holds.
	tell   func(ctx context.Context, key cacheKey, block uint64, holdings []Holding)
	pauses pauses
	// reading has a place for each reading under way.
	reading chan struct{}

	mu       sync.Mutex
	accounts map[cacheKey]*watched
	// heads are the newest blocks by CAIP-2 id.
	heads map[string]uint64
}

// newWatches completes w with what it keeps itself.
func newWatches(w *watches) *watches {
	w.reading = make(chan struct{}, parallelReadings)
	w.accounts, w.heads = map[cacheKey]*watched{}, map[string]uint64{}
	return w
}

// join begins to watch an account for a caller; its reader runs until the last watcher leaves, and counts for the first one.
func (w *watches) join(who caller.Caller, key cacheKey) *watcher {
	w.mu.Lock()
	defer w.mu.Unlock()
	account := w.accounts[key]
	if account == nil {
		ctx, stop := context.WithCancel(caller.Behind(context.Background(), caller.Caller{Project: who.Project, Address: who.Address}))
		account = newWatched(key, stop)
		w.accounts[key] = account
		routine.Go(ctx, func() error { w.follow(ctx, account); return nil })
	}
	account.watchers++
	now := account.current()
	return &watcher{watches: w, account: account, activity: now.activity, identity: now.identity, orders: now.orders.count}
}

// leave ends one watcher, and with the last one the reader of its account.
func (w *watches) leave(account *watched) {
	w.mu.Lock()
	defer w.mu.Unlock()
	account.watchers--
	if account.watchers > 0 {
		return
	}
	delete(w.accounts, account.key)
	account.stop()
}

// onHead has every watched account of the chain read again.
func (w *watches) onHead(chainID string, number uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heads[chainID] = number
	for key, account := range w.accounts {
		if key.chainID == chainID {
			account.wake()
		}
	}
}

// onActivity tells the watchers of an account on a chain that its history changed.
func (w *watches) onActivity(chainID string, owner evm.Address, block uint64) {
	w.each(owner, func(account *watched) {
		if account.key.chainID == chainID {
			account.noteActivity(block)
		}
	})
}

// onIdentity tells the watchers of an account, on every chain, that it may be shown otherwise.
func (w *watches) onIdentity(owner evm.Address) { w.each(owner, (*watched).noteIdentity) }

// onOrder tells those watchers of an account, on every chain, who have the proof of a purchase that it moved.
func (w *watches) onOrder(owner evm.Address, id, proof string) {
	w.each(owner, func(account *watched) { account.noteOrder(id, proof) })
}

// onMissed has every watched account read again, and tells its watchers that whatever they show of it may have changed.
func (w *watches) onMissed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key, account := range w.accounts {
		account.wake()
		account.noteActivity(w.heads[key.chainID])
		account.noteIdentity()
		account.noteAnyOrder()
	}
}

// each visits what is watched of an account: every chain and currency.
func (w *watches) each(owner evm.Address, visit func(*watched)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key, account := range w.accounts {
		if key.owner == owner {
			visit(account)
		}
	}
}

func (w *watches) head(chainID string) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.heads[chainID]
}

// follow reads the account now, after every block, and now and then without one, which also keeps the chain followed.
func (w *watches) follow(ctx context.Context, account *watched) {
	for ctx.Err() == nil {
		next := w.pauses.retry
		_ = routine.Call(ctx, func() error { next = w.look(ctx, account); return nil })
		pause := time.NewTimer(next)
		select {
		case <-ctx.Done():
		case <-account.due:
		case <-pause.C:
		}
		pause.Stop()
	}
}

// look reads the account once and returns how long the reading is good for without a block.
func (w *watches) look(ctx context.Context, account *watched) time.Duration {
	block := w.head(account.key.chainID)
	holdings, err := w.readInTurn(ctx, account.key)
	if err != nil {
		account.noteFailure(err)
		return w.pauses.retry
	}
	if account.noteHoldings(holdings, block) {
		w.tell(ctx, account.key, block, holdings)
	}
	return w.pauses.refresh
}

// readInTurn reads once a place is free.
func (w *watches) readInTurn(ctx context.Context, key cacheKey) ([]Holding, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case w.reading <- struct{}{}:
	}
	defer func() { <-w.reading }()
	return w.read(ctx, key)
}
