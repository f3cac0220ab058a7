// Package rest answers REST: it translates to gRPC by the HTTP rules of the protos, writes JSON as clients of AppKit's API expect it, sets and keeps what
// callers and the gateway may cache, and describes the API.
package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway/access"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// depthLimit is the deepest nesting of a JSON body; protobuf limits it too.
const depthLimit = 100

// New returns the grpc-gateway mux, which translates REST to gRPC by the HTTP rules of the protos. fill completes each answer.
func New(fill func(ctx context.Context, answer any)) *runtime.ServeMux {
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
			fill(ctx, m)
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
		if b, ok := r.(*access.Body); ok {
			b.Fault = f
		}
		return f
	})
}

func decodeBody(r io.Reader, into proto.Message, opts protojson.UnmarshalOptions) *fault.Error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return access.BodyFault(err)
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

func writeRESTError(ctx context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, err error) {
	if procedure, ok := runtime.RPCMethod(ctx); ok {
		// A refusal is counted by the procedure: the pattern of most paths is /v1/.
		r = r.WithContext(r.Context())
		r.Pattern = procedure
	}
	if b, ok := r.Body.(*access.Body); ok && b.Fault != nil {
		access.WriteFault(w, r, b.Fault)
		return
	}
	access.WriteFault(w, r, fault.From(err))
}

func writeRoutingError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, status int) {
	access.WriteFaultStatus(w, r, access.RouteUnknown(r), status)
}
