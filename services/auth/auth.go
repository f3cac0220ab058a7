package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/auth/proof"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/origin"
)

const (
	// nonceLifetime is how long a nonce can be used: enough time for a person to read a message and approve it.
	nonceLifetime = 5 * time.Minute
	// maxAge bounds how long ago a message was issued, and maxSkew how far the signer's clock may be ahead.
	maxAge  = 10 * time.Minute
	maxSkew = time.Minute
	// nonceLength is the number of letters and digits that have 128 random bits.
	nonceLength = 22
	// tokenSize is the size of a token, in bytes.
	tokenSize = 32
)

var (
	// ErrOrigin means that the caller is not a page: it has no valid Origin header.
	ErrOrigin = errors.New("the caller has no origin")
	// ErrNonce means that a nonce is unknown, expired, used, or belongs to another browser.
	ErrNonce = errors.New("the nonce is unknown, expired or used")
	// ErrSession means that no session has the token.
	ErrSession = errors.New("there is no such session")
	// ErrDomain means that a message is for another site.
	ErrDomain = errors.New("the message is for another site")
	// ErrStale means that a message is expired or not yet valid.
	ErrStale = errors.New("the message is expired or not yet valid")
	// ErrAddress means that an address has no checksum (ERC-55), or is not valid in its namespace.
	ErrAddress = errors.New("the address is not valid, or has no checksum")
	// ErrAccounts means that the messages of one sign-in are of several accounts or nonces.
	ErrAccounts = errors.New("the messages are of several accounts or nonces")
)

// ChainError is the error of a chain that is not in the network table.
type ChainError struct{ ChainID string }

// Error returns the chain.
func (e *ChainError) Error() string { return "chain " + e.ChainID + " is not in the network table" }

// Site is the page that a session belongs to.
type Site struct {
	// Project is the id of the project.
	Project string
	// Origin is the origin of the page, as [origin.Origin.String] writes it.
	Origin string
}

// Nonce allows one sign-in.
type Nonce struct {
	Value string
	// TokenHash is the hash of the secret of the browser that fetched the nonce.
	TokenHash string
	Site      Site
	Expires   time.Time
}

// Session is an account that signed in.
type Session struct {
	// TokenHash is the hash of the token that proves the session.
	TokenHash string
	Site      Site
	// Domain is the domain of the message.
	Domain  string
	Address string
	// ChainID is the chain of the first message, and ChainIDs those of all messages (CAIP-2).
	ChainID  string
	ChainIDs []string
	// AllChains means that the account's key signed.
	AllChains bool
	// IssuedAt and Expires are exact to the millisecond.
	IssuedAt, Expires time.Time
}

// Authenticator opens and ends sessions.
type Authenticator struct {
	store    Store
	networks Networks
	verifier Verifier
	clock    clock.Clock
	random   io.Reader
	lifetime time.Duration
}

// NewAuthenticator returns an authenticator whose sessions last for at most lifetime.
func NewAuthenticator(s Store, n Networks, v Verifier, c clock.Clock, random io.Reader, lifetime time.Duration) *Authenticator {
	return &Authenticator{store: s, networks: n, verifier: v, clock: c, random: random, lifetime: lifetime}
}

// SiteOf returns the site of a caller. It fails with [ErrOrigin].
func SiteOf(project, header string) (Site, error) {
	o, err := origin.Parse(header)
	if err != nil {
		return Site{}, ErrOrigin
	}
	return Site{Project: project, Origin: o.String()}, nil
}

// CreateNonce returns a nonce for the site, and the secret token of the browser that fetched it.
func (a *Authenticator) CreateNonce(ctx context.Context, site Site) (n Nonce, token string, err error) {
	value, err := newNonce(a.random)
	if err != nil {
		return Nonce{}, "", err
	}
	if token, err = newToken(a.random); err != nil {
		return Nonce{}, "", err
	}
	n = Nonce{Value: value, TokenHash: hashOf(token), Site: site, Expires: a.now().Add(nonceLifetime)}
	return n, token, a.store.InsertNonce(ctx, n)
}

// Authenticate opens a session for the account that signed every proof, and returns it with its token. It fails with [ErrAccounts], [ErrNonce],
// [ErrDomain], [ErrStale], [ErrAddress], [*ChainError], or as a [Verifier] does.
func (a *Authenticator) Authenticate(ctx context.Context, site Site, nonceToken string, proofs []proof.Proof) (Session, string, error) {
	first := proofs[0].Message
	for _, p := range proofs {
		if p.Message.Namespace != first.Namespace || p.Message.Address != first.Address || p.Message.Nonce != first.Nonce {
			return Session{}, "", ErrAccounts
		}
	}
	if err := a.useNonce(ctx, site, first.Nonce, nonceToken); err != nil {
		return Session{}, "", err
	}
	now := a.now()
	session := Session{Site: site, Domain: first.Domain, Address: first.Address, AllChains: true, IssuedAt: now, Expires: now.Add(a.lifetime)}
	for _, p := range proofs {
		if err := a.add(ctx, &session, p); err != nil {
			return Session{}, "", err
		}
	}
	session.ChainID = session.ChainIDs[0]
	token, err := newToken(a.random)
	if err != nil {
		return Session{}, "", err
	}
	session.TokenHash = hashOf(token)
	return session, token, a.store.InsertSession(ctx, session)
}

