package names

import (
	"context"
	"errors"
	"strings"

	"github.com/hawser-dev/hawser/services/names/ensip15"
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
	// ErrNormal: the name has no normal form (ENSIP-15), or has one label only.
	ErrNormal = errors.New("the name has no normal form")
	// ErrLetters: the name of Solana has other characters than a to z, digits, hyphens and dots.
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
	normal, err := r.normalize(text)
	if err != nil {
		return Destination{}, err
	}
	to.Name = normal
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

// normalize returns the normal form of a name of ENS. Plain names need no tables. Names of other registries are plain before.
func (r resolvers) normalize(text string) (string, error) {
	if name := lowerASCII(text); resolver.Plain(name) {
		return name, nil
	}
	normal, err := ensip15.Normalize(text)
	var invalid *ensip15.InvalidError
	isOther := r.registry.Zones.Hold(normal) || sns.Ours(normal) || !strings.Contains(normal, ".")
	if errors.As(err, &invalid) || err == nil && isOther {
		return "", &registry.NameError{Name: text, Err: ErrNormal}
	}
	return normal, err
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
