package resolver

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// primaryLifetime is how long the ENS name of an account is cached, and noPrimaryLifetime how long it is cached
	// that there is none or that the lookup failed.
	primaryLifetime, noPrimaryLifetime = 5 * time.Minute, 10 * time.Second
	// primaryTimeout bounds the lookup of a name and its avatar.
	primaryTimeout = 2 * time.Second
	// maxPrimaries bounds the cache entries.
	maxPrimaries = 10_000
)

// Primaries looks up and caches the primary ENS names of accounts.
type Primaries struct {
	client *Client
	log    *slog.Logger

	kept    *cache.Cache[evm.Address, Reading]
	flights routine.Flights
	// forgotten holds accounts that are temporarily not cached, because a lookup in progress may be outdated.
	forgotten *cache.Cache[evm.Address, struct{}]
	// cleared counts the calls of ForgetAll.
	cleared atomic.Int64
}

// Reading is the result of a lookup.
type Reading struct {
	Primary
	// Whole is false if a request failed: the account may have a name, or an avatar, that was not read.
	Whole bool
}

// NewPrimaries returns an empty cache.
func NewPrimaries(o *Client, log *slog.Logger) *Primaries {
	return &Primaries{
		client: o, log: log,
		forgotten: cache.New(cache.Options[evm.Address, struct{}]{
			MaxEntries: maxPrimaries, Lifetime: 2 * primaryTimeout,
		}),
		kept: cache.New(cache.Options[evm.Address, Reading]{
			MaxEntries: maxPrimaries,
			LifetimeOf: func(r Reading) time.Duration {
				if r.Name == "" || !r.Whole {
					return noPrimaryLifetime
				}
				return primaryLifetime
			},
		}),
	}
}

// Of returns the account's name. Concurrent callers share one lookup, which
// continues if a caller's context ends.
func (p *Primaries) Of(ctx context.Context, account evm.Address) Reading {
	if r, ok := p.kept.Get(account); ok {
		return r
	}
	r, err := share(ctx, &p.flights, account.String(), primaryTimeout, func(ctx context.Context) (Reading, error) {
		if r, ok := p.kept.Get(account); ok { // another lookup has just ended
			return r, nil
		}
		cleared := p.cleared.Load()
		r := p.read(ctx, account)
		p.kept.Set(account, r)
		if _, changed := p.forgotten.Get(account); changed || p.cleared.Load() != cleared {
			p.kept.Delete(account)
		}
		return r, nil
	})
	if err != nil {
		return Reading{}
	}
	return r
}

// Forget removes accounts, given by address, from the cache, because their names may have changed.
func (p *Primaries) Forget(addresses ...string) {
	for _, address := range addresses {
		if account, err := evm.ParseAddress(address); err == nil {
			p.forgotten.Set(account, struct{}{})
			p.kept.Delete(account)
			p.flights.Forget(account.String())
		}
	}
}

// ForgetAll clears the cache.
func (p *Primaries) ForgetAll() {
	p.cleared.Add(1)
	p.kept.Clear()
}

func (p *Primaries) read(ctx context.Context, account evm.Address) Reading {
	resolver, err := p.client.resolver(ctx)
	if errors.Is(err, errNoENS) {
		return Reading{Whole: true}
	}
	var name Primary
	if err == nil {
		name, err = ReadPrimary(ctx, resolver, account)
	}
	if err != nil {
		p.log.Log(ctx, severity(err), "primary ENS name could not be read", "error", err)
	}
	return Reading{Primary: name, Whole: err == nil}
}

// Primary is the primary name of an account.
type Primary struct {
	// Name is empty if the account has no valid primary name.
	Name string
	// Avatar is the avatar record of the name (ENSIP-12), not validated; empty if there is none.
	Avatar string
}

// ReadPrimary reads the primary name and avatar of an account. The name is empty if the account has none, if it does
// not resolve back to the account, or if it has characters that are not safe to show. It returns the errors of
// [Universal.PrimaryName]; the name is returned even if reading the avatar failed.
func ReadPrimary(ctx context.Context, resolver Universal, account evm.Address) (Primary, error) {
	name, err := resolver.PrimaryName(ctx, account)
	if err != nil || name == "" {
		return Primary{}, err
	}
	avatar, err := resolver.Text(ctx, name, "avatar")
	return Primary{Name: name, Avatar: avatar}, err
}
