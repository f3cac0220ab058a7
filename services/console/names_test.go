package console_test

import (
	"strings"
	"testing"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestANameThatIsTakenBackIsInTheAuditLogAsItWas(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.services.answers[namesv1.NameAdminService_TakeName_FullMethodName] = &namesv1.TakeNameResponse{Name: &namesv1.NameRecord{Name: "alice.hawser.id", Owner: "0x1", RegisteredAt: 7}}
	changer := w.signedIn("Ada", console.Changer)
	n := len(w.entries())
	if _, err := call[adminv1.TakeNameResponse](changer, adminv1.NameService_TakeName_FullMethodName, &adminv1.TakeNameRequest{Name: "alice.hawser.id", RegisteredAt: 7}); err != nil {
		t.Fatal(err)
	}
	if added := w.since(n); len(added) != 2 || added[1].Target != "name alice.hawser.id" || !strings.Contains(added[1].Before, `"0x1"`) || added[1].After != "" {
		t.Errorf("%+v", added)
	}
}
