package console

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// linkLifetime is how long a link signs in.
	linkLifetime = 10 * time.Minute
	// touchInterval is how exactly the latest call of a session is known.
	touchInterval = time.Minute
	// maxSessions is how many sessions an operator has, maxOperators how many operators there are, and maxLinks how many links of an operator are valid.
	maxSessions, maxOperators, maxLinks = 20, 200, 20
	// maxNameLetters bounds the name of an operator.
	maxNameLetters = 60
)

var (
	// ErrAbsent means that a token has no session, or that it has ended.
	ErrAbsent = errors.New("no operator is signed in")
	// ErrLink means that a link is unknown, used or expired.
	ErrLink = errors.New("the link is unknown, used or expired")
	// ErrUnknown means that there is no such operator.
	ErrUnknown = errors.New("there is no such operator")
	// ErrLastOwner means that no owner would be left.
	ErrLastOwner = errors.New("no owner would be left")
	// ErrProvided means that the identity provider decides about an operator.
	ErrProvided = errors.New("the identity provider decides about this operator")
	// ErrFull means that there are as many operators as there can be.
	ErrFull = fmt.Errorf("there are %d operators, which is how many there can be", maxOperators)
	// ErrRole means that a text is no role.
	ErrRole = errors.New("the role is not viewer, support, operator or owner")
	// ErrName means that a text cannot be the name of an operator.
	ErrName = fmt.Errorf("the name is empty, over %d letters, or has control characters", maxNameLetters)
)

// OtherRoleError means that an operator exists with another role.
type OtherRoleError struct{ Operator Operator }

// Error returns who has which role.
func (e *OtherRoleError) Error() string {
	return fmt.Sprintf("%s has the role %s", e.Operator.Name, e.Operator.Role)
}

// Role is what an operator may do. Each may do what those before it may.
type Role string

// The roles.
const (
	Viewer  Role = "viewer"
	Support Role = "support"
	// Changer is the role that is called operator.
	Changer Role = "operator"
	Owner   Role = "owner"
)

// Roles are the roles, the least one first.
var Roles = []Role{Viewer, Support, Changer, Owner}

// ParseRole parses the name of a role. It fails with [ErrRole].
func ParseRole(text string) (Role, error) {
	if !slices.Contains(Roles, Role(text)) {
		return "", ErrRole
	}
	return Role(text), nil
}

// Allows reports whether the role may do what needs another one.
func (r Role) Allows(needed Role) bool {
	return slices.Contains(Roles, needed) && slices.Index(Roles, r) >= slices.Index(Roles, needed)
}

// Operator is a person who may use the console.
type Operator struct {
	// ID is 32 lower-case hex digits.
	ID   string
	Name string
	Role Role
	// Issuer is that of the identity provider which decides the role; empty for an operator who was invited by a link.
	Issuer string
	// CreatedAt and UsedAt have a precision of one millisecond; UsedAt is zero before the first call.
	CreatedAt, UsedAt time.Time
}

// Session is a browser in which an operator is signed in.
type Session struct {
	// ID is 32 lower-case hex digits, and no secret.
	ID         string
	OperatorID string
	// Hash is that of the token.
	Hash             string
	Address, Browser string
	// CreatedAt and UsedAt have a precision of one millisecond.
	CreatedAt, UsedAt time.Time
}

// Browser is where a session begins.
type Browser struct {
	// Previous is the token of the session that the browser had; empty for none. That session ends.
	Previous string
	// Fresh is the token that the new session gets, of 256 random bits, which the browser never had.
	Fresh string
	// Address is the IP address, and Name the User-Agent header.
	Address, Name string
}

