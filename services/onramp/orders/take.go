package orders

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/services/ramp"
)

// ErrSilent says that no provider of this name tells anything by webhook.
var ErrSilent = errors.New("the provider tells nothing by webhook")

// Take takes a webhook call of a provider. When it returns nil, all that the call says is kept, unless it is about no order of this
// installation: that is counted. It fails with [ErrSilent], with what [ramp.Listener] refuses, or when the database does; the provider may
// then send it again, as often as it likes.
func (b *Book) Take(ctx context.Context, provider string, d ramp.Delivery) error {
	p, _ := b.deps.Providers(provider)
	listener, ok := p.(ramp.Listener)
	if !ok {
		return ErrSilent
	}
	events, err := listener.Read(d)
	if err != nil {
		b.tally.count(ctx, provider, refused)
		if now := b.deps.Clock.Now(); b.refusals.worth(provider, now) {
			b.deps.Log.WarnContext(ctx, "deliveries are refused", attrProvider, provider, "error", err)
		}
		return err
	}
	for _, e := range events {
		if err := b.hear(ctx, provider, e); err != nil {
			return err
		}
	}
	return nil
}

// hear keeps what an event says.
func (b *Book) hear(ctx context.Context, provider string, e ramp.Event) error {
	if !e.State.Known() || !printable(e.Paid) || !printable(e.Received) {
		b.tally.count(ctx, provider, refused)
		return fmt.Errorf("%w: an event has no state, or an amount that cannot be", ramp.ErrMalformed)
	}
	outcome, err := b.store.Hear(ctx, provider, legibly(e), b.deps.Clock.Now())
	if err != nil {
		return err
	}
	b.tally.count(ctx, provider, outcome)
	if outcome == Unknown {
		b.deps.Log.InfoContext(ctx, "an event is about no order of this installation", attrProvider, provider)
	}
	return nil
}

// printable reports whether an amount is one that money or a token may have: written out, it takes a line.
func printable(a *ramp.Amount) bool {
	return a == nil || a.Value.Exponent() >= -64 && a.Value.Exponent() <= 64 && a.Value.Coefficient().BitLen() <= 512
}

// maxText bounds each text of an event, in bytes.
const maxText = 512

// legibly returns the event with texts that every database keeps.
func legibly(e ramp.Event) ramp.Event {
	for _, text := range []*string{&e.ID, &e.OrderID, &e.Ref, &e.Reason, &e.Transaction, &e.ChainID} {
		*text = legible(*text)
	}
	for _, amount := range []**ramp.Amount{&e.Paid, &e.Received} {
		if a := *amount; a != nil {
			*amount = &ramp.Amount{Value: a.Value, Currency: legible(a.Currency)}
		}
	}
	return e
}

// legible cuts a text to its bound, and leaves out what is no text.
func legible(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
	for len(text) > maxText {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}
