// Package identity is an identity provider for development with the APIs of six providers: google and apple (OpenID
// Connect), x, discord, github and facebook (OAuth 2.0), and with one for operators (OpenID Connect). Its page offers test users to sign in as.
//
// It is as strict as the real ones: clients, redirect addresses and PKCE verifiers must match, and a code can be
// redeemed once.
package identity

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

// Path is the prefix of the paths of the providers: Path + name.
const Path = "/identity/"

const (
	// lifetime is the lifetime of codes and tokens, and maxGrants bounds their number.
	lifetime  = 10 * time.Minute
	maxGrants = 10_000
	keyID     = "development"
)

// Names are the names of the providers for visitors.
var Names = []string{"google", "apple", "github", "x", "discord", "facebook"}

// Staff is the name of a provider (OpenID Connect) for operators, whose id tokens have the groups of a person too.
const Staff = "staff"

// Person is a test user.
type Person struct {
	ID, User, First, Last, Email string
	Groups                       []string
}

// People are the test users of every provider.
var People = []Person{
	{"1001", "alice", "Alice", "Anders", "alice@people.example", []string{"crew", "officers"}},
	{"1002", "bob", "Bob", "Brown", "bob@people.example", []string{"crew"}},
	{"1003", "carol", "Carol", "Costa", "carol@people.example", []string{"crew"}},
	{"1004", "dave", "Dave", "Diaz", "dave@people.example", nil},
}

