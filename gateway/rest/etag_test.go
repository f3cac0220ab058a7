package rest_test

import (
	"net/http"
	"testing"

	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
)

func TestAnAnswerThatStillHoldsIsNotSentAgain(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{})
	const path = "/v1/supported-chains"
	first := accesstest.Ask(g, "GET", path, "")
	tag := first.Header().Get("ETag")
	if first.Code != http.StatusOK || tag == "" || first.Header().Get("Cache-Control") != "public, max-age=60" {
		t.Fatalf("status %d, headers %v", first.Code, first.Header())
	}
	for known, want := range map[string]int{
		tag: http.StatusNotModified, `"old", W/` + tag: http.StatusNotModified, "*": http.StatusNotModified, `"old"`: http.StatusOK, "": http.StatusOK,
	} {
		w := accesstest.Ask(g, "GET", path, "", "If-None-Match", known)
		if w.Code != want || (w.Body.Len() == 0) != (want == http.StatusNotModified) || w.Header().Get("ETag") != tag {
			t.Errorf("%s: status %d with %d bytes, headers %v", known, w.Code, w.Body.Len(), w.Header())
		}
	}
	if w := accesstest.Ask(g, "DELETE", path, ""); w.Code != http.StatusMethodNotAllowed || w.Header().Get("ETag") != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("a refusal may be kept: status %d, headers %v", w.Code, w.Header())
	}
}
