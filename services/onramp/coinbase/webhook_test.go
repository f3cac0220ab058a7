package coinbase_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/coinbase"
	"github.com/hawser-dev/hawser/services/onramp/coinbase/coinbasetest"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
)

func sign(body []byte, otherKey bool) ramp.Delivery {
	secret := coinbasetest.WebhookSecret
	if otherKey {
		secret = "hunter3"
	}
	return coinbasetest.Sign(body, secret, time.Now())
}

func TestTheDocumentedTransactionIsParsed(t *testing.T) {
	c := open(t, coinbasetest.New(t))
	events, err := c.Read(sign(coinbasetest.Fixture(t, "webhook"), false))
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	e := events[0]
	at := time.Date(2025, 9, 2, 2, 34, 13, 0, time.UTC)
	if e.OrderID != orderID || e.Ref != "1f087a54-ff1f-62e8-9f85-aa77ac0499a5" || e.State != ramp.Pending || e.Transaction != "" || e.ChainID != "eip155:1" || !e.At.Equal(at) {
		t.Errorf("%+v", e)
	}
	if e.Paid == nil || e.Paid.Value.String() != "5" || e.Paid.Currency != "USD" || e.Received == nil || e.Received.Value.String() != "4.81" || e.Received.Currency != "USDC" {
		t.Errorf("paid %v, received %v", e.Paid, e.Received)
	}
}

