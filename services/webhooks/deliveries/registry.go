package deliveries

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/hawser-dev/hawser/proto/webhook"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/seal"
)

const (
	// secretSize is the size of a secret, in bytes.
	secretSize = 32
	// accountPart is the part of what may wait for a project that may be of one account, as a divisor.
	accountPart = 10
	// maxOpened bounds the opened secrets that are kept.
	maxOpened = 1000
	// logPause is the pause between two lines of the log about dropped webhooks.
	logPause = time.Minute
)

// Rules are the settings.
type Rules struct {
	// PrivateHosts are hosts of the operator, in lower case: they may have private addresses, any port, and http.
	PrivateHosts []string
	// MaxWaiting bounds the deliveries that wait for the endpoints of a project.
	MaxWaiting int64
	// RetryFor is how long a delivery is attempted.
	RetryFor time.Duration
	// Keep is how long deliveries are kept that have ended.
	Keep time.Duration
}

// Registry manages the endpoints of projects and takes events for them. It is safe for concurrent use, also by several processes.
type Registry struct {
	Store  *Store
	Sealer *seal.Sealer
	Clock  clock.Clock
	Random io.Reader
	Rules  Rules
	Log    *slog.Logger

	// loggedAt is when dropped webhooks were last logged, in Unix nanoseconds.
	loggedAt atomic.Int64

	mu sync.Mutex
	// opened has secrets by their endpoint and sealed form, because a key management service is slow.
	opened map[string]webhook.Secret
}

// Create adds an endpoint and returns its secret. Without kinds it gets those that need not be named. It fails with [*Invalid] or [ErrTooMany], and as CheckKey does, so
// that a command with another key than the service's does not seal what the service cannot open.
func (r *Registry) Create(ctx context.Context, project, url string, kinds []string) (e Endpoint, secret string, err error) {
	if err := r.Rules.checkURL(url); err != nil {
		return Endpoint{}, "", err
	}
	if kinds, err = checkKinds(kinds); err != nil {
		return Endpoint{}, "", err
	}
	if err := r.CheckKey(ctx); err != nil {
		return Endpoint{}, "", err
	}
	now := r.Clock.Now()
	id, err := ulid.New(ulid.Timestamp(now), r.Random)
	if err != nil {
		return Endpoint{}, "", err
	}
	e = Endpoint{ID: id.String(), Project: project, URL: url, Kinds: kinds, Enabled: true, CreatedAt: now.UTC().Truncate(time.Millisecond)}
	if secret, e.sealed, err = r.newSecret(ctx, e.ID); err != nil {
		return Endpoint{}, "", err
	}
	return e, secret, r.Store.Insert(ctx, e)
}

// CheckKey opens the secret of the newest endpoint. It fails if the key that sealed it is not configured here.
func (r *Registry) CheckKey(ctx context.Context) error {
	newest, err := r.Store.newest(ctx)
	if errors.Is(err, ErrUnknownEndpoint) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := r.open(ctx, newest.sealed, newest.ID); err != nil {
		return fmt.Errorf("open the secret of the endpoint %s: %w", newest.ID, err)
	}
	return nil
}

// newSecret returns a secret and its sealed form.
func (r *Registry) newSecret(ctx context.Context, endpoint string) (secret, sealed string, err error) {
	key := make([]byte, secretSize)
	if _, err := io.ReadFull(r.Random, key); err != nil {
		return "", "", err
	}
	secret = webhook.NewSecret(key)
	sealed, err = r.Sealer.Seal(ctx, seal.Secret(secret), sealedFor(endpoint))
	return secret, sealed, err
}

// sealedFor is the associated data of the secrets of an endpoint.
func sealedFor(endpoint string) string { return "webhook|" + endpoint }

// Rotate gives an endpoint a new secret and returns it. The old one is valid for a while; 0 ends it now. It fails with [ErrUnknownEndpoint].
func (r *Registry) Rotate(ctx context.Context, project, id string, keep time.Duration) (e Endpoint, secret string, err error) {
	secret, sealed, err := r.newSecret(ctx, id)
	if err != nil {
		return Endpoint{}, "", err
	}
	e, err = r.Store.Update(ctx, project, id, func(e *Endpoint) {
		e.sealedPrevious, e.PreviousUntil = "", time.Time{}
		if keep > 0 {
			e.sealedPrevious, e.PreviousUntil = e.sealed, r.Clock.Now().Add(keep)
		}
		e.sealed = sealed
	})
	return e, secret, err
}

// SetEnabled stops sending to an endpoint, or sends again at once. It fails with [ErrUnknownEndpoint].
func (r *Registry) SetEnabled(ctx context.Context, project, id string, enabled bool) (Endpoint, error) {
	return r.Store.Update(ctx, project, id, func(e *Endpoint) {
		if enabled && !e.Enabled {
			e.Failures, e.PausedUntil, e.HasAnswered = 0, time.Time{}, false
		}
		e.Enabled = enabled
	})
}

