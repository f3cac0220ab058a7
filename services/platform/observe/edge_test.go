package observe

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

const (
	callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	callersSpan  = "00f067aa0ba902b7"
)

// recording makes the spans of this process go to the returned exporter, sampled at a ratio.
func recording(t *testing.T, ratio float64) *tracetest.InMemoryExporter {
	t.Helper()
	exporter := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter), sdktrace.WithSampler(newSampler(ratio)), sdktrace.WithIDGenerator(ids{}))
	before := otel.GetTracerProvider()
	otel.SetTracerProvider(provider)
	t.Cleanup(func() {
		otel.SetTracerProvider(before)
		_ = provider.Shutdown(context.Background())
	})
	return exporter
}

// request sends a request with a header to a gateway, and returns the trace that the handler is in.
func request(t *testing.T, name, value string) (handled trace.SpanContext) {
	t.Helper()
	h := HTTP(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { handled = trace.SpanContextFromContext(r.Context()) }))
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	if name != "" {
		r.Header.Set(name, value)
	}
	h.ServeHTTP(httptest.NewRecorder(), r)
	return handled
}

func TestThePageNamesTheTrace(t *testing.T) {
	for _, tt := range []struct{ behaviour, header, trace, parent string }{
		{"of a page that records nothing, it is the first span", "00-" + callersTrace + "-" + callersSpan + "-00", callersTrace, ""},
		{"of a page that recorded its span, it is below that", "00-" + callersTrace + "-" + callersSpan + "-01", callersTrace, callersSpan},
		{"of a later version of the standard, too", "cc-" + callersTrace + "-" + callersSpan + "-00-later", callersTrace, ""},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			exporter := recording(t, 1)
			handled := request(t, "Traceparent", tt.header)
			spans := exporter.GetSpans()
			if len(spans) != 1 || handled.TraceID().String() != tt.trace || spans[0].SpanContext.TraceID().String() != tt.trace {
				t.Fatalf("%v, %v", handled, spans)
			}
			if parent := spans[0].Parent; parent.IsValid() != (tt.parent != "") || parent.IsValid() && parent.SpanID().String() != tt.parent {
				t.Errorf("its parent is %v", parent)
			}
		})
	}
	for _, invalid := range []string{
		"", "nonsense", "00-" + strings.Repeat("0", 32) + "-" + callersSpan + "-01", "00-" + callersTrace + "-" + strings.Repeat("0", 16) + "-01", "ff-" + callersTrace + "-" + callersSpan + "-01",
	} {
		t.Run("it does not by "+invalid, func(t *testing.T) {
			exporter := recording(t, 1)
			request(t, "Traceparent", invalid)
			if spans := exporter.GetSpans(); len(spans) != 1 || spans[0].Parent.IsValid() || spans[0].SpanContext.TraceID().String() == callersTrace {
				t.Errorf("%v", spans)
			}
		})
	}
}

func TestAPageDoesNotDecideWhatIsRecorded(t *testing.T) {
	const requests = 2000
	for _, flag := range []string{"00", "01"} {
		t.Run("by the flag "+flag, func(t *testing.T) {
			exporter := recording(t, 0.1)
			for i := range requests {
				// Traces with an id below a bound are recorded: these ids are all below it.
				request(t, "Traceparent", fmt.Sprintf("00-%032x-%s-%s", i+1, callersSpan, flag))
			}
			if n := len(exporter.GetSpans()); n < requests/20 || n > requests/5 {
				t.Errorf("%d of %d were recorded, want a tenth", n, requests)
			}
		})
	}
	t.Run("by leaving everything out", func(t *testing.T) {
		exporter := recording(t, 1)
		request(t, "Traceparent", "00-"+callersTrace+"-"+callersSpan+"-00")
		if len(exporter.GetSpans()) != 1 {
			t.Error("it was not recorded")
		}
	})
}

func TestWhatFollowsARequestIsRecordedAsItIs(t *testing.T) {
	for _, ratio := range []float64{0, 1} {
		exporter := recording(t, ratio)
		handled := request(t, "Traceparent", "00-"+callersTrace+"-"+callersSpan+"-01")
		// As in another process, the parent comes with the call.
		_, span := otel.Tracer(scope).Start(trace.ContextWithRemoteSpanContext(t.Context(), handled), "call")
		span.End()
		if n := len(exporter.GetSpans()); n != int(2*ratio) {
			t.Errorf("at %g: %d spans", ratio, n)
		}
	}
}

func TestACallersDataIsNotCarried(t *testing.T) {
	recording(t, 1)
	h := HTTP(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if state := trace.SpanContextFromContext(r.Context()).TraceState().String(); state != "" {
			t.Errorf("tracestate %s", state)
		}
	}))
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header.Set("Traceparent", "00-"+callersTrace+"-"+callersSpan+"-01")
	r.Header.Set("Tracestate", "vendor=data")
	h.ServeHTTP(httptest.NewRecorder(), r)
}

func TestTheShareOfTracesIsThatOfTheStandardVariables(t *testing.T) {
	for _, tt := range []struct {
		sampler, argument string
		want              float64
	}{
		{"", "", 1}, {"always_on", "", 1}, {"parentbased_always_on", "", 1}, {"always_off", "", 0}, {"parentbased_always_off", "", 0},
		{"traceidratio", "0.25", 0.25}, {"parentbased_traceidratio", "0.01", 0.01}, {"traceidratio", "", 1}, {"traceidratio", "2", 1}, {"traceidratio", "some", 1},
	} {
		t.Setenv("OTEL_TRACES_SAMPLER", tt.sampler)
		t.Setenv("OTEL_TRACES_SAMPLER_ARG", tt.argument)
		if got := ratioOf(); got != tt.want {
			t.Errorf("%s %s: %g", tt.sampler, tt.argument, got)
		}
	}
}
