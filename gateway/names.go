package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// identityLifetime is the max-age of an identity with a name, and namelessLifetime of one without: a name may be registered at any moment.
	identityLifetime = 5 * time.Minute
	namelessLifetime = 10 * time.Second
)

// emptyWhereAbsent answers a lookup that finds no name with an empty list when apiVersion is 2, and with 404 otherwise.
func emptyWhereAbsent(h http.Handler) http.Handler {
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
	var refusal restError
	return json.Unmarshal(body, &refusal) == nil && refusal.Code == fault.ReasonName(faultv1.Reason_REASON_NAME_ABSENT)
}

// withRemainingAge sets the max-age of an identity to what is left of its lifetime since resolvedAt.
func withRemainingAge(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &bufferedResponse{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(answer, r)
		if answer.status == http.StatusOK {
			left := int(remaining(answer.body.Bytes(), time.Now()) / time.Second)
			w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d, s-maxage=%d", left, left))
		}
		answer.send()
	})
}

// remaining returns what is left of an identity's lifetime at now.
func remaining(body []byte, now time.Time) time.Duration {
	var identity struct {
		Name       *string   `json:"name"`
		ResolvedAt time.Time `json:"resolvedAt"`
	}
	if err := json.Unmarshal(body, &identity); err != nil {
		return 0
	}
	lifetime := namelessLifetime
	if identity.Name != nil {
		lifetime = identityLifetime
	}
	age := max(0, now.Sub(identity.ResolvedAt))
	return max(0, lifetime-age)
}
