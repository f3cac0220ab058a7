package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readFile sets the values of the YAML file at path. An unknown key is a fault, so that a typing error does not go
// unnoticed.
func readFile(path string, root reflect.Value) Faults {
	raw, err := os.ReadFile(path)
	if err != nil {
		var broken *fs.PathError
		if errors.As(err, &broken) {
			err = broken.Err
		}
		return Faults{{Where: path, Text: err.Error()}}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return Faults{{Where: path, Text: strings.TrimPrefix(err.Error(), "yaml: ")}}
	}
	if len(doc.Content) == 0 {
		return nil
	}
	r := reader{path: path}
	r.section("", doc.Content[0], root)
	return r.faults
}

// reader walks a YAML document together with the struct that it fills.
type reader struct {
	path   string
	faults Faults
}

func (r *reader) fault(n *yaml.Node, key, format string, args ...any) {
	where := fmt.Sprintf("%s:%d", r.path, n.Line)
	r.faults = append(r.faults, Fault{Key: key, Where: where, Text: fmt.Sprintf(format, args...)})
}

func (r *reader) section(key string, n *yaml.Node, v reflect.Value) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	// `listen:` with nothing below it keeps the defaults.
	if n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.fault(n, key, "it is not a mapping")
		return
	}
	known := map[string]field{}
	for f := range fields(v) {
		known[f.name] = f
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		f, ok := known[name.Value]
		if !ok {
			r.unknown(name, key, known)
			continue
		}
		r.value(join(key, f.name), value, f.value)
	}
}

func (r *reader) value(key string, n *yaml.Node, v reflect.Value) {
	switch {
	case isSection(v.Type()):
		r.section(key, n, v)
	case holdsSections(v.Type()) && v.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		r.list(key, n, v)
	case holdsSections(v.Type()) && v.Kind() == reflect.Map && n.Kind == yaml.MappingNode:
		r.mapping(key, n, v)
	default:
		fresh := reflect.New(v.Type())
		if err := n.Decode(fresh.Interface()); err != nil {
			r.fault(n, key, "it is not %s", describe(v.Type()))
			return
		}
		v.Set(fresh.Elem())
	}
}

// list reads a list item by item, so that unknown keys within are faults as well.
func (r *reader) list(key string, n *yaml.Node, v reflect.Value) {
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, item := range n.Content {
		r.value(fmt.Sprintf("%s[%d]", key, i), item, list.Index(i))
	}
	v.Set(list)
}

// mapping reads a mapping, whose keys the operator chooses, entry by entry, so that unknown keys within are faults as
// well.
func (r *reader) mapping(key string, n *yaml.Node, v reflect.Value) {
	all := reflect.MakeMap(v.Type())
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, item := n.Content[i].Value, reflect.New(v.Type().Elem()).Elem()
		r.value(join(key, name), n.Content[i+1], item)
		all.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), item)
	}
	v.Set(all)
}

func (r *reader) unknown(name *yaml.Node, section string, known map[string]field) {
	names := make([]string, 0, len(known))
	for k := range known {
		names = append(names, k)
	}
	slices.Sort(names)
	r.fault(name, join(section, name.Value), "there is no such setting; here are %s", strings.Join(names, ", "))
}
