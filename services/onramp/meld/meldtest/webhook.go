package meldtest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Hash is the transaction hash of every completed purchase.
const Hash = "0xabcdef1234567890abcdef1234567890abcdef1234567890abcdef1234567890"

// WebhookURL is the URL for which webhooks are signed.
const WebhookURL = "https://hawser.test/v1/onramp/webhooks/meld"

// States returns the states that Meld reports.
func States() []ramp.State {
	return []ramp.State{ramp.Pending, ramp.Paid, ramp.Cancelled, ramp.Failed, ramp.Completed, ramp.Refunded}
}

var statuses = map[ramp.State]string{
	ramp.Pending: "PENDING", ramp.Paid: "SETTLING", ramp.Cancelled: "CANCELLED", ramp.Failed: "DECLINED", ramp.Completed: "SETTLED", ramp.Refunded: "REFUNDED",
}

// eventTypes are the event types of states that have a specific one; other states are reported as failures.
var eventTypes = map[ramp.State]string{ramp.Pending: "PENDING", ramp.Paid: "TRANSFERRING", ramp.Completed: "COMPLETE"}

// SetState sets the state of an order, which polls then return.
func (s *Server) SetState(orderID string, state ramp.State) {
	d := s.load("transaction")
	s.set(d, "status", statuses[state])
	s.set(d, "externalSessionId", orderID)
	s.set(d, "externalCustomerId", orderID)
	s.set(d, "updatedAt", time.Now().UTC().Format(time.RFC3339Nano))
	if details, ok := d["cryptoDetails"].(map[string]any); ok && state == ramp.Completed {
		s.set(details, "blockchainTransactionId", Hash)
		s.set(details, "chainId", "8453")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bought[orderID] = d
}

func (s *Server) transactions(w http.ResponseWriter, r *http.Request) {
	call := s.record(r)
	orderID := call.Query.Get("externalSessionIds")
	if orderID == "" {
		s.t.Error("all transactions were asked for")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []any{}
	if d, ok := s.bought[orderID]; ok {
		all = append(all, d)
	}
	write(w, http.StatusOK, map[string]any{"count": len(all), "remaining": 0, "totalCount": len(all), "transactions": all})
}

// Deliver returns the webhook about an order in a state, signed with the current time for [WebhookURL].
func (s *Server) Deliver(orderID string, state ramp.State) ramp.Delivery {
	return Sign(s.body(orderID, state), WebhookSecret, WebhookURL, time.Now())
}

func (s *Server) body(orderID string, state ramp.State) []byte {
	kind, ok := eventTypes[state]
	if !ok {
		kind = "FAILED"
	}
	d := s.load("webhook")
	s.set(d, "eventType", "TRANSACTION_CRYPTO_"+kind)
	s.set(d, "eventId", rand.Text())
	s.set(d, "timestamp", time.Now().UTC().Format(time.RFC3339Nano))
	payload, _ := d["payload"].(map[string]any)
	s.set(payload, "externalSessionId", orderID)
	s.set(payload, "externalCustomerId", orderID)
	s.set(payload, "paymentTransactionStatus", statuses[state])
	body, err := json.Marshal(d)
	if err != nil {
		s.t.Fatal(err)
	}
	return body
}

// Sign returns a delivery of any body, signed for a URL at a time.
func Sign(body []byte, secret, url string, at time.Time) ramp.Delivery {
	timestamp := at.UTC().Format(time.RFC3339Nano)
	return ramp.Delivery{URL: url, Body: body, At: at, Header: http.Header{
		"Content-Type": {"application/json"}, "Meld-Signature-Timestamp": {timestamp},
		"Meld-Signature": {Signature(timestamp+"."+url+"."+string(body), secret)},
	}}
}

// Signature returns the signature of a text.
func Signature(text, secret string) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(text))
	return base64.URLEncoding.EncodeToString(h.Sum(nil))
}

// SendWebhook sets the state of an order, posts the webhook to target, signed for its public URL, and returns the
// status of the answer.
func (s *Server) SendWebhook(ctx context.Context, target, public, orderID string, state ramp.State) (int, error) {
	s.SetState(orderID, state)
	d := Sign(s.body(orderID, state), WebhookSecret, public, time.Now())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(d.Body))
	if err != nil {
		return 0, err
	}
	r.Header = d.Header
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}
