package rest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"sync"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	restv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/rest/v1"
)

// usualAnswer is more than the size of most answers, in bytes.
const usualAnswer = 4 << 10

// jsonWriter writes messages as protojson does with EmitDefaultValues, at a third of its cost and without the white space that protojson
// varies on purpose, and with null where a field is marked so. It looks up the fields of a message once, not on every answer. A test compares it with protojson.
type jsonWriter struct {
	plans sync.Map // protoreflect.MessageDescriptor to []jsonField
}

type jsonField struct {
	protoreflect.FieldDescriptor
	// key is `"name":`.
	key string
	// nullable fields are written as null where they are not set.
	nullable bool
}

// append adds m to b.
func (w *jsonWriter) append(b []byte, m protoreflect.Message) ([]byte, error) {
	if m.Descriptor().FullName().Parent() == "google.protobuf" {
		// The well-known types have JSON forms of their own.
		return protojson.MarshalOptions{EmitDefaultValues: true}.MarshalAppend(b, m.Interface())
	}
	b = append(b, '{')
	first := true
	for _, f := range w.plan(m.Descriptor()) {
		unset := f.HasPresence() && !m.Has(f.FieldDescriptor)
		if unset && !f.nullable {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, f.key...)
		if unset {
			b = append(b, "null"...)
			continue
		}
		var err error
		if b, err = w.appendField(b, f, m.Get(f.FieldDescriptor)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func (w *jsonWriter) plan(d protoreflect.MessageDescriptor) []jsonField {
	if known, ok := w.plans.Load(d); ok {
		return known.([]jsonField)
	}
	fields := make([]jsonField, d.Fields().Len())
	for i := range fields {
		f := d.Fields().Get(i)
		nullable, _ := proto.GetExtension(f.Options(), restv1.E_Nullable).(bool)
		fields[i] = jsonField{f, strconv.Quote(f.JSONName()) + ":", nullable}
	}
	w.plans.Store(d, fields)
	return fields
}

func (w *jsonWriter) appendField(b []byte, f jsonField, v protoreflect.Value) (_ []byte, err error) {
	switch {
	case f.IsList():
		return w.appendList(b, f, v.List())
	case f.IsMap():
		// Maps have no order of their own, and protojson gives them one.
		return w.appendMap(b, f, v.Map())
	default:
		return w.appendValue(b, f.FieldDescriptor, v)
	}
}

func (w *jsonWriter) appendList(b []byte, f jsonField, list protoreflect.List) (_ []byte, err error) {
	b = append(b, '[')
	for i := range list.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = w.appendValue(b, f.FieldDescriptor, list.Get(i)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func (w *jsonWriter) appendMap(b []byte, f jsonField, m protoreflect.Map) (_ []byte, err error) {
	entries := make(map[string]json.RawMessage, m.Len())
	m.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		var value []byte
		value, err = w.appendValue(nil, f.MapValue(), v)
		entries[k.String()] = value
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	// The standard library sorts keys.
	sorted, err := json.Marshal(entries)
	return append(b, sorted...), err
}

func (w *jsonWriter) appendValue(b []byte, f protoreflect.FieldDescriptor, v protoreflect.Value) ([]byte, error) {
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return w.append(b, v.Message())
	case protoreflect.StringKind:
		return appendString(b, v.String())
	case protoreflect.BoolKind:
		return strconv.AppendBool(b, v.Bool()), nil
	case protoreflect.DoubleKind:
		return appendFloat(b, v.Float(), 64), nil
	case protoreflect.FloatKind:
		return appendFloat(b, v.Float(), 32), nil
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return append(strconv.AppendInt(append(b, '"'), v.Int(), 10), '"'), nil
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return append(strconv.AppendUint(append(b, '"'), v.Uint(), 10), '"'), nil
	case protoreflect.BytesKind:
		return append(base64.StdEncoding.AppendEncode(append(b, '"'), v.Bytes()), '"'), nil
	default:
		return appendEnum(b, f.Enum(), v.Enum())
	}
}

func appendEnum(b []byte, d protoreflect.EnumDescriptor, n protoreflect.EnumNumber) ([]byte, error) {
	if d.FullName() == "google.protobuf.NullValue" {
		return append(b, "null"...), nil
	}
	if known := d.Values().ByNumber(n); known != nil {
		return strconv.AppendQuote(b, string(known.Name())), nil
	}
	return strconv.AppendInt(b, int64(n), 10), nil
}

// appendFloat writes a number as encoding/json does, and NaN and the infinities as protojson does.
func appendFloat(b []byte, n float64, bits int) []byte {
	switch {
	case math.IsNaN(n):
		return append(b, `"NaN"`...)
	case math.IsInf(n, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(n, -1):
		return append(b, `"-Infinity"`...)
	}
	format := byte('f')
	if size := math.Abs(n); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, n, format, -1, bits)
}

// appendString quotes s. Most strings need no more than the quotes.
func appendString(b []byte, s string) ([]byte, error) {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendUnusual(b, s)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"'), nil
}

func appendUnusual(b []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, errNotUTF8
	}
	quoted, err := json.Marshal(s)
	return append(b, quoted...), err
}

var errNotUTF8 = errors.New("a string of the answer is not UTF-8")

// Marshal writes what a service answered.
func (j *restJSON) Marshal(v any) ([]byte, error) {
	m, ok := v.(proto.Message)
	if !ok {
		// A bare list, which response_body selects.
		return j.JSONPb.Marshal(v)
	}
	return j.writer.append(make([]byte, 0, usualAnswer), m.ProtoReflect())
}
