package bus

import (
	"context"
	"embed"
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
	// outboxBatch bounds how many events are relayed under one lock, and relayTimeout for how long.
	outboxBatch  = 100
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
}

// Ready returns an error if an event has waited in the outbox for more than half a minute, as far as [Outbox.Run] of
// this process has observed.
func (o *Outbox) Ready(context.Context) error {
	written := o.oldest.Load()
	if written == 0 {
		return nil
	}
	if age := o.clock.Now().Sub(time.UnixMilli(written)); age > outboxStuck {
		return fmt.Errorf("an event has waited in the outbox for %s", age.Round(time.Second))
	}
	return nil
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
	poll := time.NewTicker(outboxPoll)
	defer poll.Stop()
	for {
		sent, err := o.relay(ctx, b)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var pause <-chan time.Time
		switch {
		case err != nil:
			slog.WarnContext(ctx, "outbox not relayed", "error", err)
			pause = time.After(outboxPause)
		case sent == outboxBatch:
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

// relay publishes one batch and removes what the bus has acknowledged, unless another replica is relaying. If a process
// dies in between, the events are published again with the same ids.
func (o *Outbox) relay(ctx context.Context, b *Bus) (sent int, err error) {
	ctx, cancel := context.WithTimeout(ctx, relayTimeout)
	defer cancel()
	waiting, err := o.read(ctx, 1)
	if err != nil {
		return 0, err
	}
	if len(waiting) == 0 {
		o.oldest.Store(0)
		return 0, nil
	}
	o.oldest.Store(waiting[0].at.UnixMilli())
	_, err = o.db.Exclusively(ctx, "hawser.outbox", func() error {
		batch, err := o.read(ctx, outboxBatch)
		if err != nil {
			return err
		}
		for _, row := range batch {
			if err = b.send(ctx, row.event); err != nil {
				break
			}
			sent++
		}
		if sent == 0 {
			return err
		}
		if removed := o.remove(ctx, batch[:sent]); removed != nil {
			return removed
		}
		return err
	})
	return sent, err
}

// outboxRow is an event with its place in the order.
type outboxRow struct {
	seq int64
	event
}

func (o *Outbox) read(ctx context.Context, limit int) (batch []outboxRow, err error) {
	rows, err := o.db.Reader().QueryContext(ctx,
		`SELECT seq, id, type, occurred_at, data, trace_parent FROM outbox ORDER BY seq LIMIT $1`, limit)
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

// remove deletes rows one by one, because the row of an uncommitted transaction may lie between them. It deletes them
// even if ctx has just ended, so that the next process does not publish them again.
func (o *Outbox) remove(ctx context.Context, batch []outboxRow) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
	defer cancel()
	err := o.db.InTx(ctx, func(tx *store.Tx) error {
		for _, row := range batch {
			if _, err := tx.ExecContext(ctx, `DELETE FROM outbox WHERE seq = $1`, row.seq); err != nil {
				return err
			}
		}
		return nil
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
