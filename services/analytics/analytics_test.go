package analytics_test

import (
	"context"
	"errors"
	"os"
	"reflect"
	"regexp"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"

	analyticsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	"github.com/hawser-dev/hawser/services/analytics"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

const (
	one = "00000000000000000000000000000001"
	two = "00000000000000000000000000000002"
)

func TestNewEventKeepsKnownNamesAndDetailsOnly(t *testing.T) {
	for _, tt := range []struct {
		name, method, platform string
		want                   analytics.Event
	}{
		{"CONNECT_SUCCESS", "qrcode", "web", analytics.Event{Name: "CONNECT_SUCCESS", Detail: "qrcode"}},
		{"CONNECT_SUCCESS", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "", analytics.Event{Name: "CONNECT_SUCCESS"}},
		{"SELECT_WALLET", "qrcode", "mobile", analytics.Event{Name: "SELECT_WALLET", Detail: "mobile"}},
		{"MODAL_OPEN", "qrcode", "mobile", analytics.Event{Name: "MODAL_OPEN"}},
		{"DISCONNECT_ERROR", "", "", analytics.Event{Name: "DISCONNECT_ERROR"}},
		{"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "", "", analytics.Event{Name: "OTHER"}},
		{"", "", "", analytics.Event{Name: "OTHER"}},
	} {
		if got := analytics.NewEvent(tt.name, tt.method, tt.platform); got != tt.want {
			t.Errorf("%q: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// pageEvents are the names of events in the page's types.
var pageEvents = regexp.MustCompile(`'([A-Z][A-Z_]{3,})'`)

func TestEveryEventOfThePageIsKnown(t *testing.T) {
	raw, err := os.ReadFile("../../packages/core/src/types/events.ts")
	if err != nil {
		t.Fatal(err)
	}
	names := pageEvents.FindAllStringSubmatch(string(raw), -1)
	if len(names) < 30 {
		t.Errorf("the page has %d events", len(names))
	}
	for _, name := range names {
		if analytics.NewEvent(name[1], "", "").Name != name[1] {
			t.Errorf("%s is not counted by its name", name[1])
		}
	}
}

func TestStores(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, err := analytics.NewSQLStore(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		count := func(project, day, event, detail string, n int64) analytics.Count {
			return analytics.Count{Key: analytics.Key{Project: project, Day: day, Event: analytics.Event{Name: event, Detail: detail}}, N: n}
		}
		add := func(counts ...analytics.Count) {
			t.Helper()
			if err := s.Add(t.Context(), counts); err != nil {
				t.Fatal(err)
			}
		}
		list := func(project, from string, want ...analytics.Count) {
			t.Helper()
			if got, err := s.List(t.Context(), project, from); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
		}
		add(count(one, "2026-01-02", "MODAL_OPEN", "", 2), count(one, "2026-01-01", "MODAL_OPEN", "", 1), count(two, "2026-01-02", "MODAL_OPEN", "", 7))
		add(count(one, "2026-01-02", "MODAL_OPEN", "", 3), count(one, "2026-01-02", "CONNECT_SUCCESS", "qrcode", 1), count(one, "2026-01-02", "CONNECT_SUCCESS", "", 1))
		latest := []analytics.Count{count(one, "2026-01-02", "CONNECT_SUCCESS", "", 1), count(one, "2026-01-02", "CONNECT_SUCCESS", "qrcode", 1), count(one, "2026-01-02", "MODAL_OPEN", "", 5)}
		list(one, "2026-01-02", latest...)
		list(one, "2025-12-31", append(latest, count(one, "2026-01-01", "MODAL_OPEN", "", 1))...)
		list(two, "2026-01-01", count(two, "2026-01-02", "MODAL_OPEN", "", 7))

		if err := s.DeleteBefore(t.Context(), "2026-01-02"); err != nil {
			t.Fatal(err)
		}
		list(one, "2025-12-31", latest...)

		t.Run("replicas that add at the same time lose nothing", func(t *testing.T) {
			var g errgroup.Group
			for range 4 {
				g.Go(func() error {
					for range 5 {
						err := s.Add(t.Context(), []analytics.Count{count(two, "2026-01-03", "B", "", 1), count(two, "2026-01-03", "A", "", 1)})
						if err != nil {
							return err
						}
					}
					return nil
				})
			}
			if err := g.Wait(); err != nil {
				t.Fatal(err)
			}
			list(two, "2026-01-03", count(two, "2026-01-03", "A", "", 20), count(two, "2026-01-03", "B", "", 20))
		})
	})
}

// failing is a store that fails until the test makes it work.
type failing struct {
	analytics.Store
	broken bool
}

func (f *failing) Add(ctx context.Context, counts []analytics.Count) error {
	if f.broken {
		return errors.New("no database")
	}
	return f.Store.Add(ctx, counts)
}

func TestCounterStoresEachEventOnce(t *testing.T) {
	kept, err := analytics.NewSQLStore(t.Context(), storetest.Open(t, storetest.SQLite(t)))
	if err != nil {
		t.Fatal(err)
	}
	s := &failing{Store: kept, broken: true}
	clock := clocktest.StoppedAt(time.Date(2026, 1, 1, 23, 59, 59, 0, time.FixedZone("", -3600)))
	c := analytics.NewCounter(s, clock)
	open := []analytics.Event{{Name: "MODAL_OPEN"}, {Name: "MODAL_OPEN"}}
	if err := c.Record(t.Context(), one, open); err != nil {
		t.Fatal(err)
	}
	if err := c.Flush(t.Context()); err == nil {
		t.Fatal("the failure of the store was hidden")
	}
	if err := c.Record(t.Context(), one, open); err != nil {
		t.Fatal(err)
	}
	s.broken = false
	for range 2 {
		if err := c.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	got, err := kept.List(t.Context(), one, "2026-01-01")
	if err != nil || len(got) != 1 || got[0].N != 4 || got[0].Day != "2026-01-02" {
		t.Errorf("%+v, %v; want 4 on the day in UTC", got, err)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Record(t.Context(), one, open); err != nil {
		t.Fatal(err)
	}
	if got, err := kept.List(t.Context(), one, "2026-01-01"); err != nil || len(got) != 1 || got[0].N != 6 {
		t.Errorf("after the counter was closed: %+v, %v", got, err)
	}
}

func TestTheCountsOfAProjectAreListedForTheConsole(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, err := analytics.NewSQLStore(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		count := func(project, day, event string, n int64) analytics.Count {
			return analytics.Count{Key: analytics.Key{Project: project, Day: day, Event: analytics.Event{Name: event}}, N: n}
		}
		if err := s.Add(t.Context(), []analytics.Count{count(one, "2026-05-06", "MODAL_OPEN", 3), count(one, "2026-05-05", "MODAL_OPEN", 2), count(one, "2026-05-04", "MODAL_OPEN", 1), count(two, "2026-05-06", "MODAL_OPEN", 9)}); err != nil {
			t.Fatal(err)
		}
		service, err := analytics.New(t.Context(), analytics.DefaultConfig(), analytics.Deps{DB: db, Clock: clocktest.StoppedAt(time.Date(2026, 5, 6, 23, 59, 0, 0, time.UTC))})
		if err != nil {
			t.Fatal(err)
		}
		var channel run.Local
		service.Register(&channel)
		got, err := analyticsv1.NewCountServiceClient(&channel).ListCounts(t.Context(), &analyticsv1.ListCountsRequest{ProjectId: one, Days: 2})
		want := &analyticsv1.ListCountsResponse{Counts: []*analyticsv1.Count{{Day: "2026-05-06", Event: "MODAL_OPEN", Count: 3}, {Day: "2026-05-05", Event: "MODAL_OPEN", Count: 2}}}
		if err != nil || !proto.Equal(got, want) {
			t.Errorf("%v, %v; want %v", got, err, want)
		}
	})
}
