package webhook

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// deliveryTimeout bounds one attempt.
	deliveryTimeout = 5 * time.Second
	// RetryFor is how long delivery of a message is retried.
	RetryFor = time.Hour
	// firstPause is the first pause between attempts; it doubles up to longestPause.
	firstPause, longestPause = time.Second, 5 * time.Minute
	// deliveriesAtOnce bounds concurrent deliveries.
	deliveriesAtOnce = 8
	// senderLock names the lock of the replica that delivers.
	senderLock = "onramp-sandbox-courier"
)

// Sender delivers messages, each at least once.
type Sender struct {
	Store   *sqlstore.Store
	BaseURL string
	Secret  string
	Clock   clock.Clock
	Log     *slog.Logger
	HTTP    *http.Client
}

// Deliver delivers all due messages, unless another replica does.
func (c *Sender) Deliver(ctx context.Context) error {
	_, err := c.Store.Exclusively(ctx, senderLock, func() error {
		now := c.Clock.Now()
		messages, err := c.Store.Messages(ctx, now, 4*deliveriesAtOnce, now.Add(2*longestPause))
		if err != nil {
			return err
		}
		g, ctx := routine.NewGroup(ctx)
		g.SetLimit(deliveriesAtOnce)
		for _, p := range messages {
			g.Go(func() error { return c.attempt(ctx, p) })
		}
		return g.Wait()
	})
	return err
}

func (c *Sender) attempt(ctx context.Context, p sqlstore.Message) error {
	now := c.Clock.Now()
	err := c.post(ctx, p, now)
	if err == nil {
		return c.Store.Attempted(ctx, p, time.Time{})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	next := now.Add(pauseAfter(p.Attempts))
	if next.Sub(p.At) > RetryFor {
		c.Log.Warn("webhook dropped after the last attempt", "seller", p.Seller, "event", p.ID, "error", err)
		next = time.Time{}
	}
	return c.Store.Attempted(ctx, p, next)
}

func (c *Sender) post(ctx context.Context, p sqlstore.Message, now time.Time) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.BaseURL+ramp.WebhookPath+p.Seller, strings.NewReader(p.Body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(SignatureHeader, Sign(Key(c.Secret, p.Seller), []byte(p.Body), now))
	res, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	// Read the body, so that the connection is reused.
	_, _ = io.CopyN(io.Discard, res.Body, 1<<12)
	if res.StatusCode < http.StatusOK || res.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}

func pauseAfter(attempts int) time.Duration {
	pause := firstPause
	for range attempts {
		if pause *= 2; pause >= longestPause {
			return longestPause
		}
	}
	return pause
}

// NewHTTPClient returns a client that does not follow redirects, so that a signed message is sent to one host only.
func NewHTTPClient() *http.Client {
	return &http.Client{
		Timeout:       deliveryTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
