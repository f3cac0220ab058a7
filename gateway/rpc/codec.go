package rpc

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/hawser-dev/hawser/gateway/access"
)

// depthLimit is the deepest nesting of a request.
const depthLimit = 100

var (
	errTooManyValues = fmt.Errorf("the message has over %d values", access.MaxValues)
	errTooLong       = errors.New("the message is too long")
)

// bounded are the options of every procedure: they bound what a request takes while it is decompressed and decoded.
func bounded() connect.HandlerOption {
	return connect.WithHandlerOptions(
		connect.WithReadMaxBytes(access.BodyLimit),
		connect.WithCompression("gzip", func() connect.Decompressor { return &decompressor{} }, func() connect.Compressor { return gzip.NewWriter(io.Discard) }),
		connect.WithCodec(binary{}), connect.WithCodec(text{"json"}), connect.WithCodec(text{"json; charset=utf-8"}),
	)
}

// decompressor fails beyond access.BodyLimit, where connect would decompress the rest to say how long it is.
type decompressor struct {
	gzip.Reader
	left int64
}

// Reset begins another message.
func (d *decompressor) Reset(r io.Reader) error {
	// One more byte says that there are more.
	d.left = access.BodyLimit + 1
	return d.Reader.Reset(r)
}

// Read reads from the message.
func (d *decompressor) Read(p []byte) (int, error) {
	if d.left <= 0 {
		return 0, errTooLong
	}
	n, err := d.Reader.Read(p[:min(int64(len(p)), d.left)])
	d.left -= int64(n)
	return n, err
}

// binary is the binary form of Protocol Buffers.
type binary struct{}

// Name is the name in content types.
func (binary) Name() string { return "proto" }

// Marshal encodes an answer, or the status of one.
func (binary) Marshal(m any) ([]byte, error) { return proto.Marshal(m.(proto.Message)) }

// Unmarshal decodes a request.
func (binary) Unmarshal(raw []byte, m any) error {
	into := m.(proto.Message)
	if countValues(raw, into.ProtoReflect().Descriptor(), 0, depthLimit) > access.MaxValues {
		return errTooManyValues
	}
	return proto.UnmarshalOptions{RecursionLimit: depthLimit}.Unmarshal(raw, into)
}

// text is the JSON form.
type text struct{ name string }

// Name is the name in content types.
func (t text) Name() string { return t.name }

// Marshal encodes an answer.
func (text) Marshal(m any) ([]byte, error) { return protojson.Marshal(m.(proto.Message)) }

// Unmarshal decodes a request. Fields that this version does not know are ignored.
func (text) Unmarshal(raw []byte, m any) error {
	if access.TooManyValues(raw) {
		return errTooManyValues
	}
	return protojson.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: depthLimit}.Unmarshal(raw, m.(proto.Message))
}

// countValues adds the values of an encoded message to n, until there are too many. It does not look deeper than depth, where decoding fails.
func countValues(raw []byte, d protoreflect.MessageDescriptor, n, depth int) int {
	for len(raw) > 0 && depth > 0 && n <= access.MaxValues {
		number, kind, size := protowire.ConsumeTag(raw)
		if size < 0 {
			return n
		}
		raw = raw[size:]
		if size = protowire.ConsumeFieldValue(number, kind, raw); size < 0 {
			return n
		}
		value := raw[:size]
		raw = raw[size:]
		n++
		f := d.Fields().ByNumber(number)
		if f == nil || kind != protowire.BytesType {
			continue
		}
		value, _ = protowire.ConsumeBytes(value)
		switch {
		case f.Message() != nil:
			n = countValues(value, f.Message(), n, depth-1)
		case f.IsList() && f.Kind() != protoreflect.StringKind && f.Kind() != protoreflect.BytesKind:
			// Packed numbers have at least a byte each.
			n += len(value)
		}
	}
	return n
}
