package relay

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// The client of an answer over HTTP must receive progressBytes of it within progressTime.
const (
	progressBytes = 64 << 10
	progressTime  = 10 * time.Second
)

// respond writes an answer to its end, or fails if the client does not read.
func respond(w http.ResponseWriter, answer []byte) error {
	control := http.NewResponseController(w)
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	w.WriteHeader(http.StatusOK)
	for part := range slices.Chunk(answer, progressBytes) {
		_ = control.SetWriteDeadline(time.Now().Add(progressTime))
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return control.Flush()
}

// refuse writes a short answer, which is sent when the request ends: after the rest of its body was received, or bodyTimeout has passed.
func refuse(w http.ResponseWriter, status int, answer []byte) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(bodyTimeout + progressTime))
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}
