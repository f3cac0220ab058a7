// Package remote sends requests to third-party bundlers.
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	timeout = 20 * time.Second
	// maxResponse bounds a response, in bytes.
	maxResponse = 2 << 20
)

// ErrRefused is returned for a bundler that the configuration does not allow.
var ErrRefused = errors.New("this bundler is not allowed")

// ErrAnswer is returned for a response that is not JSON-RPC.
var ErrAnswer = errors.New("the bundler's response is not JSON-RPC")

// Client sends requests to bundlers. It is safe for concurrent use.
type Client struct {
	// listed sends requests to the hosts that callers may name, at public addresses; operators sends requests to the
	// bundlers of the configuration.
	listed    *fetch.Client
	operators *upstream.Client
	allowed   bool
}

// New returns a client. hosts are the hosts that a caller may name.
func New(hosts []string) *Client {
	return &Client{
		listed:    fetch.New(fetch.Options{Hosts: hosts, Timeout: timeout}),
		operators: upstream.New(timeout, maxResponse).Measured("bundler"),
		allowed:   len(hosts) > 0,
	}
}

// Close closes idle connections.
func (c *Client) Close() {
	c.listed.Close()
	c.operators.Close()
}

// ForwardListed sends a JSON-RPC body to the bundler that a caller named, which must be https at a listed host, and returns its response.
func (c *Client) ForwardListed(ctx context.Context, address string, body []byte) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || !c.allowed {
		return nil, ErrRefused
	}
	answer, err := c.listed.PostJSON(ctx, address, body, fetch.Want{MaxBytes: maxResponse})
	if errors.Is(err, fetch.ErrRefused) {
		return nil, ErrRefused
	}
	return valid(answer, err)
}

// Forward sends a JSON-RPC body to a bundler of the configuration and returns its response.
func (c *Client) Forward(ctx context.Context, address string, body []byte) ([]byte, error) {
	_, answer, err := c.operators.PostJSON(ctx, address, body)
	return valid(answer, err)
}

func valid(answer []byte, err error) ([]byte, error) {
	if err == nil && !json.Valid(answer) {
		err = ErrAnswer
	}
	return answer, err
}

// Call makes one call of a bundler of the configuration. It fails with an [*Error] if the bundler refuses.
func (c *Client) Call(ctx context.Context, address, method string, result any, params ...any) error {
	list, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer, err := c.Forward(ctx, address, jsonrpc.AppendRequest(nil, 1, method, list))
	if err != nil {
		return err
	}
	var r struct {
		Result json.RawMessage `json:"result"`
		Error  *jsonrpc.Error  `json:"error"`
	}
	if err := json.Unmarshal(answer, &r); err != nil {
		return fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if r.Error != nil {
		return &Error{r.Error.Code, r.Error.Message}
	}
	return json.Unmarshal(r.Result, result)
}

// Error is a bundler's refusal.
type Error struct {
	Code    int
	Message string
}

// Error returns the bundler's message.
func (e *Error) Error() string { return e.Message }
