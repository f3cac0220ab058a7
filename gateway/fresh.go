package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// fresh lets callers keep an answer for a minute: long enough to spare us, short enough for a chain that was just added. After that they
// may ask whether it still holds (RFC 9110, 13.1.2).
func fresh(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &heldAnswer{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(answer, r)
		answer.release(r)
	})
}

// heldAnswer is an answer that waits until it is whole.
type heldAnswer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader notes the status.
func (a *heldAnswer) WriteHeader(status int) { a.status = status }

// Write adds to the body.
func (a *heldAnswer) Write(b []byte) (int, error) { return a.body.Write(b) }

// release sends the answer, or says that the one the caller has still holds.
func (a *heldAnswer) release(r *http.Request) {
	if a.status == http.StatusOK {
		sum := sha256.Sum256(a.body.Bytes())
		tag := `"` + hex.EncodeToString(sum[:12]) + `"`
		a.Header().Set("Cache-Control", "public, max-age=60")
		a.Header().Set("ETag", tag)
		if isKnown(r.Header.Get("If-None-Match"), tag) {
			a.ResponseWriter.WriteHeader(http.StatusNotModified)
			return
		}
	}
	a.send()
}

// send sends the answer as it is.
func (a *heldAnswer) send() {
	a.ResponseWriter.WriteHeader(a.status)
	_, _ = a.ResponseWriter.Write(a.body.Bytes())
}

// isKnown reports whether an If-None-Match header names the tag.
func isKnown(header, tag string) bool {
	for known := range strings.SplitSeq(header, ",") {
		known = strings.TrimSpace(known)
		if known == "*" || strings.TrimPrefix(known, "W/") == tag {
			return true
		}
	}
	return false
}
