package seal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// callTimeout bounds one call of a key management service, and maxAnswer its answer, in bytes.
	callTimeout = 5 * time.Second
	maxAnswer   = 64 << 10
)

// ErrUnavailable means that a key management service did not answer, or refused the call.
var ErrUnavailable = errors.New("the key management service is not available")

// remote calls a key management service over HTTP with JSON.
type remote struct{ http http.Client }

func newRemote() *remote {
	return &remote{http.Client{
		Timeout:   callTimeout,
		Transport: upstream.NewMeter("keys", "").Transport(),
		// A redirect would carry the credentials to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// post sends a request and reads its answer. prepare adds the credentials. The error never contains the request or the answer.
func (r *remote) post(ctx context.Context, url string, request, answer any, prepare func(req *http.Request, body []byte) error) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	defer clear(body)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: its address is not valid", ErrUnavailable)
	}
	req.Header.Set("Content-Type", "application/json")
	if err := prepare(req, body); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	res, err := r.http.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %s does not answer", ErrUnavailable, req.URL.Host)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	defer clear(raw)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s does not answer", ErrUnavailable, req.URL.Host)
	case res.StatusCode == http.StatusBadRequest:
		// Every service responds with this status to a ciphertext that is damaged or bound to other data.
		return ErrTampered
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("%w: %s answers %d", ErrUnavailable, req.URL.Host, res.StatusCode)
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return fmt.Errorf("%w: %s does not answer in JSON", ErrUnavailable, req.URL.Host)
	}
	return nil
}
