// Package projectstest has the conformance tests of [projects.Store].
package projectstest

import (
	"errors"
	"math"
	"reflect"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/platform/origin"
	"github.com/hawser-dev/hawser/services/projects"
)

// RunStore runs the conformance tests on an empty store.
func RunStore(t *testing.T, s projects.Store) {
	first := Project(t, 1)

	t.Run("returns a project as it was inserted", func(t *testing.T) {
		for n := range 3 {
			p := Project(t, n+1)
			if err := s.Insert(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			got, err := s.Find(t.Context(), p.ID)
			if err != nil || !same(got, p) {
				t.Errorf("%+v, %v; want %+v", got, err, p)
			}
		}
	})

	t.Run("stores the extremes of every value", func(t *testing.T) {
		p := Project(t, 999)
		p.Limit = projects.Limit{RequestsPerSecond: math.SmallestNonzeroFloat64, Burst: math.MaxUint32}
		p.AllowedOrigins, p.Enabled = nil, false
		p.Name = "Ünïcödé 🚢 'quoted' \"twice\""
		p.CreatedAt = time.UnixMilli(1).UTC()
		if err := s.Insert(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		got, err := s.Find(t.Context(), p.ID)
		if err != nil || !same(got, p) {
			t.Errorf("%+v, %v; want %+v", got, err, p)
		}
	})

	t.Run("refuses a second project with the id, and keeps the first", func(t *testing.T) {
		second := first
		second.Name = "Second"
		if err := s.Insert(t.Context(), second); !errors.Is(err, projects.ErrExists) {
			t.Errorf("err = %v", err)
		}
		if got, err := s.Find(t.Context(), first.ID); err != nil || !same(got, first) {
			t.Errorf("%+v, %v", got, err)
		}
	})

	t.Run("does not find a project that was not inserted", func(t *testing.T) {
		unknown := Project(t, 1000).ID
		if _, err := s.Find(t.Context(), unknown); !errors.Is(err, projects.ErrUnknown) {
			t.Errorf("find: %v", err)
		}
		_, err := s.Update(t.Context(), unknown, func(*projects.Project) error { return nil })
		if !errors.Is(err, projects.ErrUnknown) {
			t.Errorf("update: %v", err)
		}
	})

	t.Run("an update stores and returns the changed project", func(t *testing.T) {
		want := first
		want.Name, want.Enabled, want.ChangedAt = "Renamed", false, first.ChangedAt.Add(time.Hour)
		want.Limit = projects.Limit{}
		want.AllowedOrigins = nil
		returned, err := s.Update(t.Context(), first.ID, func(p *projects.Project) error {
			*p = want
			return nil
		})
		if err != nil || !same(returned, want) {
			t.Errorf("returned %+v, %v", returned, err)
		}
		if got, err := s.Find(t.Context(), first.ID); err != nil || !same(got, want) {
			t.Errorf("kept %+v, %v", got, err)
		}
	})

	t.Run("a failed update stores nothing", func(t *testing.T) {
		refused := errors.New("refused")
		before, err := s.Find(t.Context(), first.ID)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Update(t.Context(), first.ID, func(p *projects.Project) error {
			p.Name = "Never"
			return refused
		})
		if !errors.Is(err, refused) {
			t.Errorf("err = %v", err)
		}
		if got, err := s.Find(t.Context(), first.ID); err != nil || !same(got, before) {
			t.Errorf("kept %+v, %v", got, err)
		}
	})

	t.Run("concurrent updates are all applied", func(t *testing.T) {
		const writers, each = 4, 5
		counter := Project(t, 500)
		counter.Limit = projects.Limit{RequestsPerSecond: 1}
		if err := s.Insert(t.Context(), counter); err != nil {
			t.Fatal(err)
		}
		var g errgroup.Group
		for range writers {
			g.Go(func() error {
				for range each {
					_, err := s.Update(t.Context(), counter.ID, func(p *projects.Project) error {
						p.Limit.Burst++
						return nil
					})
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
		if got, err := s.Find(t.Context(), counter.ID); err != nil || got.Limit.Burst != writers*each {
			t.Errorf("counted %d, %v; want %d", got.Limit.Burst, err, writers*each)
		}
	})

	t.Run("lists projects in pages, the oldest first", func(t *testing.T) {
		var got []projects.ID
		after := projects.Place{}
		for {
			page, err := s.ListAfter(t.Context(), after, 2)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			for _, p := range page {
				got = append(got, p.ID)
				after = projects.Place{CreatedAt: p.CreatedAt, ID: p.ID}
			}
		}
		var want []projects.ID
		for _, n := range []int{999, 1, 2, 3, 500} {
			want = append(want, Project(t, n).ID)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("listed %v, want %v", got, want)
		}
	})

	t.Run("deletes a project that is disabled only", func(t *testing.T) {
		enabled := Project(t, 700)
		if err := s.Insert(t.Context(), enabled); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Delete(t.Context(), enabled.ID); !errors.Is(err, projects.ErrEnabled) {
			t.Errorf("an enabled one: %v", err)
		}
		disabled, err := s.Update(t.Context(), enabled.ID, func(p *projects.Project) error { p.Enabled = false; return nil })
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Delete(t.Context(), enabled.ID); err != nil || !same(got, disabled) {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := s.Find(t.Context(), enabled.ID); !errors.Is(err, projects.ErrUnknown) {
			t.Errorf("find: %v", err)
		}
		if _, err := s.Delete(t.Context(), enabled.ID); !errors.Is(err, projects.ErrUnknown) {
			t.Errorf("again: %v", err)
		}
	})

	t.Run("lists every project, the oldest first", func(t *testing.T) {
		all, err := s.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []projects.ID
		for _, p := range all {
			got = append(got, p.ID)
		}
		var want []projects.ID
		for _, n := range []int{999, 1, 2, 3, 500} {
			want = append(want, Project(t, n).ID)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("listed %v, want %v", got, want)
		}
	})
}

// Project returns a valid project. n makes it unique, and orders projects by age.
func Project(t testing.TB, n int) projects.Project {
	t.Helper()
	pattern, err := origin.ParsePattern("https://*.example.org:8443")
	if err != nil {
		t.Fatal(err)
	}
	id := "00000000000000000000000000000000" + strconv.Itoa(n)
	at := time.UnixMilli(1_700_000_000_000).UTC().Add(time.Duration(n) * time.Second)
	return projects.Project{
		ID:             projects.ID(id[len(id)-32:]),
		Name:           "Project " + strconv.Itoa(n),
		AllowedOrigins: []origin.Pattern{pattern},
		Limit:          projects.Limit{RequestsPerSecond: 12.5, Burst: 40},
		Enabled:        true,
		CreatedAt:      at,
		ChangedAt:      at,
	}
}

// same compares stored projects; a nil list of origins equals an empty one.
func same(a, b projects.Project) bool {
	if len(a.AllowedOrigins) == 0 && len(b.AllowedOrigins) == 0 {
		a.AllowedOrigins, b.AllowedOrigins = nil, nil
	}
	return reflect.DeepEqual(a, b)
}
