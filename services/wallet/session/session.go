// Package session manages the sessions of devices.
//
//   - An access token is a JWT of five minutes that is bound to the key of the device (RFC 9449). The session is looked
//     up at each use, so that it ends when the user ends it.
//   - A refresh token has 256 random bits, is stored as a hash, and is exchanged at each use. A second use of the same
//     token ends the session.
//   - A session ends after seven days without a refresh, and after 30 days in any case.
package session

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/wallet/secret"
)

const (
	accessLifetime = 5 * time.Minute
	idleLifetime   = 7 * 24 * time.Hour
	totalLifetime  = 30 * 24 * time.Hour
	// freshLogin is the maximum age of a login for calls that change how the user signs in, or what opens the wallet.
	freshLogin = 5 * time.Minute
	tokenSize  = 32
	// issuer is the `iss` of access tokens.
	issuer = "hawser-wallet"
	// tokenType is the `typ` of access tokens (RFC 9068).
	tokenType = "at+jwt"
)

var (
	// ErrNone means that a token does not belong to a live session, or belongs to another device or project.
	ErrNone = errors.New("there is no such session")
	// ErrReused means that a refresh token was used before; its session has ended.
	ErrReused = errors.New("the refresh token was used before")
)

// Device describes a device to the user.
type Device struct{ Browser, System, Site string }

// Session is the session of a device.
type Session struct {
	ID, Project, UserID string
	// Key is the thumbprint of the device key.
	Key string
	Device
	// RefreshHash is the SHA-256 of the refresh token in hex digits.
	RefreshHash                string
	CreatedAt, UsedAt, Expires time.Time
}

// IsFresh reports whether the login is recent.
func (s *Session) IsFresh(now time.Time) bool { return now.Sub(s.CreatedAt) <= freshLogin }

// Tokens are those of a session.
type Tokens struct {
	Session        *Session
	Access         string
	AccessExpires  time.Time
	Refresh        string
	RefreshExpires time.Time
}

// Sessions opens, refreshes and ends sessions.
type Sessions struct {
	store Store
	clock clock.Clock
	seed  secret.Source
}

// New returns sessions whose access tokens are signed with the key of a seed of 32 bytes. Methods that need the key
// return the errors of its source.
func New(s Store, c clock.Clock, seed secret.Source) *Sessions {
	return &Sessions{store: s, clock: c, seed: seed}
}

// signingKey signs and verifies access tokens.
type signingKey struct {
	ed25519.PrivateKey

	id     string
	signer jose.Signer
}

func (s *Sessions) key(ctx context.Context) (*signingKey, error) {
	seed, err := s.seed(ctx)
	if err != nil {
		return nil, err
	}
	key := ed25519.NewKeyFromSeed(seed)
	sum := sha256.Sum256(key.Public().(ed25519.PublicKey))
	id := hex.EncodeToString(sum[:8])
	options := (&jose.SignerOptions{}).WithType(tokenType).WithHeader("kid", id)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: key}, options)
	if err != nil {
		return nil, err
	}
	return &signingKey{key, id, signer}, nil
}

// Key returns the key that verifies access tokens, and its id.
func (s *Sessions) Key(ctx context.Context) (public ed25519.PublicKey, id string, err error) {
	key, err := s.key(ctx)
	if err != nil {
		return nil, "", err
	}
	return key.Public().(ed25519.PublicKey), key.id, nil
}

// Open opens a session for a device.
func (s *Sessions) Open(ctx context.Context, project, userID, device string, d Device) (*Tokens, error) {
	key, err := s.key(ctx)
	if err != nil {
		return nil, err
	}
	now := s.now()
	refresh := newToken()
	opened := &Session{
		ID: newID(), Project: project, UserID: userID, Key: device, Device: d, RefreshHash: hashOf(refresh),
		CreatedAt: now, UsedAt: now, Expires: now.Add(idleLifetime),
	}
	if err := s.store.Insert(ctx, opened); err != nil {
		return nil, err
	}
	return s.tokens(key, opened, refresh)
}

