package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hawser-dev/hawser/proto/webhook"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/killtest"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
	"github.com/hawser-dev/hawser/services/webhooks/dispatch"
)

func TestMain(m *testing.M) {
	killtest.Main(live)
	goleak.VerifyTestMain(m)
}

const project = "00000000000000000000000000000001"

// pollPause is the pause between two looks at what arrived.
const pollPause = 5 * time.Millisecond

// life is what a process is started with.
type life struct {
	DSN, Key string
	Now      time.Time
}

// step is what a process is told to do: to take an event, and to let time pass.
type step struct {
	Account string
	Number  int
	Pass    time.Duration
}

// live is the process that is killed: it sends what is due, and takes events.
func live(ctx context.Context, in *json.Decoder) error {
	var l life
	if err := in.Decode(&l); err != nil {
		return err
	}
	db, err := store.Open(ctx, l.DSN)
	if err != nil {
		return err
	}
	key, err := seal.OpenAge(l.Key)
	if err != nil {
		return err
	}
	now, cfg := clocktest.StoppedAt(l.Now), testConfig()
	registry, err := Open(ctx, cfg, db, seal.New(key), now, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	dispatcher := dispatch.New(cfg.limits(), dispatch.Deps{
		Store: registry.Store, Sender: dispatch.NewHTTPSender(registry, now, cfg.Timeout), Clock: now,
		Backoff: deliveries.Backoff{Jitter: mathrand.Float64}, Log: slog.New(slog.DiscardHandler),
	})
	routine.Go(ctx, func() error { return dispatcher.Run(ctx) })
	for {
		var s step
		if err := in.Decode(&s); err != nil {
			return err
		}
		if s.Account != "" {
			if _, err := registry.Take(ctx, numbered(s.Account, s.Number, now.Now())); err != nil {
				return err
			}
		}
		now.Pass(s.Pass)
		dispatcher.Wake()
		_, _ = fmt.Fprintln(os.Stdout, "done")
	}
}

func testConfig() Config {
	cfg := DefaultConfig()
	cfg.PrivateHosts = []string{"127.0.0.1"}
	return cfg
}

// numbered returns the event of an account with a number, which its events have in order.
func numbered(account string, n int, at time.Time) deliveries.Event {
	return withBody(deliveries.Event{
		Project: project, Kind: deliveries.OrderPaid, Key: fmt.Sprintf("%s %d", account, n), Account: account, At: at,
	}, map[string]any{"account": account, "n": n})
}

// receiver is the backend of a site, which verifies what it gets.
type receiver struct {
	t        *testing.T
	url      string
	verifier *webhook.Verifier

	mu     sync.Mutex
	isDead bool
	// accepted are the numbers of the events that were accepted first, by account.
	accepted map[string][]int
	// attempts counts the requests, and forged those that were not of the sender.
	attempts, forged int
}

// newReceiver returns a receiver; now is the time of the sender.
func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{t: t, accepted: map[string][]int{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL + "/webhooks"
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attempts++
	e, err := r.verifier.Read(req)
	var data struct {
		Account string
		N       int
	}
	switch {
	case err != nil:
		// The clock passes in steps, so a webhook of the sender may be late, and is sent again.
		if req.Header.Get(webhook.HeaderID) == forgedID {
			r.forged++
		}
		w.WriteHeader(http.StatusUnauthorized)
	case r.isDead && r.attempts%2 == 0:
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.isDead:
		panic(http.ErrAbortHandler)
	case json.Unmarshal(e.Data, &data) != nil:
		r.t.Errorf("data %s", e.Data)
	default:
		had := r.accepted[data.Account]
		switch {
		case len(had) == data.N:
			r.accepted[data.Account] = append(had, data.N)
		case len(had) < data.N:
			r.t.Errorf("event %d of %s came before event %d was accepted", data.N, data.Account, len(had))
		}
	}
}

func (r *receiver) set(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

// count returns how many events were accepted, and how many requests there were.
func (r *receiver) count() (accepted, attempts int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, numbers := range r.accepted {
		accepted += len(numbers)
	}
	return accepted, r.attempts
}

// The receiver is dead for an hour, the process is killed ten times, and somebody forges webhooks meanwhile.
func TestEveryEventArrivesInOrderAndNoneIsForged(t *testing.T) {
	if testing.Short() {
		t.Skip("it kills processes")
	}
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		key := filepath.Join(t.TempDir(), "key")
		if err := seal.CreateAge(key); err != nil {
			t.Fatal(err)
		}
		r := newReceiver(t)
		began := time.Date(2026, 5, 6, 7, 0, 0, 0, time.UTC)
		now := clocktest.StoppedAt(began)
		secret := addEndpoint(t, dsn, key, r.url, began)
		r.set(func() {
			verifier, err := webhook.New(secret)
			if err != nil {
				t.Fatal(err)
			}
			verifier.Now = now.Now
			r.verifier, r.isDead = verifier, true
		})
		accounts, next := []string{"0xa", "0xb", "0xc"}, map[string]int{}
		taken := 0
		// send tells the process to do a step, which may be its last one.
		send := func(p *killtest.Process, s step) {
			now.Pass(s.Pass)
			if err := p.Send(s); err != nil {
				t.Fatal(err)
			}
			p.Await(1)
			if s.Account != "" {
				next[s.Account]++
				taken++
			}
		}
		for n := range 10 {
			p := killtest.Start(t, life{dsn, key, now.Now()})
			if n == 6 {
				// An hour has passed.
				if now.Now().Sub(began) < time.Hour {
					t.Fatal("the hour is not over")
				}
				r.set(func() { r.isDead = false })
			}
			_, before := r.count()
			for i := range 9 {
				account := accounts[i%len(accounts)]
				send(p, step{Account: account, Number: next[account]})
			}
			for range 3 {
				send(p, step{Pass: 4 * time.Minute})
			}
			// It is killed while it sends.
			for attempts := before; attempts == before; _, attempts = r.count() {
				send(p, step{Pass: time.Minute})
				time.Sleep(pollPause)
			}
			forge(t, r, secret, now.Now())
			p.Kill()
		}
		p := killtest.Start(t, life{dsn, key, now.Now()})
		for accepted, _ := r.count(); accepted < taken; accepted, _ = r.count() {
			send(p, step{Pass: 30 * time.Second})
			time.Sleep(pollPause)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, account := range accounts {
			if len(r.accepted[account]) != 30 {
				t.Errorf("%d events of %s arrived", len(r.accepted[account]), account)
			}
		}
		if r.forged != 10*forgeries {
			t.Errorf("%d of %d forged webhooks were refused", r.forged, 10*forgeries)
		}
		t.Logf("%d attempts at %d events", r.attempts-r.forged, taken)
	})
}

// forgeries is how many webhooks forge sends, and forgedID is their id.
const (
	forgeries = 4
	forgedID  = "msg_forged"
)

// forge sends webhooks that the sender did not sign, or not now, or not with this body.
func forge(t *testing.T, r *receiver, secret string, now time.Time) {
	t.Helper()
	mine, err := webhook.ParseSecret(webhook.NewSecret(slices.Repeat([]byte{1}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	stolen, err := webhook.ParseSecret(secret)
	if err != nil {
		t.Fatal(err)
	}
	body := string(numbered("0xa", 1_000_000, now).Body)
	for _, f := range []struct {
		by   webhook.Secret
		at   time.Time
		sent string
	}{
		{mine, now, body},
		{stolen, now.Add(-6 * time.Minute), body}, // one that was recorded
		{stolen, now.Add(6 * time.Minute), body},
		{stolen, now, strings.Replace(body, "1000000", "1000001", 1)},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url, strings.NewReader(f.sent))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(webhook.HeaderID, forgedID)
		req.Header.Set(webhook.HeaderTimestamp, fmt.Sprint(f.at.Unix()))
		req.Header.Set(webhook.HeaderSignature, f.by.Sign(forgedID, f.at, []byte(body)))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusUnauthorized {
			t.Errorf("a forged webhook was answered %d", res.StatusCode)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// addEndpoint adds an endpoint at a URL and returns its secret.
func addEndpoint(t *testing.T, dsn, keyFile, url string, at time.Time) string {
	t.Helper()
	db, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	key, err := seal.OpenAge(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	registry, err := Open(t.Context(), testConfig(), db, seal.New(key), clocktest.StoppedAt(at), slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := registry.Create(t.Context(), project, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}
