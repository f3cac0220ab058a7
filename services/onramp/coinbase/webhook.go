package coinbase

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

const (
	// SignatureHeader holds the signature of a webhook.
	SignatureHeader = "X-Hook0-Signature"
	// tolerance is how far the time of signing may differ from now.
	tolerance = 5 * time.Minute
	// signatureLimit bounds that header, in bytes.
	signatureLimit = 4 << 10
)

// signature is the parsed [SignatureHeader].
type signature struct {
	// seconds is the time of signing in Unix seconds, as in the header.
	seconds string
	at      time.Time
	// names are the headers that v1 signs as well, as in the header.
	names  string
	v0, v1 []byte
}

// Read verifies a delivery and returns its events.
func (c *Coinbase) Read(d ramp.Delivery) ([]ramp.Event, error) {
	if len(c.webhook) == 0 {
		return nil, ramp.ErrSignature
	}
	signed, err := verify(c.webhook, d)
	if err != nil {
		return nil, err
	}
	var message either[message]
	if err := json.Unmarshal(d.Body, &message); err != nil {
		return nil, ramp.ErrMalformed
	}
	if !strings.HasPrefix(message.is.EventType, "onramp.transaction.") {
		return nil, nil
	}
	event, known, err := message.is.event(signed)
	if err != nil || !known {
		return nil, err
	}
	return []ramp.Event{event}, nil
}

// verify returns when the delivery was signed. It fails with [ramp.ErrSignature] or [ramp.ErrStale].
func verify(secret []byte, d ramp.Delivery) (time.Time, error) {
	values := d.Header.Values(SignatureHeader)
	if len(values) != 1 {
		return time.Time{}, ramp.ErrSignature
	}
	s, ok := parseSignature(values[0])
	if !ok || !s.proves(secret, d) {
		return time.Time{}, ramp.ErrSignature
	}
	if age := d.At.Sub(s.at); age > tolerance || age < -tolerance {
		return time.Time{}, ramp.ErrStale
	}
	return s.at, nil
}

// proves reports whether the delivery is signed with the secret: by v1 if present, which also signs some headers,
// otherwise by v0.
func (s signature) proves(secret []byte, d ramp.Delivery) bool {
	if s.v1 != nil {
		return hmac.Equal(s.v1, mac(secret, s.seconds, s.names, valuesOf(d.Header, s.names), string(d.Body)))
	}
	return s.v0 != nil && hmac.Equal(s.v0, mac(secret, s.seconds, string(d.Body)))
}

// mac returns the HMAC-SHA256 of parts with full stops between them.
func mac(secret []byte, parts ...string) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(strings.Join(parts, ".")))
	return h.Sum(nil)
}

// valuesOf returns the values of the headers that names lists, joined by full stops.
func valuesOf(h http.Header, names string) string {
	var values []string
	for name := range strings.SplitSeq(names, " ") {
		values = append(values, h.Get(name))
	}
	return strings.Join(values, ".")
}

// parseSignature parses the header. Each part occurs at most once; t and one of v0 and v1 are required.
func parseSignature(text string) (s signature, ok bool) {
	if len(text) > signatureLimit {
		return signature{}, false
	}
	parts := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, isPair := strings.Cut(strings.TrimSpace(part), "=")
		if _, twice := parts[name]; !isPair || twice {
			return signature{}, false
		}
		parts[name] = value
	}
	unix, err := strconv.ParseInt(parts["t"], 10, 64)
	if err != nil || unix < 0 {
		return signature{}, false
	}
	s = signature{seconds: parts["t"], at: time.Unix(unix, 0), names: parts["h"]}
	for name, into := range map[string]*[]byte{"v0": &s.v0, "v1": &s.v1} {
		digits, there := parts[name]
		if !there {
			continue
		}
		raw, err := hex.DecodeString(digits)
		if err != nil || len(raw) != sha256.Size {
			return signature{}, false
		}
		*into = raw
	}
	return s, s.v0 != nil || s.v1 != nil
}
