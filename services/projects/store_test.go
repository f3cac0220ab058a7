package projects_test

import (
	"context"
	"testing"
	"time"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/projects"
	"github.com/hawser-dev/hawser/services/projects/projectstest"
)

func TestSQLStore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, _ := open(t, db)
		projectstest.RunStore(t, s)
	})
}

func TestEveryWritePublishesAnEvent(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, outbox := open(t, db)
		b := bustest.Embedded(t)
		received := make(chan string, 10)
		err := bus.Subscribe(t.Context(), b, bus.SubscribeOptions{}, func(_ context.Context, e *projectsv1.ProjectChanged) error {
			received <- e.GetId()
			return nil
		})
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

		p := projectstest.Project(t, 1)
		if err := s.Insert(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		want(t, received, p.ID)
		if _, err := s.Update(t.Context(), p.ID, func(p *projects.Project) error { p.Enabled = false; return nil }); err != nil {
			t.Fatal(err)
		}
		want(t, received, p.ID)

		// Failed writes publish no event: the next event is that of the next write.
		_ = s.Insert(t.Context(), p)
		_, _ = s.Update(t.Context(), p.ID, func(*projects.Project) error { return context.Canceled })
		next := projectstest.Project(t, 2)
		if err := s.Insert(t.Context(), next); err != nil {
			t.Fatal(err)
		}
		want(t, received, next.ID)
	})
}

func open(t *testing.T, db *store.DB) (*projects.SQLStore, *bus.Outbox) {
	t.Helper()
	outbox, err := bus.NewOutbox(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	s, err := projects.NewSQLStore(t.Context(), db, outbox)
	if err != nil {
		t.Fatal(err)
	}
	return s, outbox
}

func want(t *testing.T, received <-chan string, id projects.ID) {
	t.Helper()
	select {
	case got := <-received:
		if got != string(id) {
			t.Errorf("received %s, want %s", got, id)
		}
	case <-time.After(20 * time.Second):
		t.Fatalf("did not receive %s", id)
	}
}
