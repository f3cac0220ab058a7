package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readFile sets the values of the YAML file at path, and returns its text. An unknown key is a fault, so that a typing error does not go
// unnoticed; so is a key that is there twice, of which the last would win.
func readFile(path string, root reflect.Value, from places) ([]byte, Faults) {
	raw, err := os.ReadFile(path)
	if err != nil {
		var broken *fs.PathError
		if errors.As(err, &broken) {
			err = broken.Err
		}
		return nil, Faults{{Where: path, Text: err.Error()}}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, Faults{{Where: path, Text: strings.TrimPrefix(err.Error(), "yaml: ")}}
	}
	if len(doc.Content) == 0 {
		return raw, nil
	}
	r := reader{where: func(n *yaml.Node) string { return fmt.Sprintf("%s:%d", path, n.Line) }, from: from}
	r.section("", doc.Content[0], root)
	return raw, r.faults
}

// places are the sources of values by their keys, as [Fault] has them.
type places map[string]string

// override makes where the source of the value at key, and of all within it.
func (p places) override(key, where string) {
	maps.DeleteFunc(p, func(k, _ string) bool { return strings.HasPrefix(k, key+".") || strings.HasPrefix(k, key+"[") })
	p[key] = where
}

// of returns the source of the value at key, or of the innermost section around it that has one; empty for a default.
func (p places) of(key string) string {
	for key != "" {
		if where, ok := p[key]; ok {
			return where
		}
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
	return ""
}

// reader walks a YAML document together with the struct that it fills.
type reader struct {
	// where returns the source of a value, as [Fault] has it.
	where  func(*yaml.Node) string
	from   places
	faults Faults
}

func (r *reader) fault(n *yaml.Node, key, format string, args ...any) {
	r.faults = append(r.faults, Fault{Key: key, Where: r.where(n), Text: fmt.Sprintf(format, args...), isUnread: true})
}

// entries yields the keys of a mapping with their values. A key that was there before is a fault, and left out.
func (r *reader) entries(key string, n *yaml.Node) func(yield func(name, value *yaml.Node) bool) {
	return func(yield func(name, value *yaml.Node) bool) {
		first := map[string]*yaml.Node{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i]
			if before, ok := first[name.Value]; ok {
				r.faults = append(r.faults, Fault{Key: join(key, name.Value), Where: r.where(name), Text: "it is there twice, first at " + r.where(before)})
				continue
			}
			first[name.Value] = name
			if !yield(name, n.Content[i+1]) {
				return
			}
		}
	}
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
	for name, value := range r.entries(key, n) {
		f, ok := known[name.Value]
		if !ok {
			r.unknown(name, key, known)
			continue
		}
		r.from[join(key, f.name)] = r.where(name)
		r.value(join(key, f.name), value, f.value)
	}
}

func (r *reader) value(key string, n *yaml.Node, v reflect.Value) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case isSection(v.Type()):
		r.section(key, n, v)
	case v.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		r.list(key, n, v)
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String && n.Kind == yaml.MappingNode:
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

// list reads a list item by item, so that each fault within has its line.
func (r *reader) list(key string, n *yaml.Node, v reflect.Value) {
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, item := range n.Content {
		inner := fmt.Sprintf("%s[%d]", key, i)
		r.from[inner] = r.where(item)
		r.value(inner, item, list.Index(i))
	}
	v.Set(list)
}

// mapping reads a mapping, whose keys the operator chooses, entry by entry, so that each fault within has its line.
func (r *reader) mapping(key string, n *yaml.Node, v reflect.Value) {
	all := reflect.MakeMap(v.Type())
	for name, value := range r.entries(key, n) {
		item := reflect.New(v.Type().Elem()).Elem()
		// Checkers name an entry either way.
		r.from[join(key, name.Value)], r.from[key+"["+name.Value+"]"] = r.where(name), r.where(name)
		r.value(join(key, name.Value), value, item)
		all.SetMapIndex(reflect.ValueOf(name.Value).Convert(v.Type().Key()), item)
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
