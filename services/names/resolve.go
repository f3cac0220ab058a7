package names

import (
	"context"
	"errors"
	"strings"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/names/resolver"
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
	CoinType registry.CoinType
	Address  evm.Address
	Source   Source
}

// Errors of resolving names.
var (
	// ErrLetters: the name has characters whose normal form (ENSIP-15) is not known here.
	ErrLetters = errors.New("names with other letters than a to z, digits, hyphens and dots are not supported")
	// ErrNowhere: the name is not registered, or has no address for the coin type.
	ErrNowhere = errors.New("the name leads nowhere")
)

// resolveName returns the address of any name: those of our zones come from the registry, without a request. It fails with [*registry.NameError],
// [*registry.CoinTypeError], [ErrNowhere], or as [universal.Resolver] does.
func resolveName(ctx context.Context, ours *registry.Registry, others *resolver.Destinations, text string, coin registry.CoinType) (Destination, error) {
	to := Destination{Name: strings.ToLower(text), CoinType: coin.Canonical(), Source: FromENS}
	if _, isChain := to.CoinType.ChainID(); !isChain {
		return Destination{}, &registry.CoinTypeError{CoinType: coin}
	}
	if ours.Zones.Hold(to.Name) {
		to.Source = FromRegistry
		return registeredAddress(ctx, ours, to)
	}
	if !resolver.Plain(to.Name) {
		return Destination{}, &registry.NameError{Name: text, Err: ErrLetters}
	}
	account, err := others.Of(ctx, to.Name, uint32(to.CoinType))
	if err != nil {
		return Destination{}, err
	}
	if account == nil {
		return Destination{}, ErrNowhere
	}
	to.Address = *account
	return to, nil
}

// registeredAddress adds the address of a name of our zones.
func registeredAddress(ctx context.Context, r *registry.Registry, to Destination) (Destination, error) {
	record, err := r.Find(ctx, to.Name)
	if errors.Is(err, registry.ErrUnregistered) || errors.Is(err, registry.ErrLength) {
		return Destination{}, ErrNowhere
	}
	if err != nil {
		return Destination{}, err
	}
	account, leads := record.AddressFor(to.CoinType)
	if !leads {
		return Destination{}, ErrNowhere
	}
	to.Address = account
	return to, nil
}
