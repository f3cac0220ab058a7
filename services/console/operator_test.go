package console_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/console/consoletest"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestStores(t *testing.T) {
	for kind, dsn := range map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL} {
		t.Run(kind, func(t *testing.T) {
			consoletest.RunStore(t, func(t *testing.T) console.Store {
				db := storetest.Open(t, dsn(t))
				if err := console.Migrate(t.Context(), db); err != nil {
					t.Fatal(err)
				}
				return console.NewSQLStore(db)
			})
		})
	}
}

func TestALinkSignsInOnceAndWithinTenMinutes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		token, of, err := w.operators.Invite(t.Context(), " Ada ", "")
		if err != nil || of.Name != "Ada" || of.Role != console.Owner || len(token) != 64 {
			t.Fatalf("%q for %+v, %v", token, of, err)
		}
		first := w.stranger()
		if err := first.login(token); err != nil {
			t.Fatal(err)
		}
		me, err := call[adminv1.GetMeResponse](first, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{})
		if err != nil || me.GetOperator().GetId() != of.ID || me.GetOperator().GetRole() != optionsv1.Role_ROLE_OWNER || me.GetSession().GetAddress() != address || me.GetSession().GetBrowser() != "Firefox" || me.GetVersion() != "1.2.3" {
			t.Errorf("%v, %v", me, err)
		}
		if err := w.stranger().login(token); reason(err) != faultv1.Reason_REASON_LINK_ENDED {
			t.Errorf("a second login: %v", err)
		}
		late, _, err := w.operators.Invite(t.Context(), "Ada", console.Owner)
		if err != nil {
			t.Fatal(err)
		}
		w.clock.Pass(10 * time.Minute)
		if err := w.stranger().login(late); reason(err) != faultv1.Reason_REASON_LINK_ENDED {
			t.Errorf("ten minutes later: %v", err)
		}
	})
}

func TestTheDatabaseHasNoToken(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	w := newWorld(t, db)
	token, _, err := w.operators.Invite(t.Context(), "Bob", console.Viewer)
	if err != nil {
		t.Fatal(err)
	}
	ada := w.signedIn("Ada", console.Owner)
	for table, columns := range map[string]string{
		"console_links": "hash || operator_id", "console_sessions": "id || hash || address || browser", "console_audit": "target || before_state || after_state || reason",
	} {
		rows, err := db.Reader().QueryContext(t.Context(), `SELECT `+columns+` FROM `+table)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				t.Fatal(err)
			}
			found++
			if strings.Contains(text, token) || strings.Contains(text, ada.from.Session) {
				t.Errorf("%s has a token", table)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil || found == 0 {
			t.Errorf("%d rows of %s, %v", found, table, err)
		}
	}
}

// A page that an attacker controls could set a cookie with a token that the attacker knows, and wait for the operator to sign in with it.
func TestALoginDoesNotKeepTheTokenThatTheBrowserHad(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		token, _, err := w.operators.Invite(t.Context(), "Ada", console.Owner)
		if err != nil {
			t.Fatal(err)
		}
		victim := w.stranger()
		planted := strings.Repeat("ab", 32)
		victim.from.Session = planted
		if err := victim.login(token); err != nil {
			t.Fatal(err)
		}
		attacker := w.stranger()
		attacker.from.Session = planted
		if _, err := call[adminv1.GetMeResponse](attacker, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); reason(err) != faultv1.Reason_REASON_OPERATOR_ABSENT {
			t.Errorf("the planted token is that of a session: %v", err)
		}
		again, _, err := w.operators.Invite(t.Context(), "Ada", console.Owner)
		if err != nil {
			t.Fatal(err)
		}
		old := *victim
		if err := victim.login(again); err != nil {
			t.Fatal(err)
		}
		if _, err := call[adminv1.GetMeResponse](&old, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); reason(err) != faultv1.Reason_REASON_OPERATOR_ABSENT {
			t.Errorf("the session before the login goes on: %v", err)
		}
		for _, weak := range []string{"", "short"} {
			from := w.stranger().from
			from.NewSession = weak
			more, _, err := w.operators.Invite(t.Context(), "Ada", console.Owner)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Invoke(caller.NewOperatorContext(t.Context(), from), adminv1.OperatorService_Login_FullMethodName, &adminv1.LoginRequest{Token: more}, &adminv1.LoginResponse{}); err == nil {
				t.Errorf("a session has the token %q", weak)
			}
		}
	})
}

func TestASessionEndsWithoutUseAndInAnyCase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		me := func(o *operator) faultv1.Reason {
			_, err := call[adminv1.GetMeResponse](o, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{})
			return reason(err)
		}
		idle := w.signedIn("Ada", console.Owner)
		w.clock.Pass(29 * time.Minute)
		if got := me(idle); got != faultv1.Reason_REASON_UNSPECIFIED {
			t.Errorf("after 29 minutes: %s", got)
		}
		w.clock.Pass(30 * time.Minute)
		if got := me(idle); got != faultv1.Reason_REASON_OPERATOR_ABSENT {
			t.Errorf("after 30 minutes without a call: %s", got)
		}
		busy := w.signedIn("Ada", console.Owner)
		for range 35 {
			w.clock.Pass(20 * time.Minute)
			if got := me(busy); got != faultv1.Reason_REASON_UNSPECIFIED {
				t.Fatalf("in use: %s", got)
			}
		}
		w.clock.Pass(20 * time.Minute)
		if got := me(busy); got != faultv1.Reason_REASON_OPERATOR_ABSENT {
			t.Errorf("after 12 hours: %s", got)
		}
	})
}

