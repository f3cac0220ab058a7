package deliveries_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/proto/webhook"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
)

const (
	project = "00000000000000000000000000000001"
	other   = "00000000000000000000000000000002"
	address = "https://shop.example/webhooks"
	alice   = "0xa11ce"
	bob     = "0xb0b"
	lease   = 30 * time.Second
)

// whole is a backoff whose pauses are as long as they can be.
var whole = deliveries.Backoff{Jitter: func() float64 { return 1 }}

// world is a registry on a database, at a time that the test sets.
type world struct {
	*deliveries.Registry

	t     *testing.T
	db    *store.DB
	clock *clocktest.Stopped
	log   bytes.Buffer
	// leases numbers the claims.
	leases int
}

func newWorld(t *testing.T, db *store.DB) *world {
	t.Helper()
	kept, err := deliveries.NewStore(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, db: db, clock: clocktest.StoppedAt(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC))}
	w.Registry = &deliveries.Registry{
		Store: kept, Sealer: seal.New(newKey(t)), Clock: w.clock, Random: rand.Reader, Log: slog.New(slog.NewTextHandler(&w.log, nil)),
		Rules: deliveries.Rules{PrivateHosts: []string{"shop.internal"}, MaxWaiting: 100, RetryFor: 72 * time.Hour, Keep: 168 * time.Hour},
	}
	return w
}

func newKey(t *testing.T) seal.KEK {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key")
	if err := seal.CreateAge(path); err != nil {
		t.Fatal(err)
	}
	key, err := seal.OpenAge(path)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// each runs a test on both databases.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, db *store.DB) { test(t, newWorld(t, db)) })
}

func (w *world) create(project string, kinds ...string) (deliveries.Endpoint, string) {
	w.t.Helper()
	e, secret, err := w.Create(w.t.Context(), project, address, kinds)
	if err != nil {
		w.t.Fatal(err)
	}
	return e, secret
}

// take takes a new event of an account, and reports whether it is stored.
func (w *world) take(account string, n int) bool {
	w.t.Helper()
	stored, err := w.Take(w.t.Context(), w.event(account, n))
	if err != nil {
		w.t.Fatal(err)
	}
	return stored
}

func (w *world) event(account string, n int) deliveries.Event {
	return deliveries.Event{
		Project: project, Kind: deliveries.OrderPaid, Key: fmt.Sprintf("%s %d", account, n), Account: account, At: w.clock.Now(), Body: fmt.Appendf(nil, `{"n":%d}`, n),
	}
}

// claim returns what is due at an endpoint; nil if that is nothing.
func (w *world) claim(e deliveries.Endpoint) *deliveries.Claim {
	w.t.Helper()
	w.leases++
	now := w.clock.Now()
	c, err := w.Store.Claim(w.t.Context(), e.ID, fmt.Sprint(w.leases), now, now.Add(lease))
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) finish(c *deliveries.Claim, status int) {
	w.t.Helper()
	o := deliveries.Outcome{StartedAt: w.clock.Now(), Took: time.Second, Status: status}
	if status == 0 {
		o.Error = "no answer in time"
	}
	if err := w.Store.Finish(w.t.Context(), c, o, w.clock.Now(), whole); err != nil {
		w.t.Fatal(err)
	}
}

// send attempts everything that is due, with a status, and returns what was sent as account and body.
func (w *world) send(e deliveries.Endpoint, status int) (sent []string) {
	w.t.Helper()
	for c := w.claim(e); c != nil; c = w.claim(e) {
		sent = append(sent, c.Delivery.Account+c.Delivery.Body)
		w.finish(c, status)
	}
	return sent
}

func (w *world) want(got []string, want ...string) {
	w.t.Helper()
	if !slices.Equal(got, want) {
		w.t.Errorf("sent %v, want %v", got, want)
	}
}

func (w *world) endpoint(id string) deliveries.Endpoint {
	w.t.Helper()
	all, err := w.Store.List(w.t.Context(), project)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range all {
		if e.ID == id {
			return e
		}
	}
	w.t.Fatalf("there is no endpoint %s", id)
	return deliveries.Endpoint{}
}

