// Package social authenticates visitors by an account at another service (OpenID Connect and OAuth 2.0).
//
//   - A login is bound to one project and one device. The browser receives a state and a PKCE challenge (S256);
//     verifier and nonce are derived on the server from a key that is not in the database.
//   - The server redeems the callback, which does not sign in by itself: the device that started the login fetches the
//     outcome with its handle. So the login works without window.opener, and a leaked callback address is useless.
//   - An attacker can send the link of a login to a victim, so the callback page asks for approval unless its own
//     browser started the login.
//   - A login signs in its device once, and for a minute again, in case the response was lost. Each call needs a new proof
//     of the device key.
//   - A state is redeemed once. The issuer in a callback must be that of the login (RFC 9207).
//   - A user is identified by provider and subject, never by an email.
package social

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/openid"
	"github.com/hawser-dev/hawser/services/wallet/secret"
)

const (
	// Lifetime is how long a login can take.
	Lifetime = 10 * time.Minute
	// finishTimeout bounds all calls for a callback.
	finishTimeout = 30 * time.Second
	// signInWindow is how long a device can sign in again with a login: longer than the timeout of a call whose response was lost.
	signInWindow = time.Minute
	secretSize   = 32
)

var (
	// ErrFailed means that a login is unknown, expired or another device's, or that the provider refused it.
	ErrFailed = openid.ErrFailed
	// ErrCanceled means that the visitor cancelled at the provider.
	ErrCanceled = errors.New("the login was cancelled at the provider")
	// ErrUnsupported means that a provider is not configured.
	ErrUnsupported = errors.New("the provider is not configured")
)

// Stage is the stage of a login.
type Stage string

// The stages. Failed, Canceled and Used are final.
const (
	Started   Stage = "started"
	Redeeming Stage = "redeeming"
	Proven    Stage = "proven"
	// SignedIn is the stage of a login that signed in its device, which can sign in again with it until it expires.
	SignedIn Stage = "signed in"
	Failed   Stage = "failed"
	Canceled Stage = "canceled"
	Used     Stage = "used"
)

// SignsIn reports whether a login of the stage can sign in.
func (s Stage) SignsIn() bool { return s == Proven || s == SignedIn }

// Requester is the device that starts a login.
type Requester struct {
	Project string
	// Device is the thumbprint of the device key.
	Device                string
	Browser, System, Site string
	// Network is that of the device, for display.
	Network string
}

// Login is a login at a provider.
type Login struct {
	// ID and StateHash are the SHA-256 of the handle and the state in hex digits.
	ID, StateHash string
	Requester
	Provider string
	// Channel is the sealed token of a Farcaster channel; empty for other providers.
	Channel string
	Stage   Stage
	// Subject and Name are those of the account, once it is proven.
	Subject, Name string
	Expires       time.Time
}

// cancellations are what providers answer for a user who cancels (RFC 6749, section 4.1.2.1); the second one is Apple's.
var cancellations = []string{"access_denied", "user_cancelled_authorize"}

// Callback holds the parameters that a provider added to the address of the callback page.
type Callback struct{ Code, Issuer, Error, User string }

// Account is a proven account at a provider.
type Account struct{ Subject, Name string }

// Provider is a service at which users have accounts.
type Provider interface {
	// Address returns the address that the popup opens.
	Address(ctx context.Context, redirect, state, nonce, verifier string) (string, error)
	// Redeem returns the account of a callback. It fails with [ErrFailed].
	Redeem(ctx context.Context, redirect, nonce, verifier string, c Callback) (Account, error)
}

// Logins starts and finishes logins.
type Logins struct {
	store     Store
	clock     clock.Clock
	key       secret.Source
	redirect  string
	providers map[string]Provider
	client    *http.Client
}

// New returns logins with the callback page at redirect; their secrets are derived from key, and client calls the
// providers.
func New(s Store, c clock.Clock, key secret.Source, redirect string, providers map[string]Provider, client *http.Client) *Logins {
	return &Logins{store: s, clock: c, key: key, redirect: redirect, providers: providers, client: client}
}

// order is the order in which providers are listed.
var order = []string{"google", "x", "discord", "farcaster", "github", "apple", "facebook"}

// Names returns the configured providers, together with others, in the default order.
func (l *Logins) Names(others ...string) []string {
	configured := map[string]bool{}
	for name := range l.providers {
		configured[name] = true
	}
	for _, name := range others {
		configured[name] = true
	}
	var names []string
	for _, name := range order {
		if configured[name] {
			names = append(names, name)
		}
	}
	return names
}

// Start starts a login, and returns it with its handle and the address that the popup opens. It fails with [ErrUnsupported] or [ErrFailed].
func (l *Logins) Start(ctx context.Context, who Requester, name string) (login *Login, handle, address string, err error) {
	state := newSecret()
	login, handle = l.NewLogin(who, name)
	login.StateHash = hashOf(state)
	if address, err = l.address(ctx, login, state); err != nil {
		return nil, "", "", err
	}
	return login, handle, address, l.store.Insert(ctx, login)
}

