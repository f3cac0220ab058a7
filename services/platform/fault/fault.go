// Package fault has the error type of the suite: what a caller may see, and the cause, which is only logged.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
)

// Domain marks the reasons of this suite in google.rpc.ErrorInfo.
const Domain = "hawser"

// InternalText is the only text that a caller gets for a failure that is not an [Error].
const InternalText = "Internal server error"

// Error is a failure that a caller may see.
type Error struct {
	Code   codes.Code
	Reason faultv1.Reason
	// Field is the invalid parameter as named on the wire; empty for none.
	Field string
	// Public is the text for the caller.
	Public string
	// RetryAfter is how long to wait before a retry; 0 if a retry does not help or the time is not known.
	RetryAfter time.Duration
	// Cause is logged and never leaves the process.
	Cause error
}

// New returns an error about one field; Public is formatted from format and args.
func New(code codes.Code, reason faultv1.Reason, field, format string, args ...any) *Error {
	return &Error{Code: code, Reason: reason, Field: field, Public: fmt.Sprintf(format, args...)}
}

// Because returns a copy of e with its cause.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.Cause = cause
	return &c
}

// Error returns the public text, and the cause where there is one: it is for the log.
func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Public
	}
	return e.Public + ": " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// GRPCStatus returns what is sent to the caller: code, public text, google.rpc.ErrorInfo, BadRequest for a field, and
// RetryInfo if waiting helps.
func (e *Error) GRPCStatus() *status.Status {
	details := []protoadapt.MessageV1{&errdetails.ErrorInfo{Reason: ReasonName(e.Reason), Domain: Domain}}
	if e.Field != "" {
		details = append(details, &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: e.Field, Description: e.Public}}})
	}
	if e.RetryAfter > 0 {
		details = append(details, &errdetails.RetryInfo{RetryDelay: durationpb.New(e.RetryAfter)})
	}
	st := status.New(e.Code, e.Public)
	if full, err := st.WithDetails(details...); err == nil {
		return full
	}
	return st
}

// FromStatus converts a gRPC status back to an [Error]. A status without a reason of this suite becomes an internal error,
// so that no peer's raw text reaches a caller.
func FromStatus(st *status.Status) *Error {
	e := &Error{Code: st.Code(), Public: st.Message()}
	for _, d := range st.Details() {
		switch d := d.(type) {
		case *errdetails.ErrorInfo:
			if d.GetDomain() == Domain {
				e.Reason = ReasonOf(d.GetReason())
			}
		case *errdetails.BadRequest:
			if v := d.GetFieldViolations(); len(v) > 0 {
				e.Field = v[0].GetField()
			}
		case *errdetails.RetryInfo:
			e.RetryAfter = d.GetRetryDelay().AsDuration()
		}
	}
	if e.Reason != faultv1.Reason_REASON_UNSPECIFIED {
		return e
	}
	return foreign(st)
}

// foreign converts a status without a reason: one of the transport, or of a bug.
func foreign(st *status.Status) *Error {
	switch st.Code() {
	case codes.InvalidArgument:
		return New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "", "Failed to deserialize the request").Because(st.Err())
	case codes.Unavailable:
		return New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "The service is temporarily unavailable").Because(st.Err())
	case codes.DeadlineExceeded:
		return New(codes.DeadlineExceeded, faultv1.Reason_REASON_DEADLINE, "", "The request took too long").Because(st.Err())
	case codes.Canceled:
		return New(codes.Canceled, faultv1.Reason_REASON_CANCELED, "", "The request was cancelled").Because(st.Err())
	case codes.Unimplemented:
		return New(codes.Unimplemented, faultv1.Reason_REASON_ROUTE_UNKNOWN, "", "No such procedure").Because(st.Err())
	case codes.ResourceExhausted:
		return New(codes.ResourceExhausted, faultv1.Reason_REASON_BODY_TOO_LARGE, "", "The message is too large").Because(st.Err())
	default:
		return Internal(st.Err())
	}
}

// Internal hides cause behind [InternalText].
func Internal(cause error) *Error {
	return New(codes.Internal, faultv1.Reason_REASON_INTERNAL, "", InternalText).Because(cause)
}

// From returns err as an [Error]: itself if it is one, converted from a status if it carries one, internal otherwise.
// Its cause is err, so that errors.Is and errors.As still find the causes of err, such as an unavailable database.
func From(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	// Not status.FromError, which would put the text of wrapping errors into the message.
	var carrier interface{ GRPCStatus() *status.Status }
	if errors.As(err, &carrier) {
		return FromStatus(carrier.GRPCStatus()).Because(err)
	}
	return foreign(status.FromContextError(err)).Because(err)
}

// ReasonName returns the reason as callers read it, without the enum's prefix: `ADDRESS_INVALID`.
func ReasonName(r faultv1.Reason) string { return strings.TrimPrefix(r.String(), "REASON_") }

// ReasonOf is the inverse of [ReasonName]; an unknown name is REASON_UNSPECIFIED.
func ReasonOf(name string) faultv1.Reason {
	return faultv1.Reason(faultv1.Reason_value["REASON_"+name])
}