func TestAnOperatorEndsSessions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		first, second, other := w.signedIn("Ada", console.Owner), w.signedIn("Ada", console.Owner), w.signedIn("Bob", console.Viewer)
		list, err := call[adminv1.ListSessionsResponse](first, adminv1.OperatorService_ListSessions_FullMethodName, &adminv1.ListSessionsRequest{})
		if err != nil || len(list.GetSessions()) != 2 {
			t.Fatalf("%v, %v", list, err)
		}
		for _, s := range list.GetSessions() {
			end := &adminv1.EndSessionRequest{Id: s.GetId()}
			// Another's call changes nothing.
			if _, err := call[adminv1.EndSessionResponse](other, adminv1.OperatorService_EndSession_FullMethodName, end); err != nil {
				t.Fatal(err)
			}
			if !s.GetCurrent() {
				if _, err := call[adminv1.EndSessionResponse](first, adminv1.OperatorService_EndSession_FullMethodName, end); err != nil {
					t.Fatal(err)
				}
			}
		}
		for o, want := range map[*operator]faultv1.Reason{first: faultv1.Reason_REASON_UNSPECIFIED, second: faultv1.Reason_REASON_OPERATOR_ABSENT} {
			if _, err := call[adminv1.GetMeResponse](o, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); reason(err) != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
		if _, err := call[adminv1.LogoutResponse](first, adminv1.OperatorService_Logout_FullMethodName, &adminv1.LogoutRequest{}); err != nil {
			t.Fatal(err)
		}
		if _, err := call[adminv1.GetMeResponse](first, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); reason(err) != faultv1.Reason_REASON_OPERATOR_ABSENT {
			t.Errorf("after Logout: %v", err)
		}
	})
}

func TestARoleHoldsFromTheNextCallOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		owner, other := w.signedIn("Ada", console.Owner), w.signedIn("Bob", console.Owner)
		set := func(id string, role optionsv1.Role) error {
			_, err := call[adminv1.SetOperatorRoleResponse](owner, adminv1.OperatorService_SetOperatorRole_FullMethodName, &adminv1.SetOperatorRoleRequest{Id: id, Role: role})
			return err
		}
		if err := set(other.id, optionsv1.Role_ROLE_VIEWER); err != nil {
			t.Fatal(err)
		}
		if _, err := call[adminv1.ListOperatorsResponse](other, adminv1.OperatorService_ListOperators_FullMethodName, &adminv1.ListOperatorsRequest{}); reason(err) != faultv1.Reason_REASON_ROLE_MISSING {
			t.Errorf("a former owner: %v", err)
		}
		for id, want := range map[string]faultv1.Reason{owner.id: faultv1.Reason_REASON_OWNER_LAST, userID: faultv1.Reason_REASON_OPERATOR_UNKNOWN} {
			if err := set(id, optionsv1.Role_ROLE_VIEWER); reason(err) != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
		for _, none := range []optionsv1.Role{optionsv1.Role_ROLE_UNSPECIFIED, optionsv1.Role_ROLE_ANYBODY, 77} {
			if err := set(other.id, none); reason(err) != faultv1.Reason_REASON_PARAMETER_INVALID {
				t.Errorf("%s: %v", none, err)
			}
		}
		if _, err := call[adminv1.RemoveOperatorResponse](owner, adminv1.OperatorService_RemoveOperator_FullMethodName, &adminv1.RemoveOperatorRequest{Id: other.id}); err != nil {
			t.Fatal(err)
		}
		if _, err := call[adminv1.GetMeResponse](other, adminv1.OperatorService_GetMe_FullMethodName, &adminv1.GetMeRequest{}); reason(err) != faultv1.Reason_REASON_OPERATOR_ABSENT {
			t.Errorf("an operator who was removed: %v", err)
		}
	})
}

