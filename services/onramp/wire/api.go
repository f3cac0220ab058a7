package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/upstream"
	"github.com/hawser-dev/hawser/services/ramp"
)

const (
	// timeout bounds one call, whatever the deadline of who waits for it; answerLimit bounds its answer in bytes.
	timeout     = 10 * time.Second
	answerLimit = 4 << 20
)

// API is where one provider answers.
type API struct {
	base *url.URL
	http *upstream.Client
	// authorize makes the header of one call to a host and path, such as its signature.
	authorize func(method, host, path string) (http.Header, error)
}

// NewAPI returns the API at base, an http or https URL without query and without a slash at its end.
func NewAPI(base string, authorize func(method, host, path string) (http.Header, error)) (*API, error) {
	u, err := ParseBase(base)
	if err != nil {
		return nil, err
	}
	return &API{base: u, http: upstream.New(timeout, answerLimit), authorize: authorize}, nil
}

var errBase = errors.New("not http(s)://host/path, or with a query or a slash at its end")

// ParseBase reads the URL that paths are appended to.
func ParseBase(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	whole := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" &&
		(u.Path == "" || u.Path[len(u.Path)-1] != '/')
	if !whole {
		// The text may hold a key.
		return nil, errBase
	}
	return u, nil
}

// Get asks path with query and decodes the JSON answer into into.
func (a *API) Get(ctx context.Context, path string, query url.Values, into any) error {
	target := a.base.JoinPath(path)
	target.RawQuery = query.Encode()
	client, err := a.authorized(http.MethodGet, target)
	if err != nil {
		return err
	}
	status, body, err := client.GetJSON(ctx, target.String())
	return read(status, body, err, into)
}

// Post sends send as JSON to path and decodes the JSON answer into into.
func (a *API) Post(ctx context.Context, path string, send, into any) error {
	text, err := json.Marshal(send)
	if err != nil {
		return fmt.Errorf("%w: it cannot be asked for: %w", ramp.ErrUnsupported, err)
	}
	target := a.base.JoinPath(path)
	client, err := a.authorized(http.MethodPost, target)
	if err != nil {
		return err
	}
	status, body, err := client.PostJSON(ctx, target.String(), text)
	return read(status, body, err, into)
}

// authorized is the client with the header of one call. The copy shares connections.
func (a *API) authorized(method string, target *url.URL) (*upstream.Client, error) {
	header, err := a.authorize(method, target.Host, target.EscapedPath())
	if err != nil {
		return nil, fmt.Errorf("%w: nothing can be signed with them", ramp.ErrCredentials)
	}
	client := *a.http
	client.Header = header
	return &client, nil
}

func read(status int, body []byte, err error, into any) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return fmt.Errorf("%w: %w", ramp.ErrUnavailable, err)
	case status != http.StatusOK && status != http.StatusCreated:
		return fmt.Errorf("%w: HTTP %d", kind(status), status)
	}
	if err := json.Unmarshal(bytes.TrimSpace(body), into); err != nil {
		// The error may quote what the provider sent, and that what we sent.
		return fmt.Errorf("%w: not in the documented form", ramp.ErrUnavailable)
	}
	return nil
}

// kind is what an answer stands for that is no success: a call that is in the documented form is refused for what it asks.
func kind(status int) error {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ramp.ErrCredentials
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity:
		return ramp.ErrUnsupported
	}
	return ramp.ErrUnavailable
}

// isLoopback reports whether a URL is on this machine: only there may a page be without TLS.
func isLoopback(u *url.URL) bool {
	host := u.Hostname()
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// Page checks the URL of a page that visitors are sent to: https, or http on this machine where the provider answers there as well.
func (a *API) Page(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || len(text) > pageLimit {
		return fmt.Errorf("%w: the page is no URL", ramp.ErrUnavailable)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u) || !isLoopback(a.base)) {
		return fmt.Errorf("%w: the page is not https", ramp.ErrUnavailable)
	}
	return nil
}

// pageLimit is longer than browsers take.
const pageLimit = 8 << 10

// keyFile marks a secret that is in a file of its own.
const keyFile = "file:"

var errKeyFile = errors.New("the file of the key cannot be read")

// Secret is what an operator configured: the text itself, or what is in a file, without white space around it.
func Secret(text string) (string, error) {
	path, isFile := strings.CutPrefix(text, keyFile)
	if !isFile {
		return strings.TrimSpace(text), nil
	}
	raw, err := files.ReadSecret(path)
	if err != nil {
		return "", errKeyFile
	}
	return strings.TrimSpace(string(raw)), nil
}
