package rest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/proto"
)

// handwrittenPaths describes the paths that have no proto: JSON-RPC and the health check.
//
//go:embed openapi_jsonrpc.json
var handwrittenPaths []byte

//go:embed docs.html
var docsPage string

// openAPIDocument returns the generated document, in Swagger 2.0, with the hand-written paths added. Both are embedded, so it panics on malformed JSON.
func openAPIDocument() map[string]any {
	var doc, extra map[string]any
	mustDecode(proto.OpenAPI, &doc)
	mustDecode(handwrittenPaths, &extra)
	doc["info"] = map[string]any{"title": "Hawser", "version": "v1", "description": "Wallet connection and token management that a site hosts itself."}
	paths, _ := doc["paths"].(map[string]any)
	maps.Copy(paths, extra)
	return doc
}

func mustDecode(raw []byte, into any) {
	if err := json.Unmarshal(raw, into); err != nil {
		panic(err)
	}
}

// OpenAPI serves the description of the API in OpenAPI 3.1.
func OpenAPI() http.Handler {
	raw, err := json.MarshalIndent(upgrade(openAPIDocument()), "", "  ")
	if err != nil {
		panic(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(raw)
	})
}

// operation is one call on the documentation page.
type operation struct {
	Method, Path, Summary string
	Parameters            []parameter
	Request, Response     []field
}

type parameter struct {
	Name, In, Description string
	Required              bool
}

type field struct {
	Depth             int
	Name, Type, About string
}

// Docs serves the description of the API as an HTML page without scripts or external resources.
func Docs() http.Handler {
	page := template.Must(template.New("docs").Parse(docsPage))
	var html bytes.Buffer
	if err := page.Execute(&html, operations(openAPIDocument())); err != nil {
		panic(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		_, _ = w.Write(html.Bytes())
	})
}

func operations(doc map[string]any) []operation {
	var all []operation
	definitions := object(doc, "definitions")
	paths := object(doc, "paths")
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for method, raw := range object(paths, path) {
			spec, _ := raw.(map[string]any)
			op := operation{Method: strings.ToUpper(method), Path: path, Summary: text(spec, "summary")}
			for _, raw := range list(spec, "parameters") {
				p, _ := raw.(map[string]any)
				if p["in"] == "body" {
					op.Request = fields(definitions, object(p, "schema"), 0)
					continue
				}
				required, _ := p["required"].(bool)
				op.Parameters = append(op.Parameters, parameter{text(p, "name"), text(p, "in"), text(p, "description"), required})
			}
			op.Response = fields(definitions, object(object(object(spec, "responses"), "200"), "schema"), 0)
			all = append(all, op)
		}
	}
	return all
}

// fields flattens a schema to at most four levels, more than any message has.
func fields(definitions, schema map[string]any, depth int) []field {
	if depth > 4 {
		return nil
	}
	if ref := text(schema, "$ref"); ref != "" {
		return fields(definitions, object(definitions, strings.TrimPrefix(ref, "#/definitions/")), depth)
	}
	var lines []field
	properties := object(schema, "properties")
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p, _ := properties[name].(map[string]any)
		kind, inner := text(p, "type"), p
		if kind == "array" {
			inner = object(p, "items")
			kind = "list of " + text(inner, "type")
			if text(inner, "$ref") != "" {
				kind = "list"
			}
		}
		if kind == "" {
			kind = "object"
		}
		about := text(p, "description")
		if about == "" {
			about = text(p, "title")
		}
		lines = append(lines, field{depth, name, kind, about})
		lines = append(lines, fields(definitions, inner, depth+1)...)
	}
	return lines
}

func object(m map[string]any, key string) map[string]any {
	o, _ := m[key].(map[string]any)
	return o
}

func list(m map[string]any, key string) []any {
	l, _ := m[key].([]any)
	return l
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}