func (w *world) ready() (ids []string) {
	w.t.Helper()
	all, err := w.Store.Ready(w.t.Context(), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestEndpointsThatAProjectMayHave(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for url, why := range map[string]string{
			"https://shop.example/webhooks?token=a":             "",
			"https://shop.example:443/":                         "",
			"https://93.184.216.34/":                            "",
			"http://shop.internal:8080/webhooks":                "",
			"https://SHOP.internal/":                            "",
			"http://shop.example/":                              "https://",
			"https://shop.example:8443/":                        "port",
			"https://127.0.0.1/":                                "public",
			"https://[::1]/":                                    "public",
			"https://10.1.2.3/":                                 "public",
			"https://169.254.169.254/latest/meta-data/":         "public",
			"https://2130706433/":                               "public",
			"https://0x7f.1/":                                   "public",
			"https://*/":                                        "public",
			"http://other.shop.internal/":                       "https://",
			"https://user:password@shop.example/":               "user",
			"https://shop.example/#a":                           "fragment",
			"ftp://shop.internal/":                              "https://",
			"shop.example":                                      "URL",
			"https:shop.example":                                "URL",
			"https://":                                          "URL",
			"https://shop.example/" + strings.Repeat("a", 2048): "long",
		} {
			e, _, err := w.Create(t.Context(), other, url, nil)
			if why == "" {
				if err != nil {
					t.Errorf("%s: %v", url, err)
				}
				_ = w.Store.Delete(t.Context(), other, e.ID)
				continue
			}
			if invalid, ok := errors.AsType[*deliveries.Invalid](err); !ok || invalid.Field != "url" || !strings.Contains(invalid.Why, why) {
				t.Errorf("%.60s: %v", url, err)
			}
		}
		if _, _, err := w.Create(t.Context(), project, address, []string{"order.paid", "order.lost"}); err == nil || !strings.Contains(err.Error(), "kinds: one of them is none of user.created") {
			t.Errorf("an unknown kind: %v", err)
		}
		for range 10 {
			w.create(project)
		}
		if _, _, err := w.Create(t.Context(), project, address, nil); !errors.Is(err, deliveries.ErrTooMany) {
			t.Errorf("one more: %v", err)
		}
		w.create(other)
	})
}

func TestAnEndpointGetsTheKindsThatItAskedForSinceItsCreation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		all, _ := w.create(project)
		some, _ := w.create(project, deliveries.WalletConnected, deliveries.OrderPaid, deliveries.OrderPaid)
		if slices.Contains(all.Kinds, deliveries.WalletConnected) || !slices.Equal(some.Kinds, []string{deliveries.WalletConnected, deliveries.OrderPaid}) {
			t.Errorf("kinds %v and %v", all.Kinds, some.Kinds)
		}
		take := func(e deliveries.Event) {
			if _, err := w.Take(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		paid, connected, created, old := w.event(alice, 1), w.event(alice, 2), w.event(alice, 3), w.event(alice, 4)
		connected.Kind, created.Kind, old.At = deliveries.WalletConnected, deliveries.UserCreated, w.clock.Now().Add(-time.Second)
		elsewhere := w.event(alice, 5)
		elsewhere.Project = other
		for _, e := range []deliveries.Event{paid, connected, created, old, elsewhere} {
			take(e)
		}
		w.want(w.send(all, 200), `0xa11ce{"n":1}`, `0xa11ce{"n":3}`)
		w.want(w.send(some, 200), `0xa11ce{"n":1}`, `0xa11ce{"n":2}`)
		// It is read again from the bus.
		take(paid)
		w.want(w.send(all, 200))
	})
}

func TestEventsOfAnAccountAreSentOneAfterAnother(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		for n := range 3 {
			w.take(alice, n)
			w.take(bob, n)
		}
		first, second := w.claim(e), w.claim(e)
		if w.claim(e) != nil {
			t.Fatal("a third delivery was claimed while the first of both accounts is being sent")
		}
		w.finish(first, 500)
		w.finish(second, 204)
		w.want(w.send(e, 200), second.Delivery.Account+`{"n":1}`, second.Delivery.Account+`{"n":2}`)
		w.clock.Pass(5*time.Second - time.Millisecond)
		w.want(w.send(e, 200))
		w.clock.Pass(time.Millisecond)
		a := first.Delivery.Account
		w.want(w.send(e, 200), a+`{"n":0}`, a+`{"n":1}`, a+`{"n":2}`)
	})
}

