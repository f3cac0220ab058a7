// Package clientauth verifies the JWTs that clients of the wallet-connect relay sign with their Ed25519 keys.
package clientauth

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	// leeway is the tolerated error of a client's clock.
	leeway = 120 * time.Second
	// maxToken bounds a token, in bytes.
	maxToken = 8 << 10
	// actionClient is the purpose of the token of a client that connects. Clients also sign tokens for others, such as servers of push notifications.
	actionClient = "client_auth"
)

// Tags of refusals, as the data member of a JSON-RPC error.
const (
	TagInvalidJWT = "InvalidJwt"
	TagMissingJWT = "MissingJwt"
)

// Refusal is the reason why a token is not accepted.
type Refusal struct {
	// Tag is [TagInvalidJWT] or [TagMissingJWT].
	Tag string
	// Text is shown to the client.
	Text string
}

// Error returns the text.
func (r *Refusal) Error() string { return r.Text }

func invalid(format string, args ...any) *Refusal {
	return &Refusal{Tag: TagInvalidJWT, Text: "JWT validation error: " + fmt.Sprintf(format, args...)}
}

// Claims are the claims of a verified token. Times are in Unix seconds.
type Claims struct {
	// Client is the key that signed the token: the issuer.
	Client    Client
	Subject   string
	IssuedAt  int64
	ExpiresAt int64
	// Action is the act claim: the purpose of the token. It is empty, or client_auth.
	Action string
}

// Verifier verifies tokens. It is safe for concurrent use.
type Verifier struct {
	// Audiences are the hosts of the relay, as host or host:port. If there are none, it is the host that a request names.
	Audiences []string
	// Now is the time.
	Now func() time.Time
}

// Verify returns the claims of a token that was sent to host, the Host header of the request. The error is a [*Refusal].
func (v Verifier) Verify(token, host string) (Claims, error) {
	if token == "" {
		return Claims{}, &Refusal{Tag: TagMissingJWT, Text: "JWT validation error: no token"}
	}
	client, payload, refused := verifySignature(token)
	if refused != nil {
		return Claims{}, refused
	}
	var body struct {
		Subject   string          `json:"sub"`
		Audience  json.RawMessage `json:"aud"`
		IssuedAt  *int64          `json:"iat"`
		ExpiresAt *int64          `json:"exp"`
		Action    string          `json:"act"`
	}
	if err := json.Unmarshal(payload, &body); err != nil {
		return Claims{}, invalid("the claims are malformed")
	}
	if body.IssuedAt == nil || body.ExpiresAt == nil {
		return Claims{}, invalid("iat or exp is missing")
	}
	now, slack := v.Now().Unix(), int64(leeway/time.Second)
	switch {
	case *body.IssuedAt > now+slack:
		return Claims{}, invalid("JWT Token is not yet valid: basic.iat: %d, now + time_leeway: %d", *body.IssuedAt, now+slack)
	case *body.ExpiresAt < now-slack:
		return Claims{}, invalid("JWT Token is expired: basic.exp: %d, now - time_leeway: %d", *body.ExpiresAt, now-slack)
	case !v.accepts(audiences(body.Audience), host):
		return Claims{}, invalid("the audience is another relay")
	case body.Action != "" && body.Action != actionClient:
		return Claims{}, invalid("the token is for another purpose")
	}
	return Claims{
		Client: client, Subject: body.Subject, IssuedAt: *body.IssuedAt, ExpiresAt: *body.ExpiresAt, Action: body.Action,
	}, nil
}

// verifySignature returns the issuer and the claims of a token that the issuer signed.
func verifySignature(token string) (Client, []byte, *Refusal) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > maxToken {
		return Client{}, nil, invalid("the token is malformed")
	}
	decode := base64.RawURLEncoding.DecodeString
	rawHeader, headerErr := decode(parts[0])
	payload, payloadErr := decode(parts[1])
	signature, signatureErr := decode(parts[2])
	var header struct {
		Algorithm string `json:"alg"`
	}
	if headerErr != nil || payloadErr != nil || signatureErr != nil || json.Unmarshal(rawHeader, &header) != nil {
		return Client{}, nil, invalid("the token is malformed")
	}
	if header.Algorithm != "EdDSA" {
		return Client{}, nil, invalid("the algorithm is not EdDSA")
	}
	var body struct {
		Issuer string `json:"iss"`
	}
	if json.Unmarshal(payload, &body) != nil {
		return Client{}, nil, invalid("the claims are malformed")
	}
	client, err := ParseClient(body.Issuer)
	if err != nil {
		return Client{}, nil, invalid("the issuer is not a did:key of an Ed25519 key")
	}
	if !ed25519.Verify(client[:], []byte(parts[0]+"."+parts[1]), signature) {
		return Client{}, nil, invalid("the signature does not verify")
	}
	return client, payload, nil
}

// audiences returns the aud claim, a string or a list.
func audiences(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var several []string
	if json.Unmarshal(raw, &several) != nil {
		return nil
	}
	return several
}

// accepts reports whether one of the audiences is a URL of this relay.
func (v Verifier) accepts(audiences []string, host string) bool {
	hosts := v.Audiences
	if len(hosts) == 0 {
		hosts = []string{host}
	}
	return slices.ContainsFunc(audiences, func(audience string) bool {
		u, err := url.Parse(audience)
		if err != nil || u.Host == "" {
			return false
		}
		return slices.ContainsFunc(hosts, func(accepted string) bool { return sameHost(u, accepted) })
	})
}

// sameHost reports whether u is at a host, whose port may be left out if it is the default of u's scheme.
func sameHost(u *url.URL, host string) bool {
	if host == "" {
		return false
	}
	defaultPort := map[string]string{"wss": ":443", "https": ":443", "ws": ":80", "http": ":80"}[u.Scheme]
	strip := func(s string) string { return strings.TrimSuffix(strings.ToLower(s), defaultPort) }
	return strip(u.Host) == strip(host)
}

// Sign returns a token of claims for an audience, signed by key.
func Sign(key ed25519.PrivateKey, audience string, c Claims) (string, error) {
	payload := map[string]any{
		"iss": ClientOf(key).String(), "sub": c.Subject, "aud": audience, "iat": c.IssuedAt, "exp": c.ExpiresAt,
	}
	if c.Action != "" {
		payload["act"] = c.Action
	}
	encoded, err := json.Marshal(payload)
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"alg":"EdDSA","typ":"JWT"}`)) + "." + encode(encoded)
	return text + "." + encode(ed25519.Sign(key, []byte(text))), nil
}
