package activity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/indexer"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// pageSize is the number of rows on a page.
	pageSize = 50
	// pageWait bounds how long a request for a page waits until a short chain is read, touchedWait the same for a request for contracts. Nothing waits for
	// a chain that has been late for lateFor, and a request for the page of a tracked account for none that does not follow its newest block within slowAfter.
	pageWait    = 2 * time.Second
	touchedWait = 250 * time.Millisecond
	slowAfter   = 250 * time.Millisecond
	lateFor     = 5 * time.Second
	// pagesRead bounds how many pages of rows are read for one page without spam, and pagesShown for one with it.
	pagesRead, pagesShown = 20, 5
	// approvedMost bounds the approvals of one answer.
	approvedMost = 1_000
	// freshFor is how long the newest block of a chain is not read again because of a request.
	freshFor = time.Second
)

var (
	// ErrUnavailable is returned when neither the index nor a node can answer.
	ErrUnavailable = errors.New("no node and no index")
	// errUnserved is returned for a chain that is not in the network table.
	errUnserved = errors.New("the chain is not served")
)

// Page is one page of a history.
type Page struct {
	Rows []Entry
	// Next is the place after which the next page begins; nil on the last page.
	Next *index.Place
	// Progress is by CAIP-2 chain id.
	Progress map[string]index.Progress
	// Tokens are the tokens of the rows.
	Tokens map[tokenKey]index.Token
	// Names names well-known contracts.
	Names ContractNames
}

// tokenKey identifies a token on a chain. The native token has the zero address.
type tokenKey struct {
	chainID  string
	contract evm.Address
}

// query is a request for a page.
type query struct {
	address evm.Address
	// chainID is the CAIP-2 chain id; empty for every chain on which the address is tracked.
	chainID string
	// after is the place after which the page begins; nil for the first page.
	after *index.Place
	// spam includes rows that are spam.
	spam bool
}

// history answers requests from the index, and tracks the accounts of requests.
type history struct {
	indexer  *indexer.Indexer
	store    index.Store
	networks Networks
	lists    Lists
	clock    clock.Clock
	names    ContractNames
	// wholeBlocks is how many unread blocks are worth waiting for.
	wholeBlocks uint64
	// limiter bounds by newAccounts how many accounts each caller may add to the index.
	limiter     limit.Limiter
	newAccounts limit.Rate
}

// page returns a page of the rows of an address.
func (h *history) page(ctx context.Context, q query) (Page, error) {
	p := Page{Progress: map[string]index.Progress{}, Tokens: map[tokenKey]index.Token{}, Names: h.names}
	var err error
	if q.chainID == "" {
		p.Progress, err = h.progressOnAllChains(ctx, q.address)
	} else {
		p.Progress[q.chainID], err = h.progress(ctx, index.Account{ChainID: q.chainID, Address: q.address})
	}
	if err != nil {
		return Page{}, err
	}
	return p, h.read(ctx, q, &p)
}

