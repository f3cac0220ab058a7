package config

import (
	"bufio"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// Document writes a reference of all settings as Markdown: a section for each field of the struct that from points to, with a heading for each of its
// settings. The values in the struct are documented as the defaults.
func Document(w io.Writer, from any) error {
	d := document{out: bufio.NewWriter(w)}
	fmt.Fprint(d.out, documentHead)
	root := reflect.ValueOf(from).Elem()
	d.part("General", "", func(yield func(setting) bool) {
		for f := range fields(root) {
			if !isSection(f.value.Type()) && !yield(setting{key: f.name, doc: f.doc, secret: f.secret, value: f.value}) {
				return
			}
		}
	})
	for f := range fields(root) {
		if isSection(f.value.Type()) {
			all := settings(f.name, f.value)
			d.part("`"+f.name+"`", f.doc, func(yield func(setting) bool) {
				for _, s := range all {
					if !yield(s) {
						return
					}
				}
			})
		}
	}
	if d.err != nil {
		return d.err
	}
	return d.out.Flush()
}

// documentHead is the start of the document.
const documentHead = `# Settings

Every setting with its name in the environment, its kind and its default. Precedence, lowest first: defaults, YAML file (` + "`-config`, or `HAWSER_CONFIG`" + `),
environment, flags such as ` + "`-listen.gateway`" + `. In the environment and in flags, lists and mappings are YAML.
` + "`hawser config print`" + ` prints the effective configuration, and ` + "`hawser config check`" + ` what is wrong with it. This file is generated from the code.
`

// document writes Markdown, and keeps the first error of a value.
type document struct {
	out *bufio.Writer
	err error
}

// part writes a section with its settings.
func (d *document) part(title, about string, all func(yield func(setting) bool)) {
	fmt.Fprintf(d.out, "\n## %s\n", title)
	if about != "" {
		fmt.Fprintf(d.out, "\n%s\n", sentence(about))
	}
	all(func(s setting) bool {
		fmt.Fprintf(d.out, "\n### `%s`\n\n%s\n\n", s.key, sentence(s.doc))
		fmt.Fprintf(d.out, "`%s`: %s%s\n", s.environment(EnvPrefix), describe(s.value.Type()), d.fallback(s))
		d.items(s.value.Type())
		return d.err == nil
	})
}

// fallback returns the default of a setting for its line; empty if it has none or is a secret.
func (d *document) fallback(s setting) string {
	switch s.value.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Float64:
	default:
		if s.value.IsZero() || s.secret != "" {
			return ""
		}
	}
	raw, err := encode(s.value, "")
	if err != nil {
		d.err = err
		return ""
	}
	raw.Style = yaml.FlowStyle
	text, err := yaml.Marshal(raw)
	if err != nil {
		d.err = fmt.Errorf("the default of %s: %w", s.key, err)
		return ""
	}
	return fmt.Sprintf("; by default `%s`", strings.TrimSpace(string(text)))
}

// items lists the fields of the sections that a list or a mapping holds.
func (d *document) items(t reflect.Type) {
	if !holdsSections(t) {
		return
	}
	for holdsSections(t) {
		t = t.Elem()
	}
	fmt.Fprint(d.out, "\nEach has:\n\n")
	for _, s := range settings("", reflect.New(t).Elem()) {
		fmt.Fprintf(d.out, "- `%s`, %s", s.key, describe(s.value.Type()))
		if s.doc != "" {
			fmt.Fprintf(d.out, ": %s", escapeMarkdown(s.doc))
		}
		fmt.Fprintln(d.out)
	}
}

// sentence returns the text of a doc tag as a sentence.
func sentence(doc string) string {
	first, rest, _ := strings.Cut(doc, " ")
	if strings.IndexFunc(first, func(r rune) bool { return !unicode.IsLower(r) && r != ',' }) < 0 && first != "" {
		first = strings.ToUpper(first[:1]) + first[1:]
	}
	return escapeMarkdown(strings.TrimSpace(strings.TrimSpace(first+" "+rest))) + "."
}

// escapeMarkdown keeps < and * from being markup.
func escapeMarkdown(text string) string {
	return strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
}
