package metadata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

// Bounds of the parsed texts, in runes, and maxTraits of the list of traits.
const (
	maxName        = 128
	maxDescription = 1000
	maxTraitName   = 64
	maxTraitValue  = 256
	maxTraits      = 50
	// maxEntries bounds the entries of a document's lists and objects that are looked at: an empty one takes many times its two bytes.
	maxEntries = 1_000
)

// ErrDocument means that the bytes are not metadata.
var ErrDocument = errors.New("not metadata")

// Document is the metadata of a token: plain text of bounded length.
type Document struct {
	Name        string
	Description string
	// Picture is the URI of the token's picture; empty for none.
	Picture string
	// Drawing is the token's picture as inline SVG, if Picture is empty; empty for none.
	Drawing string
	Traits  []Trait
}

// Trait is one property of a token.
type Trait struct{ Name, Value string }

// Parse parses a JSON document. It skips fields of unexpected types. The error wraps [ErrDocument].
func Parse(b []byte) (Document, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	fields := map[string]json.RawMessage{}
	keep := func(name string, value json.RawMessage) {
		if slices.Contains(known, name) {
			fields[name] = value
		}
	}
	err := eachEntry(b, '{', math.MaxInt, keep)
	if err != nil {
		err = eachEntry(escapeControls(b), '{', math.MaxInt, keep)
	}
	if err != nil {
		return Document{}, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	d := Document{
		Name:        plaintext.Text(text(fields["name"]), maxName),
		Description: plaintext.Text(text(fields["description"]), maxDescription),
		Picture:     firstText(fields, "image", "image_url", "imageUrl"),
		Traits:      traits(fields),
	}
	if d.Picture == "" {
		d.Drawing = firstText(fields, "image_data", "svg_image_data")
	}
	// Some authors put inline SVG into the field of the URI.
	if strings.HasPrefix(d.Picture, "<") {
		d.Picture, d.Drawing = "", d.Picture
	}
	return d, nil
}

// known are the fields that are read.
var known = []string{"name", "description", "image", "image_url", "imageUrl", "image_data", "svg_image_data", "attributes", "traits", "properties"}

// errForm is returned for JSON of another kind.
var errForm = errors.New("it is neither a list nor an object, or has more after it")

// eachEntry calls visit with the first entries of a list or an object, without decoding all of it at once.
func eachEntry(raw []byte, open json.Delim, most int, visit func(name string, value json.RawMessage)) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if begin, err := d.Token(); err != nil || begin != open {
		return errors.Join(errForm, err)
	}
	for n := 0; d.More(); n++ {
		if n == most {
			return nil
		}
		var name string
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			name, _ = key.(string)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		visit(name, value)
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errForm
	}
	return nil
}

// escapeControls escapes the control characters in the strings of a document: contracts that assemble JSON leave line breaks in texts.
func escapeControls(b []byte) []byte {
	escaped := make([]byte, 0, len(b)+64)
	inString := false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inString && c < ' ':
			escaped = fmt.Appendf(escaped, "\\u%04x", c)
			continue
		case inString && c == '\\' && i+1 < len(b) && b[i+1] >= ' ':
			escaped = append(escaped, c)
			i++
		case c == '"':
			inString = !inString
		}
		escaped = append(escaped, b[i])
	}
	return escaped
}

// firstText returns the first text of the named fields that is not blank, without the white space around it, which is not kept in memory either.
func firstText(fields map[string]json.RawMessage, names ...string) string {
	for _, n := range names {
		if s := strings.TrimSpace(text(fields[n])); s != "" {
			return strings.Clone(s)
		}
	}
	return ""
}

// traits parses the common list `[{"trait_type": …, "value": …}]`, or an object, which `properties` often is.
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
	var list []Trait
	_ = eachEntry(raw, '[', maxEntries, func(_ string, e json.RawMessage) {
		entry := map[string]json.RawMessage{}
		if eachEntry(e, '{', maxEntries, func(name string, value json.RawMessage) { entry[name] = value }) == nil {
			list = appendTrait(list, firstText(entry, "trait_type", "name", "key"), text(entry["value"]))
		}
	})
	return list
}

func mappedTraits(raw json.RawMessage) []Trait {
	entries := map[string]json.RawMessage{}
	if eachEntry(raw, '{', maxEntries, func(name string, value json.RawMessage) { entries[name] = value }) != nil {
		return nil
	}
	var list []Trait
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		list = appendTrait(list, name, text(entries[name]))
	}
	return list
}

func appendTrait(list []Trait, name, value string) []Trait {
	t := Trait{plaintext.Text(name, maxTraitName), plaintext.Text(value, maxTraitValue)}
	if t.Value == "" || len(list) == maxTraits {
		return list
	}
	return append(list, t)
}

// text returns a string, or the literal of a number or boolean; empty for other types.
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
