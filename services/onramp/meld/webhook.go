package meld

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Headers of a webhook.
const (
	SignatureHeader = "Meld-Signature"
	TimestampHeader = "Meld-Signature-Timestamp"
)

// tolerance is how far the time of signing may differ from now.
const tolerance = 5 * time.Minute

// message is the body of a webhook.
type message struct {
	EventType       string    `json:"eventType"`
	EventID         string    `json:"eventId"`
	Timestamp       time.Time `json:"timestamp"`
	TransactionType string    `json:"transactionType"`
	Payload         struct {
		PaymentTransactionID     string `json:"paymentTransactionId"`
		PaymentTransactionStatus string `json:"paymentTransactionStatus"`
		TransactionType          string `json:"transactionType"`
		SessionID                string `json:"sessionId"`
		ExternalSessionID        string `json:"externalSessionId"`
	} `json:"payload"`
}

// eventStates maps event types to states, for events without a status.
var eventStates = map[string]ramp.State{
	"TRANSACTION_CRYPTO_PENDING": ramp.Pending, "TRANSACTION_CRYPTO_TRANSFERRING": ramp.Paid, "TRANSACTION_CRYPTO_COMPLETE": ramp.Completed,
	"TRANSACTION_CRYPTO_FAILED": ramp.Failed,
}

// Read verifies a delivery and returns its events. They have neither amounts nor a hash; the events of [Meld.Poll] do.
func (m *Meld) Read(d ramp.Delivery) ([]ramp.Event, error) {
	if len(m.webhook) == 0 {
		return nil, ramp.ErrSignature
	}
	if err := verify(m.webhook, d); err != nil {
		return nil, err
	}
	var said *message
	if err := json.Unmarshal(d.Body, &said); err != nil || said == nil {
		return nil, ramp.ErrMalformed
	}
	state, known := eventStates[said.EventType]
	if !known || !isPurchase(said.TransactionType) || !isPurchase(said.Payload.TransactionType) {
		return nil, nil
	}
	if said.EventID == "" || said.Timestamp.IsZero() {
		return nil, ramp.ErrMalformed
	}
	if status := said.Payload.PaymentTransactionStatus; status != "" {
		if state, known = states[status]; !known {
			return nil, nil
		}
	}
	if said.Payload.ExternalSessionID == "" && said.Payload.SessionID == "" {
		// The transaction has no session yet.
		return nil, nil
	}
	e := ramp.Event{ID: said.EventID, OrderID: said.Payload.ExternalSessionID, Ref: said.Payload.SessionID, State: state, At: said.Timestamp}
	return []ramp.Event{withFailure(e, said.Payload.PaymentTransactionStatus)}, nil
}

// isPurchase reports whether a transaction type is a purchase. An empty type is.
func isPurchase(kind string) bool { return kind == "" || kind == "CRYPTO_PURCHASE" }

// verify fails with [ramp.ErrSignature] or [ramp.ErrStale].
func verify(secret []byte, d ramp.Delivery) error {
	text, signed := only(d.Header, TimestampHeader)
	signature, is := only(d.Header, SignatureHeader)
	claimed, err := base64.URLEncoding.DecodeString(signature)
	at, isTime := parseTimestamp(text)
	if !signed || !is || err != nil || !isTime || !hmac.Equal(claimed, mac(secret, text, d.URL, string(d.Body))) {
		return ramp.ErrSignature
	}
	if age := d.At.Sub(at); age > tolerance || age < -tolerance {
		return ramp.ErrStale
	}
	return nil
}

// only returns the value of a header that occurs exactly once.
func only(h http.Header, name string) (string, bool) {
	values := h.Values(name)
	if len(values) != 1 {
		return "", false
	}
	return values[0], true
}

// secondsForm is a time in Unix seconds.
var secondsForm = regexp.MustCompile(`^[0-9]{1,12}$`)

// parseTimestamp parses RFC 3339, as documented, or Unix seconds, which Meld sends as well.
func parseTimestamp(text string) (time.Time, bool) {
	if secondsForm.MatchString(text) {
		unix, err := strconv.ParseInt(text, 10, 64)
		return time.Unix(unix, 0), err == nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	return at, err == nil
}

// mac returns the HMAC-SHA256 of parts with full stops between them.
func mac(secret []byte, parts ...string) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(strings.Join(parts, ".")))
	return h.Sum(nil)
}
