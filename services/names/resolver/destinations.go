package resolver

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// destinationLifetime is how long the address of an ENS name is cached, and noDestinationLifetime how long it is
	// cached that there is none. Both are short, because payments are sent to the address.
	destinationLifetime, noDestinationLifetime = 15 * time.Second, 5 * time.Second
	// resolveTimeout bounds one lookup.
	resolveTimeout = 5 * time.Second
	// maxDestinations bounds the cache entries.
	maxDestinations = 10_000
)

// Destinations resolves and caches the addresses of ENS names.
type Destinations struct {
	client  *Client
	kept    *cache.Cache[destinationKey, *evm.Address]
	flights routine.Flights
}

type destinationKey struct {
	name string
	coin uint32
}

// NewDestinations returns an empty cache.
func NewDestinations(o *Client) *Destinations {
	return &Destinations{
		client: o,
		kept: cache.New(cache.Options[destinationKey, *evm.Address]{
			MaxEntries: maxDestinations,
			LifetimeOf: func(account *evm.Address) time.Duration {
				if account == nil {
					return noDestinationLifetime
				}
				return destinationLifetime
			},
		}),
	}
}

// Of returns the address of a normalized name; nil if it has none. Concurrent callers share one lookup, which continues
// if a caller's context ends. It returns the errors of [Universal.AddressOf].
func (d *Destinations) Of(ctx context.Context, name string, coin uint32) (*evm.Address, error) {
	key := destinationKey{name, coin}
	if account, ok := d.kept.Get(key); ok {
		return account, nil
	}
	return share(ctx, &d.flights, strconv.FormatUint(uint64(coin), 10)+" "+name, resolveTimeout, func(ctx context.Context) (*evm.Address, error) {
		return d.find(ctx, key)
	})
}

func (d *Destinations) find(ctx context.Context, key destinationKey) (*evm.Address, error) {
	resolver, err := d.client.resolver(ctx)
	if errors.Is(err, errNoENS) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	account, leads, err := resolver.AddressOf(ctx, key.name, key.coin)
	if err != nil {
		return nil, err
	}
	found := &account
	if !leads {
		found = nil
	}
	d.kept.Set(key, found)
	return found, nil
}
