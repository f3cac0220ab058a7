// Package identity signs operators in at an identity provider (OpenID Connect), whose rules decide who may and as what.
//
//   - A login is bound to the browser that started it, by a random token in a cookie. State, nonce and PKCE verifier are derived from the token, so that nothing
//     is stored, and a callback is of use only in that browser.
//   - Somebody is known by issuer and subject, never by a name or an email. An email counts for the rules only if the provider says that it is verified.
//   - The rules are applied at each login. Whom none gives a role does not sign in.
package identity

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/openid"
)

// Path is that of the callback at the origin of the console.
const Path = "/oidc"

// maxName bounds the name of an operator, in letters.
const maxName = 56

var (
	// ErrFailed means that the login is another browser's, or that the provider refused it.
	ErrFailed = openid.ErrFailed
	// ErrCanceled means that the operator cancelled at the provider.
	ErrCanceled = errors.New("the login was cancelled at the provider")
	// ErrRole means that no rule gives a role.
	ErrRole = errors.New("no rule gives a role")
)

// Person is somebody who has signed in at the provider.
type Person struct {
	// Issuer and Subject never change.
	Issuer, Subject string
	// Name is a verified email, or the subject.
	Name string
	// Role is the highest of the rules that hold; empty with [ErrRole].
	Role string
}

// Callback is what the provider adds to the address that it returns an operator to.
type Callback struct{ State, Code, Issuer, Error string }

// Provider is the identity provider.
type Provider struct {
	config Config
	roles  []string
	client *http.Client
	at     *openid.Provider
}

// New returns the provider of a configuration without faults; roles are the roles, the lowest first, and client makes the calls.
func New(c Config, roles []string, client *http.Client, now clock.Clock) *Provider {
	return &Provider{config: c, roles: roles, client: client, at: openid.New(openid.Client{
		Issuer: c.Issuer, ID: c.ClientID, Secret: c.secret, Scopes: append([]string{"openid"}, c.Scopes...),
	}, now)}
}

// Start returns the address at which an operator signs in, who then returns to [Path] at an origin. token is that of the browser. It fails with [ErrFailed].
func (p *Provider) Start(ctx context.Context, origin, token string) (address string, err error) {
	if !isToken(token) {
		return "", ErrFailed
	}
	return p.at.Address(openid.WithClient(ctx, p.client), origin+Path, derive(token, "state"), derive(token, "nonce"), derive(token, "verifier"))
}

// Finish returns who has signed in. It fails with [ErrFailed], [ErrCanceled], or [ErrRole], with which the person is returned too.
func (p *Provider) Finish(ctx context.Context, origin, token string, c Callback) (Person, error) {
	if !isToken(token) || subtle.ConstantTimeCompare([]byte(c.State), []byte(derive(token, "state"))) != 1 {
		return Person{}, fmt.Errorf("%w: it was not started in this browser", ErrFailed)
	}
	if c.Error == "access_denied" {
		return Person{}, ErrCanceled
	}
	if c.Error != "" || c.Code == "" {
		return Person{}, fmt.Errorf("%w: the provider refused it", ErrFailed)
	}
	found, err := p.at.Redeem(openid.WithClient(ctx, p.client), origin+Path, derive(token, "nonce"), derive(token, "verifier"), openid.Callback{Code: c.Code, Issuer: c.Issuer})
	if err != nil {
		return Person{}, err
	}
	claims := map[string]any{}
	if err := found.Claims(&claims); err != nil {
		return Person{}, err
	}
	email := emailIn(claims)
	person := Person{Issuer: p.config.Issuer, Subject: found.Subject, Name: nameOf(email, found.Subject), Role: p.roleOf(email, claims)}
	if person.Role == "" {
		return person, ErrRole
	}
	return person, nil
}

// roleOf returns the highest role that the rules give; empty for none.
func (p *Provider) roleOf(email string, claims map[string]any) string {
	highest := -1
	for _, r := range p.config.Allowed {
		if r.holds(email, claims) {
			highest = max(highest, slices.Index(p.roles, r.Role))
		}
	}
	if highest < 0 {
		return ""
	}
	return p.roles[highest]
}

// holds reports whether a rule is about somebody with a verified email, or none, and the claims.
func (r Rule) holds(email string, claims map[string]any) bool {
	_, domain, _ := strings.Cut(email, "@")
	switch {
	case r.Email != "":
		return strings.EqualFold(r.Email, email)
	case r.Domain != "":
		return strings.EqualFold(r.Domain, domain)
	}
	switch has := claims[r.Claim].(type) {
	case string:
		return has == r.Value
	case []any:
		return slices.Contains(has, any(r.Value))
	}
	return false
}

// emailIn returns the email of claims if it is verified; empty otherwise.
func emailIn(claims map[string]any) string {
	email, _ := claims["email"].(string)
	isVerified := claims["email_verified"] == true || claims["email_verified"] == "true"
	if !isVerified || strings.Count(email, "@") != 1 || strings.ContainsFunc(email, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return ""
	}
	return email
}

// nameOf returns what the console calls somebody.
func nameOf(email, subject string) string {
	name := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, subject))
	if email != "" {
		name = []rune(email)
	}
	return string(name[:min(len(name), maxName)])
}

// isToken reports whether a text can be the token of a browser.
func isToken(text string) bool { return len(text) >= 64 }

// derive returns 43 letters for a purpose, as a PKCE verifier needs.
func derive(token, purpose string) string {
	h := hmac.New(sha256.New, []byte(token))
	_, _ = h.Write([]byte("console oidc " + purpose))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
