package rest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestLookUpsThatFindNoName(t *testing.T) {
	refuse := func(reason faultv1.Reason) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			access.WriteFaultStatus(w, r, fault.New(codes.NotFound, reason, "name", "none"), http.StatusNotFound)
		})
	}
	for behaviour, tt := range map[string]struct {
		query  string
		reason faultv1.Reason
		status int
	}{
		"are refused to old callers":     {"", faultv1.Reason_REASON_NAME_ABSENT, http.StatusNotFound},
		"are empty to new ones":          {"?apiVersion=2", faultv1.Reason_REASON_NAME_ABSENT, http.StatusOK},
		"are no paths that do not exist": {"?apiVersion=2", faultv1.Reason_REASON_ROUTE_UNKNOWN, http.StatusNotFound},
	} {
		t.Run(behaviour, func(t *testing.T) {
			w := httptest.NewRecorder()
			EmptyWhereAbsent(refuse(tt.reason)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+tt.query, nil))
			if w.Code != tt.status || (w.Body.String() == "[]") != (tt.status == http.StatusOK) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if got := w.Header().Get("Content-Type"); got != "application/json" {
				t.Errorf("content type %q", got)
			}
		})
	}
}
