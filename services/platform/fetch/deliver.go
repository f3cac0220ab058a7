package fetch

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxDrained bounds how much of an answer is read so that its connection can be used again, and drainTime for how long. What is longer costs
	// the connection.
	maxDrained = 16 << 10
	drainTime  = time.Second
)

// Answer is how a server answered what [Client.Deliver] sent.
type Answer struct {
	// Status is the status of the answer.
	Status int
	// RetryAfter is how long the server asks to wait before the next request; 0 if it asks for nothing.
	RetryAfter time.Duration
}

// Deliver posts a document with headers beside those of every request, and returns the answer, whatever its status. It has the checks of [Client.Get], but
// follows no redirect, and discards the body of the answer. The error wraps [ErrRefused] or is that of the network, and never contains the address.
func (c *Client) Deliver(ctx context.Context, address string, document []byte, header http.Header) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	u, err := c.parse(address)
	if err != nil {
		return Answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(document))
	if err != nil {
		return Answer{}, refused("not an address")
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", "hawser")
	res, err := c.deliveries.Do(req)
	if err != nil {
		return Answer{}, withoutAddress(err)
	}
	defer func() { _ = res.Body.Close() }()
	// The status is known, so a body that does not come takes no longer than this.
	defer time.AfterFunc(drainTime, cancel).Stop()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxDrained))
	return Answer{Status: res.StatusCode, RetryAfter: retryAfter(res.Header)}, nil
}

// retryAfter returns how long a server asks to wait, in whole seconds.
func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.ParseUint(header.Get("Retry-After"), 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
