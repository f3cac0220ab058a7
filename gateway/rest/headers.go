package rest

import (
	"fmt"
	"net/http"
	"time"
)

// Harmless sets the headers that keep an untrusted image from running scripts or being sniffed as another type.
func Harmless(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox")
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.ServeHTTP(w, r)
	})
}

// PublicFor returns the Cache-Control header of a public response with a max-age.
func PublicFor(lifetime time.Duration) string {
	return fmt.Sprintf("public, max-age=%d", lifetime/time.Second)
}
