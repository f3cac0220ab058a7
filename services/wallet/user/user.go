// Package user manages the users of the embedded wallet, the identities with which they sign in, and the devices that
// they used.
//
// An identity is a provider and a subject, such as email and an address. It belongs to one user in a project.
package user

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/mail"
	"strings"
	"time"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Email is the provider of identities whose subject is an email address.
const Email = "email"

// oldEmailLifetime is how long a previous email can still sign in after a change.
const oldEmailLifetime = 24 * time.Hour

var (
	// ErrEmail means that a text is not an email address.
	ErrEmail = errors.New("the email address is not valid")
	// ErrNone means that there is no such user or identity.
	ErrNone = errors.New("there is no such user")
	// ErrTaken means that an identity is another user's.
	ErrTaken = errors.New("the identity is another user's")
	// ErrLast means that an identity is the user's last one.
	ErrLast = errors.New("the identity is the last one")
)

// Identity is a way to sign in.
type Identity struct {
	Provider, Subject string
	// Name is the name for display.
	Name      string
	CreatedAt time.Time
	// Ends is when it stops being valid; zero for never.
	Ends time.Time
}

// User is a person who signs in.
type User struct {
	ID, Project string
	// Account is the preferred account, an AccountType of the proto.
	Account int32
	// KitAt is when a recovery kit was saved; zero for never.
	KitAt      time.Time
	CreatedAt  time.Time
	Identities []Identity
}

// Email returns the email address with which the user signs in; empty if there is none.
func (u *User) Email() string {
	for _, i := range u.Identities {
		if i.Provider == Email && i.Ends.IsZero() {
			return i.Subject
		}
	}
	return ""
}

// Name returns the name at a social provider; empty if there is none.
func (u *User) Name() string {
	for _, i := range u.Identities {
		if i.Provider != Email {
			return i.Name
		}
	}
	return ""
}

// Users manages users.
type Users struct {
	store Store
	clock clock.Clock
}

// NewUsers returns users in a store.
func NewUsers(s Store, c clock.Clock) *Users { return &Users{s, c} }

// SignIn returns the user of a proven identity, and creates it if there is none. It stores the device as known to the
// user.
func (u *Users) SignIn(ctx context.Context, project string, proven Identity, device string) (*User, error) {
	now := u.now()
	proven.CreatedAt = now
	return u.store.SignIn(ctx, &User{ID: newID(), Project: project, CreatedAt: now, Identities: []Identity{proven}}, device, now)
}

// KnowsDevice reports whether the user of an identity signed in from a device before.
func (u *Users) KnowsDevice(ctx context.Context, project, provider, subject, device string) (bool, error) {
	return u.store.KnowsDevice(ctx, project, provider, subject, device, u.now())
}

// Find returns a user. It fails with [ErrNone].
func (u *Users) Find(ctx context.Context, id string) (*User, error) {
	return u.store.Find(ctx, id, u.now())
}

// ChangeEmail sets a new email of a user, and returns the previous one, which can still sign in for a day. It fails
// with [ErrTaken].
func (u *Users) ChangeEmail(ctx context.Context, id, email string) (previous string, err error) {
	now := u.now()
	return u.store.ChangeEmail(ctx, id, Identity{Provider: Email, Subject: email, Name: email, CreatedAt: now}, now, now.Add(oldEmailLifetime))
}

// Link adds a proven identity to a user. It fails with [ErrTaken].
func (u *Users) Link(ctx context.Context, id string, proven Identity) (Identity, error) {
	proven.CreatedAt = u.now()
	return proven, u.store.Link(ctx, id, proven, proven.CreatedAt)
}

// Unlink removes an identity of a user. It fails with [ErrNone] or [ErrLast].
func (u *Users) Unlink(ctx context.Context, id, provider, subject string) error {
	return u.store.Unlink(ctx, id, provider, subject)
}

// SetAccount stores the preferred account.
func (u *Users) SetAccount(ctx context.Context, id string, account int32) error {
	return u.store.SetAccount(ctx, id, account)
}

// RecordKit stores that a recovery kit was saved.
func (u *Users) RecordKit(ctx context.Context, id string) error {
	return u.store.SetKit(ctx, id, u.now())
}

// Delete deletes a user and everything of the user.
func (u *Users) Delete(ctx context.Context, id string) error { return u.store.Delete(ctx, id, u.now()) }

// DeleteEnded deletes the identities that have ended.
func (u *Users) DeleteEnded(ctx context.Context) error { return u.store.DeleteEnded(ctx, u.now()) }

func (u *Users) now() time.Time { return u.clock.Now().UTC().Truncate(time.Millisecond) }

// ParseEmail returns an address in the form that is stored and mailed to: in lower case and NFC, with the domain in ASCII. It fails with
// [ErrEmail].
func ParseEmail(text string) (string, error) {
	const maxLocal, maxLength = 64, 254
	text = norm.NFC.String(strings.TrimSpace(text))
	parsed, err := mail.ParseAddress(text)
	if err != nil || parsed.Address != text || strings.ContainsAny(text, "\"\\<>(),;: ") {
		return "", ErrEmail
	}
	local, domain, _ := strings.Cut(strings.ToLower(text), "@")
	domain, err = idna.Lookup.ToASCII(domain)
	if err != nil || domain == "" || strings.ContainsAny(domain, "[]") || len(local) > maxLocal || len(local)+1+len(domain) > maxLength {
		return "", ErrEmail
	}
	return local + "@" + domain, nil
}

func newID() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	return hex.EncodeToString(raw)
}
