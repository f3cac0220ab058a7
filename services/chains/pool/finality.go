package pool

import (
	"context"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/chains/rpc"
)

const (
	// leastConfirmations is the least number of blocks after which a block counts as final.
	leastConfirmations = 64
	// DefaultFinality is used for networks without final_after, defaultBlockTime for those without block_time.
	DefaultFinality  = 20 * time.Minute
	defaultBlockTime = 250 * time.Millisecond
	// finalizedInterval is how often the finalized block is read again, and finalizedRetry how soon if that failed.
	finalizedInterval = time.Minute
	finalizedRetry    = 5 * time.Second
	// finalizedTimeout bounds the read.
	finalizedTimeout = 10 * time.Second
)

// Confirmations returns how many blocks must follow a block before it counts as final, where nodes are not asked.
func (c Chain) Confirmations() uint64 {
	after, blockTime := c.FinalAfter, c.BlockTime
	if after <= 0 {
		after = DefaultFinality
	}
	if blockTime <= 0 {
		blockTime = defaultBlockTime
	}
	return max(leastConfirmations, uint64((after+blockTime-1)/blockTime))
}

// finality is the newest block that nodes call finalized.
type finality struct {
	mu sync.Mutex
	// number is the block, if known is set. tagged is set once nodes have named one.
	number uint64
	known  bool
	tagged bool
	// due is when it is read again; reading is set meanwhile.
	due     time.Time
	reading bool
}

// Finalized returns the number of the newest block that cannot be replaced any more: one that two nodes call finalized, or the only node of the chain,
// and that has as many confirmations as the network needs. On a network whose nodes agree that they know no finalized block the confirmations alone
// decide. It is false until the nodes have agreed, and on development chains, whose owners may replace every block. The nodes are asked in the background,
// only while Finalized is called.
func (p *Pool) Finalized() (number uint64, ok bool) {
	if p.chain.Dev || !p.chain.IsEVM() {
		return 0, false
	}
	height, confirmations := p.height.get(), p.chain.Confirmations()
	f := &p.finality
	f.mu.Lock()
	number, ok = f.number, f.known && height >= confirmations
	due := !f.reading && !p.clock.Now().Before(f.due)
	f.reading = f.reading || due
	f.mu.Unlock()
	if due && !p.probes.start(p.readFinalized) {
		f.keep(p.clock.Now().Add(finalizedInterval))
	}
	if !ok {
		return 0, false
	}
	return min(number, height-confirmations), true
}

// readFinalized asks the nodes for their finalized block.
func (p *Pool) readFinalized() {
	ctx, cancel := context.WithTimeout(p.probes.lifetime, finalizedTimeout)
	defer cancel()
	c := NewCall(rpc.NewRequest(rpc.MethodBlock, "finalized", false))
	c.Agreed = true
	o, err := p.Do(ctx, c)
	if err != nil {
		p.finality.keep(p.clock.Now().Add(finalizedRetry))
		return
	}
	number, tagged := rpc.BlockNumber(o.Response.Result)
	if !tagged {
		number = p.height.get()
	}
	p.finality.set(number, tagged, p.clock.Now().Add(finalizedInterval))
}

// set records a finalized block, or, if tagged is not set, the newest block of a chain whose nodes know no finalized one. A chain whose nodes named one
// before has one: nodes that do not know it have just started.
func (f *finality) set(number uint64, tagged bool, due time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reading, f.due = false, due
	if tagged || !f.tagged {
		f.number, f.known, f.tagged = number, true, tagged
	}
}

// keep records that the nodes did not agree. What was final stays so.
func (f *finality) keep(due time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reading, f.due = false, due
}
