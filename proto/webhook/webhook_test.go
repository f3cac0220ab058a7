package webhook_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/proto/webhook"
)

// The test vector of Standard Webhooks.
const (
	secret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	id        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	timestamp = 1614265330
	payload   = `{"test": 2432232314}`
	signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

// another is a secret of somebody else.
var another = webhook.NewSecret(bytes.Repeat([]byte{7}, 32))

func headers(signatures string) http.Header {
	h := http.Header{}
	h.Set(webhook.HeaderID, id)
	h.Set(webhook.HeaderTimestamp, strconv.Itoa(timestamp))
	h.Set(webhook.HeaderSignature, signatures)
	return h
}

func at(t *testing.T, now time.Time, secrets ...string) *webhook.Verifier {
	t.Helper()
	v, err := webhook.New(secrets...)
	if err != nil {
		t.Fatal(err)
	}
	v.Now = func() time.Time { return now }
	return v
}

func sign(t *testing.T, secret string) string {
	t.Helper()
	s, err := webhook.ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	return s.Sign(id, time.Unix(timestamp, 0), []byte(payload))
}

func TestTheVectorOfTheStandard(t *testing.T) {
	if got := sign(t, secret); got != signature {
		t.Errorf("signed %s, want %s", got, signature)
	}
	if err := at(t, time.Unix(timestamp, 0), secret).Verify(headers(signature), []byte(payload)); err != nil {
		t.Error(err)
	}
}

func TestWhatIsVerified(t *testing.T) {
	now := time.Unix(timestamp, 0)
	without := func(name string) http.Header {
		h := headers(signature)
		h.Del(name)
		return h
	}
	with := func(name, value string) http.Header {
		h := headers(signature)
		h.Set(name, value)
		return h
	}
	for name, c := range map[string]struct {
		header http.Header
		body   string
		now    time.Time
		want   error
	}{
		"one of several signatures":             {headers("v1a,AAAA " + sign(t, another) + " " + signature), payload, now, nil},
		"five minutes ago":                      {headers(signature), payload, now.Add(webhook.Tolerance), nil},
		"five minutes ahead":                    {headers(signature), payload, now.Add(-webhook.Tolerance), nil},
		"longer ago":                            {headers(signature), payload, now.Add(webhook.Tolerance + time.Second), webhook.ErrTimestamp},
		"further ahead":                         {headers(signature), payload, now.Add(-webhook.Tolerance - time.Second), webhook.ErrTimestamp},
		"the secret of another":                 {headers(sign(t, another)), payload, now, webhook.ErrSignature},
		"another body":                          {headers(signature), payload + " ", now, webhook.ErrSignature},
		"another id":                            {with(webhook.HeaderID, "msg_2"), payload, now, webhook.ErrSignature},
		"another time":                          {with(webhook.HeaderTimestamp, strconv.Itoa(timestamp+1)), payload, now, webhook.ErrSignature},
		"the same time in another form":         {with(webhook.HeaderTimestamp, "+"+strconv.Itoa(timestamp)), payload, now, webhook.ErrSignature},
		"a part of the signature":               {headers(signature[:20]), payload, now, webhook.ErrSignature},
		"an empty signature":                    {headers("v1,"), payload, now, webhook.ErrSignature},
		"another version":                       {headers("v2," + signature[3:]), payload, now, webhook.ErrSignature},
		"the right signature after a thousand":  {headers(strings.Repeat("v1,AAAA ", 1000) + signature), payload, now, webhook.ErrSignature},
		"no id":                                 {without(webhook.HeaderID), payload, now, webhook.ErrHeaders},
		"no time":                               {without(webhook.HeaderTimestamp), payload, now, webhook.ErrHeaders},
		"no signature":                          {without(webhook.HeaderSignature), payload, now, webhook.ErrHeaders},
		"a time that is not a number":           {with(webhook.HeaderTimestamp, "today"), payload, now, webhook.ErrHeaders},
		"a time of more than 64 bits":           {with(webhook.HeaderTimestamp, strings.Repeat("9", 30)), payload, now, webhook.ErrHeaders},
		"the earliest time that 64 bits can be": {with(webhook.HeaderTimestamp, "-9223372036854775808"), payload, now, webhook.ErrTimestamp},
	} {
		if err := at(t, c.now, secret).Verify(c.header, []byte(c.body)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestBothSecretsOfARotationAreAccepted(t *testing.T) {
	now := time.Unix(timestamp, 0)
	both := headers(sign(t, another) + " " + signature)
	for _, secrets := range [][]string{{secret}, {another}, {secret, another}} {
		if err := at(t, now, secrets...).Verify(both, []byte(payload)); err != nil {
			t.Errorf("a receiver with %d secrets: %v", len(secrets), err)
		}
	}
	if err := at(t, now, another, secret).Verify(headers(signature), []byte(payload)); err != nil {
		t.Error(err)
	}
}

func TestSecretsThatAreNone(t *testing.T) {
	for _, text := range []string{"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ", "whsec_!!!!", webhook.NewSecret(make([]byte, 65)), webhook.NewSecret(make([]byte, 23))} {
		if _, err := webhook.New(text); !errors.Is(err, webhook.ErrSecret) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := webhook.New(); !errors.Is(err, webhook.ErrSecret) {
		t.Errorf("no secret: %v", err)
	}
	s, err := webhook.ParseSecret(secret)
	if printed := fmt.Sprintf("%v %+v %#v %s", s, s, s, s); err != nil || printed != "[redacted] [redacted] [redacted] [redacted]" {
		t.Errorf("%s %v", printed, err)
	}
}

func TestAnEventIsReadFromARequest(t *testing.T) {
	v := at(t, time.Unix(timestamp, 0), secret)
	request := func(body string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/webhooks", strings.NewReader(body))
		s, _ := webhook.ParseSecret(secret)
		r.Header = headers(s.Sign(id, time.Unix(timestamp, 0), []byte(body)))
		return r
	}
	e, err := v.Read(request(`{"type":"order.paid","timestamp":"2026-01-02T03:04:05Z","data":{"a":1}}`))
	if err != nil || e.ID != id || e.Type != "order.paid" || string(e.Data) != `{"a":1}` || !e.Timestamp.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) {
		t.Errorf("%+v %v", e, err)
	}
	for _, body := range []string{"", "[]", "{}", `{"type":1}`, `{"type":"a","data":"` + strings.Repeat("a", webhook.MaxBody) + `"}`} {
		if _, err := v.Read(request(body)); !errors.Is(err, webhook.ErrBody) {
			t.Errorf("%.30q: %v", body, err)
		}
	}
	forged := request(`{"type":"order.paid"}`)
	forged.Header.Set(webhook.HeaderSignature, signature)
	if _, err := v.Read(forged); !errors.Is(err, webhook.ErrSignature) {
		t.Errorf("forged: %v", err)
	}
}
