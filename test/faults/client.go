package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"
)

// httpRequest is one HTTP request at either gateway.
type httpRequest struct {
	method, path, contentType, body, token string
	// from is the address that a proxy says the caller has; empty for this machine's.
	from string
}

// shop is the origin of the site that accounts sign in to.
const shop = "https://shop.example"

// send sends a request and returns the answer if it has status 200.
func (w *world) send(ctx context.Context, r httpRequest) ([]byte, verdict) {
	return w.sendTo(ctx, w.gateways[rand.IntN(len(w.gateways))]+r.path, r)
}

func (w *world) sendTo(ctx context.Context, url string, r httpRequest) ([]byte, verdict) {
	begun := time.Now()
	req, err := http.NewRequestWithContext(ctx, r.method, url, strings.NewReader(r.body))
	if err != nil {
		return nil, wrong("%v", err)
	}
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	if strings.HasPrefix(r.path, "/auth/") {
		req.Header.Set("Origin", shop)
	}
	if r.from != "" {
		req.Header.Set("X-Forwarded-For", r.from)
	}
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, refused("no answer in time")
		}
		return nil, refused("no answer")
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, refused("an answer that was cut off")
	}
	switch {
	case res.StatusCode == http.StatusOK:
		return answer, right
	case res.StatusCode >= 500, res.StatusCode == http.StatusTooManyRequests:
		return nil, refused("%d", res.StatusCode)
	case w.wasSkewed(begun):
		return nil, refused("%d, with a clock that is wrong", res.StatusCode)
	default:
		return nil, wrong("%s answers %d: %s", strings.Split(r.path, "?")[0], res.StatusCode, bytes.TrimSpace(answer))
	}
}

// get sends a request and checks the JSON of its answer.
func get[T any](ctx context.Context, w *world, r httpRequest, check func(answer T) string) verdict {
	raw, v := w.send(ctx, r)
	if v != right {
		return v
	}
	var answer T
	if err := json.Unmarshal(raw, &answer); err != nil {
		return wrong("%v: %s", err, raw)
	}
	if what := check(answer); what != "" {
		return wrong("%s: %s", what, raw)
	}
	return right
}

// expect returns what is wrong with a value; empty if nothing is.
func expect[T comparable](name string, got, want T) string {
	if got != want {
		return fmt.Sprintf("%s is %v, not %v", name, got, want)
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
