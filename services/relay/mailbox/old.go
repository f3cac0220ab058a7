package mailbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// The stream and the bucket of webhooks, which earlier versions had.
const (
	oldStream = "RELAY_WEBHOOKS"
	oldBucket = "RELAY_WATCHES"
)

// removeOld deletes what earlier versions stored and this one does not use.
func removeOld(ctx context.Context, js jetstream.JetStream) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := js.DeleteStream(ctx, oldStream); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("stream %s: %w", oldStream, err)
	}
	if err := js.DeleteKeyValue(ctx, oldBucket); err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) {
		return fmt.Errorf("bucket %s: %w", oldBucket, err)
	}
	return nil
}