// useNonce deletes the nonce. It fails with [ErrNonce] unless it is the site's and the browser's.
func (a *Authenticator) useNonce(ctx context.Context, site Site, value, token string) error {
	n, err := a.store.TakeNonce(ctx, value)
	if err != nil {
		return err
	}
	if n.Site != site || !a.now().Before(n.Expires) || subtle.ConstantTimeCompare([]byte(n.TokenHash), []byte(hashOf(token))) != 1 {
		return ErrNonce
	}
	return nil
}

// add checks one proof and adds its chain to the session.
func (a *Authenticator) add(ctx context.Context, s *Session, p proof.Proof) error {
	if !isFor(p.Message, s.Site) {
		return ErrDomain
	}
	times, err := p.Message.Times()
	if err != nil {
		return err
	}
	if !isCurrent(times, s.IssuedAt) {
		return ErrStale
	}
	if !times.Expires.IsZero() && times.Expires.Before(s.Expires) {
		s.Expires = times.Expires.UTC().Truncate(time.Millisecond)
	}
	chainID, err := p.Message.Chain()
	if err != nil {
		return err
	}
	kind, err := a.verify(ctx, chainID, p)
	if err != nil {
		return err
	}
	s.AllChains = s.AllChains && kind == signature.Key
	if !slices.Contains(s.ChainIDs, chainID) {
		s.ChainIDs = append(s.ChainIDs, chainID)
	}
	return nil
}

// verify verifies the signature of one of the texts.
func (a *Authenticator) verify(ctx context.Context, chainID string, p proof.Proof) (kind signature.Kind, err error) {
	if p.Message.Namespace != siwe.EIP155 {
		for _, text := range p.Texts {
			if err = signature.VerifyKey(chainID, p.Message.Address, text, p.Signature); err == nil {
				return signature.Key, nil
			}
		}
		return "", err
	}
	account, err := evm.ParseAddress(p.Message.Address)
	if err != nil || account.String() != p.Message.Address {
		return "", ErrAddress
	}
	served, err := a.networks.Serves(ctx, chainID)
	if err != nil {
		return "", err
	}
	if !served {
		return "", &ChainError{chainID}
	}
	raw, err := signature.Parse(p.Signature)
	if err != nil {
		return "", err
	}
	for _, text := range p.Texts {
		if kind, err = a.verifier.Verify(ctx, chainID, account, []byte(text), raw); !errors.Is(err, signature.ErrWrong) {
			return kind, err
		}
	}
	return "", err
}

// Session returns the session of a token. Its page must be the caller's, unless the caller has no Origin header. It fails with [ErrSession].
func (a *Authenticator) Session(ctx context.Context, project, header, token string) (Session, error) {
	s, err := a.store.FindSession(ctx, hashOf(token))
	if err != nil {
		return Session{}, err
	}
	if s.Site.Project != project || !a.now().Before(s.Expires) {
		return Session{}, ErrSession
	}
	if header != "" {
		if site, err := SiteOf(project, header); err != nil || site != s.Site {
			return Session{}, ErrSession
		}
	}
	return s, nil
}

// SignOut deletes the session of a token, if there is one in the project.
func (a *Authenticator) SignOut(ctx context.Context, project, token string) error {
	return a.store.DeleteSession(ctx, project, hashOf(token))
}

// now returns the time in the precision that is stored.
func (a *Authenticator) now() time.Time { return a.clock.Now().UTC().Truncate(time.Millisecond) }

// isFor reports whether a page of the site may have requested the message.
func isFor(m siwe.Message, site Site) bool {
	scheme, _, _ := strings.Cut(site.Origin, "://")
	if m.Scheme != "" && m.Scheme != scheme {
		return false
	}
	domain, err := origin.Parse(scheme + "://" + m.Domain)
	if err != nil || domain.String() != site.Origin {
		return false
	}
	u, err := url.Parse(m.URI)
	if err != nil || u.User != nil {
		return false
	}
	page, err := origin.Parse(u.Scheme + "://" + u.Host)
	return err == nil && page.String() == site.Origin
}

// isCurrent reports whether a message with these times can be used at now.
func isCurrent(t siwe.Times, now time.Time) bool {
	return !t.Issued.Before(now.Add(-maxAge)) && !t.Issued.After(now.Add(maxSkew)) && !t.NotBefore.After(now.Add(maxSkew)) &&
		(t.Expires.IsZero() || t.Expires.After(now))
}

// letters are the characters of a nonce.
const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// newNonce returns random letters and digits, each equally likely.
func newNonce(random io.Reader) (string, error) {
	const fair = 256 / len(letters) * len(letters)
	nonce, raw := make([]byte, 0, nonceLength), make([]byte, 2*nonceLength)
	for len(nonce) < nonceLength {
		if _, err := io.ReadFull(random, raw); err != nil {
			return "", fmt.Errorf("draw a nonce: %w", err)
		}
		for _, b := range raw {
			if int(b) < fair && len(nonce) < nonceLength {
				nonce = append(nonce, letters[int(b)%len(letters)])
			}
		}
	}
	return string(nonce), nil
}

func newToken(random io.Reader) (string, error) {
	raw := make([]byte, tokenSize)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", fmt.Errorf("draw a token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// hashOf returns the hash under which a token is stored. A token has 256 random bits, so the hash needs no salt.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
