package names_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/signature/signaturetest"
)

// The variables that make this test binary a registry that a test kills.
const (
	registryDSN   = "HAWSER_TEST_REGISTRY_DSN"
	registryDir   = "HAWSER_TEST_REGISTRY_DIR"
	registryFirst = "HAWSER_TEST_REGISTRY_FIRST"
	// registryMute is set for a registry that is killed before it publishes events.
	registryMute = "HAWSER_TEST_REGISTRY_MUTE"
)

// serveUntilKilled registers, changes and releases names until it is killed, and prints each change once it was
// acknowledged.
func serveUntilKilled(ctx context.Context) error {
	db, err := store.Open(ctx, os.Getenv(registryDSN))
	if err != nil {
		return err
	}
	b, err := bus.Open(ctx, bus.Config{Dir: os.Getenv(registryDir)})
	if err != nil {
		return err
	}
	first, err := strconv.Atoi(os.Getenv(registryFirst))
	if err != nil {
		return err
	}
	outbox, client, err := registryOn(ctx, db, b)
	if err != nil {
		return err
	}
	if os.Getenv(registryMute) == "" {
		go func() { _ = outbox.Run(ctx, b) }()
	}
	for n := first; ; n++ {
		if err := live(ctx, client, n); err != nil {
			return err
		}
	}
}

func registryOn(ctx context.Context, db *store.DB, b *bus.Bus) (*bus.Outbox, namesv1.NamesServiceClient, error) {
	away := &nodes{}
	outbox, err := bus.NewOutbox(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	s, err := names.New(ctx, names.DefaultConfig(), names.Deps{
		Chain: chainclient.NewFrom(away, away, clock.System{}), Pictures: &fakePictures{}, DB: db, Outbox: outbox, Bus: b, Clock: clock.System{}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, nil, err
	}
	var channel run.Local
	s.Register(&channel)
	return outbox, namesv1.NewNamesServiceClient(&channel), nil
}

// live registers, changes and releases the nth name.
func live(ctx context.Context, client namesv1.NamesServiceClient, n int) error {
	name, owner := fmt.Sprintf("mortal%d.hawser.id", n), signaturetest.NewAccount(n)
	if _, err := client.RegisterName(ctx, wish(name, owner)); err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, "registered", name)
	message := fmt.Sprintf(`{"attributes":{"bio":"mortal"},"timestamp":%d}`, time.Now().Unix())
	_, err := client.SetAttributes(ctx, &namesv1.SetAttributesRequest{
		Name: name, Message: message, Signature: owner.Sign(message), CoinType: 60, Address: owner.Address().String(),
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, "changed", name)
	message = fmt.Sprintf(`{"release":%q,"timestamp":%d}`, name, time.Now().Unix())
	_, err = client.ReleaseName(ctx, &namesv1.ReleaseNameRequest{
		Name: name, Message: message, Signature: owner.Sign(message), CoinType: 60, Address: owner.Address().String(),
	})
	fmt.Fprintln(os.Stdout, "released", name)
	return err
}

// killRegistry starts a registry, lets it acknowledge some changes, kills it, and returns how many it acknowledged.
func killRegistry(t *testing.T, enough int, variables ...string) (acknowledged int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), variables...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if acknowledged++; acknowledged == enough {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if acknowledged < enough {
		t.Fatalf("the registry ended by itself after %d changes", acknowledged)
	}
	return acknowledged
}

// TestEventIsPublishedAfterARestart kills the registry after names are written and before their events are published.
func TestEventIsPublishedAfterARestart(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		dir := filepath.Join(t.TempDir(), "nats")
		acknowledged := killRegistry(t, 10, registryDSN+"="+dsn, registryDir+"="+dir, registryFirst+"=1", registryMute+"=1")
		db := storetest.Open(t, dsn)
		recorded := outboxOf(t, db)
		if n := total(recorded); n < acknowledged {
			t.Fatalf("%d changes were acknowledged, %d events were recorded", acknowledged, n)
		}
		received := restart(t, db, dir)
		for len(recorded) > 0 {
			event := next(t, received)
			if recorded[event] == 0 {
				t.Fatalf("received %s, which was not recorded, or twice", event)
			}
			if recorded[event]--; recorded[event] == 0 {
				delete(recorded, event)
			}
		}
		waitUntil(t, "the outbox is empty", func() bool { return len(outboxOf(t, db)) == 0 })
		if len(received) > 0 {
			t.Errorf("received %s as well", <-received)
		}
	})
}