func TestAnInvitationIsForTheRoleThatTheOperatorHas(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	if _, of, err := w.operators.Invite(t.Context(), "Ada", console.Viewer); err != nil || of.Role != console.Viewer {
		t.Fatalf("%+v, %v", of, err)
	}
	if _, of, err := w.operators.Invite(t.Context(), "Ada", ""); err != nil || of.Role != console.Viewer {
		t.Errorf("without a role: %+v, %v", of, err)
	}
	_, _, err := w.operators.Invite(t.Context(), "Ada", console.Owner)
	if other, ok := errors.AsType[*console.OtherRoleError](err); !ok || other.Operator.Role != console.Viewer {
		t.Errorf("another role: %v", err)
	}
	for _, name := range []string{"", "  ", "a\nb", strings.Repeat("é", 61), "\xff"} {
		if _, _, err := w.operators.Invite(t.Context(), name, console.Owner); !errors.Is(err, console.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestTheExportOfAUserHasNoSecret(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.services.answers[walletv1.UserAdminService_DescribeUser_FullMethodName] = &walletv1.DescribeUserResponse{
		User:       &walletv1.FoundUser{Id: userID, ProjectId: projectID, Email: email, CreatedAt: 7},
		Identities: []*walletv1.Identity{{Provider: "email", Subject: email}}, Factors: []*walletv1.Factor{{Id: "f", Label: "iPhone"}},
		Sessions: []*walletv1.WalletSession{{Id: "s", Site: "https://shop.example"}},
	}
	got, err := call[adminv1.ExportUserResponse](w.signedIn("Ada", console.Owner), adminv1.UserService_ExportUser_FullMethodName, &adminv1.ExportUserRequest{Id: userID})
	if err != nil || got.GetFileName() != "hawser-user-"+userID+".json" {
		t.Fatalf("%v, %v", got, err)
	}
	for _, want := range []string{email, "iPhone", "https://shop.example", `"exportedAt": "2026-05-06T07:08:09Z"`} {
		if !strings.Contains(got.GetJson(), want) {
			t.Errorf("%s is not in\n%s", want, got.GetJson())
		}
	}
}

func TestASecretSettingIsShownAsSetOnly(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	got, err := call[adminv1.ListSettingsResponse](w.signedIn("Ada", console.Changer), adminv1.SettingService_ListSettings_FullMethodName, &adminv1.ListSettingsRequest{})
	want := &adminv1.ListSettingsResponse{Target: "all", Settings: []*adminv1.Setting{{
		Key: "store.dsn", Secret: true, Set: true, Source: adminv1.SettingSource_SETTING_SOURCE_VARIABLE, Origin: "HAWSER_STORE_DSN", Description: "a database", Document: "/settings.md#storedsn",
	}}}
	if err != nil || !proto.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestHealthNamesWhatIsWrongAndWhatToDo(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.suite = &statusv1.Suite{Processes: []*statusv1.Process{
		{Target: "all", Address: "a", Chains: []*statusv1.Chain{
			{ChainId: "eip155:1", Nodes: []*statusv1.Node{{Host: "one", State: statusv1.NodeState_NODE_STATE_UP}, {Host: "two", State: statusv1.NodeState_NODE_STATE_DOWN}}},
		}},
		{Target: "names", Address: "b", Error: "it does not answer"},
	}}
	got, err := call[adminv1.GetHealthResponse](w.signedIn("Bob", console.Viewer), adminv1.HealthService_GetHealth_FullMethodName, &adminv1.GetHealthRequest{})
	want := []*adminv1.Problem{
		{Kind: adminv1.ProblemKind_PROBLEM_KIND_PROCESS_ABSENT, Severity: adminv1.Severity_SEVERITY_ERROR, Text: "names at b: it does not answer", Subject: "b", Runbook: "/runbooks.md#hawserabsent"},
		{Kind: adminv1.ProblemKind_PROBLEM_KIND_NODE, Severity: adminv1.Severity_SEVERITY_WARNING, Text: "node 2 of eip155:1, two, is down", Subject: "eip155:1", Runbook: "/runbooks.md#hawsernodefails"},
	}
	if problems := got.GetHealth().GetProblems(); err != nil || len(problems) != 2 || !proto.Equal(problems[0], want[0]) || !proto.Equal(problems[1], want[1]) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAStreamEndsWithTheSessionAndIsBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		ctx, cancel := context.WithCancel(t.Context())
		worked := make(chan error, 1)
		go func() { worked <- w.work(ctx) }()
		defer func() {
			cancel()
			<-worked
		}()
		viewer := w.signedIn("Bob", console.Viewer)
		received := make(chan struct{}, 100)
		ended := make(chan error, 20)
		watch := func() {
			ended <- run.ServerStream(caller.NewOperatorContext(ctx, viewer.from), &w.Local, adminv1.HealthService_WatchHealth_FullMethodName, &adminv1.WatchHealthRequest{},
				func() proto.Message { return &adminv1.WatchHealthResponse{} }, func(proto.Message) error {
					received <- struct{}{}
					return nil
				})
		}
		for range 10 {
			go watch()
			<-received
		}
		go watch()
		if err := <-ended; reason(err) != faultv1.Reason_REASON_RATE_LIMITED {
			t.Errorf("the eleventh stream: %v", err)
		}
		if err := w.operators.End(t.Context(), viewer.id, w.session(viewer)); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if err := <-ended; reason(err) != faultv1.Reason_REASON_OPERATOR_ABSENT {
				t.Errorf("a stream without a session: %v", err)
			}
		}
	})
}

// session returns the id of the session of an operator.
func (w *world) session(o *operator) string {
	w.t.Helper()
	s, _, err := w.operators.Check(w.t.Context(), o.from.Session)
	if err != nil {
		w.t.Fatal(err)
	}
	return s.ID
}
