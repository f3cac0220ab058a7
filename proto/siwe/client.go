package siwe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ErrNoSession means that no session has the token.
var ErrNoSession = errors.New("no session has this token")

// Session is an account that signed in.
type Session struct {
	// Address is in the form of its namespace; with its checksum (ERC-55) on eip155.
	Address string `json:"address"`
	// ChainID is the chain of the signed message (CAIP-2).
	ChainID string `json:"chainId"`
	// ChainIDs are the chains that the account proved to hold on (CAIP-2).
	ChainIDs []string `json:"chainIds"`
	// AllChains means that the account's own key signed, which is valid on every chain of the namespace.
	AllChains bool      `json:"allChains"`
	Domain    string    `json:"domain"`
	IssuedAt  time.Time `json:"issuedAt"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// Client reads sessions from a gateway. It is safe for concurrent use.
type Client struct {
	// GatewayURL is the base URL of the gateway.
	GatewayURL string
	// ProjectID is the site's project: 32 hex digits.
	ProjectID string
	// Origin, if it is set, is the site's origin: sessions of other pages of the project are refused.
	Origin string
	// Cookie is the name of the cookie that may carry the token beside the Authorization header; empty for none.
	Cookie string
	// HTTP sends the requests; nil for a client with a timeout of 10 seconds.
	HTTP *http.Client
}

const (
	bearer     = "Bearer "
	timeout    = 10 * time.Second
	maxSession = 64 << 10
)

var defaultHTTP = &http.Client{Timeout: timeout}

// Session returns the session of a token. It fails with [ErrNoSession]; any other error means that the gateway did not answer, and that it is not
// known whether there is one.
func (c *Client) Session(ctx context.Context, token string) (s Session, err error) {
	if token == "" {
		return s, ErrNoSession
	}
	address := strings.TrimSuffix(c.GatewayURL, "/") + "/auth/v1/me?projectId=" + url.QueryEscape(c.ProjectID)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return s, err
	}
	req.Header.Set("Authorization", bearer+token)
	if c.Origin != "" {
		req.Header.Set("Origin", c.Origin)
	}
	client := c.HTTP
	if client == nil {
		client = defaultHTTP
	}
	res, err := client.Do(req)
	if err != nil {
		return s, fmt.Errorf("session: %w", err)
	}
	defer func() { err = errors.Join(err, res.Body.Close()) }()
	body := io.LimitReader(res.Body, maxSession)
	if res.StatusCode != http.StatusOK {
		var refusal struct{ Code string }
		if json.NewDecoder(body).Decode(&refusal) == nil && refusal.Code == "SESSION_ABSENT" {
			return s, ErrNoSession
		}
		return s, fmt.Errorf("session: the gateway answered %s", res.Status)
	}
	if err := json.NewDecoder(body).Decode(&s); err != nil {
		return Session{}, fmt.Errorf("session: %w", err)
	}
	return s, nil
}

type sessionKey struct{}

// FromContext returns the session of a request that [Client.Middleware] let through.
func FromContext(ctx context.Context) (Session, bool) {
	s, ok := ctx.Value(sessionKey{}).(Session)
	return s, ok
}

// Middleware calls next for requests with a session, which [FromContext] returns. The token is in the header `Authorization: Bearer`, or in the
// cookie. Others are answered 401, or 503 if the gateway does not answer.
func (c *Client) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := c.Session(r.Context(), c.tokenIn(r))
		switch {
		case errors.Is(err, ErrNoSession):
			http.Error(w, "sign in first", http.StatusUnauthorized)
		case err != nil:
			http.Error(w, "sign-in is temporarily unavailable", http.StatusServiceUnavailable)
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), sessionKey{}, s)))
		}
	})
}

func (c *Client) tokenIn(r *http.Request) string {
	if value := r.Header.Get("Authorization"); len(value) > len(bearer) && strings.EqualFold(value[:len(bearer)], bearer) {
		return value[len(bearer):]
	}
	if c.Cookie == "" {
		return ""
	}
	cookie, err := r.Cookie(c.Cookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}
