// Package receipt deletes the messages that clients have acknowledged, and remembers who acknowledged those that stay until their TTL.
package receipt

import (
	"context"
	"log/slog"
	"time"

	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

const (
	// deleteWorkers is how many deletions of acknowledged messages run at once, and deleteQueue how many may wait.
	deleteWorkers = 16
	deleteQueue   = 8192
	// deleteWait bounds how long publishing waits if deletions are behind.
	deleteWait = 500 * time.Millisecond
	// seenKept and seenLifetime bound the cache of acknowledged messages that stay in their mailboxes. A client may receive
	// such a message again from another process, or after seenLifetime.
	seenKept     = 50_000
	seenLifetime = time.Hour
	// deletedKept and deletedLifetime bound the cache of deleted messages. A server that lost its stream may number another message alike.
	deletedKept     = 50_000
	deletedLifetime = time.Minute
)

// Receipt is the acknowledgement of a message.
type Receipt struct {
	Sequence uint64
	// Stays reports whether the message is kept until its TTL.
	Stays bool
}

// Of returns the acknowledgement of a message.
func Of(m mailbox.Message) Receipt { return Receipt{m.Sequence, m.StaysUntilTTL()} }

// Receipts handles the acknowledgements that the clients of a process send. It is safe for concurrent use.
type Receipts struct {
	ctx     context.Context
	store   *mailbox.Store
	log     *slog.Logger
	deletes chan uint64
	// deleted are the messages that are being deleted or were: each session of a topic acknowledges the same one.
	deleted *cache.Cache[uint64, struct{}]
	// seen stores which client has acknowledged which message that stays.
	seen *cache.Cache[seenKey, struct{}]
}

type seenKey struct {
	client   mailbox.Publisher
	sequence uint64
}

// New returns the receipts for messages of a store. Acknowledgements are accepted until ctx ends.
func New(ctx context.Context, store *mailbox.Store, log *slog.Logger) *Receipts {
	return &Receipts{
		ctx: ctx, store: store, log: log,
		deletes: make(chan uint64, deleteQueue),
		deleted: cache.New(cache.Options[uint64, struct{}]{MaxEntries: deletedKept, Lifetime: deletedLifetime}),
		seen:    cache.New(cache.Options[seenKey, struct{}]{MaxEntries: seenKept, Lifetime: seenLifetime}),
	}
}

// Acknowledge deletes a message that a client has received, unless it is kept for its TTL.
func (r *Receipts) Acknowledge(client mailbox.Publisher, one Receipt) {
	if one.Stays {
		r.seen.Set(seenKey{client, one.Sequence}, struct{}{})
		return
	}
	if _, again := r.deleted.Swap(one.Sequence, struct{}{}); again {
		return
	}
	select {
	case r.deletes <- one.Sequence:
	case <-r.ctx.Done():
	}
}

// Has reports whether a client has acknowledged a message that is kept for its TTL.
func (r *Receipts) Has(client mailbox.Publisher, m mailbox.Message) bool {
	if !m.StaysUntilTTL() {
		return false
	}
	_, acknowledged := r.seen.Get(seenKey{client, m.Sequence})
	return acknowledged
}

// Wait waits while deletions are far behind, because otherwise mailboxes would fill with acknowledged messages.
func (r *Receipts) Wait(ctx context.Context) {
	for waited := time.Duration(0); len(r.deletes) > deleteQueue/4 && waited < deleteWait && ctx.Err() == nil; waited += time.Millisecond {
		time.Sleep(time.Millisecond)
	}
}

// Run deletes acknowledged messages until ctx ends. Messages that it does not delete are delivered again.
func (r *Receipts) Run(ctx context.Context) error {
	g, ctx := routine.NewGroup(ctx)
	for range deleteWorkers {
		g.Go(func() error { r.deleteAll(ctx); return nil })
	}
	return g.Wait()
}

func (r *Receipts) deleteAll(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case sequence := <-r.deletes:
			if err := r.store.Delete(ctx, sequence); err != nil && ctx.Err() == nil {
				r.deleted.Delete(sequence)
				r.log.WarnContext(ctx, "relay: an acknowledged message is not deleted", "error", err)
			}
		}
	}
}
