package bus

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/synadia-io/orbit.go/jetstreamext"
)

// sendAll stores events of one service in their order, and returns how many it stored. They are one request, which stores all of them or none. If that fails they
// are sent one by one: a server refuses a batch with an event that it has stored before, and one before NATS 2.12 has no batches.
func (b *Bus) sendAll(ctx context.Context, events []event) (stored int, err error) {
	if len(events) > 1 {
		err := b.sendBatch(ctx, events)
		if err == nil {
			b.recordStored(ctx, nil)
			return len(events), nil
		}
		slog.DebugContext(ctx, "events not stored as a batch", "events", len(events), "error", err)
	}
	for _, e := range events {
		if err := b.send(ctx, e); err != nil {
			return stored, err
		}
		stored++
	}
	return stored, nil
}

// sendBatch stores all events, or returns an error. After an error they may be stored, if the answer was lost.
func (b *Bus) sendBatch(ctx context.Context, events []event) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := b.stream(ctx, events[0].kind); err != nil {
		return err
	}
	batch, err := jetstreamext.NewBatchPublisher(b.js, jetstreamext.BatchFlowControl{})
	if err != nil {
		return err
	}
	last := len(events) - 1
	for _, e := range events[:last] {
		if err := batch.AddMsg(e.message()); err != nil {
			return fmt.Errorf("add %s to a batch: %w", e.kind, err)
		}
	}
	_, err = batch.CommitMsg(ctx, events[last].message())
	return err
}
