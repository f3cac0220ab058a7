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
	// keepOwned and keepNotOwned are how long it is kept that an account owns a token, and that it does not.
	keepOwned, keepNotOwned = time.Minute, 10 * time.Second
	// ownershipsKept bounds how many of both are kept.
	ownershipsKept = 10_000
)

// portraits show the pictures that accounts chose for themselves: any, or that of a token they own.
type portraits struct {
	networks Networks
	reader   Reader
	pictures *pictures
	// owned says whether an account owns a token.
	owned *otter.Cache[ownership, bool]
	// timeout bounds one picture, with all that is asked for it.
	timeout time.Duration
}

// ownership is a token and an account.
type ownership struct {
	token Token
	owner evm.Address
}

func newPortraits(networks Networks, reader Reader, p *pictures, timeout time.Duration) *portraits {
	return &portraits{networks: networks, reader: reader, pictures: p, timeout: timeout, owned: otter.Must(&otter.Options[ownership, bool]{
		MaximumSize: ownershipsKept,
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[ownership, bool]) time.Duration {
			if e.Value {
				return keepOwned
			}
			return keepNotOwned
		}),
	})}
}

// Show returns the picture that a URI names: what lies there or, for a token (ENSIP-12), its picture, if it is the owner's now. The error
// wraps [ErrNoPicture], or [ErrUnavailable] when nobody can say, or is that of a caller who left.
func (p *portraits) Show(ctx context.Context, uri string, owner evm.Address) (picture.Picture, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	shown, err := p.show(ctx, strings.TrimSpace(uri), owner)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return shown, err
}

func (p *portraits) show(ctx context.Context, uri string, owner evm.Address) (picture.Picture, error) {
	if !namesToken(uri) {
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

// owns asks the token's chain; nobody owns a token of a chain that is not of this installation.
func (p *portraits) owns(ctx context.Context, t Token, owner evm.Address) (bool, error) {
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
