// Package webhook signs, verifies and delivers the webhooks of the sandbox.
package webhook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// SignatureHeader is the header with the signature: `t=`, the Unix seconds of the signature, `,v1=` and a hex
// HMAC-SHA256, with the seller's key, of those seconds, a full stop and the body. Each attempt has a new signature.
const SignatureHeader = "Hawser-Sandbox-Signature"

const (
	// tolerance is the maximum difference between the time of the signature and now.
	tolerance = 5 * time.Minute
	// messageType is the only type of message.
	messageType = "order.updated"
)

// message is the body of a webhook.
type message struct {
	ID     string       `json:"id"`
	Type   string       `json:"type"`
	Seller string       `json:"seller"`
	At     time.Time    `json:"at"`
	Order  messageOrder `json:"order"`
}

type messageOrder struct {
	Reference   string         `json:"reference"`
	State       ramp.State     `json:"state"`
	Reason      string         `json:"reason,omitempty"`
	Failure     ramp.Failure   `json:"failure,omitempty"`
	Transaction string         `json:"transaction,omitempty"`
	ChainID     string         `json:"chainId,omitempty"`
	Payment     *messageAmount `json:"payment,omitempty"`
	Purchase    *messageAmount `json:"purchase,omitempty"`
}

type messageAmount struct {
	// Amount is a decimal.
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

// Key derives the signing key of a seller. Each seller has a different key, so that a seller does not accept the
// messages of another.
func Key(secret, seller string) []byte {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte("webhooks of " + seller))
	return h.Sum(nil)
}

// Sign returns the value of [SignatureHeader].
func Sign(key, body []byte, at time.Time) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	return "t=" + seconds + ",v1=" + hex.EncodeToString(mac(key, seconds, body))
}

func mac(key []byte, seconds string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(seconds))
	h.Write([]byte{'.'})
	h.Write(body)
	return h.Sum(nil)
}

// Verify fails with [ramp.ErrSignature] or [ramp.ErrStale].
func Verify(key []byte, d ramp.Delivery) error {
	values := d.Header.Values(SignatureHeader)
	if len(values) != 1 {
		return ramp.ErrSignature
	}
	seconds, signature, ok := strings.Cut(values[0], ",v1=")
	seconds, isTime := strings.CutPrefix(seconds, "t=")
	claimed, err := hex.DecodeString(signature)
	if !ok || !isTime || err != nil || !hmac.Equal(claimed, mac(key, seconds, d.Body)) {
		return ramp.ErrSignature
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return ramp.ErrSignature
	}
	if age := d.At.Sub(time.Unix(unix, 0)); age > tolerance || age < -tolerance {
		return ramp.ErrStale
	}
	return nil
}

// Encode returns the webhook body of a seller's event.
func Encode(seller string, e ramp.Event) (string, error) {
	body, err := json.Marshal(message{
		ID: e.ID, Type: messageType, Seller: seller, At: e.At.UTC(),
		Order: messageOrder{
			Reference: e.OrderID, State: e.State, Reason: e.Reason, Failure: e.Failure, Transaction: e.Transaction, ChainID: e.ChainID,
			Payment: encodeAmount(e.Paid), Purchase: encodeAmount(e.Received),
		},
	})
	return string(body), err
}

func encodeAmount(a *ramp.Amount) *messageAmount {
	if a == nil {
		return nil
	}
	return &messageAmount{Amount: a.Value.String(), Currency: a.Currency}
}

// Decode parses a body of [Encode]. It fails with [ramp.ErrMalformed].
func Decode(seller string, body []byte) (ramp.Event, error) {
	var m message
	decoder := json.NewDecoder(bytes.NewReader(body))
	if err := decoder.Decode(&m); err != nil {
		return ramp.Event{}, fmt.Errorf("%w: %w", ramp.ErrMalformed, err)
	}
	_, end := decoder.Token()
	o := m.Order
	whole := errors.Is(end, io.EOF) && m.ID != "" && o.Reference != "" && m.Type == messageType && m.Seller == seller && o.State.Known() && !m.At.IsZero()
	if !whole {
		return ramp.Event{}, ramp.ErrMalformed
	}
	paid, paidErr := decodeAmount(o.Payment)
	received, receivedErr := decodeAmount(o.Purchase)
	if err := errors.Join(paidErr, receivedErr); err != nil {
		return ramp.Event{}, fmt.Errorf("%w: %w", ramp.ErrMalformed, err)
	}
	return ramp.Event{
		ID: m.ID, OrderID: o.Reference, State: o.State, At: m.At, Reason: o.Reason, Failure: o.Failure, Transaction: o.Transaction, ChainID: o.ChainID,
		Paid: paid, Received: received,
	}, nil
}

var errAmount = errors.New("not an amount")

func decodeAmount(a *messageAmount) (*ramp.Amount, error) {
	if a == nil {
		return nil, nil
	}
	value, err := decimal.NewFromString(a.Amount)
	// An exponent would let a short text be a number with any number of digits.
	if err != nil || strings.ContainsAny(a.Amount, "eE") || value.IsNegative() || a.Currency == "" {
		return nil, errAmount
	}
	return &ramp.Amount{Value: value, Currency: a.Currency}, nil
}