// Replay sends deliveries of a project again that have ended. It fails with [*Invalid] or [ErrUnknownDelivery].
func (r *Registry) Replay(ctx context.Context, project string, what Range) (replayed int, more bool, err error) {
	if what.ID == 0 && !what.From.Before(what.To) {
		return 0, false, &Invalid{"to", "it is not after from"}
	}
	return r.Store.Replay(ctx, project, what, r.Rules.MaxWaiting, r.Clock.Now(), r.Rules.RetryFor)
}

// Secrets opens the secrets with which webhooks to an endpoint are signed now: the newest first.
func (r *Registry) Secrets(ctx context.Context, e Endpoint) (secrets []webhook.Secret, err error) {
	sealed := []string{e.sealed}
	if e.sealedPrevious != "" && r.Clock.Now().Before(e.PreviousUntil) {
		sealed = append(sealed, e.sealedPrevious)
	}
	for _, one := range sealed {
		secret, err := r.open(ctx, one, e.ID)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, secret)
	}
	return secrets, nil
}

// open opens one secret of an endpoint.
func (r *Registry) open(ctx context.Context, sealed, endpoint string) (webhook.Secret, error) {
	key := endpoint + " " + sealed
	r.mu.Lock()
	secret, ok := r.opened[key]
	r.mu.Unlock()
	if ok {
		return secret, nil
	}
	opened, err := r.Sealer.Open(ctx, sealed, sealedFor(endpoint))
	if err != nil {
		return secret, err
	}
	defer clear(opened)
	if secret, err = webhook.ParseSecret(string(opened)); err != nil {
		return secret, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.opened) >= maxOpened || r.opened == nil {
		r.opened = map[string]webhook.Secret{}
	}
	r.opened[key] = secret
	return secret, nil
}

// Wants reports whether an endpoint of a project gets events of one of the kinds.
func (r *Registry) Wants(ctx context.Context, project string, kinds ...string) (bool, error) {
	all, err := r.Store.List(ctx, project)
	return slices.ContainsFunc(all, func(e Endpoint) bool {
		return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(e.Kinds, kind) })
	}), err
}

// Take stores an event for each endpoint that gets it. When it returns, it is stored, or dropped because as much as may wait for the project already does, which is
// counted at the endpoint. An event that is already stored changes nothing. It reports whether something new waits.
func (r *Registry) Take(ctx context.Context, e Event) (stored bool, err error) {
	all, err := r.Store.List(ctx, e.Project)
	if err != nil {
		return false, err
	}
	var endpoints []Endpoint
	for _, one := range all {
		if one.Gets(e.Kind, e.At) {
			endpoints = append(endpoints, one)
		}
	}
	if len(endpoints) == 0 {
		return false, nil
	}
	now := r.Clock.Now()
	dropped, err := r.Store.Add(ctx, e, endpoints, r.Rules.MaxWaiting, r.Rules.MaxWaiting/accountPart, now, now.Add(r.Rules.RetryFor))
	if dropped > 0 && r.worthLogging(now) {
		r.Log.WarnContext(ctx, "webhooks dropped: too many wait for the project", "endpoint", endpoints[0].ID)
	}
	return err == nil && dropped < len(endpoints), err
}

// worthLogging reports whether the last line about dropped webhooks is some time ago.
func (r *Registry) worthLogging(now time.Time) bool {
	last := r.loggedAt.Load()
	return now.Sub(time.Unix(0, last)).Abs() >= logPause && r.loggedAt.CompareAndSwap(last, now.UnixNano())
}

// GiveUp ends what waits and whose time is over, and logs how much that is.
func (r *Registry) GiveUp(ctx context.Context) error {
	n, err := r.Store.GiveUp(ctx, r.Clock.Now())
	if n > 0 {
		r.Log.WarnContext(ctx, "webhooks given up: their endpoints did not accept them in time", "count", n)
	}
	return err
}

// DeleteOld deletes what ended long ago, and what is more than a number of deliveries for each that may wait.
func (r *Registry) DeleteOld(ctx context.Context, part int64) error {
	return r.Store.DeleteOld(ctx, r.Clock.Now().Add(-r.Rules.Keep), part*r.Rules.MaxWaiting)
}

// Rewrap seals the secrets of all endpoints with the current key of the sealer, and returns how many it changed. Secrets that cannot be opened stay as they are; the
// error names the endpoint of the first of them.
func (r *Registry) Rewrap(ctx context.Context) (changed int, err error) {
	all, err := r.Store.sealedSecrets(ctx)
	if err != nil {
		return 0, err
	}
	var first error
	for _, one := range all {
		fresh, isNew, err := r.Sealer.Rewrap(ctx, one.sealed, sealedFor(one.endpoint))
		switch {
		case errors.Is(err, seal.ErrUnavailable) || ctx.Err() != nil:
			return changed, errors.Join(err, ctx.Err())
		case err != nil:
			if first == nil {
				first = errors.New("endpoint " + one.endpoint + ": " + err.Error())
			}
		case isNew:
			if err := r.Store.reseal(ctx, one, fresh); err != nil {
				return changed, err
			}
			changed++
		}
	}
	return changed, first
}
