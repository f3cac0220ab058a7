package social

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/subtle"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/oauth2"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	googleIssuer = "https://accounts.google.com"
	appleIssuer  = "https://appleid.apple.com"
	// appleSecretLifetime is the lifetime of the JWT with which the client authenticates to Apple.
	appleSecretLifetime = 5 * time.Minute
)

// oidcProvider is a provider of OpenID Connect. Its configuration is fetched at the first login.
type oidcProvider struct {
	issuer, id string
	scopes     []string
	clock      clock.Clock
	// secret returns the client secret.
	secret func() (string, error)
	// options are added to the address that the popup opens.
	options []oauth2.AuthCodeOption
	// named is true if the provider sends the name beside the code (Apple).
	named bool

	// kept is nil until the configuration was fetched.
	kept    atomic.Pointer[discovered]
	flights routine.Flights
}

// discovered is the configuration of a provider.
type discovered struct {
	*oidc.Provider

	// needsIssuer is true if every callback must name the issuer (RFC 9207).
	needsIssuer bool
}

func newGoogle(c Client, now clock.Clock) *oidcProvider {
	return &oidcProvider{
		issuer: at(c.Address, "", googleIssuer), id: c.ID, scopes: []string{oidc.ScopeOpenID, "email", "profile"}, clock: now,
		secret: func() (string, error) { return c.Secret, nil },
	}
}

func newApple(c Apple, now clock.Clock) (*oidcProvider, error) {
	key, err := c.parseKey()
	if err != nil {
		return nil, err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", c.KeyID))
	if err != nil {
		return nil, err
	}
	p := &oidcProvider{
		issuer: at(c.Address, "", appleIssuer), id: c.ID, scopes: []string{oidc.ScopeOpenID, "name", "email"}, clock: now, named: true,
		// Apple requires it with these scopes.
		options: []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("response_mode", "form_post")},
	}
	p.secret = func() (string, error) {
		at := now.Now()
		return jwt.Signed(signer).Claims(jwt.Claims{
			Issuer: c.Team, Subject: c.ID, Audience: jwt.Audience{p.issuer}, IssuedAt: jwt.NewNumericDate(at), Expiry: jwt.NewNumericDate(at.Add(appleSecretLifetime)),
		}).Serialize()
	}
	return p, nil
}

// parseKey parses the key.
func (c Apple) parseKey() (*ecdsa.PrivateKey, error) {
	text := []byte(c.Key)
	if path, ok := strings.CutPrefix(c.Key, "file:"); ok {
		var err error
		if text, err = files.ReadSecret(path); err != nil {
			return nil, err
		}
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("the key is not in PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the key is not in PKCS 8")
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || key.Curve != elliptic.P256() {
		return nil, errors.New("the key is not one of P-256")
	}
	return key, nil
}

// open returns the configuration of the provider, and fetches it unless it is kept. Concurrent logins share one fetch,
// which continues if the context of a login ends.
func (p *oidcProvider) open(ctx context.Context) (*discovered, error) {
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
func (p *oidcProvider) discover(ctx context.Context) (*discovered, error) {
	client := clientIn(ctx)
	// The provider keeps the context to fetch keys later.
	found, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), client), p.issuer)
	if err != nil {
		return nil, fmt.Errorf("%w: fetch the provider's configuration: %s", ErrFailed, withoutBody(err))
	}
	var extra struct {
		NeedsIssuer bool `json:"authorization_response_iss_parameter_supported"`
	}
	if err := found.Claims(&extra); err != nil {
		return nil, err
	}
	return &discovered{found, extra.NeedsIssuer}, nil
}

// withoutBody returns the first line of an error, which does not contain the body of a response.
func withoutBody(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

func (p *oidcProvider) config(provider *discovered, redirect string) (oauth2.Config, error) {
	secret, err := p.secret()
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInParams
	return oauth2.Config{ClientID: p.id, ClientSecret: secret, Endpoint: endpoint, RedirectURL: redirect, Scopes: p.scopes}, err
}

// Address returns the address that the popup opens.
func (p *oidcProvider) Address(ctx context.Context, redirect, state, nonce, verifier string) (string, error) {
	provider, err := p.open(ctx)
	if err != nil {
		return "", err
	}
	c, err := p.config(provider, redirect)
	if err != nil {
		return "", err
	}
	return c.AuthCodeURL(state, append([]oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier), oidc.Nonce(nonce)}, p.options...)...), nil
}

// Redeem returns the account of a callback.
func (p *oidcProvider) Redeem(ctx context.Context, redirect, nonce, verifier string, c Callback) (Account, error) {
	provider, err := p.open(ctx)
	if err != nil {
		return Account{}, err
	}
	if c.Issuer != p.issuer && (c.Issuer != "" || provider.needsIssuer) {
		return Account{}, fmt.Errorf("%w: the callback is from another issuer", ErrFailed)
	}
	conf, err := p.config(provider, redirect)
	if err != nil {
		return Account{}, err
	}
	token, err := conf.Exchange(ctx, c.Code, oauth2.VerifierOption(verifier))
	if err != nil {
		return Account{}, refusal("exchange the code", err)
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := provider.Verifier(&oidc.Config{ClientID: p.id, Now: p.clock.Now}).Verify(ctx, raw)
	if err != nil {
		return Account{}, fmt.Errorf("%w: the id token is not valid", ErrFailed)
	}
	if subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(nonce)) != 1 || verified.Subject == "" {
		return Account{}, fmt.Errorf("%w: the id token is from another login", ErrFailed)
	}
	var claims struct{ Name, Email string }
	if err := verified.Claims(&claims); err != nil {
		return Account{}, fmt.Errorf("%w: the id token is not valid", ErrFailed)
	}
	name := claims.Name
	if p.named && c.User != "" {
		name = nameOf(c.User)
	}
	if name == "" {
		name = claims.Email
	}
	return Account{verified.Subject, name}, nil
}

// nameOf returns the name in the data that Apple sends with the first login.
func nameOf(user string) string {
	var body struct {
		Name struct{ FirstName, LastName string }
	}
	if err := json.Unmarshal([]byte(user), &body); err != nil {
		return ""
	}
	return strings.TrimSpace(body.Name.FirstName + " " + body.Name.LastName)
}
