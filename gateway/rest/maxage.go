package rest

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
)

// WithMaxAge lets caches of callers keep successful answers of h for as long as the service allows (package cachecontrol), or not at all. The gateway
// does not keep them itself.
func WithMaxAge(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var policy cachecontrol.Policy
		answer := &bufferedResponse{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(answer, r.WithContext(context.WithValue(r.Context(), policyKey{}, &policy)))
		if answer.status == http.StatusOK {
			w.Header().Set("Cache-Control", allowedFor(policy.MaxAge))
		}
		answer.send()
	})
}

// allowedFor returns the Cache-Control header of an answer that may be kept for maxAge; s-maxage is for callers of AppKit's API.
func allowedFor(maxAge time.Duration) string {
	seconds := int(maxAge / time.Second)
	if seconds == 0 {
		return "no-store"
	}
	return fmt.Sprintf("public, max-age=%d, s-maxage=%d", seconds, seconds)
}
