package upstream

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// metricDuration is a histogram of how many seconds third-party servers took, by attrKind, attrChain, attrUpstream and
// attrOutcome.
const metricDuration = "hawser.upstream.duration"

// Labels of the metric.
const (
	// attrKind is what the server is used for, such as node, swap, onramp, prices, bundler, mail.
	attrKind = "kind"
	// attrChain is the CAIP-2 id of the chain of a node; empty for other servers.
	attrChain = "chain"
	// attrUpstream is the host, with its port if that is not the scheme's default. It has no other part of the URL,
	// which may contain a key.
	attrUpstream = "upstream"
	// attrOutcome is the text of an [Outcome].
	attrOutcome = "outcome"
)

const (
	// mostHosts bounds the hosts that one meter distinguishes; further hosts count as otherHost.
	mostHosts = 200
	otherHost = "other"
)

// durationBounds are the buckets, in seconds.
var durationBounds = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// Meter measures calls to the servers of one kind, and of one chain if they are nodes. A nil Meter measures nothing.
type Meter struct {
	kind, chain string
	durations   metric.Float64Histogram
	hosts       atomic.Int64
	known       sync.Map // host to *sync.Map of Outcome to metric.MeasurementOption
}

// NewMeter returns a meter. The chain is empty for servers that are not nodes.
func NewMeter(kind, chain string) *Meter {
	// After an error the instrument records nothing. That must not stop a service.
	durations, err := otel.Meter("github.com/hawser-dev/hawser").Float64Histogram(metricDuration, metric.WithUnit("s"),
		metric.WithDescription("Time a server of others took"), metric.WithExplicitBucketBoundaries(durationBounds...))
	if err != nil {
		otel.Handle(err)
	}
	return &Meter{kind: kind, chain: chain, durations: durations}
}

// Record adds one call to a host.
func (m *Meter) Record(ctx context.Context, host string, took time.Duration, o Outcome) {
	if m != nil {
		m.durations.Record(ctx, took.Seconds(), m.labels(host, o))
	}
}

// labels returns the labels of a measurement. They are cached, because creating them costs more than measuring.
func (m *Meter) labels(host string, o Outcome) metric.MeasurementOption {
	outcomes, ok := m.known.Load(host)
	if !ok && m.hosts.Load() >= mostHosts && host != otherHost {
		return m.labels(otherHost, o)
	}
	if !ok {
		var loaded bool
		if outcomes, loaded = m.known.LoadOrStore(host, &sync.Map{}); !loaded {
			m.hosts.Add(1)
		}
	}
	if option, ok := outcomes.(*sync.Map).Load(o); ok {
		return option.(metric.MeasurementOption)
	}
	option := metric.WithAttributeSet(attribute.NewSet(attribute.String(attrKind, m.kind), attribute.String(attrChain, m.chain),
		attribute.String(attrUpstream, host), attribute.String(attrOutcome, string(o))))
	outcomes.(*sync.Map).Store(o, option)
	return option
}

// direct is http.DefaultTransport without the proxy of the environment.
var direct = func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	return t
}()

// Transport measures requests up to the header of their response. It uses no proxy.
func (m *Meter) Transport() http.RoundTripper { return measured{m} }

type measured struct{ meter *Meter }

// RoundTrip implements http.RoundTripper.
func (t measured) RoundTrip(r *http.Request) (*http.Response, error) {
	begun := time.Now()
	res, err := direct.RoundTrip(r)
	status := 0
	if err == nil {
		status = res.StatusCode
	}
	t.meter.Record(r.Context(), r.URL.Host, time.Since(begun), OutcomeOf(status, err))
	return res, err
}

// CloseIdleConnections closes idle connections, for http.Client.
func (measured) CloseIdleConnections() { direct.CloseIdleConnections() }
