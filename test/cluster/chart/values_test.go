package chart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Marks in the chart's README between which the table of values is.
const begin, end = "<!-- values -->\n", "<!-- end of values -->\n"

// enums are the values that have a fixed set of allowed values.
var enums = map[string]any{
	"mode":             []string{"single", "split"},
	"image.pullPolicy": []string{"Always", "IfNotPresent", "Never"},
	"service.type":     []string{"ClusterIP", "NodePort", "LoadBalancer"},
	"nats.replicas":    []int{1, 3, 5},
}

// free are values whose content the chart passes on unchecked.
var free = []string{"tls.issuerRef", "config", "secretEnv", "secretFiles", "service.annotations", "ingress.annotations", "nats.resources", "migrate.resources", "console.resources", "defaults.resources", "defaults.podAnnotations", "defaults.autoscaling.pods", "defaults.nodeSelector", "defaults.affinity", "metrics.serviceMonitor.labels", "metrics.podMonitor.labels"}

// values is the document of values.yaml with its comments.
func values(t *testing.T) *yaml.Node {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(chart, "values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}

// isLeaf reports whether a value is documented as one.
func isLeaf(key string, n *yaml.Node) bool {
	return n.Kind != yaml.MappingNode || len(n.Content) == 0 || slices.Contains(free, key) || key == "single" || key == "split"
}

// describe adds a row for each value below n.
func describe(t *testing.T, rows *bytes.Buffer, prefix string, n *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		key := strings.TrimPrefix(prefix+"."+name.Value, ".")
		if !isLeaf(key, value) {
			describe(t, rows, key, value)
			continue
		}
		text := strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll("\n"+name.HeadComment, "\n#", "")), "|", "\\|")
		if text == "" {
			t.Errorf("%s has no comment", key)
		}
		var plain any
		if err := value.Decode(&plain); err != nil {
			t.Fatal(err)
		}
		shown, err := json.Marshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(rows, "| `%s` | `%s` | %s |\n", key, shown, text)
	}
}

func TestTheReadmeDocumentsEveryValue(t *testing.T) {
	rows := bytes.NewBufferString("| value | default | meaning |\n|---|---|---|\n")
	describe(t, rows, "", values(t))
	path := filepath.Join(chart, "README.md")
	readme, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(readme), begin)
	_, tail, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("the README has no place for the values")
	}
	compare(t, path, []byte(head+begin+rows.String()+end+tail), readme)
}

func TestTheSchemaDescribesEveryValue(t *testing.T) {
	root := values(t)
	schema := schemaOf(t, "", root)
	group := property(schema, "defaults")
	group["properties"].(map[string]any)["targets"] = map[string]any{"type": "array", "minItems": 1, "items": map[string]any{"type": "string"}}
	for _, mode := range []string{"single", "split"} {
		schema["properties"].(map[string]any)[mode] = map[string]any{
			"type": "object", "propertyNames": map[string]any{"pattern": "^[a-z]([a-z0-9-]*[a-z0-9])?$", "not": map[string]any{"enum": []string{"nats", "migrate", "test", "config", "deny"}}},
			"additionalProperties": map[string]any{"anyOf": []any{map[string]any{"type": "null"}, group}},
		}
	}
	schema["$schema"] = "http://json-schema.org/draft-07/schema#"
	schema["properties"].(map[string]any)["global"] = map[string]any{"type": "object"}
	text, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(chart, "values.schema.json")
	kept, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	compare(t, path, append(text, '\n'), kept)
}

func property(schema map[string]any, name string) map[string]any {
	return schema["properties"].(map[string]any)[name].(map[string]any)
}

func schemaOf(t *testing.T, key string, n *yaml.Node) map[string]any {
	if allowed, ok := enums[key]; ok {
		return map[string]any{"enum": allowed}
	}
	switch {
	case n.Kind == yaml.SequenceNode:
		return map[string]any{"type": "array"}
	case n.Kind == yaml.MappingNode && slices.Contains(free, key):
		return map[string]any{"type": "object"}
	case n.Kind == yaml.MappingNode:
		properties := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			name := n.Content[i].Value
			properties[name] = schemaOf(t, strings.TrimPrefix(key+"."+name, "."), n.Content[i+1])
		}
		return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
	case n.Tag == "!!int":
		return map[string]any{"type": "integer", "minimum": 0}
	case n.Tag == "!!bool":
		return map[string]any{"type": "boolean"}
	case n.Tag == "!!str":
		return map[string]any{"type": "string"}
	}
	t.Fatalf("%s is %s", key, n.Tag)
	return nil
}

// compare fails when a generated file is stale, or writes it.
func compare(t *testing.T, path string, want, got []byte) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	if !*update {
		t.Errorf("%s is stale: run `go test ./chart -args -update` in test/cluster", path)
		return
	}
	if err := os.WriteFile(path, want, 0o644); err != nil {
		t.Fatal(err)
	}
}
