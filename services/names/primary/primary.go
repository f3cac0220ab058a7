package primary

import (
	"context"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/universal"
)

// Name is how an account wants to be shown.
type Name struct {
	// Name is empty where the account has none that counts.
	Name string
	// Avatar is the name's text of that key (ENSIP-12), as somebody wrote it; empty where it has none.
	Avatar string
}

// Read asks the universal resolver for an account's name and avatar. An account without a name, with one that does not lead back to it, or
// with one that cannot be shown safely, has an empty one. It fails as the resolver does, and returns what it knows by then: a name whose
// avatar could not be asked for is still the account's.
func Read(ctx context.Context, resolver universal.Resolver, account evm.Address) (Name, error) {
	name, err := resolver.PrimaryName(ctx, account)
	if err != nil || name == "" {
		return Name{}, err
	}
	avatar, err := resolver.Text(ctx, name, "avatar")
	return Name{Name: name, Avatar: avatar}, err
}
