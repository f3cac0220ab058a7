package relay

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"time"

	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/watch"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// Bounds of registrations of webhooks.
const (
	webhookURLBytes = 256
	watchTags       = 100
	actionRegister  = "irn_watchRegister"
	actionRemove    = "irn_watchUnregister"
)

// watchRegister registers a webhook for the client that signed the token in the params, which may be another client
// than the sender.
func watchRegister(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		RegisterAuth string `json:"registerAuth"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	claims, failure := c.verifyWatch(p.RegisterAuth, actionRegister)
	if failure != nil {
		return nil, failure
	}
	now := c.server.clock.Now()
	if claims.ExpiresAt <= now.Unix() || claims.ExpiresAt > now.Add(watch.MaxLifetime+time.Hour).Unix() {
		return nil, wire.Handler(wire.TagInvalidTTL)
	}
	if !isWebURL(claims.Subject) {
		return nil, wire.Handler(wire.TagInvalidServiceURL)
	}
	statuses := []watch.Status{}
	for _, s := range claims.Watch.Statuses {
		statuses = append(statuses, watch.Status(s))
	}
	known := []watch.Status{watch.Accepted, watch.Queued, watch.Delivered}
	if len(claims.Watch.Tags) > watchTags || len(statuses) == 0 || slices.ContainsFunc(statuses, func(s watch.Status) bool { return !slices.Contains(known, s) }) {
		return nil, wire.Payload(wire.TagInvalidParams)
	}
	err := c.server.watches.Register(ctx, watch.Registration{
		Client: claims.Client.String(), Service: claims.Subject, Type: claims.Watch.Type, URL: claims.Watch.WebhookURL,
		Tags: claims.Watch.Tags, Statuses: slices.Compact(slices.Sorted(slices.Values(statuses))), Expires: claims.ExpiresAt,
	})
	if errors.Is(err, watch.ErrTooMany) {
		return nil, wire.Handler(wire.TagSubscriberLimitExceeded)
	}
	if err != nil {
		c.server.log.WarnContext(ctx, "relay: a webhook is not stored", "error", err)
		return nil, wire.Internal()
	}
	if c.session != nil && c.session.name == claims.Client.String() {
		c.session.reportTopics(ctx)
	}
	return map[string]string{"relayId": c.server.watches.Relay()}, nil
}

// watchUnregister removes a webhook.
func watchUnregister(ctx context.Context, c *call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		UnregisterAuth string `json:"unregisterAuth"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	claims, failure := c.verifyWatch(p.UnregisterAuth, actionRemove)
	if failure != nil {
		return nil, failure
	}
	if err := c.server.watches.Unregister(ctx, claims.Client.String(), claims.Watch.Type, claims.Watch.WebhookURL); err != nil {
		c.server.log.WarnContext(ctx, "relay: a webhook is not removed", "error", err)
		return nil, wire.Internal()
	}
	return true, nil
}

// verifyWatch returns the claims of a token about a webhook.
func (c *call) verifyWatch(token, action string) (clientauth.Claims, *wire.Error) {
	if len(c.server.cfg.WebhookHosts) == 0 {
		return clientauth.Claims{}, wire.Handler(wire.TagInvalidWebhookURL)
	}
	claims, err := c.server.verifier.Verify(token, c.host)
	switch {
	case err != nil:
		return claims, wire.Handler(clientauth.TagInvalidJWT)
	case claims.Action != action || claims.Watch.Type != watch.TypeSubscriber && claims.Watch.Type != watch.TypePublisher:
		return claims, wire.Handler(wire.TagInvalidAction)
	case len(claims.Watch.WebhookURL) > webhookURLBytes || !isWebURL(claims.Watch.WebhookURL):
		return claims, wire.Handler(wire.TagInvalidWebhookURL)
	}
	return claims, nil
}

func isWebURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// reportTopics records the client's subscriptions, once it has a webhook.
func (s *session) reportTopics(ctx context.Context) {
	s.mu.Lock()
	topics := make([]mailbox.Topic, 0, len(s.topics))
	for topic := range s.topics {
		topics = append(topics, topic)
	}
	s.mu.Unlock()
	for _, topic := range topics {
		s.server.watches.Subscribed(ctx, s.publisher, topic, true)
	}
}

// reportDelivered reports a message before it is deleted because a client has received it.
func (s *server) reportDelivered(ctx context.Context, topic mailbox.Topic, sequence uint64) {
	if !s.watches.Any() {
		return
	}
	m, found, err := s.store.Next(ctx, topic, sequence)
	if err == nil && found && m.Sequence == sequence {
		s.watches.Report(ctx, m, watch.Delivered)
	}
}
