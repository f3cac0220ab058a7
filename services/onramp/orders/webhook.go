package orders

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// ErrNoWebhooks means that no provider of this name has webhooks.
var ErrNoWebhooks = errors.New("the provider has no webhooks")

// HandleWebhook verifies and applies a webhook of a provider. When it returns nil, its events are stored, except those that are not about an
// order of this installation, which are counted. It fails with [ErrNoWebhooks], an error of [ramp.Listener] or of the database; the provider may
// then repeat it. With [ramp.ErrMalformed], its other events are stored; a repetition does not change them.
func (s *Orders) HandleWebhook(ctx context.Context, provider string, d ramp.Delivery) error {
	p, _ := s.deps.Providers(provider)
	listener, ok := p.(ramp.Listener)
	if !ok {
		return ErrNoWebhooks
	}
	events, err := listener.Read(d)
	if err != nil {
		s.metrics.count(ctx, provider, refused)
	} else {
		err = s.applyAll(ctx, provider, events)
	}
	if refusal(err) && s.refusals.worth(provider, s.deps.Clock.Now()) {
		s.deps.Log.WarnContext(ctx, "webhooks refused", attrProvider, provider, "error", err)
	}
	return err
}

// refusal reports whether an error is about what the provider sent, not about this installation.
func refusal(err error) bool {
	return errors.Is(err, ramp.ErrSignature) || errors.Is(err, ramp.ErrStale) || errors.Is(err, ramp.ErrMalformed)
}

// applyAll stores the events that can be stored, and then fails with [ramp.ErrMalformed] if there are others. An error of the database ends it,
// because the provider repeats them all.
func (s *Orders) applyAll(ctx context.Context, provider string, events []ramp.Event) error {
	var malformed error
	for _, e := range events {
		err := s.apply(ctx, provider, e)
		switch {
		case errors.Is(err, ramp.ErrMalformed):
			malformed = err
		case err != nil:
			return err
		}
	}
	return malformed
}

// apply stores an event.
func (s *Orders) apply(ctx context.Context, provider string, e ramp.Event) error {
	if !e.State.Known() || !printable(e.Paid) || !printable(e.Received) {
		s.metrics.count(ctx, provider, refused)
		return fmt.Errorf("%w: an event has no state, or an invalid amount", ramp.ErrMalformed)
	}
	outcome, err := s.store.Apply(ctx, provider, sanitizeEvent(e), s.deps.Clock.Now())
	if err != nil {
		return err
	}
	s.metrics.count(ctx, provider, outcome)
	if outcome == Unknown {
		s.deps.Log.InfoContext(ctx, "event of an unknown order", attrProvider, provider)
	}
	return nil
}

// printable reports whether an amount has a reasonable number of digits.
func printable(a *ramp.Amount) bool {
	return a == nil || a.Value.Exponent() >= -64 && a.Value.Exponent() <= 64 && a.Value.Coefficient().BitLen() <= 512
}

// maxText bounds each text of an event, in bytes.
const maxText = 512

// sanitizeEvent returns the event with texts that every database accepts.
func sanitizeEvent(e ramp.Event) ramp.Event {
	for _, text := range []*string{&e.ID, &e.OrderID, &e.Ref, &e.Reason, &e.Transaction, &e.ChainID} {
		*text = sanitize(*text)
	}
	if !e.Failure.Known() {
		e.Failure = ""
	}
	for _, amount := range []**ramp.Amount{&e.Paid, &e.Received} {
		if a := *amount; a != nil {
			*amount = &ramp.Amount{Value: a.Value, Currency: sanitize(a.Currency)}
		}
	}
	return e
}

// sanitize removes invalid UTF-8 and NUL from a text, and cuts it to maxText.
func sanitize(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
	for len(text) > maxText {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// refusalEvery is the shortest time between two log lines about invalid deliveries to one provider, because anyone may send them.
const refusalEvery = time.Minute

// refusals limits the log of invalid deliveries: it stores when one was last logged, by provider. All of them are
// counted.
type refusals struct {
	mu     sync.Mutex
	logged map[string]time.Time
}

func newRefusals() *refusals { return &refusals{logged: map[string]time.Time{}} }

// worth reports whether an invalid delivery should be logged now.
func (r *refusals) worth(provider string, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last, ok := r.logged[provider]; ok && now.Sub(last) < refusalEvery {
		return false
	}
	r.logged[provider] = now
	return true
}

// metricEvents counts events of providers, by attrProvider and attrOutcome.
const metricEvents = "hawser.onramp.events"

// Attributes of metrics and logs.
const (
	attrProvider = "provider"
	attrOutcome  = "outcome"
	attrOrder    = "order"
)

// refused is the outcome of a delivery that is not signed by the provider, too old, or not in the documented form, and of an event that is not.
const refused Outcome = "refused"

// metrics counts events.
type metrics struct{ events metric.Int64Counter }

func newMetrics() *metrics {
	// If the instrument cannot be created, nothing is counted; the service starts nevertheless.
	events, err := otel.Meter("github.com/hawser-dev/hawser").Int64Counter(metricEvents, metric.WithDescription("Events of on-ramp orders"))
	if err != nil {
		otel.Handle(err)
	}
	return &metrics{events}
}

func (t *metrics) count(ctx context.Context, provider string, o Outcome) {
	t.events.Add(ctx, 1, metric.WithAttributes(attribute.String(attrProvider, provider), attribute.String(attrOutcome, string(o))))
}
