package gateway

import (
	"io"
	"net/http"
	"slices"

	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// webhookLimit bounds what a provider tells at once, in bytes.
const webhookLimit = 256 << 10

// credentials are header fields that say who calls us, which no provider signs and no service needs.
var credentials = []string{"Authorization", "Cookie", "Proxy-Authorization"}

// webhook passes on what an on-ramp provider tells, byte for byte as it signed it.
func webhook(client onrampv1.WebhookServiceClient) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, webhookLimit))
		if err != nil {
			writeFault(w, r, bodyFault(err))
			return
		}
		delivery := &onrampv1.DeliverWebhookRequest{Provider: r.PathValue("provider"), Body: body, Header: map[string]*onrampv1.HeaderValues{}}
		header := r.Header.Clone()
		for _, name := range credentials {
			header.Del(name)
		}
		for name, values := range header {
			// A value that is no text is no signature, and gRPC would not carry it.
			if !slices.ContainsFunc(values, isInvalidText) {
				delivery.Header[name] = &onrampv1.HeaderValues{Values: values}
			}
		}
		if _, err := client.DeliverWebhook(r.Context(), delivery); err != nil {
			writeFault(w, r, fault.From(err))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}\n")
	})
}
