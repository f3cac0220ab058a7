package indexer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hawser-dev/hawser/services/activity/classifier"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// followAtMost is how many new blocks are followed one by one. If there are more, they are read later, as a window.
	followAtMost = 128
	// firstBlocks is how many recent blocks are read at first, to find the fork of an early reorg.
	firstBlocks = 32
	// deepFork is how many blocks before one that a reorg replaced are read again if nothing is known of them. It doubles while older rows are found
	// to be replaced too.
	deepFork = 512
)

var (
	// errIdle is returned for a chain without active accounts, whose blocks are not followed.
	errIdle = errors.New("the chain has no active account")
	// errShorter is returned if the chain ends at a known block below the newest known one.
	errShorter = errors.New("the chain became shorter")
)

// follow brings the index of a chain up to a head. It may fail with errIdle or errShorter.
func (i *Indexer) follow(ctx context.Context, c *Chain, head node.Header) error {
	chainID := c.id
	recent, err := i.Store.RecentBlocks(ctx, chainID)
	if err != nil {
		return err
	}
	if len(recent) == 0 || head.Number > recent[0].Number+followAtMost {
		return i.jump(ctx, chainID, recent, head)
	}
	if known := find(recent, head.Hash); known >= 0 {
		if known > 0 {
			return errShorter
		}
		return nil
	}
	// Those that missed blocks get a window of them, and are followed from the head on.
	if err := i.updateFollowed(ctx, c); err != nil {
		return err
	}
	if len(c.following.Accounts) == 0 {
		return errIdle
	}
	ancestor, headers, err := i.findFork(ctx, chainID, recent, head)
	if err != nil {
		return err
	}
	if ancestor < 0 {
		return i.jump(ctx, chainID, recent, head)
	}
	// A reorg is one change, so that readers never see the orphans deleted without the new blocks.
	step := 1
	if ancestor > 0 {
		step = len(headers)
	}
	return i.extend(ctx, chainID, recent[ancestor], headers, c.following, step)
}

// truncate removes the blocks after a head from the index.
func (i *Indexer) truncate(ctx context.Context, chainID string, head node.Header) error {
	return i.Store.Extend(ctx, index.Extension{ChainID: chainID, Ancestor: head})
}

// jump makes a head and the blocks before it the recent ones.
func (i *Indexer) jump(ctx context.Context, chainID string, recent []node.Header, head node.Header) error {
	first, err := i.firstReplaced(ctx, chainID, recent, head)
	if err != nil {
		return err
	}
	headers, err := i.Blocks.Headers(ctx, chainID, head.Number-min(head.Number, firstBlocks-1), head.Number)
	if err != nil {
		return err
	}
	if headers[len(headers)-1].Hash != head.Hash {
		return fmt.Errorf("%w: block %d is another one", node.ErrMoved, head.Number)
	}
	// A node that has pruned the first block cannot tell whether the chain was restarted.
	var genesis node.Hash
	if first, err := i.Blocks.Headers(ctx, chainID, 0, 0); err == nil {
		genesis = first[0].Hash
	}
	return i.Store.Jump(ctx, chainID, genesis, first, headers)
}

// firstReplaced returns the first block that a reorg may have replaced: the one after the oldest recent block, or an older one if that was replaced
// itself. Of older blocks, only those with rows are known.
func (i *Indexer) firstReplaced(ctx context.Context, chainID string, recent []node.Header, head node.Header) (uint64, error) {
	if len(recent) == 0 {
		return head.Number, nil
	}
	oldest := recent[len(recent)-1]
	number := oldest.Number
	kept, err := i.isOn(ctx, chainID, number, oldest.Hash, head)
	if err != nil || kept {
		return number + 1, err
	}
	for deep := uint64(deepFork); number > 0; deep *= 2 {
		base := number - min(number, deep)
		row, hash, found, err := i.Store.LastRow(ctx, chainID, base)
		if err != nil || !found {
			return base, err
		}
		if kept, err := i.isOn(ctx, chainID, row, hash, head); err != nil || kept {
			return base + 1, err
		}
		number = row
	}
	return 0, nil
}

