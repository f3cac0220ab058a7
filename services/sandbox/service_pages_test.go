package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sandboxv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sandbox/v1"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/sandbox/sqlstore"
)

// visit sends a request as a browser does, or, if accept is empty, as a client that accepts any type.
func (w *world) visit(t *testing.T, method, uri, accept, body string) (*sandboxv1.ServePageResponse, error) {
	t.Helper()
	server := &pageServer{pages: w.pages()}
	return server.ServePage(t.Context(), &sandboxv1.ServePageRequest{
		Method: method, Uri: uri, Host: "wallet.example.org", Body: []byte(body),
		Header: map[string]string{"Accept": accept, "Content-Type": "application/x-www-form-urlencoded"},
	})
}

const browser = "text/html,*/*"

func TestACheckoutTakesFormsAsBrowsersSendThem(t *testing.T) {
	w := onSQLite(t)
	id := w.begin(t, purchase("tUSD", one))
	for name, tt := range map[string]struct {
		body string
		want uint32
	}{
		"a form":                   {"name=Ada", http.StatusOK},
		"a form that is not UTF-8": {"name=%ff&%ff=1", http.StatusOK},
		"a malformed form":         {"name=%zz", http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			if res, err := w.visit(t, http.MethodPost, PagePath+id+"/pay", browser, tt.body); err != nil || res.GetStatus() != tt.want {
				t.Errorf("%d %s, %v, want %d", res.GetStatus(), res.GetBody(), err, tt.want)
			}
		})
	}
	res, err := w.visit(t, http.MethodPost, PagePath+id+"/cancel", browser, "")
	if err != nil || res.GetStatus() != http.StatusSeeOther || res.GetHeader()["Location"] != PagePath+id {
		t.Errorf("a form that is taken: %v, %v", res, err)
	}
}

func TestAnInvalidFormIsAPage(t *testing.T) {
	w := onSQLite(t)
	id := w.begin(t, purchase("tUSD", one))
	res, err := w.visit(t, http.MethodPost, PagePath+id+"/pay", browser, "number=1")
	if err != nil || res.GetStatus() != http.StatusOK || !strings.Contains(string(res.GetBody()), "Please check what is marked below.") ||
		res.GetHeader()["Content-Security-Policy"] == "" || res.GetHeader()["Content-Type"] != contentHTML {
		t.Errorf("%v, %v", res, err)
	}
}

func TestAFormOfAnotherSiteIsRefused(t *testing.T) {
	w := onSQLite(t)
	id := w.begin(t, purchase("tUSD", one))
	server := &pageServer{pages: w.pages()}
	res, err := server.ServePage(t.Context(), &sandboxv1.ServePageRequest{
		Method: http.MethodPost, Uri: PagePath + id + "/cancel", Host: "wallet.example.org", Header: map[string]string{"Sec-Fetch-Site": "cross-site"},
	})
	if err != nil || res.GetStatus() != http.StatusForbidden || w.record(t, id).Stage.Ended() {
		t.Errorf("%v, %v", res, err)
	}
}

func TestErrorsOfACheckoutAreShownAsText(t *testing.T) {
	w := onSQLite(t)
	opened := w.begin(t, purchase("tUSD", one))
	for _, tt := range []struct {
		name   string
		id     string
		broken bool
		status uint32
		says   string
	}{
		{"it does not exist", "ABC", false, http.StatusNotFound, "There is no such checkout"},
		{"an internal error occurs", opened, true, http.StatusInternalServerError, "does not work at the moment"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			if tt.broken {
				_ = w.db.Close()
			}
			defer cancel()
			server := &pageServer{pages: w.pages()}
			request := &sandboxv1.ServePageRequest{Method: http.MethodGet, Uri: PagePath + tt.id, Header: map[string]string{"Accept": browser}}
			res, err := server.ServePage(ctx, request)
			page := string(res.GetBody())
			if err != nil || res.GetStatus() != tt.status || !strings.Contains(page, tt.says) || strings.Contains(page, "refresh") != tt.broken || strings.Contains(page, "sql") {
				t.Errorf("%d %s, %v", res.GetStatus(), page, err)
			}
			request.Header = nil
			if _, err := server.ServePage(ctx, request); errorPageOf(fault.From(err)).Heading == "" || err == nil {
				t.Errorf("a client gets %v", err)
			}
		})
	}
	if page := errorPageOf(explain(errors.New("secret"))); !page.Again || strings.Contains(page.Text, "secret") {
		t.Errorf("%+v", page)
	}
}

func TestACheckoutLeadsNowhereElse(t *testing.T) {
	w := onSQLite(t)
	for _, id := range []string{"..%2F..%2F%5Cevil.example", "..%2F..%2F%2Fevil.example", "%5C%5Cevil.example", "%0d%0aSet-Cookie:x", "a%3Fb%23c"} {
		res, err := w.visit(t, http.MethodGet, PagePath+id+"/pay", browser, "")
		if to := res.GetHeader()["Location"]; err != nil || res.GetStatus() != http.StatusSeeOther || !strings.HasPrefix(to, PagePath) || strings.ContainsAny(to, "?#\\") {
			t.Errorf("%s: %d to %s, %v", id, res.GetStatus(), to, err)
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
