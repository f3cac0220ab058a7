package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

const (
	// bodyLimit is the largest request body, in bytes.
	bodyLimit = 2 << 20
	// depthLimit is the deepest nesting of a JSON body; protobuf limits it too.
	depthLimit = 100
	// bodyField is the field of errors about the body as a whole.
	bodyField = "body"
)

// newREST returns the grpc-gateway mux, which translates REST to gRPC by the HTTP rules of the protos.
func newREST(icons *icons) *runtime.ServeMux {
	return runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, &runtime.HTTPBodyMarshaler{Marshaler: &restJSON{JSONPb: runtime.JSONPb{
			MarshalOptions:   protojson.MarshalOptions{EmitDefaultValues: true},
			UnmarshalOptions: protojson.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: depthLimit},
		}}}),
		runtime.WithErrorHandler(writeRESTError),
		runtime.WithRoutingErrorHandler(writeRoutingError),
		runtime.WithDisablePathLengthFallback(),
		runtime.WithForwardResponseOption(completeAvatarURL),
		runtime.WithForwardResponseOption(func(ctx context.Context, _ http.ResponseWriter, m proto.Message) error {
			icons.fill(ctx, m)
			return nil
		}),
		// Headers are not forwarded: services trust the caller metadata of the gateway, and their headers are for the gateway.
		runtime.WithOutgoingHeaderMatcher(func(string) (string, bool) { return "", false }),
		runtime.WithIncomingHeaderMatcher(func(string) (string, bool) { return "", false }),
		runtime.WithMetadata(func(ctx context.Context, _ *http.Request) metadata.MD { return caller.OutgoingMetadata(ctx) }),
	)
}

// restJSON decodes JSON bodies whatever their Content-Type: browsers send JSON as text/plain to avoid a preflight.
type restJSON struct {
	runtime.JSONPb
	writer jsonWriter
}

// ContentType returns application/json.
func (*restJSON) ContentType(any) string { return "application/json" }

// NewDecoder returns a decoder that stores its error in the body, because the generated handlers reduce errors to text.
func (j *restJSON) NewDecoder(r io.Reader) runtime.Decoder {
	return runtime.DecoderFunc(func(v any) error {
		message, ok := v.(proto.Message)
		if !ok {
			return fmt.Errorf("%T is no message", v)
		}
		f := decodeBody(r, message, j.UnmarshalOptions)
		if f == nil {
			return nil
		}
		if b, ok := r.(*body); ok {
			b.fault = f
		}
		return f
	})
}

func decodeBody(r io.Reader, into proto.Message, opts protojson.UnmarshalOptions) *fault.Error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return bodyFault(err)
	}
	if !json.Valid(raw) {
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_MALFORMED, "", "The request body is not JSON")
	}
	if field, missing := missingField(raw, into.ProtoReflect().Descriptor()); missing {
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_INVALID, field,
			"Failed to deserialize the JSON body into the target type: missing field `%s`", field)
	}
	if field, quoted := quotedNumber(raw, into.ProtoReflect().Descriptor()); quoted {
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_INVALID, field,
			"Failed to deserialize the JSON body into the target type: `%s` is text, not a number", field)
	}
	if err := opts.Unmarshal(raw, into); err != nil {
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_INVALID, "",
			"Failed to deserialize the JSON body into the target type").Because(err)
	}
	return nil
}

// body is a request body in memory, with the error of decoding it.
type body struct {
	io.Reader
	raw   []byte
	fault *fault.Error
}

// Close does nothing: the body is in memory.
func (*body) Close() error { return nil }

// readBody reads the body of r up to bodyLimit and replaces r.Body with the copy.
func readBody(w http.ResponseWriter, r *http.Request) (*body, *fault.Error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	if err != nil {
		return nil, bodyFault(err)
	}
	b := &body{Reader: bytes.NewReader(raw), raw: raw}
	r.Body = b
	return b, nil
}

func bodyFault(err error) *fault.Error {
	if limit.IsSpent(err) {
		return bytesFault(err)
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

func writeRESTError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, err error) {
	if b, ok := r.Body.(*body); ok && b.fault != nil {
		writeFault(w, r, b.fault)
		return
	}
	writeFault(w, r, fault.From(err))
}

func writeRoutingError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, status int) {
	writeFaultStatus(w, r, routeUnknown(r), status)
}

func notFound() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeFaultStatus(w, r, routeUnknown(r), http.StatusNotFound)
	})
}

func routeUnknown(r *http.Request) *fault.Error {
	return fault.New(codes.NotFound, faultv1.Reason_REASON_ROUTE_UNKNOWN, "", "Nothing answers %s at this path", r.Method)
}
