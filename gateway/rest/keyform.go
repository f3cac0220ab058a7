package rest

import (
	"encoding/json"
	"net/http"

	"github.com/hawser-dev/hawser/gateway/access"
)

// WithKeyForm moves the query parameter `v` of the creation of a session into the body, where its message has it.
func WithKeyForm(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, isRead := r.Body.(*access.Body)
		if v, _ := access.Parameter(r, "v"); v != "" && isRead {
			if members := membersOf(b.Raw); members != nil {
				members["v"], _ = json.Marshal(v)
				raw, _ := json.Marshal(members)
				b.Replace(raw)
				r.ContentLength = int64(len(raw))
			}
		}
		h.ServeHTTP(w, r)
	})
}
