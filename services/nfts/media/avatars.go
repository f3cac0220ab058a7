package media

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/picture"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

const (
	// OwnedLifetime is how long a positive ownership check is cached.
	OwnedLifetime = time.Minute
	// NotOwnedLifetime is how long a negative ownership check is cached.
	NotOwnedLifetime = 10 * time.Second
	// maxOwnerships bounds the cache entries.
	maxOwnerships = 10_000
)

// Avatars loads the pictures that accounts chose: one at a URI, or that of a token they own.
type Avatars struct {
	networks Networks
	reader   Reader
	pictures *Pictures
	// Owned caches whether an account owns a token.
	Owned *cache.Cache[Ownership, bool]
	// timeout bounds one picture, with every request that it needs.
	timeout time.Duration
}

// Ownership is a key of the cache: a token and an account.
type Ownership struct {
	Token asset.Token
	Owner evm.Address
}

// NewAvatars returns avatars without cached ownerships. timeout bounds one picture.
func NewAvatars(networks Networks, reader Reader, p *Pictures, timeout time.Duration) *Avatars {
	return &Avatars{networks: networks, reader: reader, pictures: p, timeout: timeout, Owned: cache.New(cache.Options[Ownership, bool]{
		MaxEntries: maxOwnerships,
		LifetimeOf: func(owns bool) time.Duration {
			if owns {
				return OwnedLifetime
			}
			return NotOwnedLifetime
		},
	})}
}

// Show returns the picture at a URI or, if the URI names a token (ENSIP-12), the token's picture if the owner currently
// owns it. The error wraps [ErrNoPicture], wraps [ErrUnavailable] if a server or node does not answer, or is that of
// the cancelled ctx.
func (p *Avatars) Show(ctx context.Context, uri string, owner evm.Address) (picture.Picture, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	shown, err := p.show(ctx, strings.TrimSpace(uri), owner)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return shown, err
}

func (p *Avatars) show(ctx context.Context, uri string, owner evm.Address) (picture.Picture, error) {
	if !asset.IsTokenURI(uri) {
		return p.pictures.ShowURI(ctx, uri)
	}
	token, ok := asset.Parse(uri)
	if !ok {
		return picture.Picture{}, ErrNoPicture
	}
	owns, err := p.owns(ctx, token, owner)
	if err != nil {
		return picture.Picture{}, err
	}
	if !owns {
		return picture.Picture{}, fmt.Errorf("%w: the token is another's", ErrNoPicture)
	}
	shown, _, err := p.pictures.Show(ctx, token)
	return shown, err
}

// owns reads the owner from the token's chain; false for a chain that is not in the network table.
func (p *Avatars) owns(ctx context.Context, t asset.Token, owner evm.Address) (bool, error) {
	request := Ownership{t, owner}
	if owns, ok := p.Owned.Get(request); ok {
		return owns, nil
	}
	served, err := p.networks.Serves(ctx, t.Contract.ChainID)
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if !served {
		return false, nil
	}
	call := evm.Query{Call: asset.OwnershipCall(t, owner), Keep: 32, Targets: []evm.Address{t.Contract.Address}}
	reading, err := p.reader.Read(ctx, t.Contract.ChainID, []evm.Query{call})
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	owns := asset.Quantity(t.Contract.Standard, reading.Answers[0][0], owner).Sign() > 0
	p.Owned.Set(request, owns)
	return owns, nil
}
