package console_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// refusals are the reasons for which a call is not made.
var refusals = []faultv1.Reason{
	faultv1.Reason_REASON_OPERATOR_ABSENT, faultv1.Reason_REASON_ROLE_MISSING, faultv1.Reason_REASON_ORIGIN_REFUSED, faultv1.Reason_REASON_RATE_LIMITED,
	faultv1.Reason_REASON_PARAMETER_INVALID,
}

func TestEachRoleMayMakeTheCallsOfItselfAndOfThoseBelow(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		order := []optionsv1.Role{optionsv1.Role_ROLE_ANYBODY, optionsv1.Role_ROLE_VIEWER, optionsv1.Role_ROLE_SUPPORT, optionsv1.Role_ROLE_OPERATOR, optionsv1.Role_ROLE_OWNER}
		callers := map[optionsv1.Role]*operator{optionsv1.Role_ROLE_ANYBODY: w.stranger()}
		for i, role := range console.Roles {
			callers[order[i+1]] = w.signedIn(string(role), role)
		}
		for _, m := range methods(t) {
			for _, role := range order {
				if m.name == "OperatorService/Logout" && role != optionsv1.Role_ROLE_ANYBODY {
					continue // it ends the session that the next calls need
				}
				w.clock.Pass(20 * time.Second) // the rates are another test
				want := faultv1.Reason_REASON_UNSPECIFIED
				switch {
				case slices.Index(order, role) >= slices.Index(order, m.role):
				case role == optionsv1.Role_ROLE_ANYBODY:
					want = faultv1.Reason_REASON_OPERATOR_ABSENT
				default:
					want = faultv1.Reason_REASON_ROLE_MISSING
				}
				before := w.services.count()
				got := reason(m.make(callers[role]))
				if want == faultv1.Reason_REASON_UNSPECIFIED {
					if slices.Contains(refusals, got) {
						t.Errorf("%s of %s is refused: %s", m.name, role, got)
					}
					continue
				}
				if got != want || w.services.count() != before {
					t.Errorf("%s of %s: %s and %d calls of other services, want %s and none", m.name, role, got, w.services.count()-before, want)
				}
			}
		}
	})
}

func TestEveryCallIsInTheAuditLog(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		owner := w.signedIn("Ada", console.Owner)
		for _, m := range methods(t) {
			if m.name == "OperatorService/Logout" {
				continue // below
			}
			w.clock.Pass(20 * time.Second)
			t.Run(m.name, func(t *testing.T) {
				n := len(w.entries())
				err := m.make(owner)
				added := w.since(n)
				if m.changes {
					if len(added) != 2 || added[0].Outcome != audit.Started || added[1].StartedBy != added[0].ID {
						t.Fatalf("%+v", added)
					}
					added = added[1:]
				}
				if len(added) != 1 {
					t.Fatalf("%+v", added)
				}
				got := added[0]
				want := audit.Done
				if err != nil {
					want = audit.Failed
				}
				if got.Outcome != want || got.Call != m.name || got.Changes != m.changes || got.Address != address || got.OperatorID != owner.id || got.OperatorName != "Ada" || got.Role != "owner" {
					t.Errorf("%+v, want %s", got, want)
				}
				if (got.Reason == "") != (err == nil) {
					t.Errorf("the reason of %v is %q", err, got.Reason)
				}
			})
		}
		n := len(w.entries())
		if _, err := call[adminv1.LogoutResponse](owner, adminv1.OperatorService_Logout_FullMethodName, &adminv1.LogoutRequest{}); err != nil {
			t.Fatal(err)
		}
		if added := w.since(n); len(added) != 2 || added[1].Outcome != audit.Done || added[1].Call != "OperatorService/Logout" {
			t.Errorf("%+v", added)
		}
	})
}

