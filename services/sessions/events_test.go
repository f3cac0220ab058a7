package sessions

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	accountproof "github.com/hawser-dev/hawser/services/sessions/proof"
)

func TestAGrantAndItsRevocationArePublished(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		began := time.Now().UnixMilli()
		w := newWorldAt(t, db, filepath.Join(t.TempDir(), "wallet.key"))
		p := w.newPerson()
		// What was not granted is not told, also if it is revoked.
		p.create(project, nil, native(w, 1000, day))
		s := p.granted(project, nil, native(w, 1000, day))
		event := func(change sessionsv1.SessionChanged_Change) *sessionsv1.SessionChanged {
			return &sessionsv1.SessionChanged{
				ProjectId: project, Pci: s.pci, Account: strings.ToLower(s.id()), Change: change, Expiry: int64(s.request.GetExpiry()),
			}
		}
		want := []*sessionsv1.SessionChanged{event(sessionsv1.SessionChanged_CHANGE_GRANTED)}
		revoke := func() {
			if _, err := w.RevokeAllSessions(as(t, project), &sessionsv1.RevokeAllSessionsRequest{
				Account: s.id(), Proof: s.prove(accountproof.Statement{Kind: accountproof.RevokeAll}, s.key),
			}); err != nil {
				t.Fatal(err)
			}
		}
		w.sleep(1)
		want = append(want, event(sessionsv1.SessionChanged_CHANGE_REVOKED))
		revoke()
		w.sleep(1)
		revoke()
		got := bustest.Waiting[*sessionsv1.SessionChanged](t, db)
		if len(got) != len(want) {
			t.Fatalf("published %v", got)
		}
		for i := range want {
			if at := got[i].GetChangedAt(); at < began || at > w.clock.Now().UnixMilli() || i > 0 && at <= got[i-1].GetChangedAt() {
				t.Errorf("published %v at %d", got[i], at)
			}
			want[i].ChangedAt = got[i].GetChangedAt()
			if !proto.Equal(got[i], want[i]) {
				t.Errorf("published %v, want %v", got[i], want[i])
			}
		}
	})
}
