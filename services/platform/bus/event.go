package bus

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"
	"go.opentelemetry.io/otel/propagation"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Headers of an event: the CloudEvents attributes in binary mode.
const (
	headerID          = "ce-id"
	headerSource      = "ce-source"
	headerType        = "ce-type"
	headerTime        = "ce-time"
	headerSpecVersion = "ce-specversion"
	headerContentType = "content-type"
	headerTraceParent = "traceparent"
)

// maxEventBytes bounds an event, below the default limit of a server, which is 1 MiB with headers.
const maxEventBytes = 512 << 10

// traceContext writes and reads W3C traceparent headers, independent of the process's global propagator.
var traceContext propagation.TraceContext

// event is an encoded event with its subject and headers.
type event struct {
	id          string
	kind        protoreflect.FullName
	at          time.Time
	data        []byte
	traceParent string
}

func newEvent(ctx context.Context, at time.Time, msg proto.Message) (event, error) {
	kind := msg.ProtoReflect().Descriptor().FullName()
	data, err := proto.Marshal(msg)
	if err != nil {
		return event{}, fmt.Errorf("marshal %s: %w", kind, err)
	}
	if len(data) > maxEventBytes {
		return event{}, fmt.Errorf("%s of %d bytes is over the %d an event may have", kind, len(data), maxEventBytes)
	}
	id, err := ulid.New(ulid.Timestamp(at), rand.Reader)
	if err != nil {
		return event{}, fmt.Errorf("event id: %w", err)
	}
	carrier := propagation.MapCarrier{}
	traceContext.Inject(ctx, carrier)
	return event{id: id.String(), kind: kind, at: at, data: data, traceParent: carrier[headerTraceParent]}, nil
}

func (e event) message() *nats.Msg {
	msg := nats.NewMsg(Subject(e.kind))
	msg.Data = e.data
	msg.Header.Set(jetstream.MsgIDHeader, e.id)
	msg.Header.Set(headerID, e.id)
	msg.Header.Set(headerSource, "/"+strings.ReplaceAll(service(e.kind), ".", "/"))
	msg.Header.Set(headerType, string(e.kind))
	msg.Header.Set(headerTime, e.at.UTC().Format(time.RFC3339Nano))
	msg.Header.Set(headerSpecVersion, "1.0")
	msg.Header.Set(headerContentType, "application/protobuf")
	if e.traceParent != "" {
		msg.Header.Set(headerTraceParent, e.traceParent)
	}
	return msg
}