func TestATransactionOnSolanaHasItsSignature(t *testing.T) {
	const signature = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
	body := strings.NewReplacer(`"ethereum"`, `"solana"`, `"0x"`, `"`+signature+`"`, account, solanaAccount).Replace(string(coinbasetest.Fixture(t, "webhook")))
	events, err := open(t, coinbasetest.New(t)).Read(sign([]byte(body), false))
	if err != nil || len(events) != 1 || events[0].ChainID != mainnet || events[0].Transaction != signature || events[0].State != ramp.Paid {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestTheDocumentedOrderIsParsed(t *testing.T) {
	c := open(t, coinbasetest.New(t))
	events, err := c.Read(sign(coinbasetest.Fixture(t, "order"), false))
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	e := events[0]
	at := time.Date(2025, 9, 10, 10, 35, 0, 0, time.UTC)
	if e.OrderID != orderID || e.State != ramp.Completed || e.Transaction != coinbasetest.Hash || e.ChainID != "eip155:8453" || !e.At.Equal(at) {
		t.Errorf("%+v", e)
	}
	if e.Paid == nil || e.Paid.Value.String() != "100.75" || e.Paid.Currency != "USD" || e.Received == nil || !e.Received.Value.Equal(dollars("100").Value) {
		t.Errorf("paid %v, received %v", e.Paid, e.Received)
	}
}

func TestEveryFailureReasonIsMapped(t *testing.T) {
	c := open(t, coinbasetest.New(t))
	for reason, want := range map[string]ramp.Failure{
		"FAILURE_REASON_BUY_FAILED": ramp.PaymentFailed, "FAILURE_REASON_SEND_FAILED": ramp.TokensUnsent,
		"FAILURE_REASON_OF_TOMORROW": ramp.Unexplained, "": ramp.Unexplained,
	} {
		body := `{"eventType":"onramp.transaction.updated","transactionId":"1","partnerUserRef":"` + orderID +
			`","status":"ONRAMP_TRANSACTION_STATUS_FAILED","failureReason":"` + reason + `"}`
		events, err := c.Read(sign([]byte(body), false))
		if err != nil || len(events) != 1 || events[0].Failure != want || events[0].Reason == "" {
			t.Errorf("%s: %+v, %v", reason, events, err)
		}
	}
}

func TestWebhooksOfOtherKindsHaveNoEvents(t *testing.T) {
	c := open(t, coinbasetest.New(t))
	for _, body := range []string{
		`{"eventType":"offramp.transaction.created","transactionId":"1","status":"TRANSACTION_STATUS_STARTED"}`,
		`{"eventType":"onramp.transaction.updated","transactionId":"1","status":"ONRAMP_TRANSACTION_STATUS_OF_TOMORROW"}`,
		`{}`,
	} {
		if events, err := c.Read(sign([]byte(body), false)); err != nil || len(events) != 0 {
			t.Errorf("%s: %+v, %v", body, events, err)
		}
	}
}

func TestEitherSignatureIsEnoughAndAWrongOneIsRejected(t *testing.T) {
	s := coinbasetest.New(t)
	c := open(t, s)
	tests := map[string]struct {
		change func(header string) string
		want   error
	}{
		"both":     {func(h string) string { return h }, nil},
		"v0 alone": {func(h string) string { before, _, _ := strings.Cut(h, ",h="); return before }, nil},
		"v1 alone": {func(h string) string {
			t, rest, _ := strings.Cut(h, ",v0=")
			_, after, _ := strings.Cut(rest, ",")
			return t + "," + after
		}, nil},
		"v1 of another":         {func(h string) string { return h[:len(h)-64] + strings.Repeat("0", 64) }, ramp.ErrSignature},
		"no time":               {func(h string) string { _, after, _ := strings.Cut(h, ","); return after }, ramp.ErrSignature},
		"no signature":          {func(h string) string { before, _, _ := strings.Cut(h, ","); return before }, ramp.ErrSignature},
		"a short signature":     {func(h string) string { return h[:len(h)-2] }, ramp.ErrSignature},
		"a part that is twice":  {func(h string) string { return h + ",t=1" }, ramp.ErrSignature},
		"a part without a name": {func(h string) string { return h + ",x" }, ramp.ErrSignature},
		"too much":              {func(h string) string { return h + ",x=" + strings.Repeat("x", 5000) }, ramp.ErrSignature},
	}
	for name, test := range tests {
		d := s.Deliver(orderID, ramp.Completed)
		d.Header.Set(coinbase.SignatureHeader, test.change(d.Header.Get(coinbase.SignatureHeader)))
		if _, err := c.Read(d); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASignedHeaderCannotBeChanged(t *testing.T) {
	s := coinbasetest.New(t)
	d := s.Deliver(orderID, ramp.Completed)
	d.Header.Set("X-Event-Id", "another")
	if _, err := open(t, s).Read(d); !errors.Is(err, ramp.ErrSignature) {
		t.Error(err)
	}
}

func TestWithoutASecretEveryWebhookIsRejected(t *testing.T) {
	s := coinbasetest.New(t)
	cfg := s.Config()
	cfg.WebhookSecret = ""
	c, err := coinbase.New(cfg, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []ramp.Delivery{s.Deliver(orderID, ramp.Completed), coinbasetest.Sign([]byte("{}"), "", time.Now())} {
		if _, err := c.Read(d); !errors.Is(err, ramp.ErrSignature) {
			t.Error(err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"webhook", "order", "transaction"} {
		f.Add(coinbasetest.Fixture(f, name))
	}
	f.Add([]byte(`{"eventType":"onramp.transaction.success","transactionId":"1","status":"ONRAMP_TRANSACTION_STATUS_SUCCESS","paymentTotal":"1e99"}`))
	c, err := coinbase.New(coinbasetest.New(f).Config(), clock.System{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := c.Read(sign(body, false))
		if err != nil && !errors.Is(err, ramp.ErrMalformed) {
			t.Errorf("a body of any kind is malformed at most: %v", err)
		}
		for _, e := range events {
			if e.ID == "" || !e.State.Known() || e.Paid != nil && e.Paid.Value.IsNegative() {
				t.Errorf("%+v", e)
			}
		}
	})
}

func FuzzSignature(f *testing.F) {
	f.Add("t=1728394718,v0=9f8e,h=content-type x-event-id,v1=a1b2")
	f.Add("t=1728394718,v0=" + strings.Repeat("a", 64))
	f.Add(",,,===")
	c, err := coinbase.New(coinbasetest.New(f).Config(), clock.System{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, header string) {
		d := ramp.Delivery{Header: http.Header{coinbase.SignatureHeader: {header}}, Body: []byte("{}"), At: time.Unix(1728394718, 0)}
		if events, err := c.Read(d); !errors.Is(err, ramp.ErrSignature) || events != nil {
			t.Errorf("%q counts: %+v, %v", header, events, err)
		}
	})
}
