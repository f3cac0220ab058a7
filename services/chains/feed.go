package chains

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

const (
	// feedWindow is how many blocks back a feed can take back.
	feedWindow = 64
	// feedGap is how many blocks a feed fills in when it missed their heads.
	feedGap = 256
)

// errGap says that so much was missed that it cannot be filled in: those who listen must begin anew.
var errGap = errors.New("too many blocks were missed")

// blockSource is where a feed gets what it tells.
type blockSource interface {
	// block returns the block with that hash.
	block(ctx context.Context, hash string) (block, error)
	// logs returns the logs of a block.
	logs(ctx context.Context, b block) ([]logEntry, error)
}

// block is a block as a feed tells it.
type block struct {
	head
	// header is what eth_subscribe tells of it, as JSON.
	header []byte
	// hasLogs is what its bloom filter says for certain.
	hasLogs bool
}

// feed turns the heads of one chain into every block once and in order, whichever node showed it and however many heads were missed. When the
// chain takes blocks back, it first takes back their logs, the newest first. It reads each block once for all who listen, and nothing
// while nobody does.
type feed struct {
	source blockSource

	mu        sync.Mutex
	listeners map[*listener]struct{}
	// window is the blocks told last, oldest first; turn counts what was told.
	window []told
	turn   uint64
}

// told is a block that was told, and when.
type told struct {
	block
	logs []logEntry
	turn uint64
}

func newFeed(source blockSource) *feed {
	return &feed{source: source, listeners: map[*listener]struct{}{}}
}

// join begins to listen to what follows on now, which is the chain's head; a nil filter asks for blocks.
func (f *feed) join(now head, filter *logMatch) *listener {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.window) == 0 {
		f.window = []told{{block: block{head: now}}}
	}
	f.turn++
	l := newListener(filter, f.turn)
	f.listeners[l] = struct{}{}
	return l
}

func (f *feed) leave(l *listener) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.listeners, l)
	f.rest()
}

// rest forgets the past when nobody listens any more.
func (f *feed) rest() {
	if len(f.listeners) == 0 {
		f.window = nil
	}
}

func (f *feed) isHeard() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.listeners) > 0
}

// advance tells all that lies between the blocks told and h. When it fails nothing is told, and the next call makes up for it. Calls must
// not overlap.
func (f *feed) advance(ctx context.Context, h head) error {
	f.mu.Lock()
	window, withLogs := f.window, f.wantsLogs()
	f.mu.Unlock()
	if len(window) == 0 || window[len(window)-1].hash == h.hash {
		return nil
	}
	added, kept, err := f.path(ctx, window, h)
	if errors.Is(err, errGap) {
		f.endAll(err)
	}
	if err != nil {
		return err
	}
	if withLogs {
		for i := range added {
			if added[i].logs, err = f.source.logs(ctx, added[i].block); err != nil {
				return err
			}
		}
	}
	f.tell(window[:kept:kept], window[kept:], added)
	return nil
}

// wantsLogs reports whether anybody listens to logs. One who joins while a block is being read hears of the next one.
func (f *feed) wantsLogs() bool {
	for l := range f.listeners {
		if l.filter != nil {
			return true
		}
	}
	return false
}

// path walks back from h to a block that was told: the blocks to add, oldest first, and how many of the window stay.
func (f *feed) path(ctx context.Context, window []told, h head) (added []told, kept int, err error) {
	hash := h.hash
	for len(added) < feedGap {
		b, err := f.source.block(ctx, hash)
		if err != nil {
			return nil, 0, err
		}
		added = append(added, told{block: b})
		i := slices.IndexFunc(window, func(t told) bool { return t.hash == b.parentHash })
		if i >= 0 || b.number <= window[0].number {
			slices.Reverse(added)
			return added, i + 1, nil
		}
		hash = b.parentHash
	}
	return nil, 0, fmt.Errorf("%w: from %d to %d", errGap, window[len(window)-1].number, h.number)
}

// tell takes removed back and adds to kept what is new.
func (f *feed) tell(kept, removed, added []told) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, gone := range slices.Backward(removed) {
		for l := range f.listeners {
			f.offer(l, l.takenBack(gone))
		}
	}
	f.window = kept
	for _, b := range added {
		f.turn++
		b.turn = f.turn
		for l := range f.listeners {
			f.offer(l, l.news(b))
		}
		f.window = append(f.window, b)
	}
	if extra := len(f.window) - feedWindow; extra > 0 {
		f.window = slices.Clone(f.window[extra:])
	}
	f.rest()
}

// offer hands messages to a listener, and lets go of one who is full.
func (f *feed) offer(l *listener, messages [][]byte) {
	for _, message := range messages {
		if !l.offer(message) {
			delete(f.listeners, l)
			return
		}
	}
}

// endAll ends everybody's listening.
func (f *feed) endAll(reason error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for l := range f.listeners {
		l.end(reason)
	}
	clear(f.listeners)
	f.rest()
}
