package projects_test

import (
	"log/slog"
	"testing"

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

func TestAnAdministratorChangesProjects(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		service, err := projects.New(t.Context(), projects.Config{}, projects.Deps{DB: db, Outbox: bustest.Outbox(t, db), Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		var channel run.Local
		service.Register(&channel)
		admin := projectsv1.NewProjectAdminServiceClient(&channel)
		refused := func(t *testing.T, err error, want faultv1.Reason, field string) {
			t.Helper()
			if f := fault.From(err); err == nil || f.Reason != want || f.Field != field {
				t.Errorf("%v, want %s of %s", err, want, field)
			}
		}
		made, err := admin.CreateProject(t.Context(), &projectsv1.CreateProjectRequest{
			Name: "Shop", Origins: &projectsv1.Origins{Patterns: []string{"https://shop.test"}}, Rate: &projectsv1.Rate{RequestsPerSecond: 2.5},
		})
		if err != nil {
			t.Fatal(err)
		}
		p := made.GetProject()
		if len(p.GetId()) != 32 || p.GetName() != "Shop" || p.GetBurst() != 3 || !p.GetEnabled() || len(p.GetAllowedOrigins()) != 1 {
			t.Errorf("created %v", p)
		}

		t.Run("what a request does not have is kept, and what it has is set", func(t *testing.T) {
			changed, err := admin.ChangeProject(t.Context(), &projectsv1.ChangeProjectRequest{Id: p.GetId(), ChangedAt: proto.Int64(p.GetChangedAt()), Name: proto.String("Boutique")})
			if err != nil || !proto.Equal(changed.GetBefore(), p) || changed.GetProject().GetName() != "Boutique" || changed.GetProject().GetBurst() != 3 || changed.GetProject().GetChangedAt() <= p.GetChangedAt() {
				t.Errorf("%v, %v", changed, err)
			}
			changed, err = admin.ChangeProject(t.Context(), &projectsv1.ChangeProjectRequest{Id: p.GetId(), Origins: &projectsv1.Origins{}, Rate: &projectsv1.Rate{}, Enabled: proto.Bool(false)})
			got := changed.GetProject()
			if err != nil || len(got.GetAllowedOrigins()) != 0 || got.GetRequestsPerSecond() != 0 || got.GetBurst() != 0 || got.GetEnabled() || got.GetName() != "Boutique" {
				t.Errorf("%v, %v", changed, err)
			}
		})

		t.Run("a change of what was changed since is refused", func(t *testing.T) {
			_, err := admin.ChangeProject(t.Context(), &projectsv1.ChangeProjectRequest{Id: p.GetId(), ChangedAt: proto.Int64(p.GetChangedAt()), Name: proto.String("Lost")})
			refused(t, err, faultv1.Reason_REASON_PROJECT_CHANGED, "changedAt")
		})

		t.Run("fields that are not valid are named", func(t *testing.T) {
			_, err := admin.CreateProject(t.Context(), &projectsv1.CreateProjectRequest{Name: " "})
			refused(t, err, faultv1.Reason_REASON_PARAMETER_INVALID, "name")
			_, err = admin.ChangeProject(t.Context(), &projectsv1.ChangeProjectRequest{Id: p.GetId(), Origins: &projectsv1.Origins{Patterns: []string{"https://a.test/x"}}})
			refused(t, err, faultv1.Reason_REASON_PARAMETER_INVALID, "origin")
			_, err = admin.ListProjects(t.Context(), &projectsv1.ListProjectsRequest{Cursor: "1-x"})
			refused(t, err, faultv1.Reason_REASON_CURSOR_INVALID, "cursor")
		})

		t.Run("a list longer than a page has a cursor", func(t *testing.T) {
			for range 250 {
				if _, err := admin.CreateProject(t.Context(), &projectsv1.CreateProjectRequest{Name: "Many"}); err != nil {
					t.Fatal(err)
				}
			}
			seen := map[string]bool{}
			cursor := ""
			for pages := 1; ; pages++ {
				list, err := admin.ListProjects(t.Context(), &projectsv1.ListProjectsRequest{Cursor: cursor})
				if err != nil {
					t.Fatal(err)
				}
				for _, found := range list.GetProjects() {
					seen[found.GetId()] = true
				}
				if cursor = list.GetNext(); cursor == "" {
					if pages != 2 || len(seen) != 251 {
						t.Errorf("%d projects on %d pages", len(seen), pages)
					}
					break
				}
			}
		})

		t.Run("a project that is disabled is deleted", func(t *testing.T) {
			if _, err := admin.ChangeProject(t.Context(), &projectsv1.ChangeProjectRequest{Id: p.GetId(), Enabled: proto.Bool(true)}); err != nil {
				t.Fatal(err)
			}
			_, err := admin.DeleteProject(t.Context(), &projectsv1.DeleteProjectRequest{Id: p.GetId()})
			refused(t, err, faultv1.Reason_REASON_PROJECT_ENABLED, "id")
			if _, err := admin.ChangeProject(t.Context(), &projectsv1.ChangeProjectRequest{Id: p.GetId(), Enabled: proto.Bool(false)}); err != nil {
				t.Fatal(err)
			}
			if deleted, err := admin.DeleteProject(t.Context(), &projectsv1.DeleteProjectRequest{Id: p.GetId()}); err != nil || deleted.GetBefore().GetName() != "Boutique" {
				t.Errorf("%v, %v", deleted, err)
			}
			_, err = admin.DeleteProject(t.Context(), &projectsv1.DeleteProjectRequest{Id: p.GetId()})
			refused(t, err, faultv1.Reason_REASON_PROJECT_UNKNOWN, "id")
		})
	})
}
