// Package challenge verifies that a visitor can read the mail of an email address: by a code of six digits and, for a
// device that is new to the user, by a link first.
//
//   - A challenge is bound to one project, one email and one device key. Each pair of email and device has at most one
//     live challenge.
//   - A code is stored as an HMAC. The fifth wrong code ends the challenge; attempts are counted in the transaction of
//     the comparison.
//   - The token of a link has 256 random bits, is stored as a hash, and can be used for one decision. It approves the
//     waiting device, never the device that opens it.
//   - The email of no user needs the code alone. A code that was requested then does not sign in to a user that was created
//     since.
//   - Mails are limited: 30 seconds between two mails, doubling with each further mail, and per hour for an email and
//     an IP address. Devices that are not known to the user do not use up the logins of those that are.
package challenge

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/wallet/secret"
)

const (
	// Lifetime is how long a code or a link can be used.
	Lifetime = 10 * time.Minute
	// MaxAttempts is the number of wrong codes that ends a challenge.
	MaxAttempts = 5
	// resendAfter is the time between the first two mails of a challenge; it doubles with each further mail.
	resendAfter = 30 * time.Second
	// maxMails bounds the mails of one challenge.
	maxMails = 6
	// window is the period of the limits per email and per address.
	window = time.Hour
	// tokenSize is the size of the token of a link, in bytes.
	tokenSize = 32
	// digits is the number of possible codes of six digits.
	digits = 1_000_000
	// networks is how many networks can use up their logins of one email, from devices that are not known to the user.
	networks = 4
)

// Purpose is what a challenge is for.
type Purpose string

// The purposes.
const (
	Login Purpose = "login"
	// SignUp is a login by an email that no user has: there is no wallet that the device has to be approved for.
	SignUp   Purpose = "sign-up"
	OldEmail Purpose = "old-email"
	NewEmail Purpose = "new-email"
)

// State is the state of a challenge.
type State string

// The states. Ended and Denied are final.
const (
	WaitingForDevice State = "device"
	WaitingForCode   State = "code"
	Denied           State = "denied"
	Ended            State = "ended"
)

var (
	// ErrEnded means that a challenge is unknown, expired, used, another device's, or had too many wrong codes.
	ErrEnded = errors.New("the challenge has ended")
	// ErrCode means that a code is wrong.
	ErrCode = errors.New("the code is wrong")
)

// WaitError is the error of a mail that is requested too early.
type WaitError struct{ After time.Duration }

// Error returns how long to wait.
func (e *WaitError) Error() string { return fmt.Sprintf("wait %s before the next mail", e.After) }

// Seconds returns the time to wait in seconds, rounded up.
func (e *WaitError) Seconds() int { return int((e.After + time.Second - 1) / time.Second) }

// Requester is the device that starts a challenge.
type Requester struct {
	Project string
	// Device is the thumbprint of the device key.
	Device string
	// Address is the IP address.
	Address string
	// Browser, System and Site describe the device to the user.
	Browser, System, Site string
}

// Challenge is one proof of an email.
type Challenge struct {
	ID      string
	Purpose Purpose
	Email   string
	Requester
	// UserID is the user whose email is changed, and NewEmail the new email; both are empty for a login.
	UserID, NewEmail string
	// OldEmail is the email of the user that was proven before the new one; empty if the user had none. Signed reports
	// whether the wallet signed the change.
	OldEmail string
	Signed   bool
	State    State
	Words    string
	// LinkHash is the SHA-256 of the token of the link, and CodeMAC the HMAC-SHA256 of the code, both in hex digits; empty for none.
	LinkHash, CodeMAC string
	Attempts, Mails   int
	MailedAt          time.Time
	// Network is the address without its last bits, for display. AddressMAC is an HMAC of the address, or of its /64.
	Network, AddressMAC string
	CreatedAt, Expires  time.Time
}

// isFromStranger reports whether the device is not known to the user of the email.
func (c *Challenge) isFromStranger() bool {
	return c.IsApproved() || c.Purpose == NewEmail || c.Purpose == SignUp
}

// IsApproved reports whether the device of a verified challenge was approved by the link in a mail.
func (c *Challenge) IsApproved() bool { return c.Words != "" }

// ResendAfter returns how long it is until the next mail may be sent.
func (c *Challenge) ResendAfter(now time.Time) time.Duration {
	wait := resendAfter
	// The first code after the approval of a device is sent at once.
	for range max(0, c.Mails-1) {
		wait *= 2
	}
	return c.MailedAt.Add(wait).Sub(now)
}

