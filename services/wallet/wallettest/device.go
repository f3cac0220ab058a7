// Package wallettest provides a visitor's browser, for tests of the embedded wallet's server.
package wallettest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/hawser-dev/hawser/services/platform/caller"
)

// Device is a browser with a device key.
type Device struct {
	t   testing.TB
	key *ecdsa.PrivateKey
	// Now returns the time of the device's clock.
	Now func() time.Time
	// Caller is the caller that the gateway passes with its calls.
	Caller caller.Caller
}

// NewDevice returns a device with a new key, whose page is of a project.
func NewDevice(t testing.TB, now func() time.Time, project string) *Device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &Device{t: t, key: key, Now: now, Caller: caller.Caller{Project: project, Origin: "https://shop.example", Address: "192.0.2.7"}}
}

// Proof holds the parts of a proof.
type Proof struct {
	Type   string
	Method string
	Path   string
	Issued time.Time
	ID     string
	// AccessToken and Body are hashed.
	AccessToken string
	Body        []byte
}

// NewProof returns the proof of a call.
func (d *Device) NewProof(path string, body []byte) Proof {
	var id [16]byte
	_, _ = rand.Read(id[:])
	return Proof{Type: "dpop+jwt", Method: http.MethodPost, Path: path, Issued: d.Now(), ID: hex.EncodeToString(id[:]), AccessToken: d.Caller.Device.AccessToken, Body: body}
}

// Sign returns the JWT of a proof.
func (d *Device) Sign(p Proof) string {
	d.t.Helper()
	options := (&jose.SignerOptions{EmbedJWK: true}).WithType(jose.ContentType(p.Type))
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: d.key}, options)
	if err != nil {
		d.t.Fatal(err)
	}
	payload := map[string]any{"htm": p.Method, "htu": p.Path, "iat": p.Issued.Unix(), "jti": p.ID, "bh": Hash(p.Body)}
	if p.AccessToken != "" {
		payload["ath"] = Hash([]byte(p.AccessToken))
	}
	raw, err := json.Marshal(payload)
	if err != nil {
		d.t.Fatal(err)
	}
	signed, err := signer.Sign(raw)
	if err != nil {
		d.t.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		d.t.Fatal(err)
	}
	return token
}

// Call returns the caller of a call with a valid proof.
func (d *Device) Call(path string, body []byte) caller.Caller {
	c := d.Caller
	c.Device.Proof, c.Device.BodyHash = d.Sign(d.NewProof(path, body)), Hash(body)
	return c
}

// Hash returns the SHA-256 in base64url.
func Hash(of []byte) string {
	sum := sha256.Sum256(of)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
