package projects_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/projects"
)

func TestRegistry(t *testing.T) {
	clock := clocktest.StoppedAt(time.Date(2026, 1, 2, 3, 4, 5, 6_789_000, time.UTC))
	kept, _ := open(t, storetest.Open(t, storetest.SQLite(t)))
	r := projects.NewRegistry(kept, clock, strings.NewReader("sixteen bytes ab"))

	t.Run("a new project is enabled, and has the time of the clock to the millisecond", func(t *testing.T) {
		p, err := r.Create(t.Context(), projects.Draft{Name: "Shop"})
		at := time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.UTC)
		if err != nil || !p.Enabled || !p.CreatedAt.Equal(at) || !p.ChangedAt.Equal(at) {
			t.Errorf("%+v, %v", p, err)
		}
		if found, err := r.Find(t.Context(), p.ID); err != nil || !found.CreatedAt.Equal(at) {
			t.Errorf("kept %+v, %v", found, err)
		}
	})

	t.Run("without randomness no id is created", func(t *testing.T) {
		if _, err := r.Create(t.Context(), projects.Draft{Name: "Shop"}); err == nil {
			t.Error("it was made")
		}
	})

	t.Run("an invalid draft is refused, and not stored", func(t *testing.T) {
		for field, d := range map[string]projects.Draft{
			"id":     {ID: "1", Name: "x"},
			"name":   {ID: seeded},
			"origin": {ID: seeded, Name: "x", AllowedOrigins: []string{"/"}},
			"rate":   {ID: seeded, Name: "x", RequestsPerSecond: -1},
		} {
			_, err := r.Create(t.Context(), d)
			wantInvalid(t, err, field)
		}
		if _, err := r.Find(t.Context(), seeded); !errors.Is(err, projects.ErrUnknown) {
			t.Errorf("err = %v", err)
		}
	})

	t.Run("a change sets the time of the change", func(t *testing.T) {
		if err := r.Seed(t.Context(), []projects.Draft{{ID: seeded, Name: "Demo"}}); err != nil {
			t.Fatal(err)
		}
		clock.Pass(time.Hour)
		p, err := r.Change(t.Context(), seeded, func(p *projects.Project) error { return p.Rename("Ours") })
		if err != nil || p.ChangedAt.Sub(p.CreatedAt) != time.Hour {
			t.Errorf("%+v, %v", p, err)
		}
	})

	t.Run("a seed does not change an existing project", func(t *testing.T) {
		if err := r.Seed(t.Context(), []projects.Draft{{ID: seeded, Name: "Demo"}}); err != nil {
			t.Fatal(err)
		}
		if p, err := r.Find(t.Context(), seeded); err != nil || p.Name != "Ours" {
			t.Errorf("%+v, %v", p, err)
		}
	})
}
