package balances

import (
	"context"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// networksLifetime is how long the network table is kept; it changes only when its service starts anew.
const networksLifetime = time.Minute

// networksTimeout bounds a reading of the table.
const networksTimeout = 5 * time.Second

// keptNetworks remembers the network table.
type keptNetworks struct {
	source Networks
	clock  clock.Clock

	mu   sync.Mutex
	list []Network
	read time.Time
}

// Networks returns the table; while its source is down, the last one read.
func (k *keptNetworks) Networks(ctx context.Context) ([]Network, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.list != nil && k.clock.Now().Sub(k.read) < networksLifetime {
		return k.list, nil
	}
	ctx, cancel := context.WithTimeout(ctx, networksTimeout)
	defer cancel()
	list, err := k.source.Networks(ctx)
	if err != nil && k.list != nil {
		return k.list, nil
	}
	if err != nil {
		return nil, err
	}
	k.list, k.read = list, k.clock.Now()
	return list, nil
}