// Limits bound the mails of an hour.
type Limits struct {
	// PerEmail bounds the challenges of an email from one device that is known to the user, and from all others of one
	// network; those of all networks are four times as many. PerAddress bounds those of an IPv4 address or a /64 of IPv6.
	// 0 is no limit.
	PerEmail, PerAddress int
}

// Challenges starts and verifies challenges.
type Challenges struct {
	store  Store
	mails  Mails
	clock  clock.Clock
	limits Limits
	pepper secret.Source
}

// New returns challenges whose codes are stored as HMACs with the pepper. Methods that need the pepper return the
// errors of its source.
func New(s Store, m Mails, c clock.Clock, l Limits, pepper secret.Source) *Challenges {
	return &Challenges{store: s, mails: m, clock: c, limits: l, pepper: pepper}
}

// Options say what a challenge is for.
type Options struct {
	Purpose Purpose
	Email   string
	// NewDevice makes the user approve the device first.
	NewDevice bool
	// UserID, NewEmail, OldEmail and Signed are those of [Challenge].
	UserID, NewEmail, OldEmail string
	Signed                     bool
}

// Start replaces the challenge of an email and a device by a new one, and sends its first mail. It fails with
// [*WaitError], or an error of [Mails].
func (c *Challenges) Start(ctx context.Context, who Requester, o Options) (*Challenge, error) {
	macs, err := c.macs(ctx)
	if err != nil {
		return nil, err
	}
	now := c.now()
	fresh := &Challenge{
		ID: newID(), Purpose: o.Purpose, Email: o.Email, Requester: who, UserID: o.UserID, NewEmail: o.NewEmail, OldEmail: o.OldEmail, Signed: o.Signed, State: WaitingForCode,
		Mails: 1, MailedAt: now, Network: caller.Network(who.Address), AddressMAC: macs.of("address", limit.CallerOf("", who.Address).Network.String()),
		CreatedAt: now, Expires: now.Add(Lifetime),
	}
	var token string
	if o.NewDevice {
		fresh.State, fresh.Words = WaitingForDevice, newWords()
		token = fresh.setLink()
	} else {
		token = macs.setCode(fresh)
	}
	if err := c.store.Insert(ctx, fresh, c.check); err != nil {
		return nil, err
	}
	if err := c.send(ctx, fresh, token); err != nil {
		// The next attempt need not wait because of a mail that was not sent, also if the caller left.
		_, failed := c.store.Update(context.WithoutCancel(ctx), fresh.ID, func(unsent *Challenge) error {
			unsent.State, unsent.MailedAt = Ended, time.UnixMilli(0)
			return nil
		})
		return nil, errors.Join(err, failed)
	}
	return fresh, nil
}

// check refuses a new challenge that is requested too early. The previous one of the same email and device is replaced.
func (c *Challenges) check(fresh, previous *Challenge, recent Recent) error {
	if previous != nil && previous.State != Denied {
		if wait := previous.MailedAt.Add(resendAfter).Sub(fresh.CreatedAt); wait > 0 {
			return &WaitError{wait}
		}
	}
	for _, l := range []struct {
		limit  int
		starts []time.Time
	}{
		{c.limits.PerEmail, recent.OfDevice}, {c.limits.PerEmail, recent.OfNetwork}, {c.limits.PerEmail * networks, recent.OfStrangers},
		{c.limits.PerAddress, recent.OfAddress},
	} {
		if l.limit > 0 && len(l.starts) >= l.limit {
			return &WaitError{l.starts[len(l.starts)-l.limit].Add(window).Sub(fresh.CreatedAt)}
		}
	}
	return nil
}

