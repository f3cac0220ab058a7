package activity

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// pageSize is how many rows a page holds.
	pageSize = 50
	// firstLook bounds how long a caller waits for a short chain to be read.
	firstLook = 2 * time.Second
	// glance is that for a caller who has more to do.
	glance = 250 * time.Millisecond
	// pagesRead bounds how many pages of rows are read for one page that leaves spam out, and pagesShown for one that holds it.
	pagesRead, pagesShown = 20, 5
	// freshFor is how long a chain that was looked at is not looked at again because somebody asks.
	freshFor = time.Second
)

var (
	// ErrUnavailable says that neither the index nor a node could answer.
	ErrUnavailable = errors.New("no node and no index")
	// errUnserved says that the network table has no such chain.
	errUnserved = errors.New("the chain is not served")
)

// Page is one page of a history.
type Page struct {
	Rows []Entry
	// Next is where the next page begins; nil on the last.
	Next *Place
	// Progress is by CAIP-2 chain id.
	Progress map[string]Progress
	// Tokens are those that the rows name.
	Tokens map[tokenKey]Token
	// Named names well-known contracts.
	Named Named
}

// tokenKey names a token of one chain; the native currency has no contract.
type tokenKey struct {
	chainID  string
	contract evm.Address
}

// history answers questions from the index, and sees accounts that are asked for.
type history struct {
	indexer  *indexer
	store    Store
	networks Networks
	lists    Lists
	clock    clock.Clock
	named    Named
	// whole is how many blocks are worth waiting for.
	whole uint64
	// limiter counts the accounts that callers make the index begin with, of which each may so many.
	limiter     limit.Limiter
	newAccounts limit.Rate
}

// page returns a page of an address's rows.
func (h *history) page(ctx context.Context, q query) (Page, error) {
	p := Page{Progress: map[string]Progress{}, Tokens: map[tokenKey]Token{}, Named: h.named}
	var err error
	if q.chainID == "" {
		p.Progress, err = h.everywhere(ctx, q.address)
	} else {
		p.Progress[q.chainID], err = h.progress(ctx, Account{q.chainID, q.address})
	}
	if err != nil {
		return Page{}, err
	}
	return p, h.read(ctx, q, &p)
}

// read adds rows to the page until it is full of rows that are no spam: however much of that there is, it crowds nothing out. A page may hold
// fewer and have a next one, where there is very much.
func (h *history) read(ctx context.Context, q query, p *Page) error {
	after, most, full := q.after, pagesRead, 0
	if q.spam {
		most = pagesShown
	}
	for range most {
		rows, err := h.store.Page(ctx, q.address, q.chainID, after, pageSize+1)
		if err != nil {
			return err
		}
		more := len(rows) > pageSize
		rows = rows[:min(len(rows), pageSize)]
		if err := h.tokens(ctx, rows, p.Tokens); err != nil {
			return err
		}
		for i, r := range rows {
			e, shown := p.judged(r), true
			if !q.spam {
				e, shown = e.withoutSpam()
			}
			if shown {
				p.Rows = append(p.Rows, e)
			}
			if !e.Spam {
				full++
			}
			if full == pageSize {
				if more || i < len(rows)-1 {
					p.Next = &r.Place
				}
				return nil
			}
		}
		if !more {
			return nil
		}
		after = &rows[len(rows)-1].Place
	}
	p.Next = after
	return nil
}

// everywhere is the progress on every chain on which the address was seen, and that is served still.
func (h *history) everywhere(ctx context.Context, address evm.Address) (map[string]Progress, error) {
	chains, err := h.store.ChainsOf(ctx, address)
	if err != nil {
		return nil, err
	}
	all := map[string]Progress{}
	var mu sync.Mutex
	g, ctx := routine.NewGroup(ctx)
	for _, id := range chains {
		g.Go(func() error {
			p, err := h.progress(ctx, Account{id, address})
			if errors.Is(err, errUnserved) {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			all[id] = p
			return err
		})
	}
	return all, g.Wait()
}

// arrivals lists the contracts whose tokens came to an account, as far as they are known now: those who ask cannot wait long.
func (h *history) arrivals(ctx context.Context, a Account, watched bool) ([]Arrival, Progress, error) {
	follower, seen, err := h.asked(ctx, a, watched)
	if err != nil {
		return nil, Progress{}, err
	}
	var progress Progress
	if seen {
		progress, _, err = h.store.Progress(ctx, a)
	} else {
		progress, err = h.first(ctx, follower, a, glance)
	}
	if err != nil && !errors.Is(err, ErrUnavailable) {
		return nil, Progress{}, err
	}
	list, err := h.store.Arrivals(ctx, a)
	return list, progress, err
}

// progress has the chain's newest block read, and the account seen where it is new, and says how far its history reaches. It waits a moment
// for what can be read in one.
func (h *history) progress(ctx context.Context, a Account) (Progress, error) {
	follower, seen, err := h.asked(ctx, a, false)
	if err != nil {
		return Progress{}, err
	}
	if !seen {
		return h.first(ctx, follower, a, firstLook)
	}
	look, cancel := context.WithTimeout(ctx, firstLook)
	defer cancel()
	// Where no node answers, what is known is the answer.
	_ = follower.want(h.clock.Now().Add(-freshFor)).await(look)
	return h.await(ctx, look, follower, a)
}

// asked notes that an account was asked for, or watched, and finds the work on its chain.
func (h *history) asked(ctx context.Context, a Account, watched bool) (*follower, bool, error) {
	_, served, err := h.networks.Native(ctx, a.ChainID)
	if err == nil && !served {
		err = errUnserved
	}
	if err != nil {
		return nil, false, err
	}
	seen, err := h.store.Asked(ctx, a, watched, h.clock.Now())
	return h.indexer.follower(a.ChainID), seen, err
}

// first sees an account, and waits so long for its history.
func (h *history) first(ctx context.Context, f *follower, a Account, patience time.Duration) (Progress, error) {
	if err := limit.Spend(ctx, h.limiter, h.newAccounts, "new accounts"); err != nil {
		return Progress{}, err
	}
	look, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := f.see(a.Address).await(look)
	if err != nil && look.Err() == nil {
		return Progress{Reading: true, Unseen: true}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return h.await(ctx, look, f, a)
}

// await returns how far a history reaches when all of it is read, when look ends, or when there is more to read than is worth waiting for.
func (h *history) await(ctx, look context.Context, f *follower, a Account) (Progress, error) {
	for {
		coming := f.coming()
		p, seen, err := h.store.Progress(ctx, a)
		if err != nil || seen && !p.Reading || p.From > h.whole {
			return p, err
		}
		if coming.await(look) != nil {
			p.Reading, p.Unseen = p.Reading || !seen, !seen
			return p, ctx.Err()
		}
	}
}

// tokens adds what the assets of rows are called.
func (h *history) tokens(ctx context.Context, rows []Row, found map[tokenKey]Token) error {
	byChain := map[string][]Row{}
	for _, r := range rows {
		byChain[r.ChainID] = append(byChain[r.ChainID], r)
	}
	for chainID, rows := range byChain {
		native, _, err := h.networks.Native(ctx, chainID)
		if err != nil {
			return err
		}
		found[tokenKey{chainID: chainID}] = native
		known, err := h.store.Tokens(ctx, chainID, contractsOf(rows))
		if err != nil {
			return err
		}
		for contract, token := range vouched(h.lists, chainID, native, known) {
			found[tokenKey{chainID, contract}] = token
		}
	}
	return nil
}
