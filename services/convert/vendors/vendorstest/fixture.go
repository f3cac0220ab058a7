package vendorstest

import (
	"bytes"
	"embed"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata
var fixtures embed.FS

// document is a fixture whose fields are replaced.
type document struct {
	t    testing.TB
	root any
}

func load(t testing.TB, vendor, name string) document {
	d := document{t: t}
	decode(t, vendor, name, &d.root)
	return d
}

// Fixture returns a response in the documented form: quote or build.
func Fixture(t testing.TB, vendor, name string) []byte {
	t.Helper()
	raw, err := fixtures.ReadFile("testdata/" + vendor + "/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// failure is one documented failure.
type failure struct {
	Status int `json:"status"`
	Body   any `json:"body"`
}

func failures(t testing.TB, vendor string) map[string]failure {
	var all map[string]failure
	decode(t, vendor, "failures", &all)
	return all
}

func decode(t testing.TB, vendor, name string, into any) {
	if err := unmarshal(Fixture(t, vendor, name), into); err != nil {
		t.Fatalf("%s/%s: %v", vendor, name, err)
	}
}

// unmarshal decodes JSON without changing its numbers.
func unmarshal(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return dec.Decode(into)
}

// set replaces the value at a path, such as data.route.0.gas, by text, or by a number if it is a number. It fails for a path that does not exist.
func (d document) set(path, value string) {
	last := strings.LastIndexByte(path, '.')
	parent, name := d.root, path[last+1:]
	if last >= 0 {
		parent = d.at(path[:last])
	}
	fields, ok := parent.(map[string]any)
	if _, stands := fields[name]; !ok || !stands {
		d.t.Errorf("the fixture has no %s", path)
		return
	}
	if _, isNumber := fields[name].(json.Number); isNumber {
		fields[name] = json.Number(value)
		return
	}
	fields[name] = value
}

func (d document) at(path string) any {
	here := d.root
	for step := range strings.SplitSeq(path, ".") {
		switch node := here.(type) {
		case map[string]any:
			here = node[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(node) {
				d.t.Errorf("the fixture has no %s", path)
				return nil
			}
			here = node[i]
		}
	}
	return here
}
