package rest

import (
	"io"
	"net/http"
	"slices"

	"github.com/hawser-dev/hawser/gateway/access"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// webhookLimit is the largest webhook body, in bytes.
const webhookLimit = 256 << 10

// credentials are headers that are not forwarded: no provider signs them.
var credentials = []string{"Authorization", "Cookie", "Proxy-Authorization"}

// Webhook forwards an on-ramp provider's webhook with its body and headers unchanged, for the service to verify the signature.
func Webhook(client onrampv1.WebhookServiceClient) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, webhookLimit))
		if err != nil {
			access.WriteFault(w, r, access.BodyFault(err))
			return
		}
		delivery := &onrampv1.DeliverWebhookRequest{Provider: r.PathValue("provider"), Body: body, Header: map[string]*onrampv1.HeaderValues{}}
		header := r.Header.Clone()
		for _, name := range credentials {
			header.Del(name)
		}
		for name, values := range header {
			// A gRPC string must be valid UTF-8.
			if !slices.ContainsFunc(values, access.IsInvalidText) {
				delivery.Header[name] = &onrampv1.HeaderValues{Values: values}
			}
		}
		if _, err := client.DeliverWebhook(r.Context(), delivery); err != nil {
			access.WriteFault(w, r, fault.From(err))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}\n")
	})
}
