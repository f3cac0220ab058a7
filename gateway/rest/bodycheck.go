package rest

import (
	"bytes"
	"encoding/json"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// members are the members of a JSON object by name; nil when the body is not an object.
type members map[string]json.RawMessage

func membersOf(raw []byte) members {
	var m members
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil
	}
	return m
}

// of returns the value of a field under its JSON name or its proto name.
func (m members) of(f protoreflect.FieldDescriptor) (json.RawMessage, bool) {
	value, ok := m[f.JSONName()]
	if !ok {
		value, ok = m[string(f.Name())]
	}
	return value, ok
}

// missingField returns the JSON name of the first required field that is absent from the body. It reads the raw JSON, because a decoded message
// does not distinguish an empty list from an absent one.
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

// takesNull reports whether null is a valid value of the field; the service validates it then.
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

// quotedNumber returns the JSON name of the first number of at most 32 bits that the body has as a string. ProtoJSON accepts it, the contract of
// this API does not. ProtoJSON itself writes numbers of 64 bits as strings.
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
