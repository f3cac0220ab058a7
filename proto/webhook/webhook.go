// Package webhook verifies the webhooks that an installation of Hawser sends to the backend of a site, by Standard Webhooks
// (https://www.standardwebhooks.com): HMAC-SHA256 over the id, the time and the body of the request.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of a webhook.
const (
	// HeaderID is the id of the event. It is the same in every attempt, so that a receiver can recognise an event that it has handled.
	HeaderID = "Webhook-Id"
	// HeaderTimestamp is when the attempt was made, in Unix seconds.
	HeaderTimestamp = "Webhook-Timestamp"
	// HeaderSignature has a signature of each valid secret, with spaces between them.
	HeaderSignature = "Webhook-Signature"
)

const (
	// Tolerance is how far the time of an attempt may be from now, in both directions.
	Tolerance = 5 * time.Minute
	// MaxBody is the largest body that [Verifier.Read] reads. Hawser sends less.
	MaxBody = 256 << 10

	secretPrefix = "whsec_"
	version      = "v1"
	// minSecret and maxSecret bound a secret, in bytes.
	minSecret, maxSecret = 24, 64
	// maxSignatures bounds how many signatures of one request are compared.
	maxSignatures = 16
)

var (
	// ErrSecret means that a secret is not whsec_ and base64 of 24 to 64 bytes.
	ErrSecret = errors.New("the secret is not whsec_ and base64 of 24 to 64 bytes")
	// ErrHeaders means that a header is missing or malformed.
	ErrHeaders = errors.New("the headers are not those of a webhook")
	// ErrTimestamp means that an attempt was made more than [Tolerance] ago, or that much ahead: it may be a repetition by somebody else.
	ErrTimestamp = errors.New("the webhook is too old, or from the future")
	// ErrSignature means that no signature is of one of the secrets.
	ErrSignature = errors.New("the signature is not of the sender")
	// ErrBody means that the body could not be read, or is not an event.
	ErrBody = errors.New("the body is not an event")
)

// Event is the body of a webhook.
type Event struct {
	// ID is the id of the event, from the header.
	ID string `json:"-"`
	// Type is the kind of the event, such as order.paid.
	Type string `json:"type"`
	// Timestamp is when it happened.
	Timestamp time.Time `json:"timestamp"`
	// Data is what happened, in the form of its type.
	Data json.RawMessage `json:"data"`
}

// Secret is a parsed secret. It is redacted where it is printed.
type Secret struct{ key []byte }

// String returns a constant.
func (Secret) String() string { return "[redacted]" }

// GoString returns a constant.
func (Secret) GoString() string { return "[redacted]" }

// NewSecret returns the text of the secret with a random key, of 24 to 64 bytes.
func NewSecret(key []byte) string { return secretPrefix + base64.StdEncoding.EncodeToString(key) }

// ParseSecret parses a secret. It fails with [ErrSecret].
func ParseSecret(text string) (Secret, error) {
	encoded, ok := strings.CutPrefix(text, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < minSecret || len(key) > maxSecret {
		return Secret{}, ErrSecret
	}
	return Secret{key}, nil
}

// Sign returns the signature of a webhook: v1, a comma and base64.
func (s Secret) Sign(id string, at time.Time, body []byte) string {
	return version + "," + base64.StdEncoding.EncodeToString(s.sum(id, strconv.FormatInt(at.Unix(), 10), body))
}

func (s Secret) sum(id, timestamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	_, _ = io.WriteString(mac, id+"."+timestamp+".")
	_, _ = mac.Write(body)
	return mac.Sum(nil)
}

// Verifier verifies webhooks. It is safe for concurrent use.
type Verifier struct {
	secrets []Secret
	// Now returns the current time; nil for time.Now.
	Now func() time.Time
}

// New returns a verifier with the secret of an endpoint. During a rotation it may have the old and the new one. It fails with [ErrSecret].
func New(secrets ...string) (*Verifier, error) {
	if len(secrets) == 0 {
		return nil, ErrSecret
	}
	v := &Verifier{}
	for _, text := range secrets {
		s, err := ParseSecret(text)
		if err != nil {
			return nil, err
		}
		v.secrets = append(v.secrets, s)
	}
	return v, nil
}

// Verify verifies a webhook by its headers and its body, byte for byte as it was received. It fails with [ErrHeaders], [ErrTimestamp] or [ErrSignature].
func (v *Verifier) Verify(header http.Header, body []byte) error {
	id, timestamp, signatures := header.Get(HeaderID), header.Get(HeaderTimestamp), header.Get(HeaderSignature)
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || signatures == "" || err != nil {
		return ErrHeaders
	}
	now := time.Now
	if v.Now != nil {
		now = v.Now
	}
	if off := now().Sub(time.Unix(seconds, 0)); off > Tolerance || off < -Tolerance {
		return ErrTimestamp
	}
	given := strings.Fields(signatures)
	for _, text := range given[:min(len(given), maxSignatures)] {
		encoded, ok := strings.CutPrefix(text, version+",")
		signature, err := base64.StdEncoding.DecodeString(encoded)
		if !ok || err != nil {
			continue // of another version of the standard
		}
		for _, s := range v.secrets {
			if hmac.Equal(signature, s.sum(id, timestamp, body)) {
				return nil
			}
		}
	}
	return ErrSignature
}

// Read reads and verifies the webhook of a request. It fails as Verify does, and with [ErrBody].
func (v *Verifier) Read(r *http.Request) (Event, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1))
	if err != nil || len(body) > MaxBody {
		return Event{}, ErrBody
	}
	if err := v.Verify(r.Header, body); err != nil {
		return Event{}, err
	}
	e := Event{ID: r.Header.Get(HeaderID)}
	if err := json.Unmarshal(body, &e); err != nil || e.Type == "" {
		return Event{}, fmt.Errorf("%w: it is not JSON with a type", ErrBody)
	}
	return e, nil
}
