package heads

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/hawser-dev/hawser/services/chains/rpc"
)

const (
	// window is the number of blocks that a reorg may remove, and windowBytes bounds their logs: of blocks with more logs, fewer are kept.
	window      = 64
	windowBytes = 16 << 20
	// maxGap is the number of blocks that are read in between when their heads were missed.
	maxGap = 256
)

var (
	// errGap is returned when more than maxGap blocks were missed: subscribers must start again.
	errGap = errors.New("too many blocks were missed")
	// errTooManyLogs is returned for the logs of a block that no node returns because of their size.
	errTooManyLogs = errors.New("a block has too many logs")
)

// source reads blocks and their logs.
type source interface {
	// block returns the block with that hash.
	block(ctx context.Context, hash string) (block, error)
	// logs returns the logs of a block, or errTooManyLogs.
	logs(ctx context.Context, b block) ([]logEntry, error)
}

// block is a block as subscribers get it.
type block struct {
	rpc.Head
	// header is the message of eth_subscribe for it, as JSON.
	header []byte
	// hasLogs is set if the bloom filter of the block is not empty.
	hasLogs bool
}

// broadcast turns the heads of one chain into every block once and in order. It reads nothing while there are no subscribers.
type broadcast struct {
	source source

	mu            sync.Mutex
	subscriptions map[*Subscription]struct{}
	// logs has the subscriptions to logs, and blocks the others.
	logs   index
	blocks map[*Subscription]struct{}
	// sent is the last blocks that were sent, oldest first; sequence counts them and the subscriptions.
	sent     []sentBlock
	sequence uint64
}

// sentBlock is a block that was sent, and when.
type sentBlock struct {
	block
	logs     []logEntry
	sequence uint64
}

func newBroadcast(s source) *broadcast {
	return &broadcast{source: s, subscriptions: map[*Subscription]struct{}{}, logs: newIndex(), blocks: map[*Subscription]struct{}{}}
}

// subscribe starts a subscription to what follows the chain's head; a nil matcher subscribes to blocks.
func (b *broadcast) subscribe(head rpc.Head, m *LogMatcher) *Subscription {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.sent) == 0 {
		b.sent = []sentBlock{{block: block{Head: head}}}
	}
	b.sequence++
	s := newSubscription(b, m, b.sequence)
	b.subscriptions[s] = struct{}{}
	if m == nil {
		b.blocks[s] = struct{}{}
	} else {
		b.logs.add(s)
	}
	return s
}

func (b *broadcast) unsubscribe(s *Subscription) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(s)
	b.clearIfIdle()
}

// remove removes a subscription. The lock is held.
func (b *broadcast) remove(s *Subscription) {
	delete(b.subscriptions, s)
	if s.matcher == nil {
		delete(b.blocks, s)
	} else {
		b.logs.remove(s)
	}
}

// clearIfIdle drops the blocks when there are no more subscriptions.
func (b *broadcast) clearIfIdle() {
	if len(b.subscriptions) == 0 {
		b.sent = nil
	}
}

func (b *broadcast) hasSubscribers() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.subscriptions) > 0
}

// advance sends every block from the last one sent to h. After an error nothing was sent, and the next call sends it.
// Calls must not overlap.
func (b *broadcast) advance(ctx context.Context, h rpc.Head) error {
	b.mu.Lock()
	sent, withLogs := b.sent, b.needsLogs()
	b.mu.Unlock()
	if len(sent) == 0 || sent[len(sent)-1].Hash == h.Hash {
		return nil
	}
	added, kept, err := b.path(ctx, sent, h)
	if errors.Is(err, errGap) {
		b.endAll(err)
	}
	if err != nil {
		return err
	}
	if withLogs {
		for i := range added {
			added[i].logs, err = b.source.logs(ctx, added[i].block)
			if errors.Is(err, errTooManyLogs) {
				// The subscriptions to blocks go on.
				b.endLogs(err)
				break
			}
			if err != nil {
				return err
			}
		}
	}
	b.send(sent[:kept:kept], sent[kept:], added)
	return nil
}

// needsLogs reports whether anything is subscribed to logs. A subscription that starts while a block is read gets the logs of the next one.
func (b *broadcast) needsLogs() bool {
	return len(b.subscriptions) > len(b.blocks)
}

// path walks back from h to a block that was sent. It returns the blocks to add, oldest first, and how many of the sent ones stay.
func (b *broadcast) path(ctx context.Context, sent []sentBlock, h rpc.Head) (added []sentBlock, kept int, err error) {
	hash := h.Hash
	for len(added) < maxGap {
		next, err := b.source.block(ctx, hash)
		if err != nil {
			return nil, 0, err
		}
		added = append(added, sentBlock{block: next})
		i := slices.IndexFunc(sent, func(s sentBlock) bool { return s.Hash == next.ParentHash })
		if i >= 0 || next.Number <= sent[0].Number {
			slices.Reverse(added)
			return added, i + 1, nil
		}
		hash = next.ParentHash
	}
	return nil, 0, fmt.Errorf("%w: from %d to %d", errGap, sent[len(sent)-1].Number, h.Number)
}

// send sends the removed blocks as removed, the newest first, and then the added ones.
func (b *broadcast) send(kept, removed, added []sentBlock) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, gone := range slices.Backward(removed) {
		for _, log := range slices.Backward(gone.logs) {
			var message []byte
			b.logs.matching(log, func(s *Subscription) {
				// Logs that were sent before the subscription are not sent as removed.
				if gone.sequence < s.since {
					return
				}
				if message == nil {
					message = log.removed()
				}
				b.offer(s, message)
			})
		}
	}
	b.sent = kept
	for _, next := range added {
		b.sequence++
		next.sequence = b.sequence
		for s := range b.blocks {
			b.offer(s, next.header)
		}
		for _, log := range next.logs {
			b.logs.matching(log, func(s *Subscription) { b.offer(s, log.raw) })
		}
		b.sent = append(b.sent, next)
	}
	if extra := max(len(b.sent)-window, beyondBytes(b.sent)); extra > 0 {
		b.sent = slices.Clone(b.sent[extra:])
	}
	b.clearIfIdle()
}

// beyondBytes returns how many of the oldest blocks have logs beyond windowBytes. The newest block always stays.
func beyondBytes(sent []sentBlock) int {
	bytes := 0
	for i, b := range slices.Backward(sent) {
		for _, log := range b.logs {
			bytes += len(log.raw)
		}
		if bytes > windowBytes && i < len(sent)-1 {
			return i + 1
		}
	}
	return 0
}

// offer queues a message for a subscription, and drops the subscription if its queue is full.
func (b *broadcast) offer(s *Subscription, message []byte) {
	if !s.offer(message) {
		b.remove(s)
	}
}

// endLogs ends the subscriptions to logs.
func (b *broadcast) endLogs(reason error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for s := range b.subscriptions {
		if s.matcher != nil {
			s.end(reason)
			b.remove(s)
		}
	}
}

// endAll ends every subscription.
func (b *broadcast) endAll(reason error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for s := range b.subscriptions {
		s.end(reason)
		b.remove(s)
	}
	b.clearIfIdle()
}
