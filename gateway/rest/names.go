package rest

import (
	"bytes"
	"encoding/json"
	"net/http"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// EmptyWhereAbsent answers a lookup that finds no name with an empty list when apiVersion is 2, and with 404 otherwise.
func EmptyWhereAbsent(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Query().Get("apiVersion") != "2" {
			h.ServeHTTP(w, r)
			return
		}
		answer := &bufferedResponse{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(answer, r)
		if answer.status == http.StatusNotFound && isAbsence(answer.body.Bytes()) || bytes.Equal(bytes.TrimSpace(answer.body.Bytes()), []byte("null")) {
			_, _ = w.Write([]byte("[]"))
			return
		}
		answer.send()
	})
}

// isAbsence reports whether an error body is REASON_NAME_ABSENT rather than another 404.
func isAbsence(body []byte) bool {
	var refusal struct{ Code string }
	return json.Unmarshal(body, &refusal) == nil && refusal.Code == fault.ReasonName(faultv1.Reason_REASON_NAME_ABSENT)
}
