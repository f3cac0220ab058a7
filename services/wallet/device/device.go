// Package device verifies the proofs in calls of the wallet's frame: a JWT signed by the key of the device (DPoP, RFC
// 9449) for one path and one body. A proof is accepted once.
package device

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/hawser-dev/hawser/services/platform/clock"
)

const (
	// skew is the tolerated error of a device's clock.
	skew = time.Minute
	// proofType is the `typ` of a proof.
	proofType = "dpop+jwt"
	// minID and maxID bound the length of a `jti`, and maxProof that of a proof.
	minID, maxID = 16, 64
	maxProof     = 4 << 10
)

var (
	// ErrProof means that a proof is missing, malformed, used, or for another call.
	ErrProof = errors.New("the device proof is not valid")
	// ErrUsed means that a proof was used; it is an [ErrProof].
	ErrUsed = errors.Join(errors.New("the device proof was used"), ErrProof)
)

// Call holds the values that a proof must match.
type Call struct {
	// Path is the path of the call.
	Path string
	// BodyHash is the SHA-256 of the body in base64url.
	BodyHash string
	// AccessToken is the access token of the call; empty for none.
	AccessToken string
}

// Store stores used proofs.
type Store interface {
	// UseProof stores the id of a proof. It fails with [ErrUsed] if the id is already stored.
	UseProof(ctx context.Context, id string, expires time.Time) error
}

// Verifier verifies proofs.
type Verifier struct {
	store Store
	clock clock.Clock
}

// NewVerifier returns a verifier.
func NewVerifier(s Store, c clock.Clock) *Verifier { return &Verifier{s, c} }

// claims are the payload of a proof.
type claims struct {
	Method      string `json:"htm"`
	Path        string `json:"htu"`
	IssuedAt    int64  `json:"iat"`
	ID          string `json:"jti"`
	AccessToken string `json:"ath"`
	BodyHash    string `json:"bh"`
}

// Verify returns the thumbprint (RFC 7638) of the key that signed the proof. It fails with [ErrProof].
func (v *Verifier) Verify(ctx context.Context, proof string, call Call) (string, error) {
	key, payload, err := open(proof)
	if err != nil {
		return "", err
	}
	var c claims
	if err := json.Unmarshal(payload, &c); err != nil {
		return "", ErrProof
	}
	now := v.clock.Now()
	issued := time.Unix(c.IssuedAt, 0)
	if c.Method != http.MethodPost || c.Path == "" || c.Path != call.Path || !same(c.BodyHash, call.BodyHash) || call.BodyHash == "" ||
		len(c.ID) < minID || len(c.ID) > maxID || issued.Before(now.Add(-skew)) || issued.After(now.Add(skew)) {
		return "", ErrProof
	}
	if call.AccessToken != "" && !same(c.AccessToken, hashOf(call.AccessToken)) {
		return "", ErrProof
	}
	thumbprint, err := key.Thumbprint(crypto.SHA256)
	if err != nil {
		return "", ErrProof
	}
	device := base64.RawURLEncoding.EncodeToString(thumbprint)
	id := sha256.Sum256([]byte(device + "|" + c.ID))
	if err := v.store.UseProof(ctx, hex.EncodeToString(id[:]), issued.Add(2*skew)); err != nil {
		return "", err
	}
	return device, nil
}

// open verifies the signature of a proof, and returns its key and its payload.
func open(proof string) (*jose.JSONWebKey, []byte, error) {
	if proof == "" || len(proof) > maxProof {
		return nil, nil, ErrProof
	}
	signed, err := jose.ParseSignedCompact(proof, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return nil, nil, ErrProof
	}
	header := signed.Signatures[0].Protected
	if header.ExtraHeaders[jose.HeaderType] != proofType || header.JSONWebKey == nil {
		return nil, nil, ErrProof
	}
	public, ok := header.JSONWebKey.Key.(*ecdsa.PublicKey)
	if !ok || public.Curve != elliptic.P256() {
		return nil, nil, ErrProof
	}
	payload, err := signed.Verify(public)
	if err != nil {
		return nil, nil, ErrProof
	}
	return header.JSONWebKey, payload, nil
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
