package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	maxRedirects = 3
	maxHeader    = 64 << 10
	// defaultTimeout bounds one document: names, connections, redirects and body together.
	defaultTimeout = 5 * time.Second
	// dialTimeout bounds the connection to one address of a name, and handshakeTimeout the TLS handshake. An address
	// that does not answer leaves time for another one.
	dialTimeout, handshakeTimeout = 2 * time.Second, 3 * time.Second
)

// Errors that a fetch wraps.
var (
	// ErrRefused means that the address must not be requested.
	ErrRefused = errors.New("address refused")
	// ErrTooLarge means that the document is larger than its bound.
	ErrTooLarge = errors.New("document too large")
	// ErrMediaType means that the document has a media type that was not requested.
	ErrMediaType = errors.New("unwanted media type")
	// ErrStatus means that the response had a status other than 200.
	ErrStatus = errors.New("no document there")
)

// StatusError is an [ErrStatus] with the status of the response.
type StatusError struct{ Status int }

// Error returns a text with the status.
func (e *StatusError) Error() string { return fmt.Sprintf("%s: status %d", ErrStatus, e.Status) }

// Is reports that the error is [ErrStatus].
func (e *StatusError) Is(target error) bool { return target == ErrStatus }

var errNoHost = errors.New("no such host")

// AnyHost as one of [Options].Hosts allows every public host.
const AnyHost = "*"

// Options configure a client. With the zero value it requests documents only from the operator's servers.
type Options struct {
	// Hosts are the hosts that may be requested, including their subdomains, or [AnyHost]. Other names are not
	// resolved.
	Hosts []string
	// AllowPrivate allows every address and port, for development.
	AllowPrivate bool
	// Timeout bounds one document; 5 s by default.
	Timeout time.Duration
	// Resolver and Dialer are the system's by default.
	Resolver Resolver
	Dialer   Dialer
}

// Client fetches documents. It is safe for concurrent use.
type Client struct {
	hosts        []string
	allowPrivate bool
	timeout      time.Duration
	resolver     Resolver
	dialer       Dialer
	http         http.Client
	// deliveries sends requests as http does, and follows no redirect.
	deliveries http.Client
	// operators sends requests to the operator's servers.
	operators http.Client
}

// New returns a client.
func New(o Options) *Client {
	c := &Client{hosts: normalizeHosts(o.Hosts), allowPrivate: o.AllowPrivate, timeout: o.Timeout, resolver: o.Resolver, dialer: o.Dialer}
	if c.timeout == 0 {
		c.timeout = defaultTimeout
	}
	if c.resolver == nil {
		c.resolver = net.DefaultResolver
	}
	if c.dialer == nil {
		c.dialer = &net.Dialer{Timeout: dialTimeout}
	}
	guarded := transport(c.dial)
	c.http = http.Client{Transport: guarded, CheckRedirect: c.followRedirect}
	c.deliveries = http.Client{Transport: guarded, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	c.operators = http.Client{Transport: transport(c.dialer.DialContext), CheckRedirect: sameServer}
	return c
}

func transport(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		Proxy:                  nil, // a proxy would dial without the checks
		DialContext:            dial,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    handshakeTimeout,
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    8,
		MaxConnsPerHost:        16,
		IdleConnTimeout:        30 * time.Second,
	}
}

// Close closes idle connections.
func (c *Client) Close() {
	c.http.CloseIdleConnections()
	c.operators.CloseIdleConnections()
}

// Want describes the expected document.
type Want struct {
	// MaxBytes bounds the document.
	MaxBytes int64
	// MediaTypes are the accepted types, as `application/json` or `image/*`. A response without a type is accepted,
	// because the caller has to check the content in any case.
	MediaTypes []string
	// Operators says that the address is that of a server which the operator chose, such as their gateway: it may be
	// private and have any port. A redirect to another host is checked like any other address.
	Operators bool
	// Held grows by the bytes of the document as they are read; nil does not count them.
	Held *limit.Bytes
}

