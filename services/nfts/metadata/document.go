package metadata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/plain"
)

// Bounds of what is kept, in letters, but for maxTraits.
const (
	maxName        = 128
	maxDescription = 1000
	maxTraitName   = 64
	maxTraitValue  = 256
	maxTraits      = 50
)

// ErrDocument is what bytes give that are no metadata.
var ErrDocument = errors.New("not metadata")

// Document is what a token says of itself: plain text of bounded length.
type Document struct {
	Name        string
	Description string
	// Picture is the URI of the token's picture; empty when there is none.
	Picture string
	// Drawing is the token's picture itself, as SVG, where there is no Picture; empty when there is none.
	Drawing string
	Traits  []Trait
}

// Trait is one property of a token.
type Trait struct{ Name, Value string }

// Parse reads a document of JSON. Fields of unexpected types are passed over. The error wraps [ErrDocument].
func Parse(b []byte) (Document, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return Document{}, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	if fields == nil {
		return Document{}, fmt.Errorf("%w: it is null", ErrDocument)
	}
	d := Document{
		Name:        plain.Text(text(fields["name"]), maxName),
		Description: plain.Text(text(fields["description"]), maxDescription),
		Picture:     firstText(fields, "image", "image_url", "imageUrl"),
		Traits:      traits(fields),
	}
	if d.Picture == "" {
		d.Drawing = firstText(fields, "image_data", "svg_image_data")
	}
	// Some authors put the drawing where its address belongs.
	if strings.HasPrefix(d.Picture, "<") {
		d.Picture, d.Drawing = "", d.Picture
	}
	return d, nil
}

func firstText(fields map[string]json.RawMessage, names ...string) string {
	for _, n := range names {
		if s := strings.TrimSpace(text(fields[n])); s != "" {
			return s
		}
	}
	return ""
}

// traits reads the list that marketplaces agreed on, `[{"trait_type": …, "value": …}]`, or a plain mapping, as `properties` often is.
func traits(fields map[string]json.RawMessage) []Trait {
	for _, field := range []string{"attributes", "traits", "properties"} {
		if list := listedTraits(fields[field]); len(list) > 0 {
			return list
		}
		if list := mappedTraits(fields[field]); len(list) > 0 {
			return list
		}
	}
	return nil
}

func listedTraits(raw json.RawMessage) []Trait {
	var entries []json.RawMessage
	if json.Unmarshal(raw, &entries) != nil {
		return nil
	}
	var list []Trait
	for _, e := range entries {
		var entry map[string]json.RawMessage
		if json.Unmarshal(e, &entry) == nil {
			list = appendTrait(list, firstText(entry, "trait_type", "name", "key"), text(entry["value"]))
		}
	}
	return list
}

func mappedTraits(raw json.RawMessage) []Trait {
	var entries map[string]json.RawMessage
	if json.Unmarshal(raw, &entries) != nil {
		return nil
	}
	var list []Trait
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		list = appendTrait(list, name, text(entries[name]))
	}
	return list
}

func appendTrait(list []Trait, name, value string) []Trait {
	t := Trait{plain.Text(name, maxTraitName), plain.Text(value, maxTraitValue)}
	if t.Value == "" || len(list) == maxTraits {
		return list
	}
	return append(list, t)
}

// text reads a string, or a number or truth value as it is written; empty for anything else.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	if len(raw) == 0 || raw[0] == '{' || raw[0] == '[' {
		return ""
	}
	return string(raw)
}
