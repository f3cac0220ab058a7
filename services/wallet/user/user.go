// Package user manages the users of the embedded wallet, the identities with which they sign in, and the devices that
// they used.
//
// An identity is a provider and a subject, such as email and an address. It belongs to one user in a project.
package user

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/mail"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/wallet/notice"
)

// Email is the provider of identities whose subject is an email address.
const Email = "email"

// maxUnsigned is how many identities of a user can be added, and how many removals can be started, in an hour without the
// signature of the wallet. Each of them is mailed.
const maxUnsigned = 5

// delay is how long an identity waits that was added without a proof of the owner, before it signs in, and how long an identity can still sign in after it was replaced or its removal started.
const delay = 24 * time.Hour

var (
	// ErrEmail means that a text is not an email address.
	ErrEmail = errors.New("the email address is not valid")
	// ErrNone means that there is no such user or identity.
	ErrNone = errors.New("there is no such user")
	// ErrTaken means that an identity is another user's.
	ErrTaken = errors.New("the identity is another user's")
	// ErrLast means that an identity is the user's last one.
	ErrLast = errors.New("the identity is the last one")
	// ErrOften means that too many changes of a user were made by a login alone.
	ErrOften = errors.New("too many changes by a login alone")
	// ErrChanged means that the email of a user is another than the one that was proven.
	ErrChanged = errors.New("the email of the user has changed")
	// ErrSigned means that the wallet signed a change, which only its signature undoes.
	ErrSigned = errors.New("the wallet signed the change")
	// ErrNewDevice means that a device is new to a user, who has not approved it.
	ErrNewDevice = errors.New("the device is new to the user")
	// ErrWaits means that an email does not sign in yet.
	ErrWaits = errors.New("the email does not sign in yet")
)

// Identity is a way to sign in.
type Identity struct {
	Provider, Subject string
	// Name is the name for display.
	Name      string
	CreatedAt time.Time
	// Starts is from when an identity that waits signs in; zero if it does. Ends is when an identity stops being valid; zero for
	// never.
	Starts, Ends time.Time
	// EndsSigned reports whether the wallet signed the change that ends it.
	EndsSigned bool
}

// Proof is what proved a change of the email.
type Proof struct {
	// OldEmail is the email of the user whose mailbox was proven; empty if the user had none.
	OldEmail string
	// Signed reports whether the wallet signed the change.
	Signed bool
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
		if i.Provider == Email && i.Ends.IsZero() && i.Starts.IsZero() {
			return i.Subject
		}
	}
	return ""
}

// Emails returns every email with which the user signs in, also those that end soon.
func (u *User) Emails() (all []string) {
	for _, i := range u.Identities {
		if i.Provider == Email && i.Starts.IsZero() {
			all = append(all, i.Subject)
		}
	}
	return all
}

