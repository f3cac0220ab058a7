package names

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/primary"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// primaryLifetime is how long the ENS name of an account is cached, noPrimaryLifetime how long that it has none or could not be read.
	primaryLifetime, noPrimaryLifetime = 5 * time.Minute, 10 * time.Second
	// primaryTimeout bounds the lookup of a name and its avatar.
	primaryTimeout = 2 * time.Second
	// maxPrimaries bounds the cache entries.
	maxPrimaries = 10_000
)

// primaries looks up and caches the primary ENS names of accounts. Names of this installation's zones are not cached, so their changes show
// at once.
type primaries struct {
	ensClient *ensClient
	log       *slog.Logger

	kept    *otter.Cache[evm.Address, reading]
	flights routine.Flights
	// forgotten are accounts that are not cached for a moment, because a lookup in progress may be outdated.
	forgotten *otter.Cache[evm.Address, struct{}]
}

// reading is the result of a lookup; whole unless a request failed.
type reading struct {
	primary.Name
	whole bool
}

func newPrimaries(o *ensClient, log *slog.Logger) *primaries {
	return &primaries{
		ensClient: o, log: log,
		forgotten: otter.Must(&otter.Options[evm.Address, struct{}]{
			MaximumSize: maxPrimaries, ExpiryCalculator: otter.ExpiryWriting[evm.Address, struct{}](2 * primaryTimeout),
		}),
		kept: otter.Must(&otter.Options[evm.Address, reading]{
			MaximumSize: maxPrimaries,
			ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[evm.Address, reading]) time.Duration {
				if e.Value.Name.Name == "" || !e.Value.whole {
					return noPrimaryLifetime
				}
				return primaryLifetime
			}),
		}),
	}
}

// Of returns the account's name; empty if it has none or the lookup fails. Concurrent callers share one lookup, which continues when one of
// them leaves.
func (p *primaries) Of(ctx context.Context, account evm.Address) primary.Name {
	if r, ok := p.kept.GetIfPresent(account); ok {
		return r.Name
	}
	ctx, cancel := context.WithTimeout(ctx, primaryTimeout)
	defer cancel()
	flight := p.flights.DoChan(ctx, account.String(), func() (any, error) {
		if r, ok := p.kept.GetIfPresent(account); ok { // another lookup has just ended
			return r.Name, nil
		}
		r := p.read(context.WithoutCancel(ctx), account)
		p.kept.Set(account, r)
		if _, changed := p.forgotten.GetIfPresent(account); changed {
			p.kept.Invalidate(account)
		}
		return r.Name, nil
	})
	select {
	case <-ctx.Done():
		return primary.Name{}
	case result := <-flight:
		name, _ := result.Val.(primary.Name)
		return name
	}
}

// Forget removes accounts from the cache, by address, because their names may have changed.
func (p *primaries) Forget(addresses ...string) {
	for _, address := range addresses {
		if account, err := evm.ParseAddress(address); err == nil {
			p.forgotten.Set(account, struct{}{})
			p.kept.Invalidate(account)
			p.flights.Forget(account.String())
		}
	}
}

// ForgetAll clears the cache.
func (p *primaries) ForgetAll() { p.kept.InvalidateAll() }

func (p *primaries) read(ctx context.Context, account evm.Address) reading {
	ctx, cancel := context.WithTimeout(ctx, primaryTimeout)
	defer cancel()
	resolver, err := p.ensClient.resolver(ctx)
	if errors.Is(err, errNoENS) {
		return reading{whole: true}
	}
	var name primary.Name
	if err == nil {
		name, err = primary.Read(ctx, resolver, account)
	}
	if err != nil {
		p.log.Log(ctx, severity(err), "an account's name of ENS could not be read", "error", err)
	}
	return reading{Name: name, whole: err == nil}
}
