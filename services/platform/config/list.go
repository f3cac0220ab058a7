package config

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Source is where the value of a setting comes from.
type Source int

// The sources.
const (
	FromDefault Source = iota
	FromFile
	FromVariable
	FromFlag
)

// Places are where the values of a configuration come from; the zero value says that all are defaults.
type Places struct {
	at     places
	prefix string
}

// of returns where the value at key comes from, and its source: a file with its line, a variable or a flag; empty for a default.
func (p Places) of(key string) (where string, source Source) {
	switch where = p.at[key]; {
	case where == "":
		return "", FromDefault
	case strings.HasPrefix(where, "-"):
		return where, FromFlag
	case strings.HasPrefix(where, p.prefix) && !strings.Contains(where, ":"):
		return where, FromVariable
	default:
		return where, FromFile
	}
}

// Setting is a setting as it holds.
type Setting struct {
	Key string
	// Value is in YAML, on one line if it has no lists within; empty for a secret. Secrets within lists and mappings are hidden.
	Value string
	// Default is the default in the same form; empty for a secret.
	Default string
	Doc     string
	// Secret is whether its value is kept out, and Set whether it has one.
	Secret, Set bool
	Source      Source
	// Where is the file and line, the variable or the flag; empty for a default.
	Where string
}

// List returns the settings of a configuration, without secrets, in the order of [Print]. from and defaults point to structs of one type.
func List(from, defaults any, p Places) ([]Setting, error) {
	was := settings("", reflect.ValueOf(defaults).Elem())
	var all []Setting
	for i, s := range settings("", reflect.ValueOf(from).Elem()) {
		out := Setting{Key: s.key, Doc: s.doc, Secret: s.secret != "", Set: !s.value.IsZero()}
		out.Where, out.Source = p.of(s.key)
		if !out.Secret {
			var err error
			if out.Value, err = text(s); err != nil {
				return nil, err
			}
			if out.Default, err = text(was[i]); err != nil {
				return nil, err
			}
		}
		all = append(all, out)
	}
	return all, nil
}

// text returns the value of a setting in YAML, without the secrets within it.
func text(s setting) (string, error) {
	tree, err := encode(s.value, s.secret)
	if err != nil {
		return "", err
	}
	withoutComments(tree)
	raw, err := yaml.Marshal(tree)
	if err != nil {
		return "", fmt.Errorf("the value of %s: %w", s.key, err)
	}
	return strings.TrimSpace(string(raw)), nil
}

// withoutComments removes the descriptions of the settings within a value.
func withoutComments(n *yaml.Node) {
	n.HeadComment = ""
	for _, inner := range n.Content {
		withoutComments(inner)
	}
}
