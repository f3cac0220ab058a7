package passkey

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// Lifetime is how long a challenge can be answered.
	Lifetime = 2 * time.Minute
	// Most is how many passkeys an operator has at most.
	Most = 10
)

var (
	// ErrRefused means that a passkey is unknown, or that its answer is late, used or not valid.
	ErrRefused = errors.New("the passkey is refused")
	// ErrCopied means that the counter of a passkey did not go on.
	ErrCopied = fmt.Errorf("%w: its counter did not go on, so that it may have been copied", ErrRefused)
	// ErrUnavailable means that browsers have no passkeys for an origin.
	ErrUnavailable = errors.New("passkeys need https and a host name, or localhost")
	// ErrUnknown means that an operator has no such passkey.
	ErrUnknown = errors.New("there is no such passkey")
	// ErrFull means that an operator has [Most] passkeys.
	ErrFull = fmt.Errorf("there are %d passkeys, which is how many an operator can have", Most)
)

// Owner is the operator of a passkey.
type Owner struct {
	// ID is 32 lower-case hex digits.
	ID   string
	Name string
}

// Passkey is a passkey that is stored.
type Passkey struct {
	// ID is 32 lower-case hex digits.
	ID         string
	OperatorID string
	Name       string
	// Credential is the id that the authenticator gave it, and PublicKey its key in COSE.
	Credential, PublicKey []byte
	// Signatures is what the authenticator counted at the latest login; 0 if it does not count.
	Signatures uint32
	// BackupEligible is whether several devices may share it. It never changes.
	BackupEligible bool
	// CreatedAt and UsedAt have a precision of one millisecond; UsedAt is zero before the first login.
	CreatedAt, UsedAt time.Time
}

// Store stores passkeys and challenges.
type Store interface {
	// AddChallenge stores the hash of a challenge for a session; empty for a login.
	AddChallenge(ctx context.Context, hash, session string, expires time.Time) error
	// TakeChallenge deletes a challenge that expires after now. It fails with [ErrRefused] if there is none.
	TakeChallenge(ctx context.Context, hash, session string, now time.Time) error
	// DeleteExpired deletes the challenges that expire at now or earlier.
	DeleteExpired(ctx context.Context, now time.Time) error
	// Add stores a passkey. It fails with [ErrFull], or with [ErrRefused] if its credential is stored already.
	Add(ctx context.Context, p Passkey) error
	// Find returns a passkey by its credential. It fails with [ErrRefused].
	Find(ctx context.Context, credential []byte) (Passkey, error)
	// Use stores the counter and the time of a login. It fails with [ErrCopied] unless the counter went on, or never counted.
	Use(ctx context.Context, id string, signatures uint32, now time.Time) error
	// List returns the passkeys of an operator, the newest first.
	List(ctx context.Context, operatorID string) ([]Passkey, error)
	// Remove deletes a passkey of an operator, and returns it. It fails with [ErrUnknown].
	Remove(ctx context.Context, operatorID, id string) (Passkey, error)
}

// Passkeys signs operators in by passkeys.
type Passkeys struct {
	store  Store
	clock  clock.Clock
	random io.Reader
}

// New returns passkeys in a store.
func New(s Store, c clock.Clock, random io.Reader) *Passkeys { return &Passkeys{s, c, random} }

// partyAt returns the relying party of an origin. It fails with [ErrUnavailable].
func partyAt(origin string) (*webauthn.WebAuthn, error) {
	at, err := url.Parse(origin)
	if err != nil || at.Host == "" {
		return nil, ErrUnavailable
	}
	host := at.Hostname()
	isLocal := host == "localhost" || strings.HasSuffix(host, ".localhost")
	if _, err := netip.ParseAddr(host); err == nil || at.Scheme != "https" && !isLocal {
		return nil, ErrUnavailable
	}
	return webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Hawser console", RPOrigins: []string{origin}, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: protocol.ResidentKeyRequired(), ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{
			Login:        webauthn.TimeoutConfig{Timeout: Lifetime, TimeoutUVD: Lifetime},
			Registration: webauthn.TimeoutConfig{Timeout: Lifetime, TimeoutUVD: Lifetime},
		},
		// Password managers answer extensions that nobody asked for. None is read.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
}

// StartLogin returns what a browser at an origin has to answer, as PublicKeyCredentialRequestOptionsJSON. It fails with [ErrUnavailable].
func (p *Passkeys) StartLogin(ctx context.Context, origin string) (options string, err error) {
	party, err := partyAt(origin)
	if err != nil {
		return "", err
	}
	asked, _, err := party.BeginDiscoverableLogin()
	if err != nil {
		return "", err
	}
	return p.ask(ctx, asked.Response, asked.Response.Challenge, "")
}

