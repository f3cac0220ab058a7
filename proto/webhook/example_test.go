package webhook_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/proto/webhook"
)

func ExampleVerifier_Read() {
	verifier, err := webhook.New("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") // in production, from the environment
	if err != nil {
		panic(err)
	}
	handler := func(w http.ResponseWriter, r *http.Request) {
		event, err := verifier.Read(r)
		if err != nil {
			http.Error(w, "not a webhook of ours", http.StatusUnauthorized)
			return
		}
		// Store event.ID with what it changes, in one transaction: the same event may come again.
		fmt.Println(event.Type, string(event.Data))
		w.WriteHeader(http.StatusNoContent)
	}

	body := `{"type":"order.paid","timestamp":"2026-01-02T03:04:05Z","data":{"order":{"id":"01J"}}}`
	request := httptest.NewRequest(http.MethodPost, "/webhooks", strings.NewReader(body))
	secret, _ := webhook.ParseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	now := time.Now()
	request.Header.Set(webhook.HeaderID, "msg_1")
	request.Header.Set(webhook.HeaderTimestamp, fmt.Sprint(now.Unix()))
	request.Header.Set(webhook.HeaderSignature, secret.Sign("msg_1", now, []byte(body)))
	handler(httptest.NewRecorder(), request)
	// Output:
	// order.paid {"order":{"id":"01J"}}
}
