package meld_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/meld"
	"github.com/hawser-dev/hawser/services/onramp/meld/meldtest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

func TestTheDocumentedEventIsParsed(t *testing.T) {
	events, err := open(t, meldtest.New(t)).Read(sign(meldtest.Fixture(t, "webhook"), false))
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	at := time.Date(2022, 2, 24, 16, 36, 41, 717262000, time.UTC)
	want := ramp.Event{ID: "AAsuLXHXD3mS1cjNBuHHzv", OrderID: orderID, Ref: "WXDq7dUrVcXhw8fxXTs5qv", State: ramp.Pending, At: at}
	if events[0] != want {
		t.Errorf("got  %+v\nwant %+v", events[0], want)
	}
}

// message is a webhook with some members.
func message(kind, members string) []byte {
	return []byte(`{"eventType":"TRANSACTION_CRYPTO_` + kind + `","eventId":"1","timestamp":"2026-11-20T20:00:00Z","payload":{` + members + `}}`)
}

func TestEveryStatusIsMapped(t *testing.T) {
	m := open(t, meldtest.New(t))
	for status, want := range map[string]ramp.State{
		"PENDING": ramp.Pending, "TWO_FA_REQUIRED": ramp.Pending, "TWO_FA_PROVIDED": ramp.Pending, "ERROR": ramp.Pending, "SETTLING": ramp.Paid,
		"SETTLED": ramp.Completed, "FAILED": ramp.Failed, "DECLINED": ramp.Failed, "CANCELLED": ramp.Cancelled, "REFUNDED": ramp.Refunded,
	} {
		events, err := m.Read(sign(message("PENDING", `"paymentTransactionStatus":"`+status+`","externalSessionId":"`+orderID+`"`), false))
		if err != nil || len(events) != 1 || events[0].State != want || (events[0].Reason != "") != (want == ramp.Failed) {
			t.Errorf("%s: %+v, %v", status, events, err)
		}
	}
	for status, want := range map[string]ramp.Failure{
		"DECLINED": ramp.PaymentDeclined, "AUTHORIZATION_EXPIRED": ramp.PaymentLate, "FAILED": ramp.Unexplained, "SETTLED": "", "REFUNDED": "",
	} {
		events, err := m.Read(sign(message("PENDING", `"paymentTransactionStatus":"`+status+`","externalSessionId":"`+orderID+`"`), false))
		if err != nil || len(events) != 1 || events[0].Failure != want {
			t.Errorf("%s: %+v, %v", status, events, err)
		}
	}
	for kind, want := range map[string]ramp.State{
		"PENDING": ramp.Pending, "TRANSFERRING": ramp.Paid, "COMPLETE": ramp.Completed, "FAILED": ramp.Failed,
	} {
		events, err := m.Read(sign(message(kind, `"externalSessionId":"`+orderID+`"`), false))
		if err != nil || len(events) != 1 || events[0].State != want {
			t.Errorf("%s: %+v, %v", kind, events, err)
		}
	}
}

func TestWebhooksOfOtherKindsHaveNoEvents(t *testing.T) {
	m := open(t, meldtest.New(t))
	for name, body := range map[string][]byte{
		"a test":               []byte(`{"eventType":"WEBHOOK_TEST","eventId":"1","timestamp":"2026-11-20T20:00:00Z"}`),
		"a sale":               message("PENDING", `"transactionType":"CRYPTO_SELL","externalSessionId":"1"`),
		"no session yet":       message("PENDING", `"paymentTransactionStatus":"PENDING_CREATED","paymentTransactionId":"1"`),
		"a status of tomorrow": message("PENDING", `"paymentTransactionStatus":"LEVITATING","externalSessionId":"1"`),
	} {
		if events, err := m.Read(sign(body, false)); err != nil || len(events) != 0 {
			t.Errorf("%s: %+v, %v", name, events, err)
		}
	}
}

func TestTheSignatureCoversTimeURLAndBody(t *testing.T) {
	m := open(t, meldtest.New(t))
	const body = `{"eventType":"WEBHOOK_TEST"}`
	seconds := strconv.FormatInt(time.Now().Unix(), 10)
	iso := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
	signed := func(timestamp, text string) ramp.Delivery {
		return ramp.Delivery{URL: meldtest.WebhookURL, Body: []byte(body), At: time.Now(), Header: http.Header{
			meld.TimestampHeader: {timestamp}, meld.SignatureHeader: {meldtest.Signature(text, meldtest.WebhookSecret)},
		}}
	}
	tests := map[string]struct {
		delivery ramp.Delivery
		want     error
	}{
		"as documented":            {signed(iso, iso+"."+meldtest.WebhookURL+"."+body), nil},
		"in seconds":               {signed(seconds, seconds+"."+meldtest.WebhookURL+"."+body), nil},
		"without the URL":          {signed(iso, iso+"."+body), ramp.ErrSignature},
		"of another time":          {signed(seconds, iso+"."+meldtest.WebhookURL+"."+body), ramp.ErrSignature},
		"at no time":               {signed("today", "today."+meldtest.WebhookURL+"."+body), ramp.ErrSignature},
		"another part of the path": {signed(iso, iso+".https://hawser.test/v1/onramp/webhooks/other."+body), ramp.ErrSignature},
	}
	for name, test := range tests {
		if _, err := m.Read(test.delivery); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWithoutASecretEveryWebhookIsRejected(t *testing.T) {
	s := meldtest.New(t)
	cfg := s.Config()
	cfg.WebhookSecret = ""
	m, err := meld.New(cfg, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []ramp.Delivery{s.Deliver(orderID, ramp.Completed), meldtest.Sign([]byte("{}"), "", meldtest.WebhookURL, time.Now())} {
		if _, err := m.Read(d); !errors.Is(err, ramp.ErrSignature) {
			t.Error(err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(meldtest.Fixture(f, "webhook"))
	f.Add(message("COMPLETE", `"paymentTransactionStatus":"SETTLED","externalSessionId":"1"`))
	f.Add([]byte(`{"payload":[]}`))
	m := open(f, meldtest.New(f))
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := m.Read(sign(body, false))
		if err != nil && !errors.Is(err, ramp.ErrMalformed) {
			t.Errorf("a body of any kind is malformed at most: %v", err)
		}
		for _, e := range events {
			if e.ID == "" || !e.State.Known() || e.At.IsZero() || e.OrderID == "" && e.Ref == "" {
				t.Errorf("%+v", e)
			}
		}
	})
}

func FuzzSignature(f *testing.F) {
	f.Add("2022-05-26T20:25:17.682818Z", "O4bN5E0U9s88l2DFc0kjt-0w3LLA3Zkv8hXhafc22Hg=")
	f.Add("1653596717", "")
	f.Add(strings.Repeat("9", 40), "====")
	m := open(f, meldtest.New(f))
	f.Fuzz(func(t *testing.T, timestamp, signature string) {
		d := ramp.Delivery{
			URL: meldtest.WebhookURL, Body: []byte("{}"), At: time.Unix(1653596717, 0),
			Header: http.Header{meld.TimestampHeader: {timestamp}, meld.SignatureHeader: {signature}},
		}
		if events, err := m.Read(d); !errors.Is(err, ramp.ErrSignature) || events != nil {
			t.Errorf("%q of %q counts: %+v, %v", signature, timestamp, events, err)
		}
	})
}