// The process that had claimed it was killed, and has sent it or not.
func TestAClaimEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		w.take(alice, 1)
		w.take(alice, 2)
		lost := w.claim(e)
		w.clock.Pass(lease - time.Millisecond)
		if w.claim(e) != nil {
			t.Fatal("it was claimed twice")
		}
		w.clock.Pass(time.Millisecond)
		again := w.claim(e)
		if again == nil || again.Delivery.MessageID != lost.Delivery.MessageID {
			t.Fatalf("claimed %+v", again)
		}
		// The first one lives after all. Its failure does not end the claim of the second one, and its success ends the delivery once.
		w.finish(lost, 500)
		if w.claim(e) != nil {
			t.Error("another claim's failure made it due")
		}
		w.finish(lost, 200)
		w.finish(again, 200)
		w.want(w.send(e, 200), `0xa11ce{"n":2}`)
		if got := w.endpoint(e.ID).Waiting; got != 0 {
			t.Errorf("%d wait", got)
		}
		w.take(alice, 3)
		c := w.claim(e)
		if err := w.Store.Release(t.Context(), c, w.clock.Now()); err != nil {
			t.Fatal(err)
		}
		w.want(w.send(e, 200), `0xa11ce{"n":3}`)
	})
}

func TestAttemptsAreRepeatedWithGrowingPausesForThreeDays(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		w.take(alice, 1)
		w.take(alice, 2)
		began, attempts, last := w.clock.Now(), 0, w.clock.Now()
		var pauses []time.Duration
		for w.clock.Now().Sub(began) < 72*time.Hour {
			if sent := w.send(e, 400); len(sent) == 1 && sent[0] == `0xa11ce{"n":1}` {
				if attempts++; attempts > 1 {
					pauses = append(pauses, w.clock.Now().Sub(last))
				}
				last = w.clock.Now()
			} else if len(sent) > 0 {
				t.Fatalf("sent %v", sent)
			}
			var next int64
			if err := w.db.Reader().QueryRowContext(t.Context(), `SELECT next_at FROM webhooks_queues`).Scan(&next); err != nil {
				t.Fatal(err)
			}
			w.clock.Pass(time.UnixMilli(next).Sub(w.clock.Now()))
		}
		if want := []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second}; !slices.Equal(pauses[:4], want) || slices.Max(pauses) != time.Hour {
			t.Errorf("pauses %v", pauses)
		}
		if attempts < 70 || attempts > 90 {
			t.Errorf("%d attempts", attempts)
		}
		if err := w.GiveUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		all, err := w.Store.Deliveries(t.Context(), project, deliveries.Filter{Limit: 10})
		if err != nil || len(all) != 2 || all[0].State != deliveries.Failed || all[1].State != deliveries.Failed || all[1].Attempts != attempts || all[1].LastStatus != 400 {
			t.Errorf("%+v %v", all, err)
		}
		_, kept, err := w.Store.Delivery(t.Context(), project, all[1].ID)
		if err != nil || len(kept) != 20 || kept[0].Number != attempts || kept[0].Status != 400 || kept[0].Took != time.Second {
			t.Errorf("%d attempts are kept, %v", len(kept), err)
		}
		// A later event does not wait for those that were given up.
		w.take(alice, 3)
		w.want(w.send(e, 200), `0xa11ce{"n":3}`)
	})
}

func TestAnEndpointMayAskForAPause(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		for asked, want := range map[time.Duration]time.Duration{time.Minute: time.Minute, time.Second: 5 * time.Second, 30 * 24 * time.Hour: time.Hour} {
			w.take(asked.String(), 1)
			c := w.claim(e)
			if err := w.Store.Finish(t.Context(), c, deliveries.Outcome{StartedAt: w.clock.Now(), Status: 429, RetryAfter: asked}, w.clock.Now(), whole); err != nil {
				t.Fatal(err)
			}
			w.clock.Pass(want - time.Millisecond)
			if w.claim(e) != nil {
				t.Errorf("asked for %s: sent before %s", asked, want)
			}
			w.clock.Pass(time.Millisecond)
			w.want(w.send(e, 200), asked.String()+`{"n":1}`)
		}
	})
}

