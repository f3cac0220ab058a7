package farcaster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxAnswer bounds an answer of the relay, in bytes.
const maxAnswer = 64 << 10

// Channel is a channel at the relay.
type Channel struct {
	// Token authorizes reading the channel.
	Token string `json:"channelToken"`
	// URL is the content of the QR code.
	URL string `json:"url"`
}

// Completed is the message that the Farcaster app sent through a channel.
type Completed struct {
	State     string `json:"state"`
	Message   string `json:"message"`
	Signature string `json:"signature"`
	UserName  string `json:"username"`
}

// Relay is a relay of Farcaster logins.
type Relay struct {
	address string
	http    *http.Client
}

// NewRelay returns the relay at an address; client sends the requests.
func NewRelay(address string, client *http.Client) *Relay {
	return &Relay{strings.TrimSuffix(address, "/"), client}
}

// Open opens a channel for a message of this domain, URI and nonce. It fails with [ErrUnavailable].
func (r *Relay) Open(ctx context.Context, domain, uri, nonce string) (Channel, error) {
	body, err := json.Marshal(map[string]any{"siweUri": uri, "domain": domain, "nonce": nonce, "acceptAuthAddress": true})
	if err != nil {
		return Channel{}, err
	}
	var c Channel
	status, err := r.call(ctx, http.MethodPost, "/v1/channel", "", body, &c)
	if err != nil {
		return Channel{}, err
	}
	if status != http.StatusCreated || c.Token == "" || !strings.HasPrefix(c.URL, "http") {
		return Channel{}, fmt.Errorf("%w: the relay answers %d", ErrUnavailable, status)
	}
	return c, nil
}

// Read returns the message that was sent through a channel; ok is false while there is none. The relay closes the
// channel when it returns the message. It fails with [ErrUnavailable].
func (r *Relay) Read(ctx context.Context, token string) (c Completed, ok bool, err error) {
	status, err := r.call(ctx, http.MethodGet, "/v1/channel/status", token, nil, &c)
	switch {
	case err != nil:
		return Completed{}, false, err
	case status == http.StatusAccepted:
		return Completed{}, false, nil
	case status != http.StatusOK || c.State != "completed":
		return Completed{}, false, fmt.Errorf("%w: the relay answers %d", ErrUnavailable, status)
	}
	return c, true, nil
}

func (r *Relay) call(ctx context.Context, method, path, token string, body []byte, answer any) (int, error) {
	req, err := http.NewRequestWithContext(ctx, method, r.address+path, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("%w: the address of the relay is not valid", ErrUnavailable)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := r.http.Do(req)
	if err != nil {
		return 0, fmt.Errorf("%w: the relay does not answer", ErrUnavailable)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return 0, fmt.Errorf("%w: the relay does not answer", ErrUnavailable)
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return 0, fmt.Errorf("%w: the relay does not answer in JSON", ErrUnavailable)
	}
	return res.StatusCode, nil
}
