package dispatch

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/proto/webhook"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
)

// The errors that are stored of attempts without an answer.
const (
	errRefused = "the address is not public"
	errTimeout = "no answer in time"
	errBroken  = "no connection, or it broke off"
)

// HTTPSender sends webhooks over HTTP.
type HTTPSender struct {
	registry *deliveries.Registry
	clock    clock.Clock
	// public refuses addresses that are not public; private is for the hosts that the operator allows.
	public, private *fetch.Client
}

// NewHTTPSender returns a sender whose attempts take at most a timeout.
func NewHTTPSender(registry *deliveries.Registry, c clock.Clock, timeout time.Duration) *HTTPSender {
	return &HTTPSender{
		registry: registry, clock: c,
		public:  fetch.New(fetch.Options{Hosts: []string{fetch.AnyHost}, Timeout: timeout}),
		private: fetch.New(fetch.Options{AllowPrivate: true, Timeout: timeout}),
	}
}

// Close closes idle connections.
func (s *HTTPSender) Close() {
	s.public.Close()
	s.private.Close()
}

// Send signs a webhook with each valid secret and posts it.
func (s *HTTPSender) Send(ctx context.Context, c *deliveries.Claim) (deliveries.Outcome, error) {
	secrets, err := s.registry.Secrets(ctx, c.Endpoint)
	if err != nil {
		return deliveries.Outcome{}, err
	}
	now, body := s.clock.Now(), []byte(c.Delivery.Body)
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signatures[i] = secret.Sign(c.Delivery.MessageID, now, body)
	}
	header := http.Header{
		"Content-Type":          {"application/json"},
		webhook.HeaderID:        {c.Delivery.MessageID},
		webhook.HeaderTimestamp: {strconv.FormatInt(now.Unix(), 10)},
		webhook.HeaderSignature: {strings.Join(signatures, " ")},
	}
	client := s.public
	if s.registry.Rules.IsPrivate(c.Endpoint.URL) {
		client = s.private
	}
	began := time.Now()
	answer, err := client.Deliver(ctx, c.Endpoint.URL, body, header)
	if err != nil && ctx.Err() != nil {
		return deliveries.Outcome{}, ctx.Err()
	}
	o := deliveries.Outcome{StartedAt: now, Took: time.Since(began), Status: answer.Status, RetryAfter: answer.RetryAfter}
	switch {
	case err == nil:
	case errors.Is(err, fetch.ErrRefused):
		o.Error = errRefused
	case errors.Is(err, context.DeadlineExceeded):
		o.Error = errTimeout
	default:
		o.Error = errBroken
	}
	return o, nil
}