func TestNothingIsSentToAnEndpointThatIsDownUntilItIsTriedAgain(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		for n := range 20 {
			w.take(fmt.Sprintf("account %02d", n), 1)
		}
		for n := range deliveries.OpenAt {
			if !slices.Equal(w.ready(), []string{e.ID}) {
				t.Fatalf("paused after %d failures", n)
			}
			w.finish(w.claim(e), []int{0, 500, 503}[n%3])
		}
		if len(w.ready()) != 0 || w.endpoint(e.ID).PausedUntil != w.clock.Now().Add(5*time.Second) {
			t.Fatalf("after %d failures: %+v", deliveries.OpenAt, w.endpoint(e.ID))
		}
		w.clock.Pass(5 * time.Second)
		w.finish(w.claim(e), 0)
		w.clock.Pass(10*time.Second - time.Millisecond)
		if len(w.ready()) != 0 {
			t.Error("the second pause is not longer")
		}
		w.clock.Pass(time.Hour)
		w.finish(w.claim(e), 0)
		w.clock.Pass(5 * time.Minute)
		if len(w.ready()) == 0 {
			t.Error("it is paused for more than five minutes")
		}
		// Its first answer makes everything due, whenever it would be attempted again.
		w.finish(w.claim(e), 200)
		if got := w.endpoint(e.ID); got.Failures != 0 || !got.PausedUntil.IsZero() {
			t.Errorf("after an answer: %+v", got)
		}
		if sent := w.send(e, 200); len(sent) != 19 {
			t.Errorf("%d of 19 sent", len(sent))
		}
	})
}

// Somebody found an event that makes a backend fail.
func TestOneAccountWhoseEventsFailPausesNoOthers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		w.take(alice, 1)
		for range 20 {
			w.finish(w.claim(e), 0)
			w.clock.Pass(2 * time.Hour)
		}
		if got := w.endpoint(e.ID); !got.PausedUntil.IsZero() || got.Failures != 1 {
			t.Errorf("%+v", got)
		}
		w.take(bob, 1)
		if sent := w.send(e, 200); !slices.Contains(sent, `0xb0b{"n":1}`) {
			t.Errorf("sent %v", sent)
		}
	})
}

func TestAnEndpointThatIsGoneIsDisabledAndLosesNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		w.take(alice, 1)
		w.finish(w.claim(e), 410)
		w.clock.Pass(time.Hour)
		w.take(alice, 2)
		if w.endpoint(e.ID).Enabled || len(w.ready()) != 0 {
			t.Fatal("it is not disabled")
		}
		if _, err := w.SetEnabled(t.Context(), project, e.ID, true); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(w.ready(), []string{e.ID}) {
			t.Error("it is not enabled")
		}
		w.want(w.send(e, 200), `0xa11ce{"n":1}`, `0xa11ce{"n":2}`)
	})
}

func TestWhatWaitsIsBounded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		second, _ := w.create(project)
		for n := range 40 {
			if stored := w.take(alice, n); stored != (n < 10) {
				t.Fatalf("event %d of one account: stored %t", n, stored)
			}
		}
		for n := range 100 {
			w.take(fmt.Sprint("account ", n), 1)
		}
		got := w.endpoint(e.ID)
		if both := got.Waiting + w.endpoint(second.ID).Waiting; both != 100 {
			t.Errorf("%d wait", both)
		}
		if got.Waiting+got.Dropped != 140 || w.endpoint(second.ID).Dropped == 0 {
			t.Errorf("%d wait and %d were dropped of 140", got.Waiting, got.Dropped)
		}
		if lines := strings.Count(w.log.String(), "\n"); lines != 1 || strings.Contains(w.log.String(), project) {
			t.Errorf("%d lines of the log: %s", lines, w.log.String())
		}
		// The project of a neighbour has a bound of its own, and what was delivered has left room.
		neighbour, _ := w.create(other)
		foreign := w.event(alice, 1)
		foreign.Project = other
		if stored, err := w.Take(t.Context(), foreign); err != nil || !stored {
			t.Errorf("the neighbour's: %t %v", stored, err)
		}
		w.want(w.send(neighbour, 200), `0xa11ce{"n":1}`)
		w.send(e, 200)
		if !w.take(bob, 1) {
			t.Error("there is no room after the deliveries")
		}
	})
}