func TestARefusedCallIsInTheAuditLog(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		viewer, stranger := w.signedIn("Bob", console.Viewer), w.stranger()
		crossing := w.signedIn("Eve", console.Owner)
		crossing.from.CrossSite = true
		for behaviour, tt := range map[string]struct {
			by   *operator
			path string
			make func(o *operator) error
			want string
		}{
			"without a session": {stranger, "ProjectService/ListProjects", func(o *operator) error {
				_, err := call[adminv1.ListProjectsResponse](o, adminv1.ProjectService_ListProjects_FullMethodName, &adminv1.ListProjectsRequest{})
				return err
			}, "OPERATOR_ABSENT"},
			"of too low a role": {viewer, "UserService/DeleteUser", func(o *operator) error {
				_, err := call[adminv1.DeleteUserResponse](o, adminv1.UserService_DeleteUser_FullMethodName, &adminv1.DeleteUserRequest{Id: userID})
				return err
			}, "ROLE_MISSING"},
			"from a page of another site": {crossing, "ProjectService/DeleteProject", func(o *operator) error {
				_, err := call[adminv1.DeleteProjectResponse](o, adminv1.ProjectService_DeleteProject_FullMethodName, &adminv1.DeleteProjectRequest{Id: projectID})
				return err
			}, "ORIGIN_REFUSED"},
			"whose request is not valid": {viewer, "ProjectService/GetProject", func(o *operator) error {
				_, err := call[adminv1.GetProjectResponse](o, adminv1.ProjectService_GetProject_FullMethodName, &adminv1.GetProjectRequest{Id: "x"})
				return err
			}, "PARAMETER_INVALID"},
		} {
			t.Run(behaviour, func(t *testing.T) {
				n, asked := len(w.entries()), w.services.count()
				if err := tt.make(tt.by); fault.ReasonName(reason(err)) != tt.want {
					t.Errorf("err = %v", err)
				}
				added := w.since(n)
				if len(added) != 1 || added[0].Outcome != audit.Refused || added[0].Reason != tt.want || added[0].Call != tt.path || added[0].OperatorID != tt.by.id || added[0].Address != address {
					t.Errorf("%+v", added)
				}
				if w.services.count() != asked {
					t.Error("it was executed")
				}
			})
		}
	})
}

func TestNothingIsChangedWithoutItsEntry(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		owner := w.signedIn("Ada", console.Owner)
		if err := db.InTx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `ALTER TABLE console_audit RENAME TO console_audit_away`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		asked := w.services.count()
		for _, m := range methods(t) {
			w.clock.Pass(20 * time.Second)
			if err := m.make(owner); err == nil {
				t.Errorf("%s is answered", m.name)
			}
			if m.changes && w.services.count() != asked {
				t.Errorf("%s was executed", m.name)
			}
			asked = w.services.count()
		}
		if _, err := w.operators.List(t.Context()); err != nil {
			t.Error(err)
		}
		if _, _, err := w.operators.Check(t.Context(), owner.from.Session); err != nil {
			t.Errorf("Logout was executed: %v", err)
		}
	})
}

func TestTheAuditLogHasNoEmail(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		user := &walletv1.FoundUser{Id: userID, ProjectId: projectID, Email: email, CreatedAt: 7}
		w.services.answers[walletv1.UserAdminService_FindUsers_FullMethodName] = &walletv1.FindUsersResponse{Users: []*walletv1.FoundUser{user}}
		w.services.answers[walletv1.UserAdminService_DescribeUser_FullMethodName] = &walletv1.DescribeUserResponse{
			User: user, Identities: []*walletv1.Identity{{Provider: "email", Subject: email, Name: email}},
		}
		owner := w.signedIn("Ada", console.Owner)
		n := len(w.entries())
		for _, m := range methods(t) {
			if strings.HasPrefix(m.name, "UserService/") {
				if err := m.make(owner); err != nil {
					t.Errorf("%s: %v", m.name, err)
				}
			}
		}
		added := w.since(n)
		for _, e := range added {
			if text := fmt.Sprintf("%+v", e); strings.Contains(text, "alice") {
				t.Error(text)
			}
			if e.Outcome == audit.Done && e.Target != "user "+userID {
				t.Errorf("%s is about %q", e.Call, e.Target)
			}
		}
		if len(added) < 6 {
			t.Errorf("%d entries", len(added))
		}
	})
}

func TestAChangeIsInTheAuditLogWithTheStateBeforeAndAfter(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		w.services.answers[projectsv1.ProjectAdminService_ChangeProject_FullMethodName] = &projectsv1.ChangeProjectResponse{
			Before: &projectsv1.Project{Id: projectID, Name: "Shop"}, Project: &projectsv1.Project{Id: projectID, Name: "Boutique"},
		}
		owner := w.signedIn("Ada", console.Changer)
		n := len(w.entries())
		if _, err := call[adminv1.UpdateProjectResponse](owner, adminv1.ProjectService_UpdateProject_FullMethodName, &adminv1.UpdateProjectRequest{Id: projectID}); err != nil {
			t.Fatal(err)
		}
		added := w.since(n)
		if len(added) != 2 || added[0].Target != "project "+projectID || added[1].Target != added[0].Target || !strings.Contains(added[1].Before, `"Shop"`) || !strings.Contains(added[1].After, `"Boutique"`) {
			t.Errorf("%+v", added)
		}
	})
}