// Refresh exchanges a refresh token. It fails with [ErrNone] or [ErrReused].
func (s *Sessions) Refresh(ctx context.Context, project, device, refresh string) (*Tokens, error) {
	key, err := s.key(ctx)
	if err != nil {
		return nil, err
	}
	fresh := newToken()
	now := s.now()
	found, err := s.store.Rotate(ctx, hashOf(refresh), hashOf(fresh), now, func(found *Session) error {
		if found.Project != project || found.Key != device || !now.Before(found.Expires) {
			return ErrNone
		}
		found.UsedAt, found.Expires = now, now.Add(idleLifetime)
		if last := found.CreatedAt.Add(totalLifetime); found.Expires.After(last) {
			found.Expires = last
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.tokens(key, found, fresh)
}

// claims are the payload of an access token.
type claims struct {
	jwt.Claims

	SessionID    string `json:"sid"`
	Confirmation struct {
		Thumbprint string `json:"jkt"`
	} `json:"cnf"`
}

func (s *Sessions) tokens(key *signingKey, of *Session, refresh string) (*Tokens, error) {
	now := s.now()
	expires := now.Add(accessLifetime)
	c := claims{Claims: jwt.Claims{
		Issuer: issuer, Subject: of.UserID, Audience: jwt.Audience{of.Project}, IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(expires),
	}, SessionID: of.ID}
	c.Confirmation.Thumbprint = of.Key
	access, err := jwt.Signed(key.signer).Claims(c).Serialize()
	if err != nil {
		return nil, err
	}
	return &Tokens{Session: of, Access: access, AccessExpires: expires, Refresh: refresh, RefreshExpires: of.Expires}, nil
}

// Authenticate returns the session of an access token that a device sends; device is the thumbprint of its key. It
// fails with [ErrNone].
func (s *Sessions) Authenticate(ctx context.Context, project, device, access string) (*Session, error) {
	key, err := s.key(ctx)
	if err != nil {
		return nil, err
	}
	token, err := jwt.ParseSigned(access, []jose.SignatureAlgorithm{jose.EdDSA})
	if err != nil || token.Headers[0].ExtraHeaders[jose.HeaderType] != tokenType {
		return nil, ErrNone
	}
	var c claims
	if err := token.Claims(key.Public(), &c); err != nil {
		return nil, ErrNone
	}
	// The clock of the replica that signed the token may be ahead of this one.
	c.IssuedAt = nil
	expected := jwt.Expected{Issuer: issuer, AnyAudience: jwt.Audience{project}, Time: s.now()}
	if err := c.ValidateWithLeeway(expected, 0); err != nil || c.Confirmation.Thumbprint != device || c.Expiry == nil {
		return nil, ErrNone
	}
	found, err := s.store.Find(ctx, c.SessionID)
	if err != nil {
		return nil, err
	}
	if found.Project != project || found.Key != device || found.UserID != c.Subject || !s.now().Before(found.Expires) {
		return nil, ErrNone
	}
	return found, nil
}

// List returns the live sessions of a user, the last used first.
func (s *Sessions) List(ctx context.Context, userID string) ([]*Session, error) {
	return s.store.List(ctx, userID, s.now())
}

// End ends a session of a user, and reports whether there was one. With forget, its device is not known to the user any
// more, and the change is listed.
func (s *Sessions) End(ctx context.Context, userID, id string, forget bool) (ended bool, err error) {
	return s.store.Delete(ctx, userID, id, forget, s.now())
}

// EndAll ends every session of a user. No device is known to the user any more.
func (s *Sessions) EndAll(ctx context.Context, userID string) error {
	return s.store.DeleteAll(ctx, userID, s.now())
}

// EndEvery ends every session of every user. No device is known to its user any more.
func (s *Sessions) EndEvery(ctx context.Context) error { return s.store.DeleteEvery(ctx) }

// DeleteExpired deletes the sessions that have expired.
func (s *Sessions) DeleteExpired(ctx context.Context) error {
	return s.store.DeleteExpired(ctx, s.now())
}

func (s *Sessions) now() time.Time { return s.clock.Now().UTC().Truncate(time.Millisecond) }

func newToken() string {
	raw := make([]byte, tokenSize)
	_, _ = rand.Read(raw)
	return base64.RawURLEncoding.EncodeToString(raw)
}

func newID() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	return hex.EncodeToString(raw)
}

// hashOf returns the hash under which a token is stored. A token has 256 random bits, so the hash needs no salt.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
