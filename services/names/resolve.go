package names

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/universal"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// Source is where the address of a name comes from.
type Source string

// The sources.
const (
	// FromRegistry: this installation's own registry.
	FromRegistry Source = "registry"
	// FromENS: the Ethereum Name Service.
	FromENS Source = "ens"
)

// Destination is the address of a name for one coin type.
type Destination struct {
	Name     string
	CoinType CoinType
	Address  evm.Address
	Source   Source
}

const (
	// destinationLifetime and noDestinationLifetime are how long the address of an ENS name is cached, and that it has none. Both are short: money is
	// sent there.
	destinationLifetime, noDestinationLifetime = 15 * time.Second, 5 * time.Second
	// resolveTimeout bounds one lookup.
	resolveTimeout = 5 * time.Second
	// maxDestinations bounds the cache entries.
	maxDestinations = 10_000
)

// destinations resolves and caches the addresses of ENS names.
type destinations struct {
	ensClient *ensClient
	kept      *otter.Cache[destinationKey, *evm.Address]
	flights   routine.Flights
}

type destinationKey struct {
	name string
	coin CoinType
}

func newDestinations(o *ensClient) *destinations {
	return &destinations{
		ensClient: o,
		kept: otter.Must(&otter.Options[destinationKey, *evm.Address]{
			MaximumSize: maxDestinations,
			ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[destinationKey, *evm.Address]) time.Duration {
				if e.Value == nil {
					return noDestinationLifetime
				}
				return destinationLifetime
			}),
		}),
	}
}

// Of returns the address of a normalized name; nil if it has none. Concurrent callers share one lookup, which continues when one of them
// leaves. It fails as [universal.Resolver] does.
func (d *destinations) Of(ctx context.Context, name string, coin CoinType) (*evm.Address, error) {
	key := destinationKey{name, coin}
	if account, ok := d.kept.GetIfPresent(key); ok {
		return account, nil
	}
	ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
	defer cancel()
	flight := d.flights.DoChan(ctx, coin.String()+" "+name, func() (any, error) {
		return d.find(context.WithoutCancel(ctx), key)
	})
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", universal.ErrUnavailable, ctx.Err())
	case result := <-flight:
		account, _ := result.Val.(*evm.Address)
		return account, result.Err
	}
}

func (d *destinations) find(ctx context.Context, key destinationKey) (*evm.Address, error) {
	ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
	defer cancel()
	resolver, err := d.ensClient.resolver(ctx)
	if errors.Is(err, errNoENS) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	account, leads, err := resolver.LeadsTo(ctx, key.name, uint32(key.coin))
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

// Errors of resolving names.
var (
	// ErrLetters: the name has characters whose normal form (ENSIP-15) is not known here.
	ErrLetters = errors.New("names with other letters than a to z, digits, hyphens and dots are not supported")
	// ErrNowhere: the name is not registered, or has no address for the coin type.
	ErrNowhere = errors.New("the name leads nowhere")
)

// resolve returns the address of any name: those of our zones come from the registry, without a request. It fails with [*NameError],
// [*CoinTypeError], [ErrNowhere], or as [universal.Resolver] does.
func resolve(ctx context.Context, ours *Registry, others *destinations, text string, coin CoinType) (Destination, error) {
	to := Destination{Name: strings.ToLower(text), CoinType: coin.canonical(), Source: FromENS}
	if _, isChain := to.CoinType.chainID(); !isChain {
		return Destination{}, &CoinTypeError{coin}
	}
	if ours.zones.Hold(to.Name) {
		to.Source = FromRegistry
		return ours.leads(ctx, to)
	}
	if !universal.Plain(to.Name) {
		return Destination{}, &NameError{text, ErrLetters}
	}
	account, err := others.Of(ctx, to.Name, to.CoinType)
	if err != nil {
		return Destination{}, err
	}
	if account == nil {
		return Destination{}, ErrNowhere
	}
	to.Address = *account
	return to, nil
}

// leads adds the address of a name of our zones.
func (r *Registry) leads(ctx context.Context, to Destination) (Destination, error) {
	record, err := r.Find(ctx, to.Name)
	if errors.Is(err, ErrUnregistered) || errors.Is(err, ErrLength) {
		return Destination{}, ErrNowhere
	}
	if err != nil {
		return Destination{}, err
	}
	account, leads := record.addressFor(to.CoinType)
	if !leads {
		return Destination{}, ErrNowhere
	}
	to.Address = account
	return to, nil
}
