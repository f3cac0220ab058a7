package upstream_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/upstream"
)

func TestAHeaderGoesWithEveryCallAndFollowsNoRedirect(t *testing.T) {
	otherServer := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the redirect was followed, with %v", r.Header)
	}))
	defer otherServer.Close()
	var calls []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls = append(calls, r.Method+" "+r.Header.Get("Authorization")+" "+r.Header.Get("Content-Type"))
		http.Redirect(w, r, otherServer.URL, http.StatusFound)
	}))
	defer server.Close()
	client := upstream.New(time.Second, 1<<10)
	defer client.Close()
	client.Header = http.Header{"Authorization": {"Bearer hunter2"}}

	for range 2 {
		if status, _, err := client.GetJSON(t.Context(), server.URL); err != nil || status != http.StatusFound {
			t.Errorf("%d, %v", status, err)
		}
	}
	if status, _, err := client.PostJSON(t.Context(), server.URL, []byte("{}")); err != nil || status != http.StatusFound {
		t.Errorf("%d, %v", status, err)
	}

	want := "GET Bearer hunter2 |GET Bearer hunter2 |POST Bearer hunter2 application/json"
	if got := strings.Join(calls, "|"); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
