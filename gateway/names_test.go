package gateway

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestLookUpsThatFindNoName(t *testing.T) {
	refuse := func(reason faultv1.Reason) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			writeFaultStatus(w, r, fault.New(codes.NotFound, reason, "name", "none"), http.StatusNotFound)
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
			emptyWhereAbsent(refuse(tt.reason)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+tt.query, nil))
			if w.Code != tt.status || (w.Body.String() == "[]") != (tt.status == http.StatusOK) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if got := w.Header().Get("Content-Type"); got != "application/json" {
				t.Errorf("content type %q", got)
			}
		})
	}
}

func TestHowLongAnIdentityMayBeKept(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for body, want := range map[string]time.Duration{
		`{"name":"alice.hawser.id","resolvedAt":"2026-01-02T03:04:05.000Z"}`: 5 * time.Minute,
		`{"name":"alice.hawser.id","resolvedAt":"2026-01-02T03:03:05.000Z"}`: 4 * time.Minute,
		`{"name":"alice.hawser.id","resolvedAt":"2026-01-02T02:04:05.000Z"}`: 0,
		`{"name":"alice.hawser.id","resolvedAt":"2026-01-02T03:04:06.000Z"}`: 5 * time.Minute,
		`{"name":null,"resolvedAt":"2026-01-02T03:04:05.000Z"}`:              10 * time.Second,
		`nonsense`: 0,
	} {
		if got := remaining([]byte(body), now); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}
