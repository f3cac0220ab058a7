package activity

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/balances/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// pageSize is how many rows a page holds.
	pageSize = 50
	// firstLook bounds how long a caller waits for a short chain to be read.
	firstLook = 2 * time.Second
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
	Rows []Row
	// Next is where the next page begins; nil on the last.
	Next *Place
	// Progress is by CAIP-2 chain id.
	Progress map[string]Progress
	// Tokens are those that the rows name.
	Tokens map[tokenKey]Token
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
	clock    clock.Clock
	// whole is how many blocks are worth waiting for.
	whole uint64
}

// page returns the rows of an address after a place, on one chain or, where chainID is empty, on all where it was seen.
func (h *history) page(ctx context.Context, address evm.Address, chainID string, after *Place) (Page, error) {
	p := Page{Progress: map[string]Progress{}}
	var err error
	if chainID == "" {
		p.Progress, err = h.everywhere(ctx, address)
	} else {
		p.Progress[chainID], err = h.progress(ctx, Account{chainID, address})
	}
	if err != nil {
		return Page{}, err
	}
	rows, err := h.store.Page(ctx, address, chainID, after, pageSize+1)
	if err != nil {
		return Page{}, err
	}
	if len(rows) > pageSize {
		rows = rows[:pageSize]
		p.Next = &rows[pageSize-1].Place
	}
	p.Rows = rows
	p.Tokens, err = h.tokens(ctx, rows)
	return p, err
}

// everywhere is the progress on every chain on which the address was seen, and that is served still.
func (h *history) everywhere(ctx context.Context, address evm.Address) (map[string]Progress, error) {
	chains, err := h.store.ChainsOf(ctx, address)
	if err != nil {
		return nil, err
	}
	all := map[string]Progress{}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
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

// arrivals lists the contracts whose tokens came to an account.
func (h *history) arrivals(ctx context.Context, a Account) ([]Arrival, Progress, error) {
	progress, err := h.progress(ctx, a)
	if err != nil {
		return nil, Progress{}, err
	}
	list, err := h.store.Arrivals(ctx, a)
	return list, progress, err
}

// progress sees the account where it is new, and says how far its history reaches. It waits a moment for what can be read in one.
func (h *history) progress(ctx context.Context, a Account) (Progress, error) {
	if _, served, err := h.networks.Native(ctx, a.ChainID); err != nil {
		return Progress{}, err
	} else if !served {
		return Progress{}, errUnserved
	}
	seen, err := h.store.Asked(ctx, a, h.clock.Now())
	if err != nil {
		return Progress{}, err
	}
	look, cancel := context.WithTimeout(ctx, firstLook)
	defer cancel()
	follower := h.indexer.follower(a.ChainID)
	looked := follower.want(h.clock.Now().Add(-freshFor)).await(look)
	if !seen {
		if err := h.see(ctx, look, follower, a, looked); err != nil {
			return Progress{}, err
		}
	}
	for {
		coming := follower.coming()
		p, _, err := h.store.Progress(ctx, a)
		if err != nil || !p.Reading || p.From > h.whole {
			return p, err
		}
		if coming.await(look) != nil {
			return p, nil
		}
	}
}

// see begins to keep an account, once its chain has a trail; looked is how looking for one went.
func (h *history) see(ctx, look context.Context, f *follower, a Account, looked error) error {
	err := h.store.See(ctx, a, h.clock.Now())
	for errors.Is(err, ErrStale) && looked == nil {
		// Another replica was at the chain.
		looked = f.want(h.clock.Now()).await(look)
		err = h.store.See(ctx, a, h.clock.Now())
	}
	if errors.Is(err, ErrStale) {
		return errors.Join(ctx.Err(), fmt.Errorf("%w: %w", ErrUnavailable, looked))
	}
	if err == nil {
		// Blocks that were left alone while nobody was seen are followed now; where no node answers, they are later.
		_ = f.want(h.clock.Now()).await(look)
	}
	return err
}

// tokens finds what the assets of rows are called.
func (h *history) tokens(ctx context.Context, rows []Row) (map[tokenKey]Token, error) {
	found := map[tokenKey]Token{}
	byChain := map[string][]Row{}
	for _, r := range rows {
		byChain[r.ChainID] = append(byChain[r.ChainID], r)
	}
	for chainID, rows := range byChain {
		native, _, err := h.networks.Native(ctx, chainID)
		if err != nil {
			return nil, err
		}
		found[tokenKey{chainID: chainID}] = native
		known, err := h.store.Tokens(ctx, chainID, contractsOf(rows))
		if err != nil {
			return nil, err
		}
		for contract, token := range known {
			found[tokenKey{chainID, contract}] = token
		}
	}
	return found, nil
}
