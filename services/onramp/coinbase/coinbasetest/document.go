package coinbasetest

import (
	"embed"
	"encoding/json"
	"strings"
	"testing"
)

//go:embed testdata
var fixtures embed.FS

// document is a fixture whose fields are replaced.
type document map[string]any

// Fixture returns an answer or a webhook in the documented form: options, quote, transaction, webhook or order.
func Fixture(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := fixtures.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func load(t testing.TB, name string) document {
	d := document{}
	if err := json.Unmarshal(Fixture(t, name), &d); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// set replaces the text at a path, such as payment_total.value. The path must exist.
func (d document) set(t testing.TB, path, value string) {
	fields, name := map[string]any(d), path
	if parent, child, nested := strings.Cut(path, "."); nested {
		fields, _ = d[parent].(map[string]any)
		name = child
	}
	if _, isText := fields[name].(string); !isText {
		t.Errorf("the fixture has no %s", path)
		return
	}
	fields[name] = value
}
