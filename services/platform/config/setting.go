package config

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// setting is one field of the configuration that holds a value rather than further fields.
type setting struct {
	key    string
	doc    string
	secret string
	value  reflect.Value
}

// settings lists the leaves of a struct in the order of its fields.
func settings(prefix string, v reflect.Value) (all []setting) {
	for f := range fields(v) {
		key := join(prefix, f.name)
		if isSection(f.value.Type()) {
			all = append(all, settings(key, f.value)...)
			continue
		}
		all = append(all, setting{key: key, doc: f.doc, secret: f.secret, value: f.value})
	}
	return all
}

// Undocumented lists the keys in from, a pointer to a struct, that have no `doc` tag.
func Undocumented(from any) (keys []string) {
	for _, s := range settings("", reflect.ValueOf(from).Elem()) {
		if s.doc == "" {
			keys = append(keys, s.key)
		}
	}
	return keys
}

// set reads text as the setting's type: plain text for a string, YAML for anything else. where is the variable or flag that has the text.
func (s setting) set(text, where string, from places) Faults {
	from.override(s.key, where)
	var doc yaml.Node
	if s.value.Kind() == reflect.String {
		s.value.SetString(text)
		return nil
	}
	err := yaml.Unmarshal([]byte(text), &doc)
	if err == nil && len(doc.Content) == 0 {
		s.value.SetZero()
		return nil
	}
	if err == nil && (s.value.Kind() == reflect.Slice || s.value.Kind() == reflect.Map) {
		r := reader{where: func(*yaml.Node) string { return where }, from: from}
		r.value(s.key, doc.Content[0], s.value)
		return r.faults
	}
	fresh := reflect.New(s.value.Type())
	if err == nil {
		err = doc.Decode(fresh.Interface())
	}
	switch {
	case err == nil:
		s.value.Set(fresh.Elem())
		return nil
	case s.secret != "":
		return Faults{{Key: s.key, Where: where, Text: "it is not " + describe(s.value.Type()), isUnread: true}}
	default:
		return Faults{{Key: s.key, Where: where, Text: fmt.Sprintf("%q is not %s", text, describe(s.value.Type())), isUnread: true}}
	}
}

// environment returns the variable of a key: HAWSER_LISTEN_GATEWAY for listen.gateway.
func (s setting) environment(prefix string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

// field is one tagged field of a struct.
type field struct {
	name, doc, secret string
	value             reflect.Value
}

// fields yields the fields of a struct that have a `yaml` tag.
func fields(v reflect.Value) func(yield func(field) bool) {
	return func(yield func(field) bool) {
		for i := range v.NumField() {
			tag := v.Type().Field(i).Tag
			name, _, _ := strings.Cut(tag.Get("yaml"), ",")
			if name == "" || name == "-" {
				continue
			}
			if !yield(field{name: name, doc: tag.Get("doc"), secret: tag.Get("secret"), value: v.Field(i)}) {
				return
			}
		}
	}
}

// isSection reports whether a type is a struct of further settings rather than a value.
func isSection(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if _, tagged := t.Field(i).Tag.Lookup("yaml"); tagged {
			return true
		}
	}
	return false
}

// holdsSections reports whether a type is a list or mapping of sections, at any depth, rather than of values.
func holdsSections(t reflect.Type) bool {
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		return isSection(t.Elem()) || holdsSections(t.Elem())
	}
	return false
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// describe returns the name of a type as readers of YAML know it.
func describe(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int32, reflect.Uint32:
		return "a whole number"
	case reflect.Int64:
		if t.PkgPath() == "time" {
			return "a duration such as 10s"
		}
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "a mapping"
	default:
		return "a text"
	}
}