// Request returns the login of a state that is not redeemed, and the address that its popup opens. It fails with [ErrFailed].
func (l *Logins) Request(ctx context.Context, state string) (*Login, string, error) {
	login, err := l.store.FindStarted(ctx, hashOf(state), l.now())
	if err != nil {
		return nil, "", err
	}
	address, err := l.address(ctx, login, state)
	return login, address, err
}

// address returns the address that the popup of a login opens.
func (l *Logins) address(ctx context.Context, login *Login, state string) (string, error) {
	provider, ok := l.providers[login.Provider]
	if !ok {
		return "", ErrUnsupported
	}
	derived, err := l.derive(ctx, login)
	if err != nil {
		return "", err
	}
	return provider.Address(openid.WithClient(ctx, l.client), l.redirect, state, derived.nonce, derived.verifier)
}

// NewLogin returns a login that is not stored yet, and its handle.
func (l *Logins) NewLogin(who Requester, provider string) (*Login, string) {
	handle := newSecret()
	return &Login{
		ID: hashOf(handle), StateHash: hashOf(newSecret()), Requester: who, Provider: provider, Stage: Started, Expires: l.now().Add(Lifetime),
	}, handle
}

// Finish redeems a callback. It fails with [ErrFailed] or [ErrCanceled]. A code can be redeemed once, so Finish continues if ctx ends: the
// visitor may close the popup early.
func (l *Logins) Finish(ctx context.Context, state string, c Callback) (*Login, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
	defer cancel()
	login, err := l.store.Redeem(ctx, hashOf(state), l.now())
	if err != nil {
		return nil, err
	}
	derived, err := l.derive(ctx, login)
	if err != nil {
		return nil, err
	}
	provider, ok := l.providers[login.Provider]
	if !ok {
		return nil, ErrFailed
	}
	if slices.Contains(cancellations, c.Error) {
		return nil, errors.Join(ErrCanceled, l.store.SetStage(ctx, login.ID, Canceled, Account{}))
	}
	var account Account
	if err = ErrFailed; c.Error == "" && c.Code != "" {
		account, err = provider.Redeem(openid.WithClient(ctx, l.client), l.redirect, derived.nonce, derived.verifier, c)
	}
	if err != nil {
		return nil, errors.Join(err, l.store.SetStage(context.WithoutCancel(ctx), login.ID, Failed, Account{}))
	}
	return login, l.store.SetStage(ctx, login.ID, Proven, account)
}

// Find returns a login of a device. It fails with [ErrFailed] if it failed or expired, or is another device's, and with [ErrCanceled].
func (l *Logins) Find(ctx context.Context, handle, project, device string) (*Login, error) {
	login, err := l.store.Find(ctx, hashOf(handle))
	if err != nil {
		return nil, err
	}
	switch {
	case login.Project != project, login.Device != device, !l.now().Before(login.Expires), login.Stage == Failed, login.Stage == Used:
		return nil, ErrFailed
	case login.Stage == Canceled:
		return nil, ErrCanceled
	}
	return login, nil
}

// Insert stores a login of [Logins.NewLogin].
func (l *Logins) Insert(ctx context.Context, login *Login) error { return l.store.Insert(ctx, login) }

// Prove stores the account of a login that another package verified.
func (l *Logins) Prove(ctx context.Context, login *Login, a Account) error {
	login.Stage, login.Subject, login.Name = Proven, a.Subject, a.Name
	return l.store.SetStage(ctx, login.ID, Proven, a)
}

// Fail ends a login that failed in another package.
func (l *Logins) Fail(ctx context.Context, login *Login) error {
	return l.store.SetStage(context.WithoutCancel(ctx), login.ID, Failed, Account{})
}

// Nonce returns letters and digits that are derived from a login.
func (l *Logins) Nonce(ctx context.Context, of *Login) (string, error) {
	derived, err := l.derive(ctx, of)
	return hashOf(derived.nonce)[:32], err
}

// SignIn records that a login signs in its device. It fails with [ErrFailed] unless the login is proven, or signed in its device within the last
// minute.
func (l *Logins) SignIn(ctx context.Context, login *Login) error {
	return l.store.SignIn(ctx, login.ID, l.now(), l.now().Add(signInWindow))
}

// Use ends a proven login, so that its account is linked once. It fails with [ErrFailed].
func (l *Logins) Use(ctx context.Context, login *Login) error { return l.store.Use(ctx, login.ID) }

// DeleteExpired deletes the logins that have expired.
func (l *Logins) DeleteExpired(ctx context.Context) error { return l.store.DeleteExpired(ctx, l.now()) }

// derived are the secrets of a login: 43 characters each, as a PKCE verifier needs.
type derived struct{ nonce, verifier string }

func (l *Logins) derive(ctx context.Context, of *Login) (derived, error) {
	key, err := l.key(ctx)
	if err != nil {
		return derived{}, err
	}
	secretFor := func(purpose string) string {
		h := hmac.New(sha256.New, key)
		_, _ = fmt.Fprintf(h, "social|%s|%s", purpose, of.ID)
		return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
	}
	return derived{secretFor("nonce"), secretFor("verifier")}, nil
}

func (l *Logins) now() time.Time { return l.clock.Now().UTC().Truncate(time.Millisecond) }

func newSecret() string {
	raw := make([]byte, secretSize)
	_, _ = rand.Read(raw)
	return base64.RawURLEncoding.EncodeToString(raw)
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