// Resend sends the mail of a challenge again, with a new secret. It fails with [ErrEnded] or [*WaitError], or an error
// of [Mails].
func (c *Challenges) Resend(ctx context.Context, id, project, device string) (*Challenge, error) {
	macs, err := c.macs(ctx)
	if err != nil {
		return nil, err
	}
	var token string
	found, err := c.store.Update(ctx, id, func(found *Challenge) error {
		if err := c.own(found, project, device); err != nil {
			return err
		}
		if found.Mails >= maxMails {
			return ErrEnded
		}
		now := c.now()
		if wait := found.ResendAfter(now); wait > 0 {
			return &WaitError{wait}
		}
		found.Mails, found.MailedAt = found.Mails+1, now
		if found.State == WaitingForDevice {
			token = found.setLink()
		} else {
			token = macs.setCode(found)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, c.send(ctx, found, token)
}

// Verify ends a challenge of one of the purposes with its code and returns it. It fails with [ErrCode] or [ErrEnded].
func (c *Challenges) Verify(ctx context.Context, id, project, device, code string, purposes ...Purpose) (*Challenge, error) {
	macs, err := c.macs(ctx)
	if err != nil {
		return nil, err
	}
	var outcome error
	found, err := c.store.Update(ctx, id, func(found *Challenge) error {
		outcome = nil
		if err := c.own(found, project, device); err != nil {
			return err
		}
		if found.State != WaitingForCode || !slices.Contains(purposes, found.Purpose) {
			return ErrEnded
		}
		if subtle.ConstantTimeCompare([]byte(found.CodeMAC), []byte(macs.ofCode(found, code))) == 1 {
			found.State = Ended
			return nil
		}
		outcome = ErrCode
		if found.Attempts++; found.Attempts >= MaxAttempts {
			found.State = Ended
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, outcome
}

// Find returns a live challenge, or one whose device was denied. It fails with [ErrEnded].
func (c *Challenges) Find(ctx context.Context, id, project, device string) (*Challenge, error) {
	found, err := c.store.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	if found.State == Denied && found.Project == project && found.Device == device {
		return found, nil
	}
	return found, c.own(found, project, device)
}

// FindByLink returns a challenge whose device is waiting for approval. It fails with [ErrEnded].
func (c *Challenges) FindByLink(ctx context.Context, project, token string) (*Challenge, error) {
	found, err := c.store.FindByLink(ctx, hashOf(token))
	if err != nil {
		return nil, err
	}
	if found.Project != project || found.State != WaitingForDevice || !c.now().Before(found.Expires) {
		return nil, ErrEnded
	}
	return found, nil
}

// Decide approves or denies the waiting device; after an approval it mails the code. It fails with [ErrEnded], or an
// error of [Mails].
func (c *Challenges) Decide(ctx context.Context, project, token string, approve bool) error {
	macs, err := c.macs(ctx)
	if err != nil {
		return err
	}
	waiting, err := c.FindByLink(ctx, project, token)
	if err != nil {
		return err
	}
	var code string
	decided, err := c.store.Update(ctx, waiting.ID, func(found *Challenge) error {
		if found.State != WaitingForDevice || found.LinkHash != hashOf(token) {
			return ErrEnded
		}
		found.LinkHash = ""
		if !approve {
			found.State = Denied
			return nil
		}
		now := c.now()
		found.State, found.Mails, found.MailedAt, found.Expires = WaitingForCode, 1, now, now.Add(Lifetime)
		code = macs.setCode(found)
		return nil
	})
	if err != nil || !approve {
		return err
	}
	return c.send(ctx, decided, code)
}

// DeleteExpired deletes the challenges that are not needed for any limit.
func (c *Challenges) DeleteExpired(ctx context.Context) error {
	return c.store.DeleteBefore(ctx, c.now().Add(-max(window, 2*Lifetime)))
}

// own fails with [ErrEnded] unless the challenge is live and belongs to the device.
func (c *Challenges) own(found *Challenge, project, device string) error {
	if found.Project != project || found.Device != device || found.State == Ended || found.State == Denied || !c.now().Before(found.Expires) {
		return ErrEnded
	}
	return nil
}

// send mails a code, or the token of a link.
func (c *Challenges) send(ctx context.Context, to *Challenge, secret string) error {
	if to.State == WaitingForDevice {
		return c.mails.SendLink(ctx, to, secret)
	}
	return c.mails.SendCode(ctx, to, secret)
}

// setLink sets a new link of the challenge, and returns its token.
func (c *Challenge) setLink() string {
	raw := make([]byte, tokenSize)
	_, _ = rand.Read(raw)
	token := base64.RawURLEncoding.EncodeToString(raw)
	c.LinkHash = hashOf(token)
	return token
}

// now returns the time in the precision that is stored.
func (c *Challenges) now() time.Time { return c.clock.Now().UTC().Truncate(time.Millisecond) }

func newID() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	return hex.EncodeToString(raw)
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
