package handoff

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/origin"
)

const (
	// lifetime is how long a hand-off can be claimed: enough time to find a phone and to scan.
	lifetime = 4 * time.Minute
	// idSize and secretSize are the sizes of ids and secrets, in bytes.
	idSize, secretSize = 16, 32
	// commitmentSize is the size of a commitment, in bytes.
	commitmentSize = sha256.Size
	// mostOfProject and mostInTotal bound the hand-offs that have not expired. A project has at most a fifth of all.
	mostOfProject, mostInTotal = 10_000, 50_000
)

var (
	// ErrUnknown means that no hand-off has the id and secret, or that it expired.
	ErrUnknown = errors.New("there is no such hand-off")
	// ErrClaimed means that another key claimed the hand-off first.
	ErrClaimed = errors.New("the hand-off is another key's")
	// ErrStarted means that a hand-off with the same commitment was started before.
	ErrStarted = errors.New("the commitment was used before")
	// ErrOrigin means that the caller is not a page of an origin that the project lists.
	ErrOrigin = errors.New("the project does not list the origin")
	// ErrProjectFull means that the project has as many hand-offs as it may have at a time.
	ErrProjectFull = errors.New("the project has too many hand-offs")
	// ErrFull means that there are as many hand-offs as there may be at a time.
	ErrFull = errors.New("there are too many hand-offs")
)

// Handoff is an introduction of a page to the browser of a wallet.
type Handoff struct {
	// ID is the one-time address: the first 128 bits of the commitment, so that a link is valid for one commitment.
	ID string
	// Project is the id of the project, and Origin the origin of the page as [origin.Origin.String] writes it.
	Project, Origin string
	// Commitment is the SHA-256 that commits the page to its key, in hex digits.
	Commitment string
	// SecretHash is the hash of the secret of the page.
	SecretHash string
	// PublicKey is the key that claimed the hand-off (X25519), in hex digits; empty until then.
	PublicKey string
	// Refused counts the other keys that tried to.
	Refused uint32
	// Expires is exact to the millisecond.
	Expires time.Time
}

// Store stores hand-offs.
type Store interface {
	// Insert stores a hand-off. It fails with [ErrStarted] if there is one with its id.
	Insert(ctx context.Context, h Handoff) error
	// Count returns how many hand-offs have not expired at now: those of a project, and all.
	Count(ctx context.Context, project string, now time.Time) (ofProject, total int, err error)
	// Find returns a hand-off. It fails with [ErrUnknown].
	Find(ctx context.Context, id string) (Handoff, error)
	// Claim stores the key of a hand-off that has none, and returns the hand-off. The same key can claim it again. Another key is counted, and refused
	// with [ErrClaimed]. It fails with [ErrUnknown] for a hand-off that is unknown or expired at now.
	Claim(ctx context.Context, id, publicKey string, now time.Time) (Handoff, error)
	// DeleteExpired deletes the hand-offs that expired at now.
	DeleteExpired(ctx context.Context, now time.Time) error
}

// Introductions creates and claims hand-offs.
type Introductions struct {
	store  Store
	clock  clock.Clock
	random io.Reader
	// localPages allows pages of localhost, whatever origins their project lists.
	localPages bool
}

// NewIntroductions returns introductions in a store. localPages is for development.
func NewIntroductions(s Store, c clock.Clock, random io.Reader, localPages bool) *Introductions {
	return &Introductions{store: s, clock: c, random: random, localPages: localPages}
}

// Create starts a hand-off of a page, whose Origin header is header, and returns it with the secret of the page. It fails with [ErrOrigin],
// [ErrProjectFull], [ErrFull] or [ErrStarted]. The commitment is a SHA-256.
func (i *Introductions) Create(ctx context.Context, project, header string, allowed []string, commitment []byte) (Handoff, string, error) {
	page, err := origin.Parse(header)
	if err != nil || !i.lists(allowed, header, page) {
		return Handoff{}, "", ErrOrigin
	}
	if len(commitment) != commitmentSize {
		return Handoff{}, "", fmt.Errorf("a commitment of %d bytes", len(commitment))
	}
	if err := i.checkRoom(ctx, project); err != nil {
		return Handoff{}, "", err
	}
	secret, err := i.drawSecret()
	if err != nil {
		return Handoff{}, "", err
	}
	h := Handoff{
		ID: base64.RawURLEncoding.EncodeToString(commitment[:idSize]), Project: project, Origin: page.String(), Commitment: hex.EncodeToString(commitment), SecretHash: hashOf(secret), Expires: i.now().Add(lifetime),
	}
	return h, secret, i.store.Insert(ctx, h)
}

// checkRoom fails with [ErrProjectFull] or [ErrFull] if there is no room for another hand-off of a project. Concurrent calls can exceed a limit by as many
// as they are.
func (i *Introductions) checkRoom(ctx context.Context, project string) error {
	ofProject, total, err := i.store.Count(ctx, project, i.now())
	switch {
	case err != nil:
		return err
	case ofProject >= mostOfProject:
		return ErrProjectFull
	case total >= mostInTotal:
		return ErrFull
	}
	return nil
}

// lists reports whether a project lists an origin. An empty list, which allows every page to call, lists none.
func (i *Introductions) lists(allowed []string, header string, page origin.Origin) bool {
	if i.localPages && page.IsLocal() {
		return true
	}
	return len(allowed) > 0 && origin.Allowed(allowed, header, false)
}

// Find returns a hand-off to the page that has its secret. It fails with [ErrUnknown].
func (i *Introductions) Find(ctx context.Context, id, secret string) (Handoff, error) {
	h, err := i.store.Find(ctx, id)
	if err != nil {
		return Handoff{}, err
	}
	if !i.now().Before(h.Expires) || subtle.ConstantTimeCompare([]byte(h.SecretHash), []byte(hashOf(secret))) != 1 {
		return Handoff{}, ErrUnknown
	}
	return h, nil
}

// Claim claims a hand-off for a public key. It fails with [ErrUnknown] or [ErrClaimed].
func (i *Introductions) Claim(ctx context.Context, id string, publicKey []byte) (Handoff, error) {
	return i.store.Claim(ctx, id, hex.EncodeToString(publicKey), i.now())
}

// now returns the time in the precision that is stored.
func (i *Introductions) now() time.Time { return i.clock.Now().UTC().Truncate(time.Millisecond) }

// drawSecret returns random bytes in base64url.
func (i *Introductions) drawSecret() (string, error) {
	raw := make([]byte, secretSize)
	if _, err := io.ReadFull(i.random, raw); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// hashOf returns the hash under which a secret is stored. A secret has 256 random bits, so the hash needs no salt.
func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
