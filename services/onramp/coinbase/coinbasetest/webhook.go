package coinbasetest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Hash is the transaction hash of every completed purchase.
const Hash = "0xabcdef1234567890abcdef1234567890abcdef1234567890abcdef1234567890"

// WebhookURL is the URL for which webhooks are signed.
const WebhookURL = "https://hawser.test/v1/onramp/webhooks/coinbase"

// States returns the states that Coinbase reports.
func States() []ramp.State {
	return []ramp.State{ramp.Pending, ramp.Paid, ramp.Failed, ramp.Completed}
}

// statuses are Coinbase's names of the states. A purchase is paid when the tokens were sent but have not arrived.
var statuses = map[ramp.State]string{
	ramp.Pending: "IN_PROGRESS", ramp.Paid: "IN_PROGRESS", ramp.Failed: "FAILED", ramp.Completed: "SUCCESS",
}

var eventTypes = map[ramp.State]string{ramp.Pending: "updated", ramp.Paid: "updated", ramp.Failed: "failed", ramp.Completed: "success"}

// SetState sets the state of an order, which polls then return.
func (s *Server) SetState(orderID string, state ramp.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bought[orderID] = s.purchase(orderID, state)
}

func (s *Server) purchase(orderID string, state ramp.State) document {
	d := load(s.t, "transaction")
	d.set(s.t, "partner_user_ref", orderID)
	d.set(s.t, "status", "ONRAMP_TRANSACTION_STATUS_"+statuses[state])
	if state == ramp.Paid || state == ramp.Completed {
		d.set(s.t, "tx_hash", Hash)
	}
	if state == ramp.Failed {
		d["failure_reason"] = "FAILURE_REASON_BUY_FAILED"
	}
	return d
}

func (s *Server) transactions(w http.ResponseWriter, r *http.Request) {
	call := s.record(r)
	if size, err := strconv.Atoi(call.Query.Get("pageSize")); err != nil || size < 1 {
		s.t.Errorf("transactions were asked for in pages of %q", call.Query.Get("pageSize"))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := []any{}
	if d, ok := s.bought[r.PathValue("ref")]; ok {
		all = append(all, d)
	}
	write(w, http.StatusOK, map[string]any{"next_page_key": "", "total_count": strconv.Itoa(len(all)), "transactions": all})
}

// Deliver returns the webhook about an order in a state, signed with the current time.
func (s *Server) Deliver(orderID string, state ramp.State) ramp.Delivery {
	d := document{"eventType": "onramp.transaction." + eventTypes[state]}
	for name, member := range maps.All(s.purchase(orderID, state)) {
		d[camel(name)] = member
	}
	body, err := json.Marshal(d)
	if err != nil {
		s.t.Fatal(err)
	}
	return Sign(body, WebhookSecret, time.Now())
}

// camel converts payment_total to paymentTotal.
func camel(name string) string {
	first, rest, more := strings.Cut(name, "_")
	if !more || rest == "" {
		return name
	}
	return first + camel(strings.ToUpper(rest[:1])+rest[1:])
}

// Sign returns a delivery of any body, signed with both signatures at a time.
func Sign(body []byte, secret string, at time.Time) ramp.Delivery {
	const names = "content-type x-event-id x-event-type"
	header := http.Header{"Content-Type": {"application/json"}, "X-Event-Id": {rand.Text()}, "X-Event-Type": {"onramp.transaction.updated"}}
	var values []string
	for name := range strings.SplitSeq(names, " ") {
		values = append(values, header.Get(name))
	}
	seconds := strconv.FormatInt(at.Unix(), 10)
	header.Set("X-Hook0-Signature", fmt.Sprintf("t=%s,v0=%s,h=%s,v1=%s", seconds, sign(secret, seconds+"."+string(body)), names,
		sign(secret, seconds+"."+names+"."+strings.Join(values, ".")+"."+string(body))))
	return ramp.Delivery{URL: WebhookURL, Header: header, Body: body, At: at}
}

func sign(secret, text string) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// SendWebhook sets the state of an order, posts the webhook to target, and returns the status of the answer.
func (s *Server) SendWebhook(ctx context.Context, target, orderID string, state ramp.State) (int, error) {
	s.SetState(orderID, state)
	d := s.Deliver(orderID, state)
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
