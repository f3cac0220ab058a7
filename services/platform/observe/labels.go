package observe

import (
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// durationBounds are the buckets of durations, in seconds.
var durationBounds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// labels caches the measurement options of two attributes. There are few pairs of values, and creating an option costs
// more than measuring.
type labels struct {
	first, second string
	known         sync.Map // [2]string to metric.MeasurementOption
}

func newLabels(first, second string) *labels { return &labels{first: first, second: second} }

func (l *labels) of(first, second string) metric.MeasurementOption {
	pair := [2]string{first, second}
	if known, ok := l.known.Load(pair); ok {
		return known.(metric.MeasurementOption)
	}
	made := metric.WithAttributeSet(attribute.NewSet(attribute.String(l.first, first), attribute.String(l.second, second)))
	l.known.Store(pair, made)
	return made
}
