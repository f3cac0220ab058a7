package relay

import (
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

// seenKept and seenLifetime bound the cache of acknowledged messages that stay in their mailboxes. A client may receive
// such a message again from another process, or after seenLifetime.
const (
	seenKept     = 50_000
	seenLifetime = time.Hour
)

// seenCache stores which client has acknowledged which message.
type seenCache struct {
	known *otter.Cache[seenKey, struct{}]
}

type seenKey struct {
	client   mailbox.Publisher
	sequence uint64
}

func newSeenCache() *seenCache {
	return &seenCache{otter.Must(&otter.Options[seenKey, struct{}]{
		MaximumSize:      seenKept,
		ExpiryCalculator: otter.ExpiryWriting[seenKey, struct{}](seenLifetime),
	})}
}

func (c *seenCache) add(client mailbox.Publisher, sequence uint64) {
	c.known.Set(seenKey{client, sequence}, struct{}{})
}

func (c *seenCache) has(client mailbox.Publisher, sequence uint64) bool {
	_, ok := c.known.GetIfPresent(seenKey{client, sequence})
	return ok
}
