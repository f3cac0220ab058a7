package updates

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

// comparedChain is a chain whose accounts are compared. It records the reads.
type comparedChain struct {
	mu      sync.Mutex
	natives map[string]string
	named   map[string]bool
	fails   bool
	// reads are the addresses that were read, and looks the ranges that were compared.
	reads []string
	looks [][2]uint64
	// hold is closed to end a look; nil if looks end at once.
	hold chan struct{}
}

func (c *comparedChain) read(_ context.Context, key accountKey, currencies []string, _ uint64) (balanceLists, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads = append(c.reads, key.address)
	return balanceLists{currencies[0]: {list: []*balancesv1.Balance{{Symbol: "ETH"}}}}, nil
}

func (c *comparedChain) find(_ context.Context, _ string, addresses []string, from, to uint64) (changes, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks = append(c.looks, [2]uint64{from, to})
	if hold := c.hold; hold != nil {
		c.mu.Unlock()
		<-hold
		c.mu.Lock()
	}
	if c.fails {
		return changes{}, errors.New("no node has the block")
	}
	found := changes{natives: make([]string, len(addresses))}
	for i, address := range addresses {
		found.natives[i] = c.natives[address]
		if c.named[address] {
			found.named = append(found.named, uint32(i))
		}
	}
	return found, nil
}

// taken returns the reads since the last call, sorted.
func (c *comparedChain) taken() []string {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	reads := c.reads
	c.reads = nil
	slices.Sort(reads)
	return reads
}

// watchCompared watches accounts of a chain whose block 10 was compared, and returns their addresses.
func watchCompared(t *testing.T, c *comparedChain, accounts int) (*hub, []string) {
	t.Helper()
	c.natives, c.named = map[string]string{}, map[string]bool{}
	h := newHub(c.read, c.find, clock.System{}, intervals{alive: time.Hour, refresh: time.Hour, retry: time.Hour, send: time.Hour})
	var addresses []string
	for n := range accounts {
		w := h.watch(accountNumber(n))
		t.Cleanup(w.leave)
		addresses = append(addresses, w.account.key.address)
	}
	slices.Sort(addresses)
	c.taken()
	h.onHead(blockNumber(10))
	if got := c.taken(); !slices.Equal(got, addresses) {
		t.Fatalf("the first block: %d accounts were read, want all %d", len(got), accounts)
	}
	return h, addresses
}

// blockNumber is a block that follows the one before it.
func blockNumber(n uint64) head {
	return head{chainID: watchedChain, number: n, hash: "block " + strconv.FormatUint(n, 10), parent: "block " + strconv.FormatUint(n-1, 10)}
}

func TestABlockCostsAReadOfTheAccountsThatItChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &comparedChain{}
		h, addresses := watchCompared(t, c, 100)
		h.onHead(blockNumber(11))
		if got := c.taken(); len(got) != 0 {
			t.Errorf("a block without changes: %d accounts were read", len(got))
		}
		c.natives[addresses[7]] = "5"
		c.named[addresses[3]] = true
		h.onHead(blockNumber(12))
		if got := c.taken(); !slices.Equal(got, []string{addresses[3], addresses[7]}) {
			t.Errorf("read %v, want the account with another balance and the one that a log names", got)
		}
		c.named = nil
		h.onHead(blockNumber(12))
		if got := c.taken(); len(got) != 0 {
			t.Errorf("the same block again: %d accounts were read", len(got))
		}
		late := h.watch(accountNumber(200))
		defer late.leave()
		c.taken()
		h.onHead(blockNumber(13))
		if got := c.taken(); !slices.Equal(got, []string{late.account.key.address}) {
			t.Errorf("read %v, want the account that came after the last block", got)
		}
		if want := [][2]uint64{{10, 10}, {11, 11}, {12, 12}, {13, 13}}; !slices.Equal(c.looks, want) {
			t.Errorf("compared %v, want %v", c.looks, want)
		}
	})
}

func TestAllAccountsAreReadWhereChangesAreNotKnown(t *testing.T) {
	for behaviour, next := range map[string]func(c *comparedChain) []head{
		"a block was replaced":               func(*comparedChain) []head { return []head{{watchedChain, 10, "another", "block 9"}} },
		"the block before it was replaced":   func(*comparedChain) []head { return []head{{watchedChain, 11, "block 11", "another"}} },
		"the chain was restarted":            func(*comparedChain) []head { return []head{{watchedChain, 1, "another", ""}} },
		"more blocks came than are compared": func(*comparedChain) []head { return []head{blockNumber(10 + mostBlocks + 1)} },
		"no node has the block": func(c *comparedChain) []head {
			c.fails = true
			return []head{blockNumber(11)}
		},
	} {
		t.Run(behaviour, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &comparedChain{}
				h, addresses := watchCompared(t, c, 20)
				heads := next(c)
				for _, one := range heads {
					h.onHead(one)
				}
				if got := c.taken(); !slices.Equal(got, addresses) {
					t.Errorf("%d accounts were read, want all %d", len(got), len(addresses))
				}
				// The next block is compared again.
				c.fails = false
				last := heads[len(heads)-1]
				h.onHead(head{watchedChain, last.number + 1, "next", last.hash})
				c.taken()
				h.onHead(head{watchedChain, last.number + 2, "second", "next"})
				if got := c.taken(); len(got) != 0 {
					t.Errorf("%d accounts were read at a block without changes", len(got))
				}
			})
		})
	}
}

func TestBlocksDuringALookAreComparedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &comparedChain{}
		h, addresses := watchCompared(t, c, 20)
		c.hold = make(chan struct{})
		h.onHead(blockNumber(11))
		synctest.Wait()
		for n := uint64(12); n <= 15; n++ {
			h.onHead(blockNumber(n))
		}
		c.natives[addresses[0]] = "1"
		close(c.hold)
		if got := c.taken(); !slices.Equal(got, addresses[:1]) {
			t.Errorf("read %v, want %v", got, addresses[:1])
		}
		if want := [][2]uint64{{10, 10}, {11, 11}, {12, 15}}; !slices.Equal(c.looks, want) {
			t.Errorf("compared %v, want %v", c.looks, want)
		}
	})
}

func TestAReorganizationDuringALookReadsAllAccounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &comparedChain{}
		h, addresses := watchCompared(t, c, 20)
		hold := make(chan struct{})
		c.hold = hold
		h.onHead(blockNumber(11))
		synctest.Wait()
		h.onHead(head{watchedChain, 11, "another", "block 10"})
		c.mu.Lock()
		c.hold = nil
		c.mu.Unlock()
		close(hold)
		got := c.taken()
		if !slices.Equal(slices.Compact(got), addresses) {
			t.Errorf("%d accounts were read, want all %d", len(got), len(addresses))
		}
	})
}

func TestFewAccountsAreReadWithoutALook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &comparedChain{}
		h, addresses := watchCompared(t, c, alwaysRead)
		h.onHead(blockNumber(11))
		if got := c.taken(); !slices.Equal(got, addresses) || len(c.looks) != 0 {
			t.Errorf("%d accounts were read after %d looks, want all %d without one", len(got), len(c.looks), len(addresses))
		}
	})
}
