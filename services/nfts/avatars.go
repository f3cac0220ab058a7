package nfts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/nfts/picture"
)

const (
	// ownedLifetime is how long it is cached that an account owns a token, notOwnedLifetime that it does not.
	ownedLifetime, notOwnedLifetime = time.Minute, 10 * time.Second
	// maxOwnerships bounds the cache entries.
	maxOwnerships = 10_000
)

// avatars loads the pictures that accounts chose: one at a URI, or that of a token they own.
type avatars struct {
	networks Networks
	reader   Reader
	pictures *pictures
	// owned caches whether an account owns a token.
	owned *otter.Cache[ownership, bool]
	// timeout bounds one picture, with every request that it needs.
	timeout time.Duration
}

// ownership is a key of the cache: a token and an account.
type ownership struct {
	token Token
	owner evm.Address
}

func newAvatars(networks Networks, reader Reader, p *pictures, timeout time.Duration) *avatars {
	return &avatars{networks: networks, reader: reader, pictures: p, timeout: timeout, owned: otter.Must(&otter.Options[ownership, bool]{
		MaximumSize: maxOwnerships,
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[ownership, bool]) time.Duration {
			if e.Value {
				return ownedLifetime
			}
			return notOwnedLifetime
		}),
	})}
}

// Show returns the picture at a URI or, for a token (ENSIP-12), its picture if the owner owns it now. The error wraps [ErrNoPicture], wraps
// [ErrUnavailable] if a server or node does not answer, or is that of the cancelled ctx.
func (p *avatars) Show(ctx context.Context, uri string, owner evm.Address) (picture.Picture, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	shown, err := p.show(ctx, strings.TrimSpace(uri), owner)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return shown, err
}

func (p *avatars) show(ctx context.Context, uri string, owner evm.Address) (picture.Picture, error) {
	if !isTokenURI(uri) {
		return p.pictures.ShowURI(ctx, uri)
	}
	token, ok := ParseToken(uri)
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
	return p.pictures.Show(ctx, token)
}

// owns reads the owner from the token's chain; false for a chain that is not in the network table.
func (p *avatars) owns(ctx context.Context, t Token, owner evm.Address) (bool, error) {
	asked := ownership{t, owner}
	if owns, ok := p.owned.GetIfPresent(asked); ok {
		return owns, nil
	}
	served, err := p.networks.Serves(ctx, t.Contract.ChainID)
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if !served {
		return false, nil
	}
	call := evm.Query{Call: ownershipCall(t, owner), Keep: 32, Targets: []evm.Address{t.Contract.Address}}
	reading, err := p.reader.Read(ctx, t.Contract.ChainID, []evm.Query{call})
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	owns := quantity(t.Contract.Standard, reading.Answers[0][0], owner).Sign() > 0
	p.owned.Set(asked, owns)
	return owns, nil
}
