package vendors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// timeout bounds one request, even if the caller's deadline is later; answerLimit bounds its response in bytes.
	timeout     = 10 * time.Second
	answerLimit = 1 << 20
)

// API is an HTTP client of one vendor.
type API struct {
	base    string
	http    *upstream.Client
	explain func(status int, body []byte) error
}

func newAPI(base string, header http.Header, explain func(int, []byte) error) *API {
	client := upstream.New(timeout, answerLimit).Measured("swap")
	client.Header = header
	return &API{base: base, http: client, explain: explain}
}

// Get requests path with query and decodes the JSON response into into.
func (a *API) Get(ctx context.Context, path string, query url.Values, into any) error {
	status, body, err := a.http.GetJSON(ctx, a.base+path+"?"+query.Encode())
	return a.read(status, body, err, into)
}

// Post sends send as JSON to path, which may have a query, and decodes the JSON response into into. Raw JSON within send is sent unchanged.
func (a *API) Post(ctx context.Context, path string, send, into any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(send); err != nil {
		return fmt.Errorf("%w: %w", ErrRejected, err)
	}
	status, body, err := a.http.PostJSON(ctx, a.base+path, text.Bytes())
	return a.read(status, body, err, into)
}

func (a *API) read(status int, body []byte, err error, into any) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return fmt.Errorf("%w: %w", ErrBroken, err)
	case status != http.StatusOK:
		return fmt.Errorf("%w: HTTP %d", a.kind(status, body), status)
	}
	if err := json.Unmarshal(body, into); err != nil {
		// The error is dropped: it may quote the response, which may quote the request.
		return fmt.Errorf("%w: not in the documented form", ErrBroken)
	}
	return nil
}

// kind returns the kind of failure of a response that is not HTTP 200.
func (a *API) kind(status int, body []byte) error {
	switch status {
	case http.StatusTooManyRequests:
		return ErrRateLimited
	case http.StatusUnauthorized:
		return ErrKey
	}
	kind := a.explain(status, body)
	switch {
	case kind != nil:
		return kind
	case status == http.StatusForbidden:
		return ErrKey
	case status >= http.StatusBadRequest && status < http.StatusInternalServerError:
		return ErrRejected
	}
	return ErrBroken
}
