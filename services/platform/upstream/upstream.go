// Package upstream is the HTTP client for third-party servers: with a deadline, a bound on the response, and errors
// that never contain the URL, which may contain a key.
package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// ErrTooLarge means that a response exceeds MaxBytes.
var ErrTooLarge = errors.New("answer too large")

// Client sends requests and reads whole responses.
type Client struct {
	// Timeout bounds one call, body included.
	Timeout time.Duration
	// MaxBytes bounds one response.
	MaxBytes int64
	// Header is sent with every call, such as a key. It is not sent to the target of a redirect.
	Header http.Header
	// Meter measures the calls; nil for none.
	Meter *Meter
	// Repeats makes it send a call once more whose connection was kept from an earlier call and is closed before an answer, as servers close what is
	// idle. It is for calls that may arrive twice.
	Repeats bool

	http http.Client
}

// New returns a client that reuses connections and uses no proxy, cookies or redirects.
func New(timeout time.Duration, maxBytes int64) *Client {
	return &Client{Timeout: timeout, MaxBytes: maxBytes, http: http.Client{
		Transport: &http.Transport{
			Proxy:                 nil, // the variables of a proxy would send keys to it
			DialContext:           (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			ForceAttemptHTTP2:     true,
			MaxIdleConnsPerHost:   64,
			IdleConnTimeout:       90 * time.Second,
			TLSHandshakeTimeout:   5 * time.Second,
			ExpectContinueTimeout: time.Second,
		},
		// A node that redirects is misconfigured: its key must not be sent to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// PostJSON posts body to target and returns the status and the response, whose bytes it takes from the hold of ctx (limit.WithBytes). The error contains
// only the host of the URL.
func (c *Client) PostJSON(ctx context.Context, target string, body []byte) (int, []byte, error) {
	return c.do(ctx, http.MethodPost, target, "application/json", body)
}

// PostText posts plain text to target and returns the status and the response. The error contains only the host of the
// URL.
func (c *Client) PostText(ctx context.Context, target string, body []byte) (int, []byte, error) {
	return c.do(ctx, http.MethodPost, target, "text/plain", body)
}

// GetJSON gets target and returns the status and the response. The error contains only the host of the URL.
func (c *Client) GetJSON(ctx context.Context, target string) (int, []byte, error) {
	return c.do(ctx, http.MethodGet, target, "", nil)
}

// Measured makes the client measure its calls, to servers of one kind that are not nodes. It returns the client.
func (c *Client) Measured(kind string) *Client {
	c.Meter = NewMeter(kind, "")
	return c
}

func (c *Client) do(ctx context.Context, method, target, contentType string, body []byte) (int, []byte, error) {
	begun := time.Now()
	status, answer, err := c.send(ctx, method, target, contentType, body)
	if c.Meter != nil {
		c.Meter.Record(ctx, Host(target), time.Since(begun), OutcomeOf(status, err))
	}
	return status, answer, err
}

func (c *Client) send(ctx context.Context, method, target, contentType string, body []byte) (int, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return 0, nil, errors.New("not a URL")
	}
	for name, values := range c.Header {
		req.Header[name] = values
	}
	if c.Repeats {
		// The transport repeats what has such a header, and sends no header without values.
		req.Header["Idempotency-Key"] = nil
	}
	if body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", req.URL.Host, withoutURL(err))
	}
	defer res.Body.Close()
	answer, err := limit.BytesOf(ctx).ReadAll(res.Body, res.ContentLength, c.MaxBytes)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", req.URL.Host, err)
	}
	if int64(len(answer)) > c.MaxBytes {
		return 0, nil, fmt.Errorf("%s: %w", req.URL.Host, ErrTooLarge)
	}
	return res.StatusCode, answer, nil
}

func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
