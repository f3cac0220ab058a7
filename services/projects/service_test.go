package projects_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/projects"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const seeded = "00000000000000000000000000000001"

func TestService(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		cfg := projects.Config{Seed: []projects.Seed{{
			ID: seeded, Name: "Demo", AllowedOrigins: []string{"https://*.example.org"}, RequestsPerSecond: 10, Burst: 20,
		}}}
		service := func() projectsv1.ProjectsServiceClient {
			s, err := projects.New(t.Context(), cfg, projects.Deps{DB: db, Outbox: bustest.Outbox(t, db), Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Ready(t.Context()); err != nil {
				t.Errorf("not ready: %v", err)
			}
			var channel run.Local
			s.Register(&channel)
			return projectsv1.NewProjectsServiceClient(&channel)
		}

		t.Run("answers with the whole project", func(t *testing.T) {
			got, err := service().GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: seeded})
			want := &projectsv1.GetProjectResponse{Project: &projectsv1.Project{
				Id: seeded, Name: "Demo", AllowedOrigins: []string{"https://*.example.org"}, RequestsPerSecond: 10, Burst: 20, Enabled: true,
			}}
			if p := got.GetProject(); p.GetCreatedAt() == 0 || p.GetChangedAt() != p.GetCreatedAt() {
				t.Errorf("created at %d, changed at %d", p.GetCreatedAt(), p.GetChangedAt())
			} else {
				want.Project.CreatedAt, want.Project.ChangedAt = p.GetCreatedAt(), p.GetChangedAt()
			}
			if err != nil || !proto.Equal(got, want) {
				t.Errorf("%v, %v", got, err)
			}
		})

		t.Run("an absent id is unknown, a malformed one is invalid", func(t *testing.T) {
			for id, want := range map[string]fault.Error{
				"ffffffffffffffffffffffffffffffff": {Code: codes.NotFound, Reason: faultv1.Reason_REASON_PROJECT_UNKNOWN, Field: "id"},
				"nonsense":                         {Code: codes.InvalidArgument, Reason: faultv1.Reason_REASON_PARAMETER_INVALID, Field: "id"},
			} {
				_, err := service().GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: id})
				if f := fault.From(err); f.Code != want.Code || f.Reason != want.Reason || f.Field != want.Field {
					t.Errorf("%s: %+v", id, f)
				}
			}
		})

		t.Run("the operator's changes survive a restart", func(t *testing.T) {
			registry, err := projects.Open(t.Context(), db, bustest.Outbox(t, db))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := registry.Change(t.Context(), seeded, func(p *projects.Project) error { return p.Rename("Ours") }); err != nil {
				t.Fatal(err)
			}
			got, err := service().GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: seeded})
			if err != nil || got.GetProject().GetName() != "Ours" {
				t.Errorf("%v, %v", got, err)
			}
		})
	})
}

func TestServiceWithoutProjectsLogsHowToCreateOne(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	said := func(seed ...projects.Seed) string {
		var log bytes.Buffer
		if _, err := projects.New(t.Context(), projects.Config{Seed: seed}, projects.Deps{DB: db, Outbox: bustest.Outbox(t, db), Log: slog.New(slog.NewTextHandler(&log, nil))}); err != nil {
			t.Fatal(err)
		}
		return log.String()
	}
	if log := said(); !strings.Contains(log, "hawser project create") {
		t.Errorf("logged %q", log)
	}
	if log := said(projects.Seed{ID: seeded, Name: "Demo"}); log != "" {
		t.Errorf("with one, logged %q", log)
	}
}
