package store

import (
	_ "buf.build/go/protovalidate"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/maypok86/otter/v2"
	_ "github.com/nats-io/nats-server/v2/server"
	_ "github.com/nats-io/nats.go/jetstream"
	_ "github.com/pressly/goose/v3"
	_ "modernc.org/sqlite"
	_ "github.com/oklog/ulid/v2"
	_ "go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	_ "go.opentelemetry.io/otel/exporters/prometheus"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "go.opentelemetry.io/otel/sdk/metric"
	_ "go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	_ "go.yaml.in/yaml/v3"
)
