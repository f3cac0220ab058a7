package relay

import (
	"time"

	"github.com/hawser-dev/hawser/services/platform/cache"
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
	known *cache.Cache[seenKey, struct{}]
}

type seenKey struct {
	client   mailbox.Publisher
	sequence uint64
}

func newSeenCache() *seenCache {
	return &seenCache{cache.New(cache.Options[seenKey, struct{}]{
		MaxEntries: seenKept,
		Lifetime:   seenLifetime,
	})}
}

func (c *seenCache) add(client mailbox.Publisher, sequence uint64) {
	c.known.Set(seenKey{client, sequence}, struct{}{})
}

func (c *seenCache) has(client mailbox.Publisher, sequence uint64) bool {
	_, ok := c.known.Get(seenKey{client, sequence})
	return ok
}
