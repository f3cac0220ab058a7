package observe

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// NewLogger returns a logger that writes to w at the level of cfg, with trace ids and without secrets.
func NewLogger(w io.Writer, cfg Config) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(cfg.Level)); err != nil {
		return nil, fmt.Errorf("log level %q is not one of debug, info, warn, error", cfg.Level)
	}
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: redact}
	switch cfg.Format {
	case "text":
		return slog.New(traced{newRepeats(slog.NewTextHandler(w, options))}), nil
	case "json":
		return slog.New(traced{newRepeats(slog.NewJSONHandler(w, options))}), nil
	default:
		return nil, fmt.Errorf("log format %q is neither text nor json", cfg.Format)
	}
}

// traced adds the trace and span ids of the context to each record.
type traced struct{ slog.Handler }

// Handle adds the ids and passes the record on.
func (h traced) Handle(ctx context.Context, r slog.Record) error {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		r.AddAttrs(slog.String(logTrace, span.TraceID().String()), slog.String(logSpan, span.SpanID().String()))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs keeps the ids on records of a derived logger.
func (h traced) WithAttrs(attrs []slog.Attr) slog.Handler { return traced{h.Handler.WithAttrs(attrs)} }

// WithGroup keeps the ids on records of a derived logger.
func (h traced) WithGroup(name string) slog.Handler { return traced{h.Handler.WithGroup(name)} }
