// Package development runs the servers that replace external services in a development installation: the inbox, the
// identity provider and Farcaster. The gateway serves their pages below /dev/; calls of the suite itself do not leave
// the process.
package development

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/wallet/devfarcaster"
	"github.com/hawser-dev/hawser/services/wallet/devidp"
	"github.com/hawser-dev/hawser/services/wallet/devinbox"
	"github.com/hawser-dev/hawser/services/wallet/farcaster"
	"github.com/hawser-dev/hawser/services/wallet/social"
)

// path is the prefix of the pages.
const path = "/dev/"

// Config configures the servers.
type Config struct {
	// Inbox is the address of the SMTP server, on this machine.
	Inbox string
	// PublicURL is the public URL of the gateway, and Callback the page to which providers return visitors.
	PublicURL, Callback string
}

// Servers are the servers of a development installation.
type Servers struct {
	Inbox *devinbox.Inbox
	// Social is the configuration of the identity provider, for every social provider.
	Social social.Config
	// Relay is the address of the Farcaster relay, and Registry has the ids of its test users.
	Relay    string
	Registry farcaster.Registry

	base  string
	pages *http.ServeMux
}

// Open opens the servers.
func Open(ctx context.Context, cfg Config, c clock.Clock) (*Servers, error) {
	inbox, err := devinbox.Listen(ctx, cfg.Inbox)
	if err != nil {
		return nil, fmt.Errorf("wallet.inbox: %w", err)
	}
	idp, err := devidp.New(cfg.PublicURL, cfg.Callback, c)
	if err != nil {
		return nil, err
	}
	app, err := devfarcaster.New(cfg.PublicURL, c)
	if err != nil {
		return nil, err
	}
	clients, err := clientsOf(idp)
	if err != nil {
		return nil, err
	}
	pages := http.NewServeMux()
	pages.Handle(devinbox.Path, inbox)
	pages.Handle(devinbox.Path+".json", inbox)
	pages.Handle(devidp.Path, idp)
	pages.Handle(devfarcaster.Path, app)
	return &Servers{Inbox: inbox, Social: clients, Relay: app.Relay(), Registry: app, base: cfg.PublicURL, pages: pages}, nil
}

// clientsOf returns the configuration of the providers for development.
func clientsOf(idp *devidp.Provider) (social.Config, error) {
	of := func(name string) social.Client {
		return social.Client{ID: devidp.ClientID, Secret: devidp.ClientSecret, Address: idp.Address(name)}
	}
	key, err := x509.MarshalPKCS8PrivateKey(idp.AppleKey())
	if err != nil {
		return social.Config{}, err
	}
	apple := social.Apple{
		ID: devidp.ClientID, Team: "development", KeyID: "development", Address: idp.Address("apple"),
		Key: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
	}
	return social.Config{Google: of("google"), X: of("x"), Discord: of("discord"), GitHub: of("github"), Apple: apple, Facebook: of("facebook")}, nil
}

// RoundTrip handles a request of the suite itself without a network. It fails for other hosts.
func (s *Servers) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(r.URL.String(), s.base+path) {
		return nil, http.ErrNotSupported
	}
	w := record(s.pages, r)
	return &http.Response{
		StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// pageServer answers the HTTP requests below /dev/ that the gateway forwards.
type pageServer struct {
	walletv1.UnimplementedDevPageServiceServer

	pages http.Handler
}

// ServeDevPage answers one HTTP request.
func (p pageServer) ServeDevPage(ctx context.Context, r *walletv1.ServeDevPageRequest) (*walletv1.ServeDevPageResponse, error) {
	u, err := url.ParseRequestURI(r.GetUri())
	if err != nil {
		return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_ROUTE_UNKNOWN, "", "There is no such page").Because(err)
	}
	req, err := http.NewRequestWithContext(ctx, r.GetMethod(), "/", bytes.NewReader(r.GetBody()))
	if err != nil {
		return nil, err
	}
	req.URL, req.Host, req.RequestURI = u, r.GetHost(), r.GetUri()
	for name, value := range r.GetHeader() {
		req.Header.Set(name, value)
	}
	w := record(p.pages, req)
	res := &walletv1.ServeDevPageResponse{Status: uint32(w.status), Header: map[string]string{}, Body: w.body.Bytes()}
	for name := range w.header {
		res.Header[name] = w.header.Get(name)
	}
	return res, nil
}

// NewPageServer returns the RPC handler of the pages. If s is nil, there are no pages.
func NewPageServer(s *Servers) walletv1.DevPageServiceServer {
	if s == nil {
		return pageServer{pages: http.NotFoundHandler()}
	}
	return pageServer{pages: s.pages}
}

// pageWriter records the response of a handler.
type pageWriter struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header fields.
func (w *pageWriter) Header() http.Header { return w.header }

// WriteHeader records the status.
func (w *pageWriter) WriteHeader(status int) { w.status = status }

// Write appends to the body.
func (w *pageWriter) Write(b []byte) (int, error) { return w.body.Write(b) }

// record returns the response of a handler.
func record(h http.Handler, r *http.Request) *pageWriter {
	w := &pageWriter{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(w, r)
	return w
}
