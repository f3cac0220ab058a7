package observe

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"

	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// publicKey is the context key of the trace that a caller outside the suite named.
type publicKey struct{}

// joinPublic continues the trace that a caller from outside the suite named in its traceparent header
// (https://www.w3.org/TR/trace-context/). A header whose sampled flag is set names a span that the caller has recorded:
// it becomes the parent. Otherwise only the id of the trace is used, because a parent that does not exist would leave
// the trace without a root. The flag does not decide what is recorded here, and tracestate and baggage are not read: a
// page could make the suite record everything, or carry its own data through every call.
func joinPublic(ctx context.Context, header http.Header) context.Context {
	if header.Get("Traceparent") == "" {
		return ctx
	}
	named := propagation.MapCarrier{"traceparent": header.Get("Traceparent")}
	caller := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), named))
	if !caller.IsValid() {
		return ctx
	}
	ctx = context.WithValue(ctx, publicKey{}, caller.TraceID())
	if !caller.IsSampled() {
		return ctx
	}
	return trace.ContextWithRemoteSpanContext(ctx, caller)
}

// sampler records a share of the traces. Spans with a parent in the suite follow the parent's decision. A trace named
// by a caller outside the suite is selected by a hash that the caller cannot compute, because the caller chose the id.
type sampler struct {
	ratio float64
	inner sdktrace.Sampler
	seed  maphash.Seed
}

func newSampler(ratio float64) sampler {
	return sampler{ratio, sdktrace.ParentBased(sdktrace.TraceIDRatioBased(ratio)), maphash.MakeSeed()}
}

// ShouldSample decides about a span.
func (s sampler) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	if _, public := p.ParentContext.Value(publicKey{}).(trace.TraceID); !public {
		return s.inner.ShouldSample(p)
	}
	if float64(maphash.Bytes(s.seed, p.TraceID[:])) <= s.ratio*math.MaxUint64 {
		return sdktrace.AlwaysSample().ShouldSample(p)
	}
	return sdktrace.NeverSample().ShouldSample(p)
}

// Description names the sampler.
func (s sampler) Description() string {
	return "Hawser{" + strconv.FormatFloat(s.ratio, 'g', -1, 64) + "}"
}

// ratioOf returns the share of traces to record, from the standard variables of OpenTelemetry: OTEL_TRACES_SAMPLER and
// OTEL_TRACES_SAMPLER_ARG; 1 by default.
func ratioOf() float64 {
	switch os.Getenv("OTEL_TRACES_SAMPLER") {
	case "always_off", "parentbased_always_off":
		return 0
	case "traceidratio", "parentbased_traceidratio":
		if ratio, err := strconv.ParseFloat(os.Getenv("OTEL_TRACES_SAMPLER_ARG"), 64); err == nil && ratio >= 0 && ratio <= 1 {
			return ratio
		}
	}
	return 1
}

// ids generates random ids, except for the trace id that a caller outside the suite named.
type ids struct{}

// NewIDs returns the ids of the first span of a trace.
func (g ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	id, _ := ctx.Value(publicKey{}).(trace.TraceID)
	for !id.IsValid() {
		binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
		binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	}
	return id, g.NewSpanID(ctx, id)
}

// NewSpanID returns the id of a further span.
func (ids) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	for !id.IsValid() {
		binary.NativeEndian.PutUint64(id[:], rand.Uint64())
	}
	return id
}
