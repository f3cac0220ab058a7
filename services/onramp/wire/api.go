package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/files"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// timeout bounds one call, whatever the deadline of the caller; answerLimit bounds its response in bytes.
	timeout     = 10 * time.Second
	answerLimit = 4 << 20
)

// API is an HTTP client of one provider.
type API struct {
	base *url.URL
	http *upstream.Client
	// authorize returns the header of one call to a host and path, such as its signature.
	authorize func(method, host, path string) (http.Header, error)
}

// NewAPI returns a client of the API at base, an http or https URL without query and without a slash at its end.
func NewAPI(base string, authorize func(method, host, path string) (http.Header, error)) (*API, error) {
	u, err := ParseBase(base)
	if err != nil {
		return nil, err
	}
	return &API{base: u, http: upstream.New(timeout, answerLimit).Measured("onramp"), authorize: authorize}, nil
}

var errBase = errors.New("not http(s)://host/path, or with a query or a slash at its end")

// ParseBase parses a URL to which paths are appended.
func ParseBase(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	whole := err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" &&
		(u.Path == "" || u.Path[len(u.Path)-1] != '/')
	if !whole {
		// The text may contain a key.
		return nil, errBase
	}
	return u, nil
}

// Get requests path with query and decodes the JSON response into into.
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

// Post sends send as JSON to path and decodes the JSON response into into.
func (a *API) Post(ctx context.Context, path string, send, into any) error {
	text, err := json.Marshal(send)
	if err != nil {
		return fmt.Errorf("%w: the request cannot be encoded: %w", ramp.ErrUnsupported, err)
	}
	target := a.base.JoinPath(path)
	client, err := a.authorized(http.MethodPost, target)
	if err != nil {
		return err
	}
	status, body, err := client.PostJSON(ctx, target.String(), text)
	return read(status, body, err, into)
}

// authorized returns the client with the header of one call. The copy shares connections.
func (a *API) authorized(method string, target *url.URL) (*upstream.Client, error) {
	header, err := a.authorize(method, target.Host, target.EscapedPath())
	if err != nil {
		return nil, fmt.Errorf("%w: the request cannot be signed", ramp.ErrCredentials)
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
		// The error may quote the response, and a response may quote the request.
		return fmt.Errorf("%w: not in the documented form", ramp.ErrUnavailable)
	}
	return nil
}

// kind returns the error of an HTTP status. Requests are in the documented form, so a 400 means that the purchase is not supported.
func kind(status int) error {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ramp.ErrCredentials
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity:
		return ramp.ErrUnsupported
	}
	return ramp.ErrUnavailable
}

// isLoopback reports whether a URL is on this machine, where a page may be served without TLS.
func isLoopback(u *url.URL) bool {
	host := u.Hostname()
	return host == "localhost" || host == "127.0.0.1" || host == "::1"
}

// Page validates the URL of a page that visitors are sent to: https, or http on this machine if the API is there as well.
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

// pageLimit bounds the URL of a page, in bytes; browsers accept less.
const pageLimit = 8 << 10

// keyFile is the prefix of a secret that is the path of a file.
const keyFile = "file:"

var errKeyFile = errors.New("the file after file: cannot be read")

// Secret returns a configured secret: the text itself or, after "file:", the content of a file, without surrounding white space.
func Secret(text string) (string, error) {
	path, isFile := strings.CutPrefix(text, keyFile)
	if !isFile {
		return strings.TrimSpace(text), nil
	}
	raw, err := files.ReadSecret(path)
	if err != nil {
		// Without the path, which may be a key by mistake.
		if refused, ok := errors.AsType[*fs.PathError](err); ok {
			err = refused.Err
		}
		return "", fmt.Errorf("%w: %w", errKeyFile, err)
	}
	return strings.TrimSpace(string(raw)), nil
}
