package webhook_test

import (
	"encoding/json"
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

// A payment is accepted once, and only if the chain says what the order needs: anybody can have a transaction followed under any reference.
func ExampleEvent_transaction() {
	type order struct{ chainID, to, value string }
	orders := map[string]order{"order 17": {"eip155:8453", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "1000000000000000000"}}
	accepted := map[string]bool{} // in production, a table with a unique key
	handle := func(event webhook.Event) {
		var data struct {
			Transaction struct{ ChainID, Hash, To, Value, Reference string }
		}
		if err := json.Unmarshal(event.Data, &data); err != nil || event.Type != "transaction.confirmed" {
			return
		}
		paid := data.Transaction
		wanted, ok := orders[paid.Reference]
		if !ok || paid.ChainID != wanted.chainID || !strings.EqualFold(paid.To, wanted.to) || paid.Value != wanted.value || accepted[paid.ChainID+paid.Hash] {
			fmt.Println("not a payment of", paid.Reference)
			return
		}
		accepted[paid.ChainID+paid.Hash] = true
		fmt.Println("paid:", paid.Reference)
	}

	event := webhook.Event{Type: "transaction.confirmed", Data: json.RawMessage(`{"transaction":{"chainId":"eip155:8453","hash":"0x5c50",
		"to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"1000000000000000000","reference":"order 17"}}`)}
	handle(event)
	handle(event)
	// Output:
	// paid: order 17
	// not a payment of order 17
}
