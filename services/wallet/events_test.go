package wallet_test

import (
	"strings"
	"testing"

	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestAUserIsPublishedOnceAndWithoutTheEmail(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		w.visitor().logIn(alice)
		w.visitor().logIn(newAlice)
		got := bustest.Waiting[*walletv1.UserCreated](t, db)
		if len(got) != 2 || got[0].GetUserId() == got[1].GetUserId() || got[0].GetProjectId() != project || got[0].GetUserId() == "" || got[0].GetCreatedAt() != w.clock.Now().UnixMilli() {
			t.Fatalf("published %v", got)
		}
		if name, _, _ := strings.Cut(alice, "@"); strings.Contains(got[0].String(), name) {
			t.Errorf("published %v", got)
		}
	})
}
