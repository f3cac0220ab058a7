package activity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

const (
	// followAtMost is how many new blocks are followed one by one; after a longer absence they are read late, as a window.
	followAtMost = 128
	// firstTrail is how many headers a trail begins with, so that a reorganisation soon after is told for what it is.
	firstTrail = 32
)

// errIdle says that nobody asked for an account of the chain for a while, so that its blocks are left alone.
var errIdle = errors.New("nobody asks for the chain")

// errLower says that the chain ends at a block that is not the newest one known.
var errLower = errors.New("the chain has become lower")

// follow brings a chain's index up to a head, or fails with errIdle; with errLower where the head is a block that others followed.
func (i *indexer) follow(ctx context.Context, chainID string, head node.Header) error {
	trail, err := i.store.Trail(ctx, chainID)
	if err != nil {
		return err
	}
	if len(trail) == 0 || head.Number > trail[0].Number+followAtMost {
		return i.jump(ctx, chainID, head)
	}
	if place := at(trail, head.Hash); place >= 0 {
		if place > 0 {
			return errLower
		}
		return nil
	}
	accounts, err := i.store.Accounts(ctx, chainID, i.activeSince(), i.followed)
	if err == nil && len(accounts) == 0 {
		err = errIdle
	}
	if err != nil {
		return err
	}
	ancestor, headers, err := i.branch(ctx, chainID, trail, head)
	if err != nil {
		return err
	}
	if ancestor < 0 {
		return i.jump(ctx, chainID, head)
	}
	// A reorganisation is one change: nobody sees its orphans gone and its new blocks missing.
	step := 1
	if ancestor > 0 {
		step = len(headers)
	}
	return i.extend(ctx, chainID, trail[ancestor], headers, accounts, step)
}

// shorten takes the blocks after a head from the index.
func (i *indexer) shorten(ctx context.Context, chainID string, head node.Header) error {
	return i.store.Extend(ctx, Extension{ChainID: chainID, Ancestor: head})
}

// jump begins the trail at a head.
func (i *indexer) jump(ctx context.Context, chainID string, head node.Header) error {
	headers, err := i.chains.Headers(ctx, chainID, head.Number-min(head.Number, firstTrail-1), head.Number)
	if err != nil {
		return err
	}
	if headers[len(headers)-1].Hash != head.Hash {
		return fmt.Errorf("%w: block %d is another one", node.ErrMoved, head.Number)
	}
	// A node that has forgotten the first block cannot say whether the chain was begun anew.
	var genesis node.Hash
	if first, err := i.chains.Headers(ctx, chainID, 0, 0); err == nil {
		genesis = first[0].Hash
	}
	return i.store.Jump(ctx, chainID, genesis, headers)
}

// branch finds where in the trail the head's chain leaves it, and the headers from there to the head; -1 when it leaves it before the
// trail begins.
func (i *indexer) branch(ctx context.Context, chainID string, trail []node.Header, head node.Header) (ancestor int, headers []node.Header, err error) {
	headers = []node.Header{head}
	tip, oldest := trail[0].Number, trail[len(trail)-1].Number
	for {
		// From the newest down: the first that hangs on the trail is where the chain leaves it.
		for k, h := range slices.Backward(headers) {
			if parent := at(trail, h.Parent); parent >= 0 {
				return parent, headers[k:], nil
			}
		}
		first := headers[0]
		if first.Number <= oldest+1 {
			return -1, nil, nil
		}
		low := first.Number - min(first.Number, firstTrail)
		if first.Number > tip+1 {
			low = tip + 1
		}
		older, err := i.chains.Headers(ctx, chainID, max(low, oldest+1), first.Number-1)
		if err != nil {
			return 0, nil, err
		}
		if older[len(older)-1].Hash != first.Parent {
			return 0, nil, fmt.Errorf("%w: block %d is another one", node.ErrMoved, first.Number-1)
		}
		headers = append(older, headers...)
	}
}

// extend reads blocks and adds them to the index, so many at a time.
func (i *indexer) extend(ctx context.Context, chainID string, ancestor node.Header, headers []node.Header, accounts []evm.Address, step int) error {
	for some := range slices.Chunk(headers, step) {
		e := Extension{ChainID: chainID, Ancestor: ancestor, Headers: some, Accounts: accounts}
		for _, h := range some {
			found, err := i.chains.Block(ctx, chainID, h, accounts)
			if err != nil {
				return err
			}
			e.Rows = append(e.Rows, rowsOf(found, chainID, accounts)...)
		}
		if err := i.learn(ctx, chainID, e.Rows); err != nil {
			return err
		}
		if err := i.store.Extend(ctx, e); err != nil {
			return err
		}
		ancestor = some[len(some)-1]
	}
	return nil
}

// rowsOf tells what transactions were to accounts.
func rowsOf(found []node.Found, chainID string, accounts []evm.Address) (rows []Row) {
	for _, f := range found {
		for _, address := range accounts {
			if row, ok := digest(f, Account{chainID, address}); ok {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// learn asks contracts that were not met before what they say of themselves.
func (i *indexer) learn(ctx context.Context, chainID string, rows []Row) error {
	met := contractsOf(rows)
	known, err := i.store.Tokens(ctx, chainID, met)
	if err != nil {
		return err
	}
	strangers := slices.DeleteFunc(met, func(a evm.Address) bool { _, ok := known[a]; return ok })
	if len(strangers) == 0 {
		return nil
	}
	tokens, err := i.contracts.Describe(ctx, chainID, strangers)
	if err != nil {
		return err
	}
	return i.store.Learn(ctx, chainID, tokens)
}

// contractsOf lists the contracts of what moved.
func contractsOf(rows []Row) (list []evm.Address) {
	met := map[evm.Address]bool{}
	for _, r := range rows {
		for _, t := range r.Transfers {
			if t.Standard != Native && !met[t.Contract] {
				met[t.Contract] = true
				list = append(list, t.Contract)
			}
		}
	}
	return list
}

// at is the place of a block in a trail, -1 where it is not part of it.
func at(trail []node.Header, hash node.Hash) int {
	return slices.IndexFunc(trail, func(h node.Header) bool { return h.Hash == hash })
}
