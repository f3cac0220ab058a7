package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

const (
	// identityLifetime is how long callers may keep how an account is shown, and namelessLifetime that it has no name: the next one may be
	// registered at any moment.
	identityLifetime = 5 * time.Minute
	namelessLifetime = 10 * time.Second
)

// emptyWhereAbsent answers look-ups that find no name with an empty list where the caller asks so (`apiVersion=2`), and with 404 otherwise.
func emptyWhereAbsent(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Query().Get("apiVersion") != "2" {
			h.ServeHTTP(w, r)
			return
		}
		answer := &heldAnswer{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(answer, r)
		if answer.status == http.StatusNotFound && isAbsence(answer.body.Bytes()) {
			_, _ = w.Write([]byte("[]"))
			return
		}
		answer.send()
	})
}

// isAbsence reports whether a refusal says that there is no name, and not that there is no such path.
func isAbsence(body []byte) bool {
	var refusal restError
	return json.Unmarshal(body, &refusal) == nil && refusal.Code == fault.ReasonName(faultv1.Reason_REASON_NAME_ABSENT)
}

// aging lets callers keep how an account is shown, for as long as is left of its lifetime.
func aging(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &heldAnswer{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(answer, r)
		if answer.status == http.StatusOK {
			left := int(remaining(answer.body.Bytes(), time.Now()) / time.Second)
			w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d, s-maxage=%d", left, left))
		}
		answer.send()
	})
}

// remaining is what is left of an identity's lifetime.
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
