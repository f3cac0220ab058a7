package sandbox

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// visit sends a request as a browser does.
func (w *world) visit(t *testing.T, method, uri, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, uri, strings.NewReader(body))
	r.Header.Set("Accept", "text/html,*/*")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res := httptest.NewRecorder()
	w.pages().ServeHTTP(res, r)
	return res
}

func TestACheckoutTakesFormsAsBrowsersSendThem(t *testing.T) {
	w := onSQLite(t)
	id := w.begin(t, purchase("tUSD", one))
	for name, tt := range map[string]struct {
		body string
		want int
	}{
		"a form":                   {"name=Ada", http.StatusOK},
		"a form that is not UTF-8": {"name=%ff&%ff=1", http.StatusOK},
		"a malformed form":         {"name=%zz", http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			if res := w.visit(t, http.MethodPost, PagePath+id+"/pay", tt.body); res.Code != tt.want {
				t.Errorf("%d %s, want %d", res.Code, res.Body, tt.want)
			}
		})
	}
	if res := w.visit(t, http.MethodPost, PagePath+id+"/cancel", ""); res.Code != http.StatusSeeOther || res.Header().Get("Location") != PagePath+id {
		t.Errorf("a form that is taken: %v", res)
	}
}

func TestAnInvalidFormIsAPage(t *testing.T) {
	w := onSQLite(t)
	id := w.begin(t, purchase("tUSD", one))
	res := w.visit(t, http.MethodPost, PagePath+id+"/pay", "number=1")
	if res.Code != http.StatusOK || !strings.Contains(res.Body.String(), "Please check what is marked below.") ||
		res.Header().Get("Content-Security-Policy") == "" || res.Header().Get("Content-Type") != contentHTML {
		t.Errorf("%v", res)
	}
}

func TestAFormOfAnotherSiteIsRefused(t *testing.T) {
	w := onSQLite(t)
	id := w.begin(t, purchase("tUSD", one))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, PagePath+id+"/cancel", nil)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	res := httptest.NewRecorder()
	w.pages().ServeHTTP(res, r)
	if res.Code != http.StatusForbidden || w.record(t, id).Stage.Ended() {
		t.Errorf("%v", res)
	}
}

func TestErrorsOfACheckoutAreShownAsText(t *testing.T) {
	w := onSQLite(t)
	opened := w.begin(t, purchase("tUSD", one))
	for _, tt := range []struct {
		name   string
		id     string
		broken bool
		status int
		says   string
	}{
		{"it does not exist", "ABC", false, http.StatusNotFound, "There is no such checkout"},
		{"an internal error occurs", opened, true, http.StatusInternalServerError, "does not work at the moment"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.broken {
				_ = w.db.Close()
			}
			res := w.visit(t, http.MethodGet, PagePath+tt.id, "")
			page := res.Body.String()
			if res.Code != tt.status || !strings.Contains(page, tt.says) || strings.Contains(page, "refresh") != tt.broken || strings.Contains(page, "sql") {
				t.Errorf("%d %s", res.Code, page)
			}
		})
	}
	if page := errorPageOf(explain(errors.New("secret"))); !page.Again || strings.Contains(page.Text, "secret") {
		t.Errorf("%+v", page)
	}
}

func TestAnIDThatIsNotUTF8IsUnknown(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := open(t, db)
		for _, request := range [][2]string{{http.MethodGet, PagePath + "%ff"}, {http.MethodPost, PagePath + "%ff/cancel"}} {
			if res := w.visit(t, request[0], request[1], ""); res.Code != http.StatusNotFound {
				t.Errorf("%s: %d %s", request, res.Code, res.Body)
			}
		}
	})
}

func TestACheckoutLeadsNowhereElse(t *testing.T) {
	w := onSQLite(t)
	for _, id := range []string{"..%2F..%2F%5Cevil.example", "..%2F..%2F%2Fevil.example", "%5C%5Cevil.example", "%0d%0aSet-Cookie:x", "a%3Fb%23c"} {
		res := w.visit(t, http.MethodGet, PagePath+id+"/pay", "")
		if to := res.Header().Get("Location"); res.Code != http.StatusSeeOther || !strings.HasPrefix(to, PagePath) || strings.ContainsAny(to, "?#\\") {
			t.Errorf("%s: %d to %s", id, res.Code, to)
		}
	}
}

func TestACheckoutOnAnUnreachableChainIsUnavailable(t *testing.T) {
	for err, want := range map[error]struct {
		reason faultv1.Reason
		status int
	}{
		fmt.Errorf("%w: refused", ramp.ErrUnavailable): {faultv1.Reason_REASON_ONRAMP_UNAVAILABLE, http.StatusServiceUnavailable},
		sqlstore.ErrUnknown:                            {faultv1.Reason_REASON_ORDER_UNKNOWN, http.StatusNotFound},
	} {
		if got := explain(err); got.Reason != want.reason || httpStatus(got) != want.status {
			t.Errorf("%v: %v, %d, want %v", err, got.Reason, httpStatus(got), want)
		}
	}
	if page := errorPageOf(explain(ramp.ErrUnavailable)); !page.Again {
		t.Errorf("%+v", page)
	}
}
