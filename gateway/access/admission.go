package access

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// smallAnswer is the size of an answer that is not counted, in bytes: the buffers of a connection hold as much.
	smallAnswer = 16 << 10
	// smallHead is the size of a head that is not counted, in bytes.
	smallHead = 4 << 10
	// bytesDelay is after how long a caller that was refused bytes may try again.
	bytesDelay = time.Second
)

// Admission is what a request was admitted with: whose rate pays for it, and the bytes that it holds until it has been answered.
type Admission struct {
	caller  limit.Caller
	rate    limit.Rate
	limiter limit.Limiter
	bytes   *limit.Bytes
}

type admissionKey struct{}

// In returns a context whose calls are paid by the admission.
func (a Admission) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, admissionKey{}, a)
}

// Holding returns the admission of a request whose bytes are held by others.
func (a Admission) Holding(bytes *limit.Bytes) Admission {
	a.bytes.Close()
	a.bytes = bytes
	return a
}

// Close gives back the bytes that the request holds.
func (a Admission) Close() { a.bytes.Close() }

// take counts n calls against the caller's rate, and returns REASON_RATE_LIMITED with a retry delay when the limit is exceeded.
func (a Admission) take(ctx context.Context, n int) *fault.Error {
	delay := a.limiter.Take(ctx, a.caller, a.rate, n)
	if delay <= 0 {
		return nil
	}
	f := fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "rate_limited",
		"Requests per second limit exceeded: Rate limit exceeded. Try again at %d", time.Now().Add(delay).Unix()+1)
	f.RetryAfter = delay
	return f
}

// hold takes the bytes of the head of the request, bounds its body, and makes it take its bytes as they are read. What a compressed one will have is not
// known, so it takes as much as it may.
func (a Admission) hold(r *http.Request) error {
	taken := HeadBytes(r)
	if isCompressed(r) {
		taken += BodyLimit
	}
	if err := a.bytes.Grow(taken); err != nil {
		return err
	}
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	if _, isRead := r.Body.(*Body); !isRead {
		r.Body = heldBody{a.bytes.Reader(http.MaxBytesReader(nil, r.Body, BodyLimit+envelopeBytes)), r.Body}
	}
	return nil
}

// HeadBytes returns about what the URL and the header of a request take in memory until it has been answered; 0 for a small head, which is not counted.
func HeadBytes(r *http.Request) int64 {
	n := len(r.RequestURI)
	for name, values := range r.Header {
		n += len(name)
		for _, value := range values {
			n += len(value)
		}
	}
	if n <= smallHead {
		return 0
	}
	return int64(n)
}

// envelopeBytes is more than what a protocol of RPCs adds to a message, in bytes.
const envelopeBytes = 64

// isCompressed reports whether the message of an RPC is compressed, according to the request.
func isCompressed(r *http.Request) bool {
	for _, name := range []string{"Content-Encoding", "Connect-Content-Encoding", "Grpc-Encoding"} {
		if encoding := r.Header.Get(name); encoding != "" && encoding != "identity" {
			return true
		}
	}
	_, ok := Parameter(r, "compression")
	return ok
}

// heldBody is a body whose bytes are taken as they are read.
type heldBody struct {
	io.Reader
	io.Closer
}

// BytesFault returns the error for a caller that was refused bytes: 503 if the process has none left, and 429 if it is the caller's own share.
func BytesFault(err error) *fault.Error {
	f := fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "Too many bytes of requests and answers are in work for this caller at once")
	if errors.Is(err, limit.ErrFull) {
		f = fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "The service is temporarily unavailable")
	}
	f.RetryAfter = bytesDelay
	return f.Because(err)
}

// meteredConn is a connection whose calls are paid for by the admission of their request: their weight before they are sent, and the bytes of their
// answers until the request has been answered.
type meteredConn struct{ grpc.ClientConnInterface }

// Metered returns a connection that meters its calls; nil for none.
func Metered(cc grpc.ClientConnInterface) grpc.ClientConnInterface {
	if cc == nil {
		return nil
	}
	return meteredConn{cc}
}

// Invoke calls a method.
func (c meteredConn) Invoke(ctx context.Context, method string, req, resp any, opts ...grpc.CallOption) error {
	a, ok := ctx.Value(admissionKey{}).(Admission)
	if !ok {
		return c.ClientConnInterface.Invoke(ctx, method, req, resp, opts...)
	}
	// The request itself has paid for one.
	if n := weightOf(method, req) - 1; n > 0 {
		if refused := a.take(ctx, n); refused != nil {
			return refused
		}
	}
	if err := c.ClientConnInterface.Invoke(ctx, method, req, resp, opts...); err != nil {
		return err
	}
	answer, ok := resp.(proto.Message)
	if !ok {
		return nil
	}
	size := proto.Size(answer)
	if size <= smallAnswer {
		return nil
	}
	a.limiter.Owe(ctx, a.caller, a.rate, size/bytesPerWeight)
	if err := a.bytes.Grow(int64(size)); err != nil {
		proto.Reset(answer)
		return BytesFault(err)
	}
	return nil
}
