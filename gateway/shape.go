package gateway

import (
	"bytes"
	"encoding/json"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// members are what a JSON object says, by name; nil where it is no object.
type members map[string]json.RawMessage

func membersOf(raw []byte) members {
	var m members
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil
	}
	return m
}

// of is what is said of a field, under either of its names.
func (m members) of(f protoreflect.FieldDescriptor) (json.RawMessage, bool) {
	value, ok := m[f.JSONName()]
	if !ok {
		value, ok = m[string(f.Name())]
	}
	return value, ok
}

// missingField names the first required field that the body does not spell. An empty list is there; an absent one is not, and
// after decoding nobody could tell.
func missingField(raw []byte, d protoreflect.MessageDescriptor) (string, bool) {
	m := membersOf(raw)
	if m == nil {
		return "", false
	}
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		if !isRequired(f) {
			continue
		}
		if value, ok := m.of(f); !ok || bytes.Equal(value, []byte("null")) && !takesNull(f) {
			return f.JSONName(), true
		}
	}
	return "", false
}

// takesNull reports whether null is a value of the field like any other, which the service refuses as it does in every protocol.
func takesNull(f protoreflect.FieldDescriptor) bool {
	return f.Message() != nil && f.Message().FullName() == "google.protobuf.Value"
}

func isRequired(f protoreflect.FieldDescriptor) bool {
	behaviors, _ := proto.GetExtension(f.Options(), annotations.E_FieldBehavior).([]annotations.FieldBehavior)
	for _, b := range behaviors {
		if b == annotations.FieldBehavior_REQUIRED {
			return true
		}
	}
	return false
}

// quotedNumber names the first number that the body spells as text: protobuf's JSON takes it, clients of this API never could send it.
// Numbers of 64 bits are text by protobuf's own rule.
func quotedNumber(raw []byte, d protoreflect.MessageDescriptor) (string, bool) {
	m := membersOf(raw)
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		value, ok := m.of(f)
		if !ok || f.IsList() || f.IsMap() {
			continue
		}
		switch f.Kind() {
		case protoreflect.MessageKind:
			if field, quoted := quotedNumber(value, f.Message()); quoted {
				return field, true
			}
		case protoreflect.Int32Kind, protoreflect.Uint32Kind, protoreflect.FloatKind, protoreflect.DoubleKind:
			if value[0] == '"' {
				return f.JSONName(), true
			}
		}
	}
	return "", false
}