// TestEveryChangeIsPublishedAfterAKill kills the registry repeatedly while it publishes events.
func TestEveryChangeIsPublishedAfterAKill(t *testing.T) {
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		dir := filepath.Join(t.TempDir(), "nats")
		acknowledged := 0
		for round := range rounds {
			acknowledged += killRegistry(t, 7+13*round, registryDSN+"="+dsn, registryDir+"="+dir, registryFirst+"="+strconv.Itoa(1+round*1_000_000))
		}
		db := storetest.Open(t, dsn)
		changes := historyOf(t, db)
		if n := total(changes); n < acknowledged {
			t.Fatalf("%d changes were acknowledged, %d are remembered", acknowledged, n)
		}
		received, made := restart(t, db, dir), maps.Clone(changes)
		for len(changes) > 0 {
			event := next(t, received)
			if made[event] == 0 {
				t.Fatalf("received %s, which never was", event)
			}
			if changes[event]--; changes[event] <= 0 { // it may be published again
				delete(changes, event)
			}
		}
		waitUntil(t, "the outbox is empty", func() bool { return len(outboxOf(t, db)) == 0 })
	})
}

// restart serves the database of a killed registry, and returns all events that were ever published.
func restart(t *testing.T, db *store.DB, dir string) <-chan string {
	t.Helper()
	b := bustest.Open(t, bus.Config{Dir: dir})
	received := make(chan string, 10_000)
	err := errors.Join(
		bus.Subscribe(t.Context(), b, bus.SubscribeOptions{Durable: "births"}, func(_ context.Context, e *namesv1.NameRegistered) error {
			received <- spell(e)
			return nil
		}),
		bus.Subscribe(t.Context(), b, bus.SubscribeOptions{Durable: "changes"}, func(_ context.Context, e *namesv1.NameChanged) error {
			received <- spell(e)
			return nil
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	outbox, _, err := registryOn(t.Context(), db, b)
	if err != nil {
		t.Fatal(err)
	}
	bustest.Relay(t, outbox, b)
	return received
}

// spell encodes an event such that two texts are equal if and only if the events are.
func spell(event proto.Message) string {
	switch e := event.(type) {
	case *namesv1.NameRegistered:
		return "registered " + e.GetName() + " " + e.GetAddress()
	case *namesv1.NameChanged:
		return "changed " + e.GetName() + " " + strings.Join(e.GetAddresses(), " ")
	default:
		return fmt.Sprintf("%T", event)
	}
}

// outboxOf counts the events that are waiting to be published.
func outboxOf(t *testing.T, db *store.DB) map[string]int {
	t.Helper()
	rows, err := db.Reader().QueryContext(t.Context(), "SELECT type, data FROM outbox")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	events := map[string]int{}
	for rows.Next() {
		var kind string
		var data []byte
		if err := rows.Scan(&kind, &data); err != nil {
			t.Fatal(err)
		}
		var event proto.Message = &namesv1.NameChanged{}
		if kind == "hawser.names.v1.NameRegistered" {
			event = &namesv1.NameRegistered{}
		}
		if err := proto.Unmarshal(data, event); err != nil {
			t.Fatal(err)
		}
		events[spell(event)]++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return events
}

// historyOf counts the events that belong to the changes in the history.
func historyOf(t *testing.T, db *store.DB) map[string]int {
	t.Helper()
	rows, err := db.Reader().QueryContext(t.Context(), "SELECT name, action, account FROM name_history")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	events := map[string]int{}
	for rows.Next() {
		var name, action, account string
		if err := rows.Scan(&name, &action, &account); err != nil {
			t.Fatal(err)
		}
		if registry.Action(action) == registry.Registered {
			events[spell(&namesv1.NameRegistered{Name: name, Address: account})]++
			continue
		}
		events[spell(&namesv1.NameChanged{Name: name, Addresses: []string{account}})]++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return events
}

func total(events map[string]int) (n int) {
	for count := range maps.Values(events) {
		n += count
	}
	return n
}

func next(t *testing.T, received <-chan string) string {
	t.Helper()
	select {
	case event := <-received:
		return event
	case <-time.After(20 * time.Second):
		t.Fatal("nothing more is published")
		return ""
	}
}

func waitUntil(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not in time", what)
		}
	}
}
