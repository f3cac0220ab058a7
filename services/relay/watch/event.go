package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/relay/clientauth"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

const (
	// queuedAfter is how long a message waits for an acknowledgement before it counts as queued.
	queuedAfter = 5 * time.Second
	// fetchWait is how long one request for an event stays open, and ackWait bounds the time to post an event.
	fetchWait = 500 * time.Millisecond
	ackWait   = 30 * time.Second
	// firstPause and longestPause bound the pause between attempts to post one event.
	firstPause, longestPause = 2 * time.Second, time.Hour
	// tokenLifetime is how long the token of an event is valid.
	tokenLifetime = time.Hour
	// answerBytes bounds the response of a webhook, in bytes.
	answerBytes = 4 << 10
	// firstMessageID is added to sequence numbers, so that message ids equal those of deliveries.
	firstMessageID = 1_000_000_000_000_000
)

// event is an event to be posted to a webhook.
type event struct {
	Registration Registration `json:"registration"`
	Status       Status       `json:"status"`
	Sequence     uint64       `json:"sequence"`
	Topic        string       `json:"topic"`
	Message      string       `json:"message"`
	Attestation  string       `json:"attestation,omitempty"`
	Tag          uint32       `json:"tag"`
	PublishedAt  int64        `json:"publishedAt"`
}

// Report stores the events of a message; any process may post them. If a message is published again, its events in the
// mailbox are stored once. It does nothing for a message that is not watched.
func (w *Watches) Report(ctx context.Context, m mailbox.Message, statuses ...Status) {
	for _, status := range statuses {
		for _, r := range w.interested(m, status) {
			encoded, err := json.Marshal(event{
				Registration: r, Status: status, Sequence: m.Sequence, Topic: m.Topic.String(), Message: m.Body, Attestation: m.Attestation,
				Tag: m.Tag, PublishedAt: m.PublishedAt.UnixMilli(),
			})
			if err == nil {
				err = w.store(ctx, encoded, eventID(r, m.Sequence, status)...)
			}
			if err != nil {
				w.log.WarnContext(ctx, "relay: an event for a webhook is not stored", "error", err)
			}
		}
	}
}

// store stores an event, in a new stream if the server lost it.
func (w *Watches) store(ctx context.Context, encoded []byte, options ...jetstream.PublishOpt) error {
	call, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := w.js.Publish(call, subject, encoded, options...)
	if !errors.Is(err, jetstream.ErrNoStreamResponse) {
		return err
	}
	if _, err := w.restoreEvents(ctx); err != nil {
		return err
	}
	_, err = w.js.Publish(call, subject, encoded, options...)
	return err
}

// eventID returns the option by which an event is stored once. Each acknowledgement is a separate event.
func eventID(r Registration, sequence uint64, status Status) []jetstream.PublishOpt {
	if status == Delivered {
		return nil
	}
	return []jetstream.PublishOpt{jetstream.WithMsgID(fmt.Sprintf("%d %s %s", sequence, status, watchKey(r.Client, r.Type, r.URL)))}
}

// Post posts events to webhooks until ctx ends.
func (w *Watches) Post(ctx context.Context) error {
	consumer := w.consumer
	for ctx.Err() == nil {
		msg, err := consumer.Next(jetstream.FetchMaxWait(fetchWait))
		switch {
		case err == nil:
			w.work(ctx, msg)
		case errors.Is(err, nats.ErrTimeout), errors.Is(err, jetstream.ErrNoMessages):
		default:
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(fetchWait):
			}
			restored, err := w.restoreEvents(ctx)
			if err != nil && ctx.Err() == nil {
				w.log.WarnContext(ctx, "relay: events for webhooks are not read", "error", err)
			}
			if restored != nil {
				consumer = restored
			}
		}
	}
	return nil
}

// work posts one event, or postpones it.
func (w *Watches) work(ctx context.Context, msg jetstream.Msg) {
	var e event
	attempt := uint64(1)
	if meta, err := msg.Metadata(); err == nil {
		attempt = meta.NumDelivered
	}
	if json.Unmarshal(msg.Data(), &e) != nil {
		_ = msg.Term()
		return
	}
	if e.Status == Queued && attempt == 1 {
		_ = msg.NakWithDelay(queuedAfter)
		return
	}
	if e.Status == Queued {
		stored, err := w.isStored(ctx, e)
		if err != nil {
			w.log.WarnContext(ctx, "relay: a mailbox is not read for a webhook", "error", err)
			_ = msg.NakWithDelay(firstPause)
			return
		}
		if !stored {
			_ = msg.Ack()
			return
		}
	}
	err := w.post(ctx, e)
	var refused *fetch.StatusError
	switch {
	case err == nil, errors.Is(err, fetch.ErrMediaType), errors.Is(err, fetch.ErrTooLarge):
		_ = msg.Ack()
	case errors.Is(err, fetch.ErrRefused), errors.As(err, &refused) && refused.Status < http.StatusInternalServerError:
		// The webhook refused the event, or must not be called.
		_ = msg.Term()
	default:
		_ = msg.NakWithDelay(min(longestPause, firstPause<<min(attempt, 16)))
	}
}

// isStored reports whether the message of an event is still in its mailbox.
func (w *Watches) isStored(ctx context.Context, e event) (bool, error) {
	topic, ok := mailbox.ParseTopic(e.Topic)
	if !ok {
		return false, nil
	}
	m, found, err := w.mailbox.Next(ctx, topic, e.Sequence)
	return found && m.Sequence == e.Sequence, err
}

// post posts one event, as a token signed by the relay.
func (w *Watches) post(ctx context.Context, e event) error {
	now := w.clock.Now()
	type message struct {
		MessageID   string `json:"messageId"`
		Status      Status `json:"status"`
		Topic       string `json:"topic"`
		Message     string `json:"message"`
		Attestation string `json:"attestation,omitempty"`
		PublishedAt int64  `json:"publishedAt"`
		Tag         uint32 `json:"tag"`
	}
	token, err := clientauth.SignPayload(w.key, map[string]any{
		"act": "irn_watchEvent", "typ": e.Registration.Type, "iss": w.Relay(), "aud": e.Registration.Service, "sub": e.Registration.Client,
		"whu": e.Registration.URL, "iat": now.Unix(), "exp": now.Add(tokenLifetime).Unix(),
		"evt": message{
			MessageID: strconv.FormatUint(firstMessageID+e.Sequence, 10), Status: e.Status, Topic: e.Topic, Message: e.Message, Attestation: e.Attestation,
			PublishedAt: e.PublishedAt, Tag: e.Tag,
		},
	})
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string][]string{"eventAuth": {token}})
	if err != nil {
		return err
	}
	_, err = w.fetch.PostJSON(ctx, e.Registration.URL, body, fetch.Want{MaxBytes: answerBytes, MediaTypes: []string{"*"}})
	return err
}
