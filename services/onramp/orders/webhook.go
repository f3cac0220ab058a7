package orders

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/services/ramp"
)

// ErrSilent means that no provider of this name has webhooks.
var ErrSilent = errors.New("the provider has no webhooks")

// HandleWebhook verifies and applies a webhook of a provider. When it returns nil, its events are stored, except those that are not about an
// order of this installation, which are counted. It fails with [ErrSilent], an error of [ramp.Listener] or of the database; the provider may
// then repeat it.
func (b *Orders) HandleWebhook(ctx context.Context, provider string, d ramp.Delivery) error {
	p, _ := b.deps.Providers(provider)
	listener, ok := p.(ramp.Listener)
	if !ok {
		return ErrSilent
	}
	events, err := listener.Read(d)
	if err != nil {
		b.tally.count(ctx, provider, refused)
		if now := b.deps.Clock.Now(); b.refusals.worth(provider, now) {
			b.deps.Log.WarnContext(ctx, "webhooks refused", attrProvider, provider, "error", err)
		}
		return err
	}
	for _, e := range events {
		if err := b.apply(ctx, provider, e); err != nil {
			return err
		}
	}
	return nil
}

// apply stores an event.
func (b *Orders) apply(ctx context.Context, provider string, e ramp.Event) error {
	if !e.State.Known() || !printable(e.Paid) || !printable(e.Received) {
		b.tally.count(ctx, provider, refused)
		return fmt.Errorf("%w: an event has no state, or an invalid amount", ramp.ErrMalformed)
	}
	outcome, err := b.store.Apply(ctx, provider, sanitizeEvent(e), b.deps.Clock.Now())
	if err != nil {
		return err
	}
	b.tally.count(ctx, provider, outcome)
	if outcome == Unknown {
		b.deps.Log.InfoContext(ctx, "event of an unknown order", attrProvider, provider)
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
