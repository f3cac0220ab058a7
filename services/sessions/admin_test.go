package sessions

import (
	"slices"
	"testing"
	"time"

	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestTheOperatorFindsSessions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		admin := adminServer{server: w.server}
		alice, bob := w.newPerson(), w.newPerson()
		granted := alice.granted(project, nil, native(w, 1000, day))
		w.clock.Pass(time.Second)
		asked := bob.create(alone, nil, native(w, 2000, day))

		find := func(r *sessionsv1.FindSessionsRequest) (pcis []string, found []*sessionsv1.SessionRecord) {
			t.Helper()
			res, err := admin.FindSessions(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range res.GetSessions() {
				pcis = append(pcis, n.GetPci())
			}
			return pcis, res.GetSessions()
		}
		all, found := find(&sessionsv1.FindSessionsRequest{})
		if !slices.Equal(all, []string{asked.pci, granted.pci}) {
			t.Fatalf("all sessions are %v", all)
		}
		if n := found[0]; n.GetState() != sessionsv1.SessionState_SESSION_STATE_PENDING || n.GetProjectId() != alone || n.GetAccount() != bob.key.Address().Hex() || n.GetCoSigned() {
			t.Errorf("the session that was asked for is %v", n)
		}
		n := found[1]
		if n.GetState() != sessionsv1.SessionState_SESSION_STATE_ACTIVE || n.GetChainId() != local || !n.GetCoSigned() || len(n.GetPermissions()) != 1 || len(n.GetAllowances()) != 1 {
			t.Fatalf("the granted session is %v", n)
		}
		if a := n.GetAllowances()[0]; a.GetAllowed() != "1000" || a.GetPeriod() != day || a.Spent != nil {
			t.Errorf("it allows %v", a)
		}
		if got, _ := find(&sessionsv1.FindSessionsRequest{By: &sessionsv1.FindSessionsRequest_Address{Address: alice.key.Address().Hex()}}); !slices.Equal(got, []string{granted.pci}) {
			t.Errorf("the sessions of an account are %v", got)
		}
		if got, _ := find(&sessionsv1.FindSessionsRequest{By: &sessionsv1.FindSessionsRequest_ProjectId{ProjectId: alone}}); !slices.Equal(got, []string{asked.pci}) {
			t.Errorf("the sessions of a project are %v", got)
		}
	})
}

func TestSessionsAreFoundPageByPage(t *testing.T) {
	w := newWorld(t, openDB(t))
	admin := adminServer{server: w.server}
	var want, got []string
	for n := range 2*adminPage + 1 {
		// Several have the same time.
		if n%3 == 0 {
			w.clock.Pass(time.Second)
		}
		want = append(want, w.newPerson().create(project, nil, native(w, 1000, day)).pci)
	}
	pages := 0
	for cursor, more := "", true; more; pages++ {
		res, err := admin.FindSessions(t.Context(), &sessionsv1.FindSessionsRequest{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range res.GetSessions() {
			got = append(got, n.GetPci())
		}
		cursor, more = res.GetNext(), res.GetNext() != ""
	}
	slices.Sort(want)
	if slices.Sort(got); pages != 3 || !slices.Equal(got, want) {
		t.Errorf("%d pages have %d sessions, want %d", pages, len(got), len(want))
	}
	for _, cursor := range []string{"x", "1", "x.1"} {
		if _, err := admin.FindSessions(t.Context(), &sessionsv1.FindSessionsRequest{Cursor: cursor}); err == nil {
			t.Errorf("the cursor %q is accepted", cursor)
		}
	}
}
