package bus

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const (
	// outboxPoll is the interval of polling for events that another process wrote.
	outboxPoll = 200 * time.Millisecond
	// outboxBatch and outboxBytes bound how many events, and bytes of them, are relayed under one lock, and relayTimeout for how long. A server takes
	// 1000 messages at once.
	outboxBatch  = 1000
	outboxBytes  = 4 << 20
	relayTimeout = 20 * time.Second
	// outboxPause is the pause after an error of the bus or the database.
	outboxPause = time.Second
	// outboxStuck is how old the oldest event may become before the outbox counts as stuck.
	outboxStuck = 30 * time.Second
)

//go:embed migrations
var migrations embed.FS

// Outbox stores events in the database until they are published, so that a change of state and its event are committed together or not at
// all. A database has one outbox, which all services and processes share.
type Outbox struct {
	db    *store.DB
	clock clock.Clock
	wake  chan struct{}
	// oldest is when the longest waiting event was written, in Unix milliseconds; 0 if none is waiting.
	oldest atomic.Int64
	// sent counts the events that this process published.
	sent atomic.Int64
}

// Ready returns an error if an event has waited in the outbox for more than half a minute, as far as [Outbox.Run] of
// this process has observed.
func (o *Outbox) Ready(context.Context) error {
	if lag := o.lag(); lag > outboxStuck {
		return fmt.Errorf("an event has waited in the outbox for %s", lag.Round(time.Second))
	}
	return nil
}

// lag is how long the oldest event has waited, as far as [Outbox.Run] of this process has observed; 0 if none waits.
func (o *Outbox) lag() time.Duration {
	written := o.oldest.Load()
	if written == 0 {
		return 0
	}
	return max(0, o.clock.Now().Sub(time.UnixMilli(written)))
}

// NewOutbox returns the outbox of db, and creates its table if it is absent.
func NewOutbox(ctx context.Context, db *store.DB) (*Outbox, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx, "outbox", files); err != nil {
		return nil, err
	}
	return &Outbox{db: db, clock: clock.System{}, wake: make(chan struct{}, 1)}, nil
}

// Add makes msg part of tx: it is published if and only if tx commits.
func (o *Outbox) Add(ctx context.Context, tx *store.Tx, msg proto.Message) error {
	e, err := newEvent(ctx, o.clock.Now(), msg)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO outbox (id, type, occurred_at, data, trace_parent) VALUES ($1, $2, $3, $4, $5)`,
		e.id, string(e.kind), e.at.UnixMilli(), e.data, e.traceParent)
	if err != nil {
		return fmt.Errorf("add %s to the outbox: %w", e.kind, err)
	}
	tx.OnCommit(o.wakeUp)
	return nil
}

// Run publishes the events in the outbox until ctx ends, in the order they were written: those of this process at once,
// those of other processes within [outboxPoll]. Several may run on one database; one of them relays at a time. It
// retries when b or the database does not answer.
func (o *Outbox) Run(ctx context.Context, b *Bus) error {
	defer o.observe()()
	poll := time.NewTicker(outboxPoll)
	defer poll.Stop()
	for {
		more, err := o.relay(ctx, b)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var pause <-chan time.Time
		switch {
		case err != nil:
			slog.WarnContext(ctx, "outbox not relayed", "error", err)
			pause = time.After(outboxPause)
		case more:
			continue
		}
		if err := o.await(ctx, pause, poll.C); err != nil {
			return err
		}
	}
}

// await waits for pause, the pause after a failure, if it is not nil; otherwise for new events or the next poll.
func (o *Outbox) await(ctx context.Context, pause, poll <-chan time.Time) error {
	if pause != nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-pause:
			return nil
		}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-o.wake:
		return nil
	case <-poll:
		return nil
	}
}

// relay publishes one batch and removes what the bus has acknowledged, unless another replica is relaying. It reports whether more may wait. If a process
// dies in between, the events are published again with the same ids.
func (o *Outbox) relay(ctx context.Context, b *Bus) (more bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, relayTimeout)
	defer cancel()
	waiting, err := o.read(ctx, 1)
	if err != nil {
		return false, err
	}
	if len(waiting) == 0 {
		o.oldest.Store(0)
		return false, nil
	}
	o.oldest.Store(waiting[0].at.UnixMilli())
	_, err = o.db.Exclusively(ctx, "hawser.outbox", func() error {
		batch, err := o.read(ctx, outboxBatch)
		if err != nil {
			return err
		}
		stored, err := publishRows(ctx, b, batch)
		o.sent.Add(int64(len(stored)))
		more = err == nil && len(stored) > 0
		if removed := o.remove(ctx, stored); removed != nil {
			return removed
		}
		return err
	})
	return more, err
}

// publishRows publishes events, and returns those that were stored. A stream that fails does not hold up the events of others.
func publishRows(ctx context.Context, b *Bus, batch []outboxRow) (stored []outboxRow, err error) {
	var owners []string
	parts := map[string][]outboxRow{}
	for _, row := range batch {
		owner := service(row.kind)
		if parts[owner] == nil {
			owners = append(owners, owner)
		}
		parts[owner] = append(parts[owner], row)
	}
	var errs []error
	for _, owner := range owners {
		events := make([]event, len(parts[owner]))
		for i, row := range parts[owner] {
			events[i] = row.event
		}
		sent, err := b.sendAll(ctx, events)
		stored = append(stored, parts[owner][:sent]...)
		errs = append(errs, err)
	}
	return stored, errors.Join(errs...)
}

// outboxRow is an event with its place in the order.
type outboxRow struct {
	seq int64
	event
}

// read returns the oldest events in order: at most limit, and as many as outboxBytes have room for, but at least one.
func (o *Outbox) read(ctx context.Context, limit int) (batch []outboxRow, err error) {
	rows, err := o.db.Reader().QueryContext(ctx, `SELECT seq, id, type, occurred_at, data, trace_parent FROM (
			SELECT oldest.*, SUM(LENGTH(data)) OVER (ORDER BY seq) - LENGTH(data) AS before FROM (SELECT * FROM outbox ORDER BY seq LIMIT $1) AS oldest
		) AS counted WHERE before < $2 ORDER BY seq`, limit, outboxBytes)
	if err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var row outboxRow
		var kind string
		var millis int64
		if err := rows.Scan(&row.seq, &row.id, &kind, &millis, &row.data, &row.traceParent); err != nil {
			return nil, fmt.Errorf("read the outbox: %w", err)
		}
		row.kind, row.at = protoreflect.FullName(kind), time.UnixMilli(millis)
		batch = append(batch, row)
	}
	return batch, rows.Err()
}

// remove deletes events by their ids, because the row of an uncommitted transaction may lie between them. It deletes them
// even if ctx has just ended, so that the next process does not publish them again.
func (o *Outbox) remove(ctx context.Context, rows []outboxRow) error {
	if len(rows) == 0 {
		return nil
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.id
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
	defer cancel()
	err := o.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM outbox WHERE id IN `+o.db.Members(1), store.List(ids))
		return err
	})
	if err != nil {
		return fmt.Errorf("empty the outbox: %w", err)
	}
	return nil
}

func (o *Outbox) wakeUp() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}