// Name returns the name at a social provider; empty if there is none.
func (u *User) Name() string {
	for _, i := range u.Identities {
		if i.Provider != Email && i.Starts.IsZero() {
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
// user. It fails with [ErrWaits], and with [ErrNewDevice] for a user who does not know the device, unless it is approved.
func (u *Users) SignIn(ctx context.Context, project string, proven Identity, device string, isApproved bool) (*User, error) {
	now := u.now()
	proven.CreatedAt = now
	return u.store.SignIn(ctx, &User{ID: newID(), Project: project, CreatedAt: now, Identities: []Identity{proven}}, device, isApproved, now)
}

// Knows reports whether an identity has a user, and whether that user signed in from a device before.
func (u *Users) Knows(ctx context.Context, project, provider, subject, device string) (isTaken, isKnown bool, err error) {
	return u.store.Knows(ctx, project, provider, subject, device, u.now())
}

// Find returns a user. It fails with [ErrNone].
func (u *Users) Find(ctx context.Context, id string) (*User, error) {
	return u.store.Find(ctx, id, u.now())
}

// WithEmail returns the ids of the users of all projects with an email, in the form of [ParseEmail]: at most limit, the newest first.
func (u *Users) WithEmail(ctx context.Context, email string, limit int) ([]string, error) {
	return u.store.WithEmail(ctx, email, u.now(), limit)
}

// ChangeEmail sets a new email of a user and returns it. The previous email can still sign in for a day; an email that is
// set without the proof of a previous one signs in only a day later. It fails with [ErrTaken] or [ErrChanged].
func (u *Users) ChangeEmail(ctx context.Context, id, email string, by Proof) (Identity, error) {
	now := u.now()
	return u.store.ChangeEmail(ctx, id, Identity{Provider: Email, Subject: email, Name: email, CreatedAt: now}, by, now, now.Add(delay))
}

// Link adds a proven identity to a user and returns it. Without the signature of the wallet, it signs in a day later. It
// fails with [ErrTaken] or [ErrOften].
func (u *Users) Link(ctx context.Context, id string, proven Identity, signed bool) (Identity, error) {
	proven.CreatedAt = u.now()
	if !signed {
		proven.Starts = proven.CreatedAt.Add(delay)
	}
	return u.store.Link(ctx, id, proven, proven.CreatedAt)
}

// Unlink removes an identity of a user: at once, or a day later, and returns which it did. It fails with [ErrNone],
// [ErrLast] or [ErrOften].
func (u *Users) Unlink(ctx context.Context, id, provider, subject string, atOnce bool) (notice.Kind, error) {
	now := u.now()
	ends := now.Add(delay)
	if atOnce {
		ends = now
	}
	return u.store.Unlink(ctx, id, provider, subject, now, ends)
}

// Keep cancels the removal of an identity. For an email, it removes those that were added since: at once if the wallet
// signed, and else a day later. It fails with [ErrNone] or [ErrSigned].
func (u *Users) Keep(ctx context.Context, id, provider, subject string, signed bool) error {
	now := u.now()
	return u.store.Keep(ctx, id, provider, subject, signed, now, now.Add(delay))
}

// Record stores a change of a user.
func (u *Users) Record(ctx context.Context, id string, kind notice.Kind) error {
	return u.store.Record(ctx, id, notice.Change{Kind: kind, At: u.now()})
}

// Changes returns the last changes of a user.
func (u *Users) Changes(ctx context.Context, id string) ([]notice.Change, error) {
	return u.store.Changes(ctx, id, u.now().Add(-notice.Lifetime))
}

// Restored removes an identity again that a restored database has, by its [Key], and reports whether it is gone: the last
// one of a user is kept. It fails with [ErrNone].
func (u *Users) Restored(ctx context.Context, id, key string) (isGone bool, err error) {
	found, err := u.Find(ctx, id)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(found.Identities, func(i Identity) bool { return Key(i.Provider, i.Subject) == key })
	if at < 0 {
		return false, ErrNone
	}
	_, err = u.Unlink(ctx, id, found.Identities[at].Provider, found.Identities[at].Subject, true)
	if errors.Is(err, ErrLast) {
		return false, nil
	}
	return err == nil, err
}

// Key returns the name of an identity in lists that do not show emails.
func Key(provider, subject string) string {
	sum := sha256.Sum256([]byte(provider + " " + subject))
	return hex.EncodeToString(sum[:])
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

// CountChanges returns how many changes of a kind a user made in the last hour.
func (u *Users) CountChanges(ctx context.Context, id string, kind notice.Kind) (int, error) {
	return u.store.CountChanges(ctx, id, kind, u.now().Add(-time.Hour))
}

// DeleteEnded deletes the identities that have ended, and changes that are not listed any more. It returns the identities.
func (u *Users) DeleteEnded(ctx context.Context) ([]Owned, error) {
	return u.store.DeleteEnded(ctx, u.now())
}

// Start makes the identities sign in whose day is over, and returns them.
func (u *Users) Start(ctx context.Context) ([]Owned, error) { return u.store.Start(ctx, u.now()) }

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
