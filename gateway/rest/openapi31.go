package rest

import (
	"slices"
	"strings"
)

// openAPIVersion is that of the served description.
const openAPIVersion = "3.1.0"

// mediaJSON is the content type of bodies in the description.
const mediaJSON = "application/json"

// schemaMembers are members of a parameter that Swagger 2.0 has beside its name, and OpenAPI 3 in its schema.
var schemaMembers = []string{"type", "format", "items", "enum", "default", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}

// upgrade returns a description in Swagger 2.0, which is what the generator writes, as one in OpenAPI 3.1. It shares no part with doc.
func upgrade(doc map[string]any) map[string]any {
	paths := map[string]any{}
	for path, item := range object(doc, "paths") {
		methods := map[string]any{}
		operations, _ := item.(map[string]any)
		for method := range operations {
			methods[method] = upgradeOperation(object(operations, method))
		}
		paths[path] = methods
	}
	schemas := map[string]any{}
	for name, schema := range object(doc, "definitions") {
		schemas[name] = upgradeSchema(schema)
	}
	upgraded := map[string]any{
		"openapi": openAPIVersion, "info": doc["info"], "paths": paths, "components": map[string]any{"schemas": schemas},
	}
	if tags := list(doc, "tags"); len(tags) > 0 {
		upgraded["tags"] = tags
	}
	return upgraded
}

func upgradeOperation(op map[string]any) map[string]any {
	upgraded := map[string]any{}
	for name, value := range op {
		switch name {
		case "parameters", "responses", "consumes", "produces", "schemes":
		default:
			upgraded[name] = value
		}
	}
	var parameters []any
	for _, raw := range list(op, "parameters") {
		p, _ := raw.(map[string]any)
		if p["in"] == "body" {
			body := map[string]any{"content": content(p["schema"])}
			copyMembers(body, p, "description", "required")
			upgraded["requestBody"] = body
			continue
		}
		parameters = append(parameters, upgradeParameter(p))
	}
	if len(parameters) > 0 {
		upgraded["parameters"] = parameters
	}
	responses := map[string]any{}
	for code, raw := range object(op, "responses") {
		r, _ := raw.(map[string]any)
		response := map[string]any{"description": text(r, "description")}
		if schema, ok := r["schema"]; ok {
			response["content"] = content(schema)
		}
		responses[code] = response
	}
	upgraded["responses"] = responses
	return upgraded
}

func upgradeParameter(p map[string]any) map[string]any {
	schema := map[string]any{}
	copyMembers(schema, p, schemaMembers...)
	upgraded := map[string]any{"schema": upgradeSchema(schema)}
	copyMembers(upgraded, p, "name", "in", "description", "required")
	if p["collectionFormat"] == "multi" {
		upgraded["style"], upgraded["explode"] = "form", true
	}
	return upgraded
}

func content(schema any) map[string]any {
	return map[string]any{mediaJSON: map[string]any{"schema": upgradeSchema(schema)}}
}

func copyMembers(into, from map[string]any, names ...string) {
	for _, name := range names {
		if value, ok := from[name]; ok {
			into[name] = value
		}
	}
}

// upgradeSchema returns a copy of a schema, whose references are to components. A schema of a field and that of a message differ in nothing else.
func upgradeSchema(schema any) any {
	switch s := schema.(type) {
	case map[string]any:
		upgraded := map[string]any{}
		for name, value := range s {
			if ref, ok := value.(string); ok && name == "$ref" {
				value = "#/components/schemas/" + strings.TrimPrefix(ref, "#/definitions/")
			}
			upgraded[name] = upgradeSchema(value)
		}
		return upgraded
	case []any:
		upgraded := slices.Clone(s)
		for i := range upgraded {
			upgraded[i] = upgradeSchema(upgraded[i])
		}
		return upgraded
	default:
		return schema
	}
}
