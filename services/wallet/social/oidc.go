package social

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/oauth2"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/openid"
)

const (
	googleIssuer = "https://accounts.google.com"
	appleIssuer  = "https://appleid.apple.com"
	// appleSecretLifetime is the lifetime of the JWT with which the client authenticates to Apple.
	appleSecretLifetime = 5 * time.Minute
)

// oidcProvider is a provider of OpenID Connect.
type oidcProvider struct {
	*openid.Provider

	// named is true if the provider sends the name beside the code (Apple).
	named bool
}

func newGoogle(c Client, now clock.Clock) oidcProvider {
	return oidcProvider{Provider: openid.New(openid.Client{
		Issuer: at(c.Address, "", googleIssuer), ID: c.ID, Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
		Secret: func() (string, error) { return c.Secret, nil },
	}, now)}
}

func newApple(c Apple, now clock.Clock) (oidcProvider, error) {
	key, err := c.parseKey()
	if err != nil {
		return oidcProvider{}, err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", c.KeyID))
	if err != nil {
		return oidcProvider{}, err
	}
	issuer := at(c.Address, "", appleIssuer)
	return oidcProvider{named: true, Provider: openid.New(openid.Client{
		Issuer: issuer, ID: c.ID, Scopes: []string{oidc.ScopeOpenID, "name", "email"},
		// Apple requires it with these scopes.
		Options: []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("response_mode", "form_post")},
		Secret: func() (string, error) {
			at := now.Now()
			return jwt.Signed(signer).Claims(jwt.Claims{
				Issuer: c.Team, Subject: c.ID, Audience: jwt.Audience{issuer}, IssuedAt: jwt.NewNumericDate(at), Expiry: jwt.NewNumericDate(at.Add(appleSecretLifetime)),
			}).Serialize()
		},
	}, now)}, nil
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

// Redeem returns the account of a callback.
func (p oidcProvider) Redeem(ctx context.Context, redirect, nonce, verifier string, c Callback) (Account, error) {
	found, err := p.Provider.Redeem(ctx, redirect, nonce, verifier, openid.Callback{Code: c.Code, Issuer: c.Issuer})
	if err != nil {
		return Account{}, err
	}
	var claims struct{ Name, Email string }
	if err := found.Claims(&claims); err != nil {
		return Account{}, err
	}
	name := claims.Name
	if p.named && c.User != "" {
		name = nameOf(c.User)
	}
	if name == "" {
		name = claims.Email
	}
	return Account{found.Subject, name}, nil
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
