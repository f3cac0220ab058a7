package access

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// BodyLimit is the largest request body, in bytes.
	BodyLimit = 2 << 20
	// bodyField is the field of errors about the body as a whole.
	bodyField = "body"
)

// Body is a request body in memory, with the error of decoding it.
type Body struct {
	io.Reader
	// Raw is the whole body.
	Raw []byte
	// Fault is what is wrong with it, once it has been decoded.
	Fault *fault.Error
}

// Replace makes raw the body.
func (b *Body) Replace(raw []byte) { b.Raw, b.Reader = raw, bytes.NewReader(raw) }

// Close does nothing: the body is in memory.
func (*Body) Close() error { return nil }

// ReadBody reads the body of r up to BodyLimit and replaces r.Body with the copy.
func ReadBody(w http.ResponseWriter, r *http.Request) (*Body, *fault.Error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, BodyLimit))
	if err != nil {
		return nil, BodyFault(err)
	}
	b := &Body{Reader: bytes.NewReader(raw), Raw: raw}
	r.Body = b
	return b, nil
}

// ReadJSON is ReadBody for a body in JSON, which has at most [MaxValues] values.
func ReadJSON(w http.ResponseWriter, r *http.Request) (*Body, *fault.Error) {
	b, f := ReadBody(w, r)
	if f == nil && TooManyValues(b.Raw) {
		f = valuesFault()
	}
	return b, f
}

// BodyFault returns the error for a body that could not be read.
func BodyFault(err error) *fault.Error {
	if limit.IsSpent(err) {
		return BytesFault(err)
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_BODY_TOO_LARGE, "", "The request body is over %d bytes", tooLarge.Limit)
	}
	if late, ok := errors.AsType[bodyTimeoutError](err); ok {
		return fault.New(codes.DeadlineExceeded, faultv1.Reason_REASON_DEADLINE, bodyField, "%s", late)
	}
	return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_MALFORMED, "", "The request body could not be read").Because(err)
}

// WithBody reads the whole body before h runs, for handlers that report what is wrong with it.
func WithBody(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, f := ReadJSON(w, r); f != nil {
			WriteFault(w, r, f)
			return
		}
		h.ServeHTTP(w, r)
	})
}