// Store stores operators, their links and their sessions.
type Store interface {
	// Enter stores an operator unless there is one of the name, and returns the one that is stored. It fails with [ErrFull].
	Enter(ctx context.Context, fresh Operator) (Operator, error)
	// AddLink stores the hash of a link, and deletes the oldest links of the operator beyond the most.
	AddLink(ctx context.Context, operatorID, hash string, expires time.Time) error
	// Redeem deletes a link that expires after now, the session with the previous hash, and the operator's sessions beyond the most, and stores the session for
	// the operator of the link. It fails with [ErrLink].
	Redeem(ctx context.Context, link, previous string, s Session, now time.Time) (Operator, error)
	// Begin deletes the session with the previous hash, and the operator's sessions beyond the most, stores the session for the operator, and returns the operator.
	// It fails with [ErrUnknown].
	Begin(ctx context.Context, operatorID, previous string, s Session) (Operator, error)
	// Arrive is Begin for the operator of an identity, who gets the name and the role of the fresh one, or is added. A name that another operator has gets a number.
	// before is zero for an operator who is added. It fails with [ErrFull].
	Arrive(ctx context.Context, issuer, subject string, fresh Operator, previous string, s Session) (before, after Operator, err error)
	// Expel deletes the sessions and the links of the operator of an identity, if there is one.
	Expel(ctx context.Context, issuer, subject string) error
	// FindSession returns a session by its hash, with its operator. It fails with [ErrAbsent].
	FindSession(ctx context.Context, hash string) (Session, Operator, error)
	// Touch stores when a session and its operator were used last.
	Touch(ctx context.Context, s Session, now time.Time) error
	// EndSession deletes a session of an operator, if there is one.
	EndSession(ctx context.Context, operatorID, id string) error
	// ListSessions returns the sessions of an operator, the last used first.
	ListSessions(ctx context.Context, operatorID string) ([]Session, error)
	// ListOperators returns every operator, by name.
	ListOperators(ctx context.Context) ([]Operator, error)
	// SetRole changes the role of an operator, and returns the operator before and after. It fails with [ErrUnknown], [ErrLastOwner] or [ErrProvided].
	SetRole(ctx context.Context, id string, role Role) (before, after Operator, err error)
	// Remove deletes an operator with links and sessions, and returns the operator. It fails with [ErrUnknown] or [ErrLastOwner].
	Remove(ctx context.Context, id string) (Operator, error)
	// DeleteExpired deletes links that expire at now or earlier, and sessions that were used or created before these times.
	DeleteExpired(ctx context.Context, now, usedBefore, createdBefore time.Time) error
}

// Operators manages operators, their links and their sessions.
type Operators struct {
	store  Store
	clock  clock.Clock
	random io.Reader
	// idle and lifetime are how long a session lasts without a call, and at most.
	idle, lifetime time.Duration
}

// NewOperators returns operators in a store.
func NewOperators(cfg Config, s Store, c clock.Clock, random io.Reader) *Operators {
	return &Operators{store: s, clock: c, random: random, idle: cfg.SessionIdle, lifetime: cfg.SessionLifetime}
}

// Invite returns the token of a new link for the operator of a name. An operator who does not exist is added with the role, or as an owner if that is
// empty. It fails with [ErrName], [ErrFull], or [*OtherRoleError].
func (o *Operators) Invite(ctx context.Context, name string, role Role) (token string, of Operator, err error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n == 0 || n > maxNameLetters || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", Operator{}, ErrName
	}
	fresh := Operator{Name: name, Role: role, CreatedAt: o.now()}
	if role == "" {
		fresh.Role = Owner
	}
	if fresh.ID, err = o.draw(16); err != nil {
		return "", Operator{}, err
	}
	if of, err = o.store.Enter(ctx, fresh); err != nil {
		return "", Operator{}, err
	}
	if role != "" && of.Role != role {
		return "", Operator{}, &OtherRoleError{of}
	}
	if token, err = o.draw(32); err != nil {
		return "", Operator{}, err
	}
	return token, of, o.store.AddLink(ctx, of.ID, hashOf(token), o.now().Add(linkLifetime))
}

// Redeem starts a session with the token of a link. It fails with [ErrLink].
func (o *Operators) Redeem(ctx context.Context, link string, in Browser) (Session, Operator, error) {
	s, previous, err := o.sessionIn(in)
	if err != nil {
		return Session{}, Operator{}, err
	}
	of, err := o.store.Redeem(ctx, hashOf(link), previous, s, s.CreatedAt)
	s.OperatorID = of.ID
	return s, of, err
}

// Begin starts a session of an operator, whom the caller has proven to be. It fails with [ErrUnknown].
func (o *Operators) Begin(ctx context.Context, operatorID string, in Browser) (Session, Operator, error) {
	s, previous, err := o.sessionIn(in)
	if err != nil {
		return Session{}, Operator{}, err
	}
	of, err := o.store.Begin(ctx, operatorID, previous, s)
	s.OperatorID = of.ID
	return s, of, err
}

// Arrive starts a session of somebody whom an identity provider has signed in, with a role. before is zero for an operator who is added. It fails with [ErrFull].
func (o *Operators) Arrive(ctx context.Context, issuer, subject, name string, role Role, in Browser) (s Session, before, after Operator, err error) {
	fresh := Operator{Name: name, Role: role, Issuer: issuer, CreatedAt: o.now()}
	if fresh.ID, err = o.draw(16); err != nil {
		return Session{}, Operator{}, Operator{}, err
	}
	s, previous, err := o.sessionIn(in)
	if err != nil {
		return Session{}, Operator{}, Operator{}, err
	}
	before, after, err = o.store.Arrive(ctx, issuer, subject, fresh, previous, s)
	s.OperatorID = after.ID
	return s, before, after, err
}

