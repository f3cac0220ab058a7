package endpoint

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/hawser-dev/hawser/services/relay/method"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// The client of an answer over HTTP must receive progressBytes of it within progressTime.
const (
	progressBytes = 64 << 10
	progressTime  = 10 * time.Second
)

// rpc answers one request over HTTP.
func (e *endpoint) rpc(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Content-Type", "application/json")
	who, err := e.authorize(r)
	var refused *wire.Error
	switch {
	case errors.As(err, &refused):
		refuse(w, httpStatus(refused), wire.AppendError(nil, []byte("0"), refused))
		return
	case err != nil:
		refuse(w, http.StatusServiceUnavailable, wire.AppendError(nil, []byte("0"), wire.Internal()))
		return
	}
	call := e.Methods.NewCall(who, nil)
	defer call.Release()
	most := e.Methods.FrameBytes()
	n := r.ContentLength
	if n < 0 || n > most {
		n = most
	}
	if call.Hold(n) != nil {
		w.Header().Set("Retry-After", retryAfter)
		refuse(w, http.StatusTooManyRequests, wire.AppendError(nil, []byte("0"), wire.Rate()))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, wire.AppendError(nil, wire.PeekID(body[:min(len(body), 256)]), wire.Payload(wire.TagPayloadSizeExceeded)))
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	if respond(w, call.Answer(r.Context(), method.Parse(body))) == nil {
		call.AcknowledgeFetched()
	}
}

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
