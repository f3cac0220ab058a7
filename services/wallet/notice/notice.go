// Package notice stores changes of how a user signs in, and of what opens the wallet, so that every device of the user
// can show them.
package notice

import "time"

// Kind is a kind of change.
type Kind string

// The kinds.
const (
	// EmailStarted is the start of a change of the email.
	EmailStarted Kind = "email-started"
	// EmailWaits is a first email that signs in a day later.
	EmailWaits Kind = "email-waits"
	// EmailChanged is a change of the email.
	EmailChanged Kind = "email-changed"
	// IdentityWaits is a new way to sign in that does so a day later.
	IdentityWaits Kind = "identity-waits"
	// IdentityAdded is a new way to sign in, IdentityEnds one that is removed a day later, IdentityRemoved one that is
	// removed, and IdentityKept one whose removal was canceled.
	IdentityAdded   Kind = "identity-added"
	IdentityEnds    Kind = "identity-ends"
	IdentityRemoved Kind = "identity-removed"
	IdentityKept    Kind = "identity-kept"
	// FactorRemoved is a way to open the wallet that was removed.
	FactorRemoved Kind = "factor-removed"
	// FactorAdded is a new way to open the wallet on any device.
	FactorAdded Kind = "factor-added"
	// SessionEnded is the end of one session.
	SessionEnded Kind = "session-ended"
	// SignedOut is the end of every session.
	SignedOut Kind = "signed-out"
	// PasswordGuessed is a password that was wrong so often that no other is accepted for a time.
	PasswordGuessed Kind = "password-guessed"
	// Deleted is the end of the user. It is not stored.
	Deleted Kind = "deleted"
)

// Lifetime is how long a change is listed.
const Lifetime = 7 * 24 * time.Hour

// listed bounds the changes that are listed. It is above the number of kinds and providers.
const listed = 200

// Change is one change.
type Change struct {
	Kind Kind
	// Provider is that of the identity; empty for other changes.
	Provider string
	At       time.Time
}
