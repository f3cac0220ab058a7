// Package openid signs somebody in at a provider of OpenID Connect, by the authorization code flow with PKCE (S256) and a nonce. A provider that names itself in
// callbacks (RFC 9207) has to. What binds a login to a browser is the caller's: state, nonce and verifier are passed in.
package openid

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// callTimeout bounds one call of a provider.
const callTimeout = 10 * time.Second

// ErrFailed means that the provider refused a login, or that its answer is not valid.
var ErrFailed = errors.New("the login at the provider failed")

// Client is what an installation is at a provider.
type Client struct {
	// Issuer is the address of the provider, as its configuration says it.
	Issuer string
	// ID is the client id, and Secret returns the secret.
	ID     string
	Secret func() (string, error)
	Scopes []string
	// Options are added to the address at which the visitor signs in.
	Options []oauth2.AuthCodeOption
}

// Provider is a provider of OpenID Connect. Its configuration is fetched at the first login. The calls of a context use its client ([oauth2.HTTPClient]); see
// [NewClient].
type Provider struct {
	client Client
	clock  clock.Clock

	// kept is nil until the configuration was fetched.
	kept    atomic.Pointer[discovered]
	flights routine.Flights
}

// discovered is the configuration of a provider.
type discovered struct {
	*oidc.Provider

	// needsIssuer is true if every callback must name the issuer (RFC 9207).
	needsIssuer bool
	style       oauth2.AuthStyle
}

// New returns a provider. Nothing is fetched yet.
func New(c Client, now clock.Clock) *Provider { return &Provider{client: c, clock: now} }

// NewClient returns an HTTP client for providers, which follows no redirects.
func NewClient() *http.Client {
	return &http.Client{
		Timeout:       callTimeout,
		Transport:     upstream.NewMeter("login", "").Transport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// WithClient returns a context whose calls of providers use an HTTP client.
func WithClient(ctx context.Context, client *http.Client) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, client)
}

// ClientIn returns the client of a context, or a new one.
func ClientIn(ctx context.Context) *http.Client {
	if c, ok := ctx.Value(oauth2.HTTPClient).(*http.Client); ok {
		return c
	}
	return NewClient()
}

// Identity is somebody whom a provider has signed in.
type Identity struct {
	// Subject is the id at the provider. It never changes, and is never given to somebody else.
	Subject string

	token *oidc.IDToken
}

// Claims decodes the claims of the id token.
func (i Identity) Claims(into any) error {
	if err := i.token.Claims(into); err != nil {
		return fmt.Errorf("%w: the id token is not valid", ErrFailed)
	}
	return nil
}

// Callback is what the provider adds to the address that it returns a visitor to.
type Callback struct{ Code, Issuer string }

// Address returns the address at which the visitor signs in. It fails with [ErrFailed] if the provider does not answer.
func (p *Provider) Address(ctx context.Context, redirect, state, nonce, verifier string) (string, error) {
	provider, err := p.open(ctx)
	if err != nil {
		return "", err
	}
	c, err := p.config(provider, redirect)
	if err != nil {
		return "", err
	}
	return c.AuthCodeURL(state, append([]oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier), oidc.Nonce(nonce)}, p.client.Options...)...), nil
}

// Redeem exchanges the code of a callback for an id token, and validates it. It fails with [ErrFailed].
func (p *Provider) Redeem(ctx context.Context, redirect, nonce, verifier string, c Callback) (Identity, error) {
	provider, err := p.open(ctx)
	if err != nil {
		return Identity{}, err
	}
	if c.Issuer != p.client.Issuer && (c.Issuer != "" || provider.needsIssuer) {
		return Identity{}, fmt.Errorf("%w: the callback is from another issuer", ErrFailed)
	}
	conf, err := p.config(provider, redirect)
	if err != nil {
		return Identity{}, err
	}
	token, err := conf.Exchange(ctx, c.Code, oauth2.VerifierOption(verifier))
	if err != nil {
		return Identity{}, Refusal("exchange the code", err)
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := provider.Verifier(&oidc.Config{ClientID: p.client.ID, Now: p.clock.Now}).Verify(ctx, raw)
	if err != nil {
		return Identity{}, fmt.Errorf("%w: the id token is not valid", ErrFailed)
	}
	if subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(nonce)) != 1 || verified.Subject == "" {
		return Identity{}, fmt.Errorf("%w: the id token is from another login", ErrFailed)
	}
	return Identity{Subject: verified.Subject, token: verified}, nil
}

// Refusal is the error of a call of a provider, without the body of the response, which may contain the code.
func Refusal(doing string, err error) error {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return fmt.Errorf("%w: %s: status %d, %s", ErrFailed, doing, refused.Response.StatusCode, refused.ErrorCode)
	}
	return fmt.Errorf("%w: %s: the provider does not answer", ErrFailed, doing)
}

// open returns the configuration of the provider, and fetches it unless it is kept. Concurrent logins share one fetch, which continues if the context of a
// login ends.
func (p *Provider) open(ctx context.Context) (*discovered, error) {
	if kept := p.kept.Load(); kept != nil {
		return kept, nil
	}
	flight := p.flights.DoChan(ctx, "", func() (any, error) {
		if kept := p.kept.Load(); kept != nil { // another fetch has just ended
			return kept, nil
		}
		found, err := p.discover(ctx)
		if err == nil {
			p.kept.Store(found)
		}
		return found, err
	})
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: fetch the provider's configuration: %w", ErrFailed, ctx.Err())
	case result := <-flight:
		found, _ := result.Val.(*discovered)
		return found, result.Err
	}
}

// discover fetches the configuration of the provider.
func (p *Provider) discover(ctx context.Context) (*discovered, error) {
	client := ClientIn(ctx)
	// The provider keeps the context to fetch keys later.
	found, err := oidc.NewProvider(WithClient(context.WithoutCancel(ctx), client), p.client.Issuer)
	if err != nil {
		return nil, fmt.Errorf("%w: fetch the provider's configuration: %s", ErrFailed, withoutBody(err))
	}
	var extra struct {
		NeedsIssuer bool     `json:"authorization_response_iss_parameter_supported"`
		Methods     []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := found.Claims(&extra); err != nil {
		return nil, err
	}
	style := oauth2.AuthStyleInParams
	if slices.Contains(extra.Methods, "client_secret_basic") && !slices.Contains(extra.Methods, "client_secret_post") {
		style = oauth2.AuthStyleInHeader
	}
	return &discovered{found, extra.NeedsIssuer, style}, nil
}

func (p *Provider) config(provider *discovered, redirect string) (oauth2.Config, error) {
	secret, err := p.client.Secret()
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = provider.style
	return oauth2.Config{ClientID: p.client.ID, ClientSecret: secret, Endpoint: endpoint, RedirectURL: redirect, Scopes: p.client.Scopes}, err
}

// withoutBody returns the first line of an error, which does not contain the body of a response.
func withoutBody(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
