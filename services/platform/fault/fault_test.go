package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
)

func TestAFaultSurvivesTheWire(t *testing.T) {
	sent := New(codes.InvalidArgument, faultv1.Reason_REASON_ADDRESS_INVALID, "address", "The address %s is invalid", "x").
		Because(errors.New("secret detail"))
	got := FromStatus(sent.GRPCStatus())
	if got.Code != sent.Code || got.Reason != sent.Reason || got.Field != "address" || got.Public != "The address x is invalid" {
		t.Errorf("got %+v", got)
	}
	if got.Cause != nil {
		t.Error("the cause travelled")
	}
}

func TestAFaultIsFoundInsideOtherErrors(t *testing.T) {
	f := New(codes.NotFound, faultv1.Reason_REASON_PROJECT_UNKNOWN, "", "no")
	if got := From(fmt.Errorf("while looking: %w", f)); got != f {
		t.Errorf("got %+v", got)
	}
}

func TestWhatIsNoFaultIsHidden(t *testing.T) {
	leak := "dial tcp 10.0.0.7:5432: connection refused"
	for name, c := range map[string]struct {
		err    error
		code   codes.Code
		reason faultv1.Reason
	}{
		"plain error":       {errors.New(leak), codes.Internal, faultv1.Reason_REASON_INTERNAL},
		"dead peer":         {status.Error(codes.Unavailable, leak), codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE},
		"foreign status":    {status.Error(codes.Aborted, leak), codes.Internal, faultv1.Reason_REASON_INTERNAL},
		"unreadable query":  {status.Error(codes.InvalidArgument, leak), codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID},
		"passed deadline":   {context.DeadlineExceeded, codes.DeadlineExceeded, faultv1.Reason_REASON_DEADLINE},
		"caller went away":  {fmt.Errorf("x: %w", context.Canceled), codes.Canceled, faultv1.Reason_REASON_CANCELED},
		"unknown procedure": {status.Error(codes.Unimplemented, leak), codes.Unimplemented, faultv1.Reason_REASON_ROUTE_UNKNOWN},
		"oversized message": {status.Error(codes.ResourceExhausted, leak), codes.ResourceExhausted, faultv1.Reason_REASON_BODY_TOO_LARGE},
	} {
		t.Run(name, func(t *testing.T) {
			got := From(c.err)
			if got.Code != c.code || got.Reason != c.reason {
				t.Errorf("got %s %s", got.Code, got.Reason)
			}
			if got.Public == leak || got.GRPCStatus().Message() == leak {
				t.Error("the raw text reaches the caller")
			}
			if got.Cause == nil {
				t.Error("the cause is lost to the log")
			}
		})
	}
}

func TestReasonsReadBackByName(t *testing.T) {
	for number := range faultv1.Reason_name {
		r := faultv1.Reason(number)
		if got := ReasonOf(ReasonName(r)); got != r {
			t.Errorf("%s reads back as %s", r, got)
		}
	}
	if ReasonOf("NOPE") != faultv1.Reason_REASON_UNSPECIFIED {
		t.Error("an unknown name is a reason")
	}
}

func TestWhatWrapsAStatusStaysInside(t *testing.T) {
	for _, inner := range []error{
		New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "No node answers").GRPCStatus().Err(),
		status.Error(codes.Unavailable, "connection refused: 10.0.0.7:7000"),
	} {
		e := From(fmt.Errorf("secret words: %w", inner))
		if strings.Contains(e.Public, "secret") || strings.Contains(e.Public, "10.0.0.7") || e.Code != codes.Unavailable {
			t.Errorf("a caller would read %v %q", e.Code, e.Public)
		}
	}
}
