package updates

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// alwaysRead is up to how many accounts of a chain are all read at every block, which is quicker than to ask first which of them changed.
	alwaysRead = 8
	// mostBlocks is how many blocks are compared at once. After more, all accounts are read.
	mostBlocks = 64
)

// head is the newest block of a chain.
type head struct {
	// chainID is a CAIP-2 id.
	chainID string
	number  uint64
	// hash and parent identify the block and the one before it; parent is empty on chains that do not link blocks so.
	hash, parent string
}

// changes is what many accounts of a chain are compared by.
type changes struct {
	// natives are the native balances, in the order of the addresses, as comparable texts.
	natives []string
	// named are the positions of the addresses that logs name.
	named []uint32
}

// findChanges reads what accounts may have changed by in the blocks from to to, both included.
type findChanges func(ctx context.Context, chainID string, addresses []string, from, to uint64) (changes, error)

// chain is what is watched on one chain. [hub.mu] guards it.
type chain struct {
	id string
	// accounts are by address.
	accounts map[string]*account
	head     head
	// known is set if natives are the native balances at the block compared, by address. Else all accounts are read at the next block.
	known    bool
	compared uint64
	natives  map[string]string
	// version counts how often they were forgotten.
	version int
	// comparing is set while changes are looked for. Blocks that come meanwhile are compared together after it.
	comparing bool
}

// add records a head. It returns false for one that is known.
func (c *chain) add(next head) bool {
	if next.hash != "" && next.hash == c.head.hash {
		return false
	}
	if next.number <= c.head.number || next.number == c.head.number+1 && next.parent != c.head.hash {
		// Blocks were replaced, and the accounts in them changed too.
		c.forget()
	}
	c.head = next
	return true
}

// forget makes all accounts be read at the next block.
func (c *chain) forget() {
	c.known, c.natives = false, nil
	c.version++
}

// readAll makes all accounts be read.
func (c *chain) readAll() {
	for _, a := range c.accounts {
		a.wake()
	}
}

// canCompare reports whether to look for the accounts that changed, because they are many and the chain has logs that name them.
func (c *chain) canCompare() bool {
	return len(c.accounts) > alwaysRead && strings.HasPrefix(c.id, "eip155:")
}

// compare makes the accounts be read that the blocks up to the head may have changed. The caller holds mu.
func (h *hub) compare(c *chain) {
	switch {
	case c.comparing:
		h.measured.combined.Add(context.Background(), 1)
	case c.canCompare():
		c.comparing = true
		routine.Go(context.Background(), func() error { h.compareAll(c); return nil })
	default:
		c.forget()
		c.readAll()
	}
}

// compareAll looks for changes until those of the head are found, or until it fails: then all accounts are read.
func (h *hub) compareAll(c *chain) {
	for more := true; more; {
		err := routine.Call(context.Background(), func() (err error) { more, err = h.compareNext(c); return err })
		if err != nil {
			more = false
			h.mu.Lock()
			c.forget()
			c.readAll()
			c.comparing = false
			h.mu.Unlock()
		}
	}
}

// compareNext looks for changes in the blocks after the last ones. more is false if there are none.
func (h *hub) compareNext(c *chain) (more bool, err error) {
	h.mu.Lock()
	to, version := c.head.number, c.version
	isDone := c.known && c.compared == to
	if !c.canCompare() {
		c.forget()
		c.readAll()
		isDone = true
	}
	if isDone {
		c.comparing = false
		h.mu.Unlock()
		return false, nil
	}
	from, follows := c.compared+1, c.known && to-c.compared <= mostBlocks
	if !follows {
		from = to
	}
	addresses := slices.Collect(maps.Keys(c.accounts))
	h.mu.Unlock()

	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	found, err := h.find(ctx, c.id, addresses, from, to)
	if err != nil {
		return false, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.version != version {
		c.readAll()
		return true, nil
	}
	if follows {
		c.readChanged(addresses, found)
	} else {
		c.readAll()
	}
	c.known, c.compared, c.natives = true, to, make(map[string]string, len(addresses))
	for i, address := range addresses {
		c.natives[address] = found.natives[i]
	}
	return true, nil
}

// readChanged makes the accounts be read that are not what they were. An account that came since the last look is one of them.
func (c *chain) readChanged(addresses []string, found changes) {
	changed := make([]bool, len(addresses))
	for _, i := range found.named {
		changed[i] = true
	}
	for i, address := range addresses {
		before, known := c.natives[address]
		if a := c.accounts[address]; a != nil && (changed[i] || !known || before != found.natives[i]) {
			a.wake()
		}
	}
}
