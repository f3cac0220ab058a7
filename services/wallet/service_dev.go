package wallet

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
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
	"github.com/hawser-dev/hawser/services/wallet/social"
)

// devPages answers the HTTP requests below /dev/ that the gateway forwards.
type devPages struct {
	walletv1.UnimplementedDevPageServiceServer

	pages http.Handler
}

// ServeDevPage answers one HTTP request.
func (d devPages) ServeDevPage(ctx context.Context, r *walletv1.ServeDevPageRequest) (*walletv1.ServeDevPageResponse, error) {
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
	w := record(d.pages, req)
	res := &walletv1.ServeDevPageResponse{Status: uint32(w.status), Header: map[string]string{}, Body: w.body.Bytes()}
	for name := range w.header {
		res.Header[name] = w.header.Get(name)
	}
	return res, nil
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

// record returns what a handler answers.
func record(h http.Handler, r *http.Request) *pageWriter {
	w := &pageWriter{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(w, r)
	return w
}

// devTransport answers calls of the development servers by the suite itself, without a network.
type devTransport struct {
	base  string
	pages http.Handler
}

// RoundTrip answers a call. It fails for other hosts.
func (d devTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(r.URL.String(), d.base+"/dev/") {
		return nil, http.ErrNotSupported
	}
	w := record(d.pages, r)
	return &http.Response{
		StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// openDev opens the servers for development: the inbox, the identity provider and Farcaster. It fails unless this is a development
// installation.
func (s *Server) openDev(ctx context.Context, c clock.Clock) (err error) {
	if !s.cfg.Development {
		return errors.New("wallet.inbox is for development only, and chains.dev is not set: remove it, and configure wallet.mail")
	}
	if s.inbox, err = devinbox.Listen(ctx, s.cfg.Inbox); err != nil {
		return fmt.Errorf("wallet.inbox: %w", err)
	}
	idp, err := devidp.New(s.cfg.PublicURL, s.cfg.FrameOrigin+socialCallback, c)
	if err != nil {
		return err
	}
	app, err := devfarcaster.New(s.cfg.PublicURL, c)
	if err != nil {
		return err
	}
	if s.cfg.Social, err = developmentClients(idp); err != nil {
		return err
	}
	s.cfg.Mail, s.cfg.FarcasterRelay, s.registry = s.cfg.Mail.Local(s.inbox.Port()), app.Relay(), app
	s.pages.Handle(devinbox.Path, s.inbox)
	s.pages.Handle(devinbox.Path+".json", s.inbox)
	s.pages.Handle(devidp.Path, idp)
	s.pages.Handle(devfarcaster.Path, app)
	s.client.Transport = devTransport{s.cfg.PublicURL, s.pages}
	return nil
}

// developmentClients returns the configuration of the providers for development.
func developmentClients(idp *devidp.Provider) (social.Config, error) {
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
