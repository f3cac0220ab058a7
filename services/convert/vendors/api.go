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
	// timeout bounds one call, whatever the deadline of who waits for it; answerLimit bounds its answer in bytes.
	timeout     = 10 * time.Second
	answerLimit = 1 << 20
)

// API is where one vendor answers.
type API struct {
	base    string
	http    *upstream.Client
	explain func(status int, body []byte) error
}

func newAPI(base string, header http.Header, explain func(int, []byte) error) *API {
	client := upstream.New(timeout, answerLimit)
	client.Header = header
	return &API{base: base, http: client, explain: explain}
}

// Get asks path with query and decodes the JSON answer into into.
func (a *API) Get(ctx context.Context, path string, query url.Values, into any) error {
	status, body, err := a.http.GetJSON(ctx, a.base+path+"?"+query.Encode())
	return a.read(status, body, err, into)
}

// Post sends send as JSON to path, which may hold a query, and decodes the JSON answer into into. Raw JSON within is sent as it was received.
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
		// The error may quote what the vendor sent, and that what we sent.
		return fmt.Errorf("%w: not in the documented form", ErrBroken)
	}
	return nil
}

// kind is the failure that an answer other than HTTP 200 stands for.
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
