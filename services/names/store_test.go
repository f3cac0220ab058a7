package names_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/names/namestest"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/names/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// TestMain fails if a goroutine leaks, except those of caches, which end when their cache is garbage collected.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/maypok86/otter/v2.periodicCleanUp[...]"))
}

func TestSQLStore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, _ := open(t, db, namestest.ChangesPerHour)
		namestest.RunStore(t, s)
	})
}

func TestARegistrationIsPublishedWithTheProjectOfItsSite(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, _ := open(t, db, namestest.ChangesPerHour)
		r := namestest.Record("alice.hawser.id", 1)
		c := namestest.Change(r.Name, registry.Registered, 1)
		c.Project = "00000000000000000000000000000001"
		if err := s.Insert(t.Context(), r, c); err != nil {
			t.Fatal(err)
		}
		want := &namesv1.NameRegistered{
			Name: "alice.hawser.id", Address: signaturetest.NewAccount(1).Address().String(), ProjectId: c.Project, RegisteredAt: c.At.UnixMilli(),
		}
		if got := bustest.Waiting[*namesv1.NameRegistered](t, db); len(got) != 1 || !proto.Equal(got[0], want) {
			t.Errorf("published %v", got)
		}
	})
}

func TestEveryChangeIsPublished(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, outbox := open(t, db, namestest.ChangesPerHour)
		received := listen(t, outbox)
		r := namestest.Record("alice.hawser.id", 1)
		alice, bob := signaturetest.NewAccount(1).Address(), signaturetest.NewAccount(2).Address()
		if err := s.Insert(t.Context(), r, namestest.Change(r.Name, registry.Registered, 1)); err != nil {
			t.Fatal(err)
		}
		wantEvent(t, received, "registered", "alice.hawser.id", alice.String())

		// An uncommitted change publishes no event: the next event is that of the next change.
		_ = s.Insert(t.Context(), r, namestest.Change(r.Name, registry.Registered, 2))
		_, _ = s.Update(t.Context(), r.Name, namestest.Change(r.Name, registry.SetAddress, 1), func(*registry.Record) error { return errors.New("refused") })
		_, err := s.Update(t.Context(), r.Name, namestest.Change(r.Name, registry.SetAddress, 1), func(r *registry.Record) error {
			r.Addresses = r.Addresses[:1]
			r.Addresses[0].Address = bob
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		wantEvent(t, received, "changed", "alice.hawser.id", alice.String(), bob.String())

		if err := s.Delete(t.Context(), r.Name, namestest.Change(r.Name, registry.Released, 1), func(registry.Record) error { return nil }); err != nil {
			t.Fatal(err)
		}
		wantEvent(t, received, "changed", "alice.hawser.id", alice.String(), bob.String())
	})
}

func open(t testing.TB, db *store.DB, changesPerHour int) (*sqlstore.Store, *bus.Outbox) {
	t.Helper()
	outbox, err := bus.NewOutbox(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlstore.New(t.Context(), db, outbox, changesPerHour)
	if err != nil {
		t.Fatal(err)
	}
	return s, outbox
}

// listen relays the outbox and returns what is published: the kind, the name, the accounts.
func listen(t *testing.T, outbox *bus.Outbox) <-chan []string {
	t.Helper()
	b := bustest.Embedded(t)
	received := make(chan []string, 10)
	err := errors.Join(
		bus.Subscribe(t.Context(), b, bus.SubscribeOptions{}, func(_ context.Context, e *namesv1.NameRegistered) error {
			received <- []string{"registered", e.GetName(), e.GetAddress()}
			return nil
		}),
		bus.Subscribe(t.Context(), b, bus.SubscribeOptions{}, func(_ context.Context, e *namesv1.NameChanged) error {
			received <- append([]string{"changed", e.GetName()}, e.GetAddresses()...)
			return nil
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	relayed := make(chan struct{})
	go func() {
		defer close(relayed)
		_ = outbox.Run(ctx, b)
	}()
	t.Cleanup(func() { stop(); <-relayed })
	return received
}

func wantEvent(t *testing.T, received <-chan []string, want ...string) {
	t.Helper()
	select {
	case got := <-received:
		if !slices.Equal(got, want) {
			t.Errorf("received %v, want %v", got, want)
		}
	case <-time.After(20 * time.Second):
		t.Fatalf("did not receive %v", want)
	}
}
