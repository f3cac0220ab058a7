package names

import (
	"context"
	"errors"
	"strings"

	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/names/sns"
)

// Source is the source of a name's address.
type Source string

// The sources.
const (
	// FromRegistry: this installation's own registry.
	FromRegistry Source = "registry"
	// FromENS: the Ethereum Name Service.
	FromENS Source = "ens"
	// FromSNS: the registries of Solana.
	FromSNS Source = "sns"
)

// Destination is the address of a name for one coin type.
type Destination struct {
	Name     string
	CoinType registry.CoinType
	// Address is in the form that its chain uses.
	Address string
	Source  Source
}

// solanaCoin is Solana's coin type (SLIP-44).
const solanaCoin registry.CoinType = 501

// Errors of resolving names.
var (
	// ErrLetters: the name has characters whose normal form (ENSIP-15) is not supported.
	ErrLetters = errors.New("names with other letters than a to z, digits, hyphens and dots are not supported")
	// ErrNoAddress: the name is not registered, or has no address for the coin type.
	ErrNoAddress = errors.New("the name has no address")
)

// resolvers resolve names, each one those of its registry.
type resolvers struct {
	registry *registry.Registry
	ens      *resolver.Destinations
	solana   *sns.Names
}

// lowerASCII returns a name with A to Z in lower case. Other letters stay, so that they are refused: lower-casing would make
// k of the Kelvin sign, and i of a dotted I.
func lowerASCII(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, name)
}

// resolve returns the address of any name: those of the installation's zones are in the registry, without a request. It
// fails with [*registry.NameError], [*registry.CoinTypeError], [ErrNoAddress], or an error of [resolver.Universal].
func (r resolvers) resolve(ctx context.Context, text string, coin registry.CoinType) (Destination, error) {
	name := lowerASCII(text)
	if sns.Ours(name) && !r.registry.Zones.Hold(name) {
		return r.onSolana(ctx, name, coin)
	}
	to := Destination{Name: name, CoinType: coin.Canonical(), Source: FromENS}
	if _, isChain := to.CoinType.ChainID(); !isChain {
		return Destination{}, &registry.CoinTypeError{CoinType: coin}
	}
	if r.registry.Zones.Hold(name) {
		to.Source = FromRegistry
		return registeredAddress(ctx, r.registry, to)
	}
	if !resolver.Plain(to.Name) {
		return Destination{}, &registry.NameError{Name: text, Err: ErrLetters}
	}
	account, err := r.ens.Of(ctx, to.Name, uint32(to.CoinType))
	if err != nil {
		return Destination{}, err
	}
	if account == nil {
		return Destination{}, ErrNoAddress
	}
	to.Address = account.String()
	return to, nil
}

// onSolana returns the wallet of a name of Solana.
func (r resolvers) onSolana(ctx context.Context, text string, coin registry.CoinType) (Destination, error) {
	if !resolver.Plain(text) {
		return Destination{}, &registry.NameError{Name: text, Err: ErrLetters}
	}
	name, ok := sns.ParseName(text)
	if !ok || coin != solanaCoin {
		return Destination{}, ErrNoAddress
	}
	wallet, ok, err := r.solana.AddressOf(ctx, name)
	if err != nil {
		return Destination{}, err
	}
	if !ok {
		return Destination{}, ErrNoAddress
	}
	return Destination{Name: text, CoinType: solanaCoin, Address: wallet.String(), Source: FromSNS}, nil
}

// registeredAddress adds the address of a name in the installation's zones.
func registeredAddress(ctx context.Context, r *registry.Registry, to Destination) (Destination, error) {
	record, err := r.Find(ctx, to.Name)
	if errors.Is(err, registry.ErrUnregistered) || errors.Is(err, registry.ErrLength) {
		return Destination{}, ErrNoAddress
	}
	if err != nil {
		return Destination{}, err
	}
	account, leads := record.AddressFor(to.CoinType)
	if !leads {
		return Destination{}, ErrNoAddress
	}
	to.Address = account.String()
	return to, nil
}
