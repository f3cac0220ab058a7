package gateway

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/httpbody"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1/onrampv1connect"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

func TestACheckoutTakesFormsAsBrowsersSendThem(t *testing.T) {
	g := onrampDoor(t)
	for name, tt := range map[string]struct {
		body string
		want int
	}{
		"a form":              {"name=Ada", http.StatusSeeOther},
		"one that is no text": {"name=%ff&%ff=1", http.StatusSeeOther},
		"one that is broken":  {"name=%zz", http.StatusBadRequest},
		"one without end":     {"name=" + strings.Repeat("a", formLimit), http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/sandbox/checkout/ABC/pay", strings.NewReader(tt.body))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			g.ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("%d %s, want %d", w.Code, w.Body, tt.want)
			}
		})
	}
}

func TestAFormWithAMistakeIsAPageLikeAnyOther(t *testing.T) {
	g := openOn(t, &book{project: enabled()}, conn{
		onrampv1connect.SandboxServiceSubmitCheckoutProcedure: carried(&onrampv1.SubmitCheckoutResponse{
			Page: &httpbody.HttpBody{ContentType: "text/html; charset=utf-8", Data: []byte("<p>Enter a card number.</p>")},
		}),
	})
	w := ask(g, http.MethodPost, "/sandbox/checkout/ABC/pay", "")
	if w.Code != http.StatusOK || w.Body.String() != "<p>Enter a card number.</p>" || w.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestABrowserIsToldInWordsWhatIsWrongWithACheckout(t *testing.T) {
	for name, tt := range map[string]struct {
		err    error
		status int
		says   string
		again  bool
	}{
		"nobody opened it":     {fault.New(codes.NotFound, faultv1.Reason_REASON_ORDER_UNKNOWN, "id", "no"), http.StatusNotFound, "There is no such checkout", false},
		"its chain is away":    {fault.New(codes.Unavailable, faultv1.Reason_REASON_ONRAMP_UNAVAILABLE, "", "no"), http.StatusServiceUnavailable, "does not work at the moment", true},
		"something goes wrong": {errors.New("secret"), http.StatusInternalServerError, "does not work at the moment", true},
	} {
		t.Run(name, func(t *testing.T) {
			g := openOn(t, &book{project: enabled()}, conn{
				onrampv1connect.SandboxServiceShowCheckoutProcedure: func(proto.Message) (proto.Message, error) { return nil, tt.err },
			})
			w := ask(g, http.MethodGet, "/sandbox/checkout/ABC", "", "Accept", "text/html,*/*")
			if page := w.Body.String(); w.Code != tt.status || !strings.Contains(page, tt.says) || strings.Contains(page, "refresh") != tt.again || strings.Contains(page, "secret") {
				t.Errorf("%d %s", w.Code, page)
			}
			if w := ask(g, http.MethodGet, "/sandbox/checkout/ABC", ""); w.Code != tt.status || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("a client is told %d %s", w.Code, w.Body)
			}
		})
	}
}

func TestACheckoutLeadsNowhereElse(t *testing.T) {
	g := onrampDoor(t)
	for _, id := range []string{"..%2F..%2F%5Cevil.example", "..%2F..%2F%2Fevil.example", "%5C%5Cevil.example", "%0d%0aSet-Cookie:x", "a%3Fb%23c"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			w := ask(g, method, "/sandbox/checkout/"+id+"/pay", "")
			if to := w.Header().Get("Location"); w.Code != http.StatusSeeOther || !strings.HasPrefix(to, "/sandbox/checkout/") || strings.ContainsAny(to, "?#\\") {
				t.Errorf("%s %s: %d to %s", method, id, w.Code, to)
			}
		}
	}
}
