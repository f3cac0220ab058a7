package names

import (
	"context"
	"errors"
	"strings"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/universal"
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
		return registeredAddress(ctx, ours, to)
	}
	if !universal.Plain(to.Name) {
		return Destination{}, &NameError{text, ErrLetters}
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
func registeredAddress(ctx context.Context, r *Registry, to Destination) (Destination, error) {
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
