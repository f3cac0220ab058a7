package updates

import (
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
)

// Metrics of the process.
const (
	metricReads    = "hawser.updates.reads"
	metricCombined = "hawser.updates.combined"
)

// measured are the counters of the hub.
type measured struct {
	// reads are those of accounts; combined are the blocks that came while earlier ones were compared.
	reads, combined metric.Int64Counter
}

func newMeasured() measured {
	meter := otel.Meter("github.com/hawser-dev/hawser")
	// After an error an instrument counts nothing. That must not stop the service.
	count := func(name, description string) metric.Int64Counter {
		counter, err := meter.Int64Counter(name, metric.WithDescription(description))
		if err != nil {
			otel.Handle(err)
		}
		return counter
	}
	return measured{
		reads:    count(metricReads, "Reads of watched accounts"),
		combined: count(metricCombined, "Blocks whose changes were looked for together with those of a later one"),
	}
}
