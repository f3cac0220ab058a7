package rest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
)

func TestTheDescriptionOfTheAPIIsServed(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{})
	var doc map[string]any
	if err := json.Unmarshal(accesstest.Ask(g, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(accesstest.Ask(g, "GET", "/docs", "").Body)
	if err != nil {
		t.Fatal(err)
	}
	for path := range doc["paths"].(map[string]any) {
		if !bytes.Contains(page, []byte(path)) {
			t.Errorf("the page does not name %s", path)
		}
	}
}

func TestTheDescriptionOfTheAPIIsOpenAPI31(t *testing.T) {
	var doc struct {
		OpenAPI    string
		Info       struct{ Title, Version string }
		Paths      map[string]map[string]json.RawMessage
		Components struct{ Schemas map[string]json.RawMessage }
	}
	raw := accesstest.Ask(gatewaytest.Open(t, &accesstest.Book{}), "GET", "/openapi.json", "").Body.Bytes()
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" || doc.Info.Title != "Hawser" || doc.Info.Version == "" || len(doc.Paths) < 70 || len(doc.Components.Schemas) < 200 {
		t.Errorf("%s of %+v has %d paths and %d schemas", doc.OpenAPI, doc.Info, len(doc.Paths), len(doc.Components.Schemas))
	}
	bodies := 0
	var ids []string
	for path, methods := range doc.Paths {
		for method, op := range methods {
			var read struct {
				OperationID string
				Parameters  []struct {
					Name, In string
					Required bool
					Schema   map[string]any
				}
				RequestBody *struct {
					Content map[string]struct{ Schema map[string]any }
				}
				Responses map[string]struct{ Description *string }
			}
			decoder := json.NewDecoder(bytes.NewReader(op))
			if err := decoder.Decode(&read); err != nil {
				t.Fatal(err)
			}
			where := method + " " + path
			ids = append(ids, read.OperationID)
			for _, p := range read.Parameters {
				isInPath := strings.Contains(path, "{"+p.Name+"}")
				if p.Schema["type"] == nil || (p.In != "query" && p.In != "path") || (p.In == "path") != isInPath || isInPath && !p.Required {
					t.Errorf("%s has the parameter %+v", where, p)
				}
			}
			if read.RequestBody != nil {
				bodies++
				if len(read.RequestBody.Content["application/json"].Schema) == 0 || method == "get" {
					t.Errorf("%s has a body without a schema", where)
				}
			}
			if len(read.Responses) == 0 || slices.ContainsFunc(slices.Collect(maps.Values(read.Responses)), func(r struct{ Description *string }) bool { return r.Description == nil }) {
				t.Errorf("%s has no response, or one without a description", where)
			}
			// What Swagger 2.0 has elsewhere.
			var members map[string]any
			if err := json.Unmarshal(op, &members); err != nil {
				t.Fatal(err)
			}
			for _, old := range []string{"consumes", "produces", "schemes"} {
				if members[old] != nil {
					t.Errorf("%s has %s", where, old)
				}
			}
		}
	}
	if bodies < 20 {
		t.Errorf("%d operations have bodies", bodies)
	}
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Error("two operations have one id")
	}
	const reference = `"$ref": "#/components/schemas/`
	for _, rest := range strings.Split(string(raw), `"$ref": "`)[1:] {
		target, _, _ := strings.Cut(rest, `"`)
		name, ok := strings.CutPrefix(target, "#/components/schemas/")
		if !ok || doc.Components.Schemas[name] == nil {
			t.Errorf("nothing is at %s", target)
		}
	}
	if !bytes.Contains(raw, []byte(reference)) || bytes.Contains(raw, []byte("#/definitions/")) {
		t.Error("references are not to components")
	}
}