func TestBothSecretsSignDuringARotation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, first := w.create(project)
		at := w.clock.Now()
		signedBy := func() (texts []string) {
			secrets, err := w.Secrets(t.Context(), w.endpoint(e.ID))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range secrets {
				texts = append(texts, s.Sign("msg", at, nil))
			}
			return texts
		}
		sign := func(secrets ...string) (texts []string) {
			for _, text := range secrets {
				s, err := webhook.ParseSecret(text)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, s.Sign("msg", at, nil))
			}
			return texts
		}
		w.want(signedBy(), sign(first)...)
		_, second, err := w.Rotate(t.Context(), project, e.ID, time.Hour)
		if err != nil || second == first {
			t.Fatal(second, err)
		}
		w.want(signedBy(), sign(second, first)...)
		w.clock.Pass(time.Hour)
		w.want(signedBy(), sign(second)...)
		_, third, err := w.Rotate(t.Context(), project, e.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		w.want(signedBy(), sign(third)...)
		if _, _, err := w.Rotate(t.Context(), other, e.ID, 0); !errors.Is(err, deliveries.ErrUnknownEndpoint) {
			t.Errorf("by another project: %v", err)
		}
	})
}

// The database has no secret in the clear, and a secret that was moved to another endpoint signs nothing there.
func TestSecretsAreSealedForTheirEndpoint(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		mine, secret := w.create(project)
		w.clock.Pass(time.Second)
		theirs, _ := w.create(other)
		var sealed string
		if err := w.db.Reader().QueryRowContext(t.Context(), `SELECT sealed_secret FROM webhooks_endpoints WHERE id = $1`, mine.ID).Scan(&sealed); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(sealed, strings.TrimPrefix(secret, "whsec_")) || !seal.IsSealed(sealed) {
			t.Errorf("stored as %s", sealed)
		}
		if err := w.db.InTx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE webhooks_endpoints SET sealed_secret = $1 WHERE id = $2`, sealed, theirs.ID)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Secrets(t.Context(), w.endpoint(mine.ID)); err != nil {
			t.Fatal(err)
		}
		moved, err := w.Store.Find(t.Context(), other, theirs.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Secrets(t.Context(), moved); !errors.Is(err, seal.ErrTampered) {
			t.Errorf("opened elsewhere: %v", err)
		}
		if err := w.CheckKey(t.Context()); !errors.Is(err, seal.ErrTampered) {
			t.Errorf("the key is said to be right: %v", err)
		}
		fresh := seal.New(newKey(t))
		if n, err := (&deliveries.Registry{Store: w.Store, Sealer: fresh}).Rewrap(t.Context()); n != 0 || err == nil {
			t.Errorf("resealed %d without the old key, %v", n, err)
		}
	})
}

func TestDeliveriesAreRepeated(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		for n := range 4 {
			w.take(alice, n)
			w.want(w.send(e, 200), fmt.Sprintf(`0xa11ce{"n":%d}`, n))
			w.clock.Pass(time.Hour)
		}
		w.take(bob, 1)
		w.clock.Pass(73 * time.Hour)
		if err := w.GiveUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		all, err := w.Store.Deliveries(t.Context(), project, deliveries.Filter{Limit: 10})
		if err != nil || len(all) != 5 || all[0].State != deliveries.Failed || all[4].State != deliveries.Delivered {
			t.Fatalf("%+v %v", all, err)
		}
		replay := func(project string, what deliveries.Range) (int, error) {
			n, more, err := w.Replay(t.Context(), project, what)
			if more {
				t.Error("there is no room")
			}
			return n, err
		}
		from := all[3].CreatedAt
		for name, c := range map[string]struct {
			what deliveries.Range
			want []string
		}{
			"one":             {deliveries.Range{ID: all[2].ID}, []string{`0xa11ce{"n":2}`}},
			"a range":         {deliveries.Range{From: from, To: from.Add(2 * time.Hour)}, []string{`0xa11ce{"n":1}`, `0xa11ce{"n":2}`}},
			"of one endpoint": {deliveries.Range{From: from, To: from.Add(time.Hour), Endpoint: e.ID}, []string{`0xa11ce{"n":1}`}},
			"of another":      {deliveries.Range{From: from, To: from.Add(time.Hour), Endpoint: "another"}, nil},
			"an empty range":  {deliveries.Range{From: from.Add(100 * time.Hour), To: from.Add(200 * time.Hour)}, nil},
		} {
			if n, err := replay(project, c.what); n != len(c.want) || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
			w.want(w.send(e, 200), c.want...)
		}
		if n, err := replay(project, deliveries.Range{From: from, To: w.clock.Now(), FailedOnly: true}); n != 1 || err != nil {
			t.Errorf("failed ones: %d, %v", n, err)
		}
		w.want(w.send(e, 200), `0xb0b{"n":1}`)
		// Its webhook-id and the number of its attempts go on.
		again, _, err := w.Store.Delivery(t.Context(), project, all[2].ID)
		if err != nil || again.MessageID != all[2].MessageID || again.Attempts != 3 {
			t.Errorf("%+v %v", again, err)
		}
		w.take(alice, 9)
		waiting, err := w.Store.Deliveries(t.Context(), project, deliveries.Filter{State: deliveries.Waiting, Limit: 10})
		if err != nil || len(waiting) != 1 {
			t.Fatal(waiting, err)
		}
		for name, c := range map[string]struct {
			project string
			id      int64
		}{"one that waits": {project, waiting[0].ID}, "that of another project": {other, all[2].ID}, "one that does not exist": {project, 1 << 40}} {
			if _, err := replay(c.project, deliveries.Range{ID: c.id}); !errors.Is(err, deliveries.ErrUnknownDelivery) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := replay(project, deliveries.Range{From: from, To: from}); err == nil {
			t.Error("a range without length")
		}
	})
}

func TestAReplayHasTheBoundOfWhatWaits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		for n := range 120 {
			w.take(fmt.Sprintf("account %03d", n), 1)
			w.send(e, 200)
		}
		all := deliveries.Range{From: w.clock.Now(), To: w.clock.Now().Add(time.Second)}
		if n, more, err := w.Replay(t.Context(), project, all); n != 100 || !more || err != nil {
			t.Errorf("%d, more %t, %v", n, more, err)
		}
		if n, more, err := w.Replay(t.Context(), project, all); n != 0 || !more || err != nil {
			t.Errorf("again: %d, more %t, %v", n, more, err)
		}
		if sent := w.send(e, 200); len(sent) != 100 || sent[0] != `account 000{"n":1}` {
			t.Errorf("%d sent, first %s", len(sent), sent[0])
		}
	})
}

func TestOldDeliveriesAreDeleted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		e, _ := w.create(project)
		w.take(alice, 1)
		w.send(e, 200)
		w.clock.Pass(168*time.Hour + time.Millisecond)
		for n := range 50 {
			w.take(fmt.Sprint(n), 1)
			w.send(e, 200)
		}
		w.take(bob, 1)
		count := func() (n int) {
			for _, table := range []string{"webhooks_deliveries", "webhooks_attempts"} {
				var rows int
				if err := w.db.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&rows); err != nil {
					t.Fatal(err)
				}
				n += rows
			}
			return n
		}
		if err := w.DeleteOld(t.Context(), 10); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != 101 {
			t.Errorf("%d rows after a week", n)
		}
		// At most as many as may wait are kept here, which are 30: the newest.
		w.Rules.MaxWaiting = 30
		if err := w.DeleteOld(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != 61 {
			t.Errorf("%d rows of those that are too many", n)
		}
		if err := w.Store.Delete(t.Context(), other, e.ID); !errors.Is(err, deliveries.ErrUnknownEndpoint) {
			t.Errorf("deleted by another project: %v", err)
		}
		sending := w.claim(e)
		if err := w.Store.Delete(t.Context(), project, e.ID); err != nil {
			t.Fatal(err)
		}
		w.finish(sending, 200)
		if n := count(); n != 0 || len(w.ready()) != 0 {
			t.Errorf("%d rows of a deleted endpoint", n)
		}
	})
}
