package sandbox

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/ramp"
)

const (
	// deliveryTimeout bounds one attempt.
	deliveryTimeout = 5 * time.Second
	// deliverFor is how long a message is tried.
	deliverFor = time.Hour
	// firstPause is doubled with every attempt, up to longestPause.
	firstPause, longestPause = time.Second, 5 * time.Minute
	// deliveriesAtOnce bounds how many are under way.
	deliveriesAtOnce = 8
	// courierLock is held by the replica that delivers.
	courierLock = "onramp-sandbox-courier"
)

// courier delivers messages until each is taken: at least once.
type courier struct {
	book   *book
	base   string
	secret string
	clock  clock.Clock
	log    *slog.Logger
	http   *http.Client
}

// deliver tries everything that is due, unless another replica is about it.
func (c *courier) deliver(ctx context.Context) error {
	_, err := c.book.exclusively(ctx, courierLock, func() error {
		parcels, err := c.book.parcels(ctx, c.clock.Now(), 4*deliveriesAtOnce)
		if err != nil {
			return err
		}
		g, ctx := routine.NewGroup(ctx)
		g.SetLimit(deliveriesAtOnce)
		for _, p := range parcels {
			g.Go(func() error { return c.attempt(ctx, p) })
		}
		return g.Wait()
	})
	return err
}

func (c *courier) attempt(ctx context.Context, p parcel) error {
	now := c.clock.Now()
	err := c.post(ctx, p, now)
	if err == nil {
		return c.book.delivered(ctx, p, time.Time{})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	next := now.Add(pauseAfter(p.attempts))
	if next.Sub(p.at) > deliverFor {
		c.log.Warn("a message of the sandbox is given up", "seller", p.seller, "event", p.id, "error", err)
		next = time.Time{}
	}
	return c.book.delivered(ctx, p, next)
}

func (c *courier) post(ctx context.Context, p parcel, now time.Time) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+ramp.WebhookPath+p.seller, strings.NewReader(p.body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(SignatureHeader, sign(signingKey(c.secret, p.seller), []byte(p.body), now))
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	// A body that was read leaves its connection to the next.
	_, _ = io.CopyN(io.Discard, res.Body, 1<<12)
	if res.StatusCode < http.StatusOK || res.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("it answers %d", res.StatusCode)
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

// newPoster returns a client that follows no redirect, so that a signed message goes to one place only.
func newPoster() *http.Client {
	return &http.Client{
		Timeout:       deliveryTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