func TestAFailureOfAnotherServiceIsRecordedAndPassedOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		owner := w.signedIn("Ada", console.Owner)
		n := len(w.entries())
		w.services.err = fault.New(codes.NotFound, faultv1.Reason_REASON_USER_UNKNOWN, "id", "There is no such user").GRPCStatus().Err()
		_, err := call[adminv1.DeleteUserResponse](owner, adminv1.UserService_DeleteUser_FullMethodName, &adminv1.DeleteUserRequest{Id: userID})
		if reason(err) != faultv1.Reason_REASON_USER_UNKNOWN {
			t.Errorf("err = %v", err)
		}
		if added := w.since(n); len(added) != 2 || added[1].Outcome != audit.Failed || added[1].Reason != "USER_UNKNOWN" {
			t.Errorf("%+v", added)
		}
	})
}

func TestLoginsAreBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		guesses := 0
		stranger := w.stranger()
		for range 100 {
			if reason(stranger.login(strings.Repeat("0", 64))) == faultv1.Reason_REASON_LINK_ENDED {
				guesses++
			}
		}
		if guesses != 10 {
			t.Errorf("%d guesses of one address at once", guesses)
		}
		// Another address is not locked out by that.
		token, _, err := w.operators.Invite(t.Context(), "Ada", console.Owner)
		if err != nil {
			t.Fatal(err)
		}
		other := w.stranger()
		other.from.Address = "198.51.100.7"
		if err := other.login(token); err != nil {
			t.Errorf("another address: %v", err)
		}
		// Many addresses share a bound.
		guesses = 0
		for i := range 300 {
			from := w.stranger()
			from.from.Address = fmt.Sprintf("203.0.%d.%d", 113+i/200, i%200)
			if reason(from.login(strings.Repeat("1", 64))) == faultv1.Reason_REASON_LINK_ENDED {
				guesses++
			}
		}
		if guesses > 50 {
			t.Errorf("%d guesses of all addresses at once", guesses)
		}
	})
}

func TestStrangersCannotFillTheDatabase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		for i := range 500 {
			from := w.stranger()
			from.from.Address = fmt.Sprintf("203.0.%d.%d", 113+i/200, i%200)
			if _, err := call[adminv1.GetMeResponse](from, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); err == nil {
				t.Fatal("a stranger is answered")
			}
		}
		if n := len(w.entries()); n > 60 {
			t.Errorf("%d entries", n)
		}
	})
}

func TestAnOperatorWhoCallsTooOftenIsRefused(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		viewer := w.signedIn("Bob", console.Viewer)
		n, refused := len(w.entries()), 0
		for range 150 {
			if _, err := call[adminv1.GetMeResponse](viewer, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); reason(err) == faultv1.Reason_REASON_RATE_LIMITED {
				refused++
			}
		}
		added := w.since(n)
		last := added[len(added)-1]
		if refused != 50 || len(added) != 101 || last.Outcome != audit.Refused || last.Reason != "RATE_LIMITED" {
			t.Errorf("%d refused, %d entries, the last %+v", refused, len(added), last)
		}
	})
}

func TestAFailureThatIsNoStatusIsHiddenAndRecorded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		owner := w.signedIn("Ada", console.Owner)
		w.services.answers = nil
		w.services.err = errors.New("not a status")
		n := len(w.entries())
		_, err := call[adminv1.DeleteUserResponse](owner, adminv1.UserService_DeleteUser_FullMethodName, &adminv1.DeleteUserRequest{Id: userID})
		if fault.From(err).Code != codes.Internal || strings.Contains(err.Error(), "not a status") {
			t.Errorf("err = %v", err)
		}
		if added := w.since(n); len(added) != 2 || added[1].Outcome != audit.Failed || added[1].Reason != "INTERNAL" {
			t.Errorf("%+v", added)
		}
	})
}

func TestACallerWhoLeavesLeavesNoCallWithoutItsEnd(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		owner := w.signedIn("Ada", console.Owner)
		n := len(w.entries())
		ctx, cancel := context.WithCancel(t.Context())
		w.services.answers[walletv1.UserAdminService_RemoveUser_FullMethodName] = &walletv1.RemoveUserResponse{}
		w.services.asks = cancel
		err := owner.in(ctx, adminv1.UserService_DeleteUser_FullMethodName, &adminv1.DeleteUserRequest{Id: userID}, &adminv1.DeleteUserResponse{})
		if err != nil {
			t.Errorf("err = %v", err)
		}
		if added := w.since(n); len(added) != 2 || added[1].Outcome != audit.Done {
			t.Errorf("%+v", added)
		}
	})
}