// The credentials of every client. AppleKey is the key with which it signs its secrets for Apple, in PEM (PKCS 8).
const (
	ClientID     = "hawser-development"
	ClientSecret = "hawser-development-secret"
	AppleKey     = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVOJ2x8aFoej5EkVM
UX2owUX2op6XT676psYfjxLuTmWhRANCAARlDDPyNBHN1GQ9FH2gB5jAqAXT6i06
SHhg0zHyP7BYtE/oHzlMjFlr7NJ9DeWXwD8WVACATJYGPAHppxKK1smS
-----END PRIVATE KEY-----
`
)

// grant is the grant of a code or a token.
type grant struct {
	provider  string
	redirect  string
	person    Person
	challenge string
	nonce     string
	expires   time.Time
}

// Provider is the identity provider. It is safe for concurrent use.
type Provider struct {
	base string
	// redirect is where visitors return to, and staff where operators do.
	redirect, staff string
	clock           clock.Clock
	// key signs id tokens, and apple verifies the client secrets of Apple.
	key   *ecdsa.PrivateKey
	apple crypto.PublicKey

	mu     sync.Mutex
	codes  map[string]grant
	tokens map[string]grant
}

// New returns the provider of a server at base; redirect is the only address to which it returns visitors, and staff that of operators.
func New(base, redirect, staff string, c clock.Clock) (*Provider, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode([]byte(AppleKey))
	apple, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	return &Provider{
		base: strings.TrimSuffix(base, "/"), redirect: redirect, staff: staff, clock: c, key: key, apple: apple.(crypto.Signer).Public(),
		codes: map[string]grant{}, tokens: map[string]grant{},
	}, nil
}

// Address returns the address of a provider.
func (p *Provider) Address(name string) string { return p.base + Path + name }

// ServeHTTP serves the providers.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, Path), "/")
	w.Header().Set("Cache-Control", "no-store")
	isOIDC := name == "google" || name == "apple" || name == Staff
	switch {
	case !slices.Contains(Names, name) && name != Staff:
		http.NotFound(w, r)
	case path == ".well-known/openid-configuration" && isOIDC:
		p.configuration(w, name)
	case path == "jwks" && isOIDC:
		writeJSON(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: keyID, Algorithm: string(jose.ES256), Use: "sig"}}})
	case path == "authorize" && r.Method == http.MethodGet:
		p.authorize(w, r, name)
	case path == "token" && r.Method == http.MethodPost:
		p.token(w, r, name)
	case path == "user" && r.Method == http.MethodGet && !isOIDC:
		p.user(w, r, name)
	default:
		http.NotFound(w, r)
	}
}

func (p *Provider) configuration(w http.ResponseWriter, name string) {
	at := p.Address(name)
	methods := []string{"client_secret_post"}
	if name == Staff {
		methods = []string{"client_secret_basic"}
	}
	writeJSON(w, map[string]any{
		"token_endpoint_auth_methods_supported": methods,
		"issuer":                                at, "authorization_endpoint": at + "/authorize", "token_endpoint": at + "/token", "jwks_uri": at + "/jwks",
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		"id_token_signing_alg_values_supported": []string{"ES256"}, "code_challenge_methods_supported": []string{"S256"},
		"authorization_response_iss_parameter_supported": name == "google" || name == Staff,
	})
}

// authorize serves the page on which a visitor selects a test user.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request, name string) {
	q, redirect := r.URL.Query(), p.redirect
	if name == Staff {
		redirect = p.staff
	}
	switch {
	case q.Get("client_id") != ClientID || q.Get("redirect_uri") != redirect:
		http.Error(w, "unknown client or redirect_uri", http.StatusBadRequest)
		return
	case q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" || q.Get("state") == "":
		http.Error(w, "invalid_request", http.StatusBadRequest)
		return
	case name == "apple" && q.Get("response_mode") != "form_post":
		http.Error(w, "response_mode must be form_post", http.StatusBadRequest)
		return
	}
	page := authorizePage{Provider: name, Posts: name == "apple", Redirect: redirect, Cancel: p.callback(name, q.Get("state"), "error", "access_denied")}
	for _, person := range People {
		code := newToken()
		p.put(p.codes, code, grant{name, redirect, person, q.Get("code_challenge"), q.Get("nonce"), p.clock.Now().Add(lifetime)})
		answer := p.callback(name, q.Get("state"), "code", code)
		if name == "apple" {
			user, _ := json.Marshal(map[string]any{"name": map[string]string{"firstName": person.First, "lastName": person.Last}, "email": person.Email})
			answer.Set("user", string(user))
		}
		page.People = append(page.People, choice{person, answer})
	}
	page.write(w)
}

// callback returns the parameters that are added to the callback's address.
func (p *Provider) callback(name, state, key, value string) url.Values {
	v := url.Values{"state": {state}, key: {value}}
	if name == "google" || name == Staff {
		v.Set("iss", p.Address(name))
	}
	return v
}

// token redeems a code.
func (p *Provider) token(w http.ResponseWriter, r *http.Request, name string) {
	if err := r.ParseForm(); err != nil {
		refuse(w, "invalid_request")
		return
	}
	if !p.isClient(r, name) {
		refuse(w, "invalid_client")
		return
	}
	found, ok := p.take(p.codes, r.PostForm.Get("code"))
	sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
	if !ok || found.provider != name || r.PostForm.Get("redirect_uri") != found.redirect || r.PostForm.Get("grant_type") != "authorization_code" ||
		base64.RawURLEncoding.EncodeToString(sum[:]) != found.challenge {
		refuse(w, "invalid_grant")
		return
	}
	access := newToken()
	p.put(p.tokens, access, found)
	answer := map[string]any{"access_token": access, "token_type": "bearer", "expires_in": int(lifetime.Seconds())}
	switch name {
	case "github":
		// The response is form-encoded by default.
		w.Header().Set("Content-Type", "application/x-www-form-urlencoded")
		_, _ = w.Write([]byte(url.Values{"access_token": {access}, "token_type": {"bearer"}, "scope": {"read:user"}}.Encode()))
		return
	case "google", "apple", Staff:
		idToken, err := p.idToken(name, found)
		if err != nil {
			http.Error(w, "no id token", http.StatusInternalServerError)
			return
		}
		answer["id_token"] = idToken
	}
	writeJSON(w, answer)
}

// isClient verifies the credentials of the client, if the provider requires them.
func (p *Provider) isClient(r *http.Request, name string) bool {
	id, secret, isBasic := r.BasicAuth()
	if wantsBasic := name == "x" || name == "discord" || name == Staff; wantsBasic != isBasic {
		return false
	}
	if !isBasic {
		id, secret = r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	}
	if id != ClientID {
		return false
	}
	if name != "apple" {
		return subtle.ConstantTimeCompare([]byte(secret), []byte(ClientSecret)) == 1
	}
	signed, err := jwt.ParseSigned(secret, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return false
	}
	var claims jwt.Claims
	return signed.Claims(p.apple, &claims) == nil &&
		claims.ValidateWithLeeway(jwt.Expected{Subject: ClientID, AnyAudience: jwt.Audience{p.Address(name)}, Time: p.clock.Now()}, 0) == nil
}

func (p *Provider) idToken(name string, of grant) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: p.key, KeyID: keyID}}, nil)
	if err != nil {
		return "", err
	}
	now := p.clock.Now()
	claims := map[string]any{
		"iss": p.Address(name), "aud": ClientID, "sub": name + "." + of.person.ID, "email": of.person.Email, "email_verified": true,
		"nonce": of.nonce, "iat": now.Unix(), "exp": now.Add(lifetime).Unix(),
	}
	if name == "google" {
		claims["name"] = of.person.First + " " + of.person.Last
	}
	if name == Staff {
		claims["groups"] = of.person.Groups
	}
	return jwt.Signed(signer).Claims(claims).Serialize()
}

// user describes the user of a token in the format of the provider.
func (p *Provider) user(w http.ResponseWriter, r *http.Request, name string) {
	const bearer = "bearer "
	token := r.Header.Get("Authorization")
	if len(token) > len(bearer) && strings.EqualFold(token[:len(bearer)], bearer) {
		token = token[len(bearer):]
	}
	p.mu.Lock()
	found, ok := p.tokens[token]
	p.mu.Unlock()
	if !ok || found.provider != name || !p.clock.Now().Before(found.expires) {
		http.Error(w, `{"message":"Bad credentials"}`, http.StatusUnauthorized)
		return
	}
	person := found.person
	switch name {
	case "github":
		writeJSON(w, map[string]any{"id": json.Number(person.ID), "login": person.User, "name": person.First + " " + person.Last})
	case "x":
		writeJSON(w, map[string]any{"data": map[string]string{"id": person.ID, "username": person.User, "name": person.First + " " + person.Last}})
	case "discord":
		writeJSON(w, map[string]any{"id": person.ID, "username": person.User, "global_name": person.First, "email": person.Email, "verified": true})
	case "facebook":
		writeJSON(w, map[string]any{"id": person.ID, "name": person.First + " " + person.Last, "email": person.Email})
	}
}

// put stores a grant. If there are many, it removes those that have expired.
func (p *Provider) put(in map[string]grant, key string, g grant) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(in) >= maxGrants {
		for k, old := range in {
			if !p.clock.Now().Before(old.expires) {
				delete(in, k)
			}
		}
	}
	if len(in) < maxGrants {
		in[key] = g
	}
}

// take removes and returns a grant.
func (p *Provider) take(in map[string]grant, key string) (grant, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	g, ok := in[key]
	delete(in, key)
	return g, ok && p.clock.Now().Before(g.expires)
}

func refuse(w http.ResponseWriter, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code})
}

func writeJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func newToken() string {
	raw := make([]byte, 24)
	_, _ = rand.Read(raw)
	return base64.RawURLEncoding.EncodeToString(raw)
}