// read adds rows to the page until it has pageSize rows that are not spam, so that spam does not displace other rows.
// If most rows are spam, a page may have fewer rows and still have a next page.
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
		if err := h.readTokens(ctx, rows, p.Tokens); err != nil {
			return err
		}
		for i, r := range rows {
			e, shown := p.entry(r), true
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

// progressOnAllChains returns the progress on every served chain on which the address is tracked.
func (h *history) progressOnAllChains(ctx context.Context, address evm.Address) (map[string]index.Progress, error) {
	chains, err := h.store.ChainsOf(ctx, address)
	if err != nil {
		return nil, err
	}
	all := map[string]index.Progress{}
	var mu sync.Mutex
	g, ctx := routine.NewGroup(ctx)
	for _, id := range chains {
		g.Go(func() error {
			p, err := h.progress(ctx, index.Account{ChainID: id, Address: address})
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

// touched lists the contracts whose tokens were transferred to an account, as far as they are known after a short wait.
func (h *history) touched(ctx context.Context, a index.Account, watched bool) ([]index.Touched, index.Progress, error) {
	chain, tracked, err := h.request(ctx, a, watched)
	if err != nil {
		return nil, index.Progress{}, err
	}
	var progress index.Progress
	if tracked {
		progress, _, err = h.store.Progress(ctx, a)
	} else {
		progress, err = h.track(ctx, chain, a, touchedWait)
	}
	if err != nil && !errors.Is(err, ErrUnavailable) {
		return nil, index.Progress{}, err
	}
	list, err := h.store.Touched(ctx, a)
	return list, progress, err
}

// approved lists the approvals of an account, as far as they are known after a short wait. more is set if there are more than approvedMost.
func (h *history) approved(ctx context.Context, a index.Account) (list []index.Approved, more bool, p index.Progress, err error) {
	if p, err = h.progress(ctx, a); err != nil {
		return nil, false, p, err
	}
	var listed []evm.Address
	for _, t := range h.lists.On(a.ChainID) {
		listed = append(listed, t.Address)
	}
	list, more, err = h.store.Approved(ctx, a, listed, approvedMost)
	return list, more, p, err
}

// progress tracks an account, follows the newest block of its chain, and returns how far the history reaches. It waits up to pageWait.
func (h *history) progress(ctx context.Context, a index.Account) (index.Progress, error) {
	chain, tracked, err := h.request(ctx, a, false)
	if err != nil {
		return index.Progress{}, err
	}
	if !tracked {
		return h.track(ctx, chain, a, pageWait)
	}
	patience := h.patienceWith(chain, pageWait)
	if chain.IsSlow(slowAfter) {
		patience = 0
	}
	wait, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	// If no node responds, the answer is what the index has.
	_ = chain.Poll(h.clock.Now().Add(-freshFor)).Wait(wait)
	return h.await(ctx, wait, chain, a)
}

// patienceWith returns how long a request waits for a chain.
func (h *history) patienceWith(c *indexer.Chain, usual time.Duration) time.Duration {
	if c.LateFor(h.clock.Now()) > lateFor {
		return 0
	}
	return usual
}

// request records a request for an account. It returns the work on its chain, and whether the account is tracked.
func (h *history) request(ctx context.Context, a index.Account, watched bool) (*indexer.Chain, bool, error) {
	_, served, err := h.networks.Native(ctx, a.ChainID)
	if err == nil && !served {
		err = errUnserved
	}
	if err != nil {
		return nil, false, err
	}
	from := siteOf(ctx)
	tracked, err := h.store.Requested(ctx, index.Request{Account: a, Caller: from, Watched: watched, Waits: h.indexer.Waits(ctx, a.ChainID, from), At: h.clock.Now()})
	return h.indexer.Chain(a.ChainID), tracked, err
}

// siteOf returns a hash of the site that a call came from, by which callers take turns; empty for the suite's own calls.
func siteOf(ctx context.Context) string {
	c, known := limit.From(ctx)
	if !known {
		return ""
	}
	sum := sha256.Sum256([]byte("activity " + c.Site().String()))
	return hex.EncodeToString(sum[:8])
}

// track starts to track an account, and waits up to patience for its history.
func (h *history) track(ctx context.Context, c *indexer.Chain, a index.Account, patience time.Duration) (index.Progress, error) {
	if err := limit.Spend(ctx, h.limiter, h.newAccounts, "new accounts"); err != nil {
		return index.Progress{}, err
	}
	wait, cancel := context.WithTimeout(ctx, h.patienceWith(c, patience))
	defer cancel()
	err := c.Track(a.Address, siteOf(ctx)).Wait(wait)
	if err != nil && wait.Err() == nil {
		return index.Progress{Reading: true, NotStarted: true}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return h.await(ctx, wait, c, a)
}

// await returns how far a history reaches once all of it is read, once wait ends, or if more than wholeBlocks are left to read.
func (h *history) await(ctx, wait context.Context, c *indexer.Chain, a index.Account) (index.Progress, error) {
	for {
		next := c.NextRound()
		p, tracked, err := h.store.Progress(ctx, a)
		if err != nil || tracked && !p.Reading || p.From > h.wholeBlocks {
			return p, err
		}
		if next.Wait(wait) != nil {
			p.Reading, p.NotStarted = p.Reading || !tracked, !tracked
			return p, ctx.Err()
		}
	}
}

// readTokens adds the tokens of rows to found.
func (h *history) readTokens(ctx context.Context, rows []index.Row, found map[tokenKey]index.Token) error {
	byChain := map[string][]index.Row{}
	for _, r := range rows {
		byChain[r.ChainID] = append(byChain[r.ChainID], r)
	}
	for chainID, rows := range byChain {
		native, _, err := h.networks.Native(ctx, chainID)
		if err != nil {
			return err
		}
		found[tokenKey{chainID: chainID}] = native
		known, err := h.store.Tokens(ctx, chainID, index.Contracts(rows))
		if err != nil {
			return err
		}
		for contract, token := range compareWithLists(h.lists, chainID, native, known) {
			found[tokenKey{chainID, contract}] = token
		}
	}
	return nil
}