// FinishLogin returns the passkey of an AuthenticationResponseJSON. It fails with [ErrUnavailable] or [ErrRefused].
func (p *Passkeys) FinishLogin(ctx context.Context, origin, answer string) (Passkey, error) {
	party, err := partyAt(origin)
	if err != nil {
		return Passkey{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return Passkey{}, ErrRefused
	}
	challenge := parsed.Response.CollectedClientData.Challenge
	if err := p.store.TakeChallenge(ctx, hashOf(challenge), "", p.now()); err != nil {
		return Passkey{}, err
	}
	found, err := p.store.Find(ctx, parsed.RawID)
	if err != nil {
		return Passkey{}, err
	}
	owner := user{Owner: Owner{ID: found.OperatorID}, keys: []Passkey{found}}
	session := webauthn.SessionData{Challenge: challenge, RelyingPartyID: party.Config.RPID, UserVerification: protocol.VerificationRequired}
	used, err := party.ValidateDiscoverableLogin(func([]byte, []byte) (webauthn.User, error) { return owner, nil }, session, parsed)
	if err != nil {
		return Passkey{}, ErrRefused
	}
	if used.Authenticator.CloneWarning {
		return found, ErrCopied
	}
	found.Signatures, found.UsedAt = used.Authenticator.SignCount, p.now()
	return found, p.store.Use(ctx, found.ID, found.Signatures, found.UsedAt)
}

// Start returns what a browser at an origin needs to make a passkey in a session of its owner, as PublicKeyCredentialCreationOptionsJSON. It fails with
// [ErrUnavailable] or [ErrFull].
func (p *Passkeys) Start(ctx context.Context, origin string, of Owner, session string) (options string, err error) {
	party, err := partyAt(origin)
	if err != nil {
		return "", err
	}
	keys, err := p.store.List(ctx, of.ID)
	if err != nil {
		return "", err
	}
	if len(keys) >= Most {
		return "", ErrFull
	}
	var others []protocol.CredentialDescriptor
	for _, k := range keys {
		others = append(others, protocol.CredentialDescriptor{Type: protocol.PublicKeyCredentialType, CredentialID: k.Credential})
	}
	asked, _, err := party.BeginRegistration(user{Owner: of}, webauthn.WithExclusions(others))
	if err != nil {
		return "", err
	}
	return p.ask(ctx, asked.Response, asked.Response.Challenge, session)
}

// Add stores the passkey of a RegistrationResponseJSON, which was asked for in the session. It fails with [ErrUnavailable], [ErrRefused] or [ErrFull].
func (p *Passkeys) Add(ctx context.Context, origin string, of Owner, session, name, answer string) (Passkey, error) {
	party, err := partyAt(origin)
	if err != nil {
		return Passkey{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return Passkey{}, ErrRefused
	}
	challenge := parsed.Response.CollectedClientData.Challenge
	if err := p.store.TakeChallenge(ctx, hashOf(challenge), session, p.now()); err != nil {
		return Passkey{}, err
	}
	by := user{Owner: of}
	made, err := party.CreateCredential(by, webauthn.SessionData{
		Challenge: challenge, RelyingPartyID: party.Config.RPID, UserID: by.WebAuthnID(), UserVerification: protocol.VerificationRequired,
		CredParams: webauthn.CredentialParametersDefault(),
	}, parsed)
	if err != nil {
		return Passkey{}, ErrRefused
	}
	fresh := Passkey{
		OperatorID: of.ID, Name: name, Credential: made.ID, PublicKey: made.PublicKey, Signatures: made.Authenticator.SignCount, BackupEligible: made.Flags.BackupEligible,
		CreatedAt: p.now(),
	}
	if fresh.ID, err = p.draw(); err != nil {
		return Passkey{}, err
	}
	return fresh, p.store.Add(ctx, fresh)
}

// List returns the passkeys of an operator, the newest first.
func (p *Passkeys) List(ctx context.Context, operatorID string) ([]Passkey, error) {
	return p.store.List(ctx, operatorID)
}

// Remove removes a passkey of an operator. It fails with [ErrUnknown].
func (p *Passkeys) Remove(ctx context.Context, operatorID, id string) (Passkey, error) {
	return p.store.Remove(ctx, operatorID, id)
}

// DeleteExpired deletes the challenges that nobody answered.
func (p *Passkeys) DeleteExpired(ctx context.Context) error {
	return p.store.DeleteExpired(ctx, p.now())
}

// ask stores a challenge, and returns the options with it as JSON.
func (p *Passkeys) ask(ctx context.Context, options any, challenge protocol.URLEncodedBase64, session string) (string, error) {
	raw, err := json.Marshal(options)
	if err != nil {
		return "", err
	}
	return string(raw), p.store.AddChallenge(ctx, hashOf(challenge.String()), session, p.now().Add(Lifetime))
}

func (p *Passkeys) draw() (string, error) {
	raw := make([]byte, 16)
	_, err := io.ReadFull(p.random, raw)
	return hex.EncodeToString(raw), err
}

func (p *Passkeys) now() time.Time { return p.clock.Now().UTC().Truncate(time.Millisecond) }

func hashOf(challenge string) string {
	sum := sha256.Sum256([]byte(challenge))
	return hex.EncodeToString(sum[:])
}

// user is an operator as the library sees one.
type user struct {
	Owner

	keys []Passkey
}

// WebAuthnID returns the user handle, by which a passkey names its operator.
func (u user) WebAuthnID() []byte { return []byte(u.ID) }

// WebAuthnName returns what browsers show in their list of passkeys.
func (u user) WebAuthnName() string { return u.Name }

// WebAuthnDisplayName returns the name of the operator.
func (u user) WebAuthnDisplayName() string { return u.Name }

// WebAuthnCredentials returns the passkeys.
func (u user) WebAuthnCredentials() (all []webauthn.Credential) {
	for _, k := range u.keys {
		all = append(all, webauthn.Credential{
			ID: k.Credential, PublicKey: k.PublicKey, Flags: webauthn.CredentialFlags{BackupEligible: k.BackupEligible}, Authenticator: webauthn.Authenticator{SignCount: k.Signatures},
		})
	}
	return all
}