// isOn reports whether a block is on the chain of a head.
func (i *Indexer) isOn(ctx context.Context, chainID string, number uint64, hash node.Hash, head node.Header) (bool, error) {
	if number >= head.Number {
		return hash == head.Hash, nil
	}
	found, err := i.Blocks.Headers(ctx, chainID, number, number)
	return err == nil && found[0].Hash == hash, err
}

// findFork returns the index of the last recent block on the head's chain, and the headers after it up to the head; -1 if the fork is older than
// the recent blocks.
func (i *Indexer) findFork(ctx context.Context, chainID string, recent []node.Header, head node.Header) (ancestor int, headers []node.Header, err error) {
	headers = []node.Header{head}
	tip, oldest := recent[0].Number, recent[len(recent)-1].Number
	for {
		// From the newest down: the first header with a known parent is the first block after the fork.
		for k, h := range slices.Backward(headers) {
			if parent := find(recent, h.Parent); parent >= 0 {
				return parent, headers[k:], nil
			}
		}
		first := headers[0]
		if first.Number <= oldest+1 {
			return -1, nil, nil
		}
		low := first.Number - min(first.Number, firstBlocks)
		if first.Number > tip+1 {
			low = tip + 1
		}
		older, err := i.Blocks.Headers(ctx, chainID, max(low, oldest+1), first.Number-1)
		if err != nil {
			return 0, nil, err
		}
		if older[len(older)-1].Hash != first.Parent {
			return 0, nil, fmt.Errorf("%w: block %d is another one", node.ErrMoved, first.Number-1)
		}
		headers = append(older, headers...)
	}
}

// updateFollowed brings the followed accounts of a chain up to date.
func (i *Indexer) updateFollowed(ctx context.Context, c *Chain) (err error) {
	before := c.following.Version
	c.following, err = i.Store.Follow(ctx, c.id, i.activeSince(), i.Followed, c.following)
	if c.following.Version != before {
		c.turns.reset()
	}
	return err
}

// extend reads blocks and adds them to the index, step blocks in one change.
func (i *Indexer) extend(ctx context.Context, chainID string, ancestor node.Header, headers []node.Header, following index.Following, step int) error {
	accounts := following.Accounts
	for some := range slices.Chunk(headers, step) {
		e := index.Extension{ChainID: chainID, Ancestor: ancestor, Headers: some, Following: following.Version}
		for _, h := range some {
			found, err := i.Blocks.Block(ctx, chainID, h, accounts)
			if err != nil {
				return err
			}
			rows, err := classifier.Rows(ctx, found, chainID, accounts)
			if err != nil {
				return err
			}
			e.Rows = append(e.Rows, rows...)
		}
		if err := i.describe(ctx, chainID, e.Rows); err != nil {
			return err
		}
		if err := i.Store.Extend(ctx, e); err != nil {
			return err
		}
		ancestor = some[len(some)-1]
	}
	return nil
}

// describedAtOnce is how many contracts are described in one call.
const describedAtOnce = 200

// describe reads and saves the tokens of rows that are not known yet.
func (i *Indexer) describe(ctx context.Context, chainID string, rows []index.Row) error {
	contracts := index.Contracts(rows)
	known, err := i.Store.Tokens(ctx, chainID, contracts)
	if err != nil {
		return err
	}
	unknown := slices.DeleteFunc(contracts, func(a evm.Address) bool { _, ok := known[a]; return ok })
	if len(unknown) == 0 {
		return nil
	}
	// Each part is saved by itself: one transaction may name thousands of slow contracts, which a later try must not ask again.
	for some := range slices.Chunk(unknown, describedAtOnce) {
		tokens, err := i.Contracts.Describe(ctx, chainID, some)
		if err != nil {
			return err
		}
		if err := i.Store.SaveTokens(ctx, chainID, tokens); err != nil {
			return err
		}
	}
	return nil
}

// find returns the index of the block with that hash, or -1.
func find(blocks []node.Header, hash node.Hash) int {
	return slices.IndexFunc(blocks, func(h node.Header) bool { return h.Hash == hash })
}
