package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

// Cacheable adds an ETag and a lifetime to the successful answers of h, and answers 304 to a request whose If-None-Match has that tag
// (RFC 9110, 13.1.2).
func Cacheable(lifetime time.Duration, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		res := &bufferedResponse{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(res, r)
		res.sendWithETag(r, lifetime)
	})
}

// bufferedResponse keeps status and body until send, so that headers can still be set once the body is known.
type bufferedResponse struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader keeps the status.
func (b *bufferedResponse) WriteHeader(status int) { b.status = status }

// Write appends to the buffered body.
func (b *bufferedResponse) Write(p []byte) (int, error) { return b.body.Write(p) }

// sendWithETag sends the response with an ETag, or 304 when the request already has it.
func (b *bufferedResponse) sendWithETag(r *http.Request, lifetime time.Duration) {
	if b.status == http.StatusOK {
		sum := sha256.Sum256(b.body.Bytes())
		tag := `"` + hex.EncodeToString(sum[:12]) + `"`
		b.Header().Set("Cache-Control", PublicFor(lifetime))
		b.Header().Set("ETag", tag)
		if MatchesETag(r.Header.Get("If-None-Match"), tag) {
			b.ResponseWriter.WriteHeader(http.StatusNotModified)
			return
		}
	}
	b.send()
}

// send writes the buffered status and body.
func (b *bufferedResponse) send() {
	b.ResponseWriter.WriteHeader(b.status)
	_, _ = b.ResponseWriter.Write(b.body.Bytes())
}

// MatchesETag reports whether an If-None-Match header contains the tag or is "*".
func MatchesETag(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
			return true
		}
	}
	return false
}
