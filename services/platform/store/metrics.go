package store

import (
	"context"
	"database/sql"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// Metrics of the connections to the database.
const (
	// metricConnections is how many connections there are, by attrState.
	metricConnections = "hawser.database.connections"
	// metricMost is how many there may be.
	metricMost = "hawser.database.connections.most"
	// metricWaits counts callers that waited for a connection, and metricWaited the seconds that they waited.
	metricWaits  = "hawser.database.waits"
	metricWaited = "hawser.database.waited"

	attrState = "state"
)

// Observe exports how many connections to the database are in use, and how long callers wait for one, until stop is called.
func (db *DB) Observe() (stop func()) {
	// After an error an instrument exports nothing. That must not stop the process.
	meter := otel.Meter("github.com/hawser-dev/hawser")
	connections, err := meter.Int64ObservableGauge(metricConnections, metric.WithDescription("Connections to the database, by state"))
	if err != nil {
		otel.Handle(err)
	}
	most, err := meter.Int64ObservableGauge(metricMost, metric.WithDescription("Connections to the database that this process may have"))
	if err != nil {
		otel.Handle(err)
	}
	waits, err := meter.Int64ObservableCounter(metricWaits, metric.WithDescription("Calls that waited for a connection to the database"))
	if err != nil {
		otel.Handle(err)
	}
	waited, err := meter.Float64ObservableCounter(metricWaited, metric.WithUnit("s"), metric.WithDescription("Time that calls waited for a connection to the database"))
	if err != nil {
		otel.Handle(err)
	}
	used, idle := metric.WithAttributes(attribute.String(attrState, "used")), metric.WithAttributes(attribute.String(attrState, "idle"))
	observed, err := meter.RegisterCallback(func(_ context.Context, to metric.Observer) error {
		s := db.stats()
		to.ObserveInt64(connections, int64(s.InUse), used)
		to.ObserveInt64(connections, int64(s.Idle), idle)
		to.ObserveInt64(most, int64(s.MaxOpenConnections))
		to.ObserveInt64(waits, s.WaitCount)
		to.ObserveFloat64(waited, s.WaitDuration.Seconds())
		return nil
	}, connections, most, waits, waited)
	if err != nil {
		otel.Handle(err)
		return func() {}
	}
	return func() { _ = observed.Unregister() }
}

// stats returns the state of the pool that calls wait for: that of the writer, of which SQLite permits one.
func (db *DB) stats() sql.DBStats { return db.writer.Stats() }