// Get fetches the document at an address. The error wraps [ErrRefused], [ErrTooLarge], [ErrMediaType] or [ErrStatus],
// or [limit.ErrMemory], or is that of the network, and never contains the address.
func (c *Client) Get(ctx context.Context, address string, want Want) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if want.Operators {
		return c.getFromOperators(ctx, address, want)
	}
	u, err := c.parse(address)
	if err != nil {
		return nil, err
	}
	return send(ctx, &c.http, http.MethodGet, u.String(), nil, want)
}

// PostJSON posts a JSON document and returns the response. It has the checks and errors of [Client.Get]; the Operators
// field of want is ignored.
func (c *Client) PostJSON(ctx context.Context, address string, document []byte, want Want) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	u, err := c.parse(address)
	if err != nil {
		return nil, err
	}
	return send(ctx, &c.http, http.MethodPost, u.String(), document, want)
}

func send(ctx context.Context, client *http.Client, method, address string, document []byte, want Want) ([]byte, error) {
	res, err := ask(ctx, client, method, address, document, want)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return read(res, want)
}

// getFromOperators fetches from a server of the operator. A redirect to another host is checked like any other address.
func (c *Client) getFromOperators(ctx context.Context, address string, want Want) ([]byte, error) {
	res, err := ask(ctx, &c.operators, http.MethodGet, address, nil, want)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	location, err := res.Location()
	if err != nil || res.StatusCode < 300 || res.StatusCode > 399 {
		return read(res, want)
	}
	want.Operators = false
	return c.Get(ctx, location.String(), want)
}

func ask(ctx context.Context, client *http.Client, method, address string, document []byte, want Want) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(document))
	if err != nil {
		return nil, refused("not an address")
	}
	if document != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", strings.Join(append(slices.Clone(want.MediaTypes), "*/*;q=0.1"), ", "))
	req.Header.Set("User-Agent", "hawser")
	res, err := client.Do(req)
	if err != nil {
		return nil, withoutAddress(err)
	}
	return res, nil
}

func read(res *http.Response, want Want) ([]byte, error) {
	if res.StatusCode != http.StatusOK {
		return nil, &StatusError{res.StatusCode}
	}
	if !want.accepts(res.Header.Get("Content-Type")) {
		return nil, ErrMediaType
	}
	if res.ContentLength > want.MaxBytes {
		return nil, ErrTooLarge
	}
	body, err := io.ReadAll(io.LimitReader(counted{res.Body, want.Held}, want.MaxBytes+1))
	if errors.Is(err, limit.ErrMemory) {
		return nil, err
	}
	if err != nil {
		return nil, withoutAddress(err)
	}
	if int64(len(body)) > want.MaxBytes {
		return nil, ErrTooLarge
	}
	return body, nil
}

// counted takes bytes for what it reads.
type counted struct {
	io.Reader

	held *limit.Bytes
}

// Read fails with [limit.ErrMemory] if there are no bytes for what was read.
func (c counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	if c.held == nil {
		return n, err
	}
	if failed := c.held.Grow(int64(n)); failed != nil {
		return 0, failed
	}
	return n, err
}

// accepts reports whether a Content-Type header is one of the accepted types.
func (w Want) accepts(header string) bool {
	if header == "" {
		return true
	}
	kind, _, err := mime.ParseMediaType(header)
	if err != nil && kind == "" {
		return false
	}
	return slices.ContainsFunc(w.MediaTypes, func(wanted string) bool {
		family, whole := strings.CutSuffix(wanted, "*")
		return kind == wanted || whole && strings.HasPrefix(kind, family)
	})
}

// followRedirect checks the target of a redirect before it is dialled.
func (c *Client) followRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return refused("too many redirects")
	}
	req.Header.Del("Referer")
	return c.check(req.URL)
}

// sameServer follows redirects within one server of the operator.
func sameServer(req *http.Request, via []*http.Request) error {
	home := via[0].URL
	if len(via) > maxRedirects || req.URL.Scheme != home.Scheme || req.URL.Host != home.Host {
		return http.ErrUseLastResponse
	}
	req.Header.Del("Referer")
	return nil
}

// withoutAddress removes the parts of an error that name the server or its address.
func withoutAddress(err error) error {
	switch {
	case errors.Is(err, ErrRefused), errors.Is(err, errNoHost):
		return unwrapURL(err)
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	default:
		return errors.New("the server cannot be reached, or its answer broke off")
	}
}

func unwrapURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}
