package sns

import (
	"context"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// addressLifetime is how long the address of a name is cached, and noAddressLifetime how long it is cached that
	// there is none. Both are short, because payments are sent to the address.
	addressLifetime, noAddressLifetime = 15 * time.Second, 5 * time.Second
	// primaryLifetime is how long the primary name of an account is cached, and noPrimaryLifetime how long it is cached
	// that there is none.
	primaryLifetime, noPrimaryLifetime = 5 * time.Minute, 10 * time.Second
	// lookupTimeout bounds one lookup, which takes up to six requests.
	lookupTimeout = 5 * time.Second
	// maxNames bounds the entries of each cache.
	maxNames = 10_000
)

// Deps are the dependencies of [Names].
type Deps struct {
	// Chain is the CAIP-2 id of the chain whose names are read if no local chain has names; empty for none.
	Chain string
	Local devnet.Source
	// Serves reports whether a chain is in the network table.
	Serves  func(ctx context.Context, chainID string) (bool, error)
	Connect func(chainID string) chainclient.Transport
	Clock   clock.Clock
}

// Names resolves and caches names of the local Solana chain if it has some, otherwise of the configured one. It is safe
// for concurrent use.
type Names struct {
	deps      Deps
	addresses *cache.Cache[Name, svm.Address]
	primaries *cache.Cache[svm.Address, string]
}

// New returns names with empty caches.
func New(deps Deps) *Names {
	return &Names{deps: deps, addresses: newCache[Name](none, addressLifetime, noAddressLifetime), primaries: newCache[svm.Address]("", primaryLifetime, noPrimaryLifetime)}
}

// newCache returns a cache in which an absent value has a separate lifetime.
func newCache[K, V comparable](absent V, lifetime, absentLifetime time.Duration) *cache.Cache[K, V] {
	return cache.New(cache.Options[K, V]{
		MaxEntries: maxNames,
		LifetimeOf: func(value V) time.Duration {
			if value == absent {
				return absentLifetime
			}
			return lifetime
		},
	})
}

// AddressOf returns the wallet of a name, as [Chain.AddressOf] does; false also if no chain with names is served.
func (n *Names) AddressOf(ctx context.Context, name Name) (wallet svm.Address, ok bool, err error) {
	wallet, err = find(ctx, n, n.addresses, name, func(ctx context.Context, c Chain) (svm.Address, error) {
		wallet, ok, err := c.AddressOf(ctx, name)
		if err != nil || !ok {
			return none, err
		}
		return wallet, nil
	})
	return wallet, wallet != none, err
}

// PrimaryOf returns the primary name of an account, as [Chain.PrimaryOf] does; empty also if no chain with names is served.
func (n *Names) PrimaryOf(ctx context.Context, owner svm.Address) (string, error) {
	return find(ctx, n, n.primaries, owner, func(ctx context.Context, c Chain) (string, error) { return c.PrimaryOf(ctx, owner) })
}

// find returns the cached value of a key, or reads and caches it. Concurrent callers do not share reads.
func find[K comparable, V any](ctx context.Context, n *Names, kept *cache.Cache[K, V], key K, read func(context.Context, Chain) (V, error)) (value V, err error) {
	if value, ok := kept.Get(key); ok {
		return value, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	chain, ok, err := n.chain(ctx)
	if err != nil || !ok {
		return value, err
	}
	if value, err = read(ctx, chain); err == nil {
		kept.Set(key, value)
	}
	return value, err
}

// chain returns the chain that has the names; false if it is not served.
func (n *Names) chain(ctx context.Context) (c Chain, ok bool, err error) {
	chainID := n.deps.Chain
	if local := n.deps.Local.Describe().Solana; local != nil && len(local.Names) > 0 {
		chainID = local.CAIP2
	}
	if chainID == "" {
		return Chain{}, false, nil
	}
	ok, err = n.deps.Serves(ctx, chainID)
	return Chain{Send: n.deps.Connect(chainID), Now: n.deps.Clock.Now()}, ok, err
}
