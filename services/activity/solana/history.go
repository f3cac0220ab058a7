package solana

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// pageSize is how many transactions are read for a page. Further transactions of the last slot are added to it, up
	// to maxPage in all.
	pageSize, maxPage = 25, 100
	// stepsPerPage bounds how many times older transactions are read for one page because none of those read so far
	// belong to the owner.
	stepsPerPage = 4
	// pageTimeout bounds the requests for one page.
	pageTimeout = 12 * time.Second
)

// ErrUnavailable is returned when no node answers, or when the nodes keep no history.
var ErrUnavailable = errors.New("no node returns the history")

// TokenList returns the listed tokens. It is implemented by [tokens.Lists].
type TokenList interface {
	Mints(chainID string) []tokens.Mint
	Mint(chainID string, mint svm.Address) (tokens.Mint, bool)
}

// Query is a request for a page.
type Query struct {
	// ChainID is a CAIP-2 id.
	ChainID string
	Owner   svm.Address
	// After is the last transaction of the page before; nil for the first page.
	After *Place
	// Spam includes rows that are spam.
	Spam bool
	// Native is the chain's native token.
	Native index.Token
}

// Page is one page of a history.
type Page struct {
	Rows []Row
	// Next is nil on the last page. A page may have few rows, or none, and still have a next page.
	Next *Place
	// From is the first slot whose transactions the nodes have; nil if they do not return it.
	From *uint64
	// Tokens are those of the rows, by mint.
	Tokens map[svm.Address]Token
}

// History reads histories. It is safe for concurrent use.
type History struct {
	reader *reader
	facts  *svm.Facts
	tokens TokenList
	clock  clock.Clock
}

// New returns a history of the chains that connect reaches, by CAIP-2 id.
func New(connect func(chainID string) chainclient.Transport, list TokenList, c clock.Clock) *History {
	return &History{reader: newReader(connect), facts: svm.NewFacts(connect), tokens: list, clock: c}
}

// Page returns a page of an owner's history. The error wraps [ErrUnavailable].
func (h *History) Page(ctx context.Context, q Query) (Page, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	p, err := h.page(ctx, q)
	if err != nil {
		return Page{}, fmt.Errorf("%w: %s: %w", ErrUnavailable, q.ChainID, err)
	}
	return p, nil
}

func (h *History) page(ctx context.Context, q Query) (p Page, err error) {
	listed := func(mint svm.Address) bool { _, ok := h.tokens.Mint(q.ChainID, mint); return ok }
	var accounts []svm.Address
	g, groupCtx := routine.NewGroup(ctx)
	g.Go(func() (err error) {
		accounts, err = h.reader.accounts(groupCtx, q.ChainID, q.Owner, listed)
		return err
	})
	g.Go(func() (err error) {
		p.From, err = h.reader.firstBlock(groupCtx, q.ChainID)
		return err
	})
	if err := g.Wait(); err != nil {
		return Page{}, err
	}
	p.Tokens, p.Next = map[svm.Address]Token{}, q.After
	for range stepsPerPage {
		entries, more, err := h.entries(ctx, q.ChainID, accounts, p.Next)
		if err != nil {
			return Page{}, err
		}
		rows, err := h.rows(ctx, q, accounts, entries)
		if err != nil {
			return Page{}, err
		}
		if err := h.describe(ctx, q, rows, p.Tokens); err != nil {
			return Page{}, err
		}
		for _, row := range rows {
			row, shown := row.withClaims(p.Tokens), true
			if !q.Spam {
				row, shown = row.withoutSpam()
			}
			if shown {
				p.Rows = append(p.Rows, row)
			}
		}
		if !more {
			p.Next = nil
			return p, nil
		}
		last := entries[len(entries)-1]
		p.Next = &Place{ChainID: q.ChainID, Slot: last.slot, Signature: last.signature}
		if len(p.Rows) >= pageSize/2 {
			return p, nil
		}
	}
	return p, nil
}

// entries returns the next transactions of some accounts after a place, and whether there are more.
func (h *History) entries(ctx context.Context, chainID string, accounts []svm.Address, after *Place) (page []entry, more bool, err error) {
	for _, limit := range []int{pageSize + 1, maxSignatures} {
		lists, err := h.reader.signatures(ctx, chainID, accounts, after, limit)
		if err != nil {
			return nil, false, err
		}
		slot, cut := horizon(lists, limit)
		merged := merge(lists)
		known := merged[:0]
		for _, e := range merged {
			// The remaining entries of a list that was cut at this slot may be of the slot too. The slot is then on the
			// next page as a whole.
			isWhole := !cut || e.slot > slot
			if isWhole && (after == nil || e.slot < after.Slot) {
				known = append(known, e)
			}
		}
		if len(known) > 0 || !cut {
			page, more = cutPage(known)
			return page, more || cut, nil
		}
		page = merged
	}
	// The slot has a thousand transactions or more; those beyond maxPage are left out.
	page = page[:min(len(page), maxPage)]
	return page, len(page) > 0, nil
}

// rows returns the rows of an owner, who has token accounts, the newest first.
func (h *History) rows(ctx context.Context, q Query, accounts []svm.Address, entries []entry) ([]Row, error) {
	all, err := h.reader.transactions(ctx, q.ChainID, entries)
	if err != nil {
		return nil, err
	}
	var rows []Row
	// A block without a known time gets the time of the block after it, which is the closest known one.
	at := h.clock.Now().Unix()
	for i, e := range entries {
		row := Row{Operation: index.Execute, Failed: e.failed, Transfers: []Transfer{nothing(q.Owner, svm.Address{})}, From: q.Owner}
		if t := all[i]; t != nil {
			own, ok := rowOf(t.withOwner(q.Owner, accounts), q.Owner)
			if !ok {
				continue
			}
			row = own
		}
		row.Signature, row.Slot = e.signature, e.slot
		if row.Time == 0 {
			row.Time = e.time
		}
		if row.Time == 0 {
			row.Time = at
		}
		at = row.Time
		rows = append(rows, row)
	}
	return rows, nil
}