// Expel ends the sessions of somebody to whom an identity provider gives no role any more.
func (o *Operators) Expel(ctx context.Context, issuer, subject string) error {
	return o.store.Expel(ctx, issuer, subject)
}

// sessionIn returns a session that is not stored yet, and the hash of the one that the browser had; empty for none.
func (o *Operators) sessionIn(in Browser) (s Session, previous string, err error) {
	if len(in.Fresh) < 64 {
		return Session{}, "", errors.New("a session needs a token of 256 bits")
	}
	now := o.now()
	s = Session{Hash: hashOf(in.Fresh), Address: in.Address, Browser: in.Name, CreatedAt: now, UsedAt: now}
	if in.Previous != "" {
		previous = hashOf(in.Previous)
	}
	s.ID, err = o.draw(16)
	return s, previous, err
}

// Check returns the session of a token with its operator, without a use of it: a stream does not keep its operator signed in. It fails with [ErrAbsent].
func (o *Operators) Check(ctx context.Context, token string) (Session, Operator, error) {
	if token == "" {
		return Session{}, Operator{}, ErrAbsent
	}
	s, of, err := o.store.FindSession(ctx, hashOf(token))
	if err == nil && o.hasEnded(s) {
		err = ErrAbsent
	}
	if err != nil {
		return Session{}, Operator{}, err
	}
	return s, of, nil
}

// hasEnded reports whether a session was not used for too long, or began too long ago.
func (o *Operators) hasEnded(s Session) bool {
	now := o.now()
	return !now.Before(s.UsedAt.Add(o.idle)) || !now.Before(s.CreatedAt.Add(o.lifetime))
}

// Authenticate returns the session of a token with its operator, and counts as its use. It fails with [ErrAbsent].
func (o *Operators) Authenticate(ctx context.Context, token string) (Session, Operator, error) {
	s, of, err := o.Check(ctx, token)
	if err != nil {
		return Session{}, Operator{}, err
	}
	now := o.now()
	if now.Sub(s.UsedAt) < touchInterval && !of.UsedAt.IsZero() {
		return s, of, nil
	}
	s.UsedAt, of.UsedAt = now, now
	return s, of, o.store.Touch(ctx, s, now)
}

// End ends a session of an operator.
func (o *Operators) End(ctx context.Context, operatorID, id string) error {
	return o.store.EndSession(ctx, operatorID, id)
}

// Sessions returns the live sessions of an operator, the last used first.
func (o *Operators) Sessions(ctx context.Context, operatorID string) ([]Session, error) {
	all, err := o.store.ListSessions(ctx, operatorID)
	return slices.DeleteFunc(all, o.hasEnded), err
}

// List returns every operator, by name.
func (o *Operators) List(ctx context.Context) ([]Operator, error) { return o.store.ListOperators(ctx) }

// Named returns the operator of a name. It fails with [ErrUnknown].
func (o *Operators) Named(ctx context.Context, name string) (Operator, error) {
	all, err := o.store.ListOperators(ctx)
	if err != nil {
		return Operator{}, err
	}
	for _, found := range all {
		if found.Name == name {
			return found, nil
		}
	}
	return Operator{}, ErrUnknown
}

// SetRole changes the role of an operator. It fails with [ErrUnknown], [ErrLastOwner] or [ErrProvided].
func (o *Operators) SetRole(ctx context.Context, id string, role Role) (before, after Operator, err error) {
	return o.store.SetRole(ctx, id, role)
}

// Remove removes an operator. It fails with [ErrUnknown] or [ErrLastOwner].
func (o *Operators) Remove(ctx context.Context, id string) (Operator, error) {
	return o.store.Remove(ctx, id)
}

// DeleteExpired deletes links and sessions that have ended.
func (o *Operators) DeleteExpired(ctx context.Context) error {
	now := o.now()
	return o.store.DeleteExpired(ctx, now, now.Add(-o.idle), now.Add(-o.lifetime))
}

// draw returns n random bytes as hex digits.
func (o *Operators) draw(n int) (string, error) {
	raw := make([]byte, n)
	if _, err := io.ReadFull(o.random, raw); err != nil {
		return "", err
	}
	return hex.EncodeToString(raw), nil
}

func (o *Operators) now() time.Time { return o.clock.Now().UTC().Truncate(time.Millisecond) }

// hashOf returns what is stored of a token. It has 256 random bits, so that a plain hash cannot be reversed.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
