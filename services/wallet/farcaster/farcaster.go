// Package farcaster authenticates visitors with Farcaster: the Farcaster app signs a message (ERC-4361) and sends it to
// this server through a relay.
//
// The relay is not trusted. The nonce, the domain, the signature and the ownership of the Farcaster id are verified
// here; of the relay's data about the user, only the name is used, and only for display.
package farcaster

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
)

const (
	// Chain is the chain of messages and registries, except in development: OP Mainnet.
	Chain = "eip155:10"
	// statement is the statement in messages, and oldStatement that of older apps.
	statement    = "Farcaster Auth"
	oldStatement = "Farcaster Connect"
	resource     = "farcaster://fid/"
	// maxAge bounds how long ago a message was issued, and maxSkew how far the signer's clock may be ahead.
	maxAge  = time.Hour
	maxSkew = time.Minute
)

var (
	// ErrRefused means that a message is not the expected one, or not signed by an owner of its Farcaster id.
	ErrRefused = errors.New("the Farcaster message is not valid")
	// ErrUnavailable means that the relay or the chain does not answer.
	ErrUnavailable = errors.New("relay or registry of Farcaster do not answer")
)

// userName matches names that can be shown.
var userName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{0,63}$`)

// Registry maps Farcaster ids to their accounts.
type Registry interface {
	// Owns reports whether an account is the custody address of a Farcaster id, or one of its auth addresses.
	Owns(ctx context.Context, fid uint64, account evm.Address) (bool, error)
}

// Verifier verifies signatures of accounts; [signature.Verifier] implements it.
type Verifier interface {
	Verify(ctx context.Context, chainID string, account evm.Address, message, sig []byte) (signature.Kind, error)
}

// Expected holds the values that a message must have.
type Expected struct {
	// Chain is the CAIP-2 id of the chain that the message is for.
	Chain string
	// Domain and URI are those of the frame.
	Domain, URI string
	Nonce       string
	Now         time.Time
}

// Account is a proven Farcaster account.
type Account struct {
	FID uint64
	// Name is the user name from the relay; the id if there is no name that can be shown.
	Name string
}

// Verify returns the account of a completed channel. It fails with [ErrRefused] or [ErrUnavailable].
func Verify(ctx context.Context, c Completed, want Expected, signatures Verifier, registry Registry) (Account, error) {
	m, err := siwe.Parse(c.Message)
	if err != nil {
		return Account{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	fid, err := check(m, want)
	if err != nil {
		return Account{}, err
	}
	account, err := evm.ParseAddress(m.Address)
	if err != nil {
		return Account{}, fmt.Errorf("%w: its address is not valid", ErrRefused)
	}
	raw, err := signature.Parse(c.Signature)
	if err != nil {
		return Account{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if _, err := signatures.Verify(ctx, want.Chain, account, []byte(c.Message), raw); err != nil {
		if errors.Is(err, signature.ErrUnavailable) {
			return Account{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		return Account{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	owns, err := registry.Owns(ctx, fid, account)
	if err != nil {
		return Account{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if !owns {
		return Account{}, fmt.Errorf("%w: the signer does not own the Farcaster id", ErrRefused)
	}
	name := c.UserName
	if !userName.MatchString(name) {
		name = strconv.FormatUint(fid, 10)
	}
	return Account{fid, name}, nil
}

// check returns the Farcaster id of a message that has the expected values.
func check(m siwe.Message, want Expected) (fid uint64, err error) {
	times, err := m.Times()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	switch {
	case m.Namespace+":"+m.ChainID != want.Chain:
		return 0, fmt.Errorf("%w: it is for another chain", ErrRefused)
	case m.Domain != want.Domain || m.URI != want.URI:
		return 0, fmt.Errorf("%w: it is for another site", ErrRefused)
	case m.Nonce != want.Nonce:
		return 0, fmt.Errorf("%w: it has another nonce", ErrRefused)
	case m.Statement != statement && m.Statement != oldStatement:
		return 0, fmt.Errorf("%w: it has another statement", ErrRefused)
	case times.Issued.Before(want.Now.Add(-maxAge)) || times.Issued.After(want.Now.Add(maxSkew)) || times.NotBefore.After(want.Now.Add(maxSkew)) ||
		!times.Expires.IsZero() && !times.Expires.After(want.Now):
		return 0, fmt.Errorf("%w: it is expired or not yet valid", ErrRefused)
	case len(m.Resources) != 1:
		return 0, fmt.Errorf("%w: it does not have one resource", ErrRefused)
	}
	digits, ok := strings.CutPrefix(m.Resources[0], resource)
	fid, err = strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil || fid == 0 || strconv.FormatUint(fid, 10) != digits {
		return 0, fmt.Errorf("%w: its resource is not a Farcaster id", ErrRefused)
	}
	return fid, nil
}
