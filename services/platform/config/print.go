package config

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// hidden replaces a secret.
const hidden = "(hidden)"

// Print writes the configuration, a pointer to a struct, as YAML that [Load] reads, with a comment above each setting.
// Secrets are hidden.
func Print(w io.Writer, from any) error {
	tree, err := encode(reflect.ValueOf(from).Elem(), "")
	if err != nil {
		return err
	}
	var text bytes.Buffer
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	if err := enc.Encode(tree); err != nil {
		return fmt.Errorf("print configuration: %w", err)
	}
	_, err = w.Write(text.Bytes())
	return err
}

func encode(v reflect.Value, secret string) (*yaml.Node, error) {
	switch {
	case isSection(v.Type()):
		return encodeSection(v)
	case v.Kind() == reflect.Slice:
		return encodeList(v, secret)
	case v.Kind() == reflect.Map:
		return encodeMap(v, secret)
	default:
		return encodeValue(v, secret)
	}
}

func encodeSection(v reflect.Value) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for f := range fields(v) {
		value, err := encode(f.value, f.secret)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: f.name, HeadComment: f.doc}, value)
	}
	return n, nil
}

func encodeList(v reflect.Value, secret string) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range v.Len() {
		item, err := encode(v.Index(i), secret)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, item)
	}
	if v.Len() == 0 {
		n.Style = yaml.FlowStyle
	}
	return n, nil
}

// encodeMap keeps yaml's order of keys, and encodes each value by itself.
func encodeMap(v reflect.Value, secret string) (*yaml.Node, error) {
	n := &yaml.Node{}
	if err := n.Encode(v.Interface()); err != nil {
		return nil, err
	}
	if v.Len() == 0 {
		return &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value, err := encode(v.MapIndex(reflect.ValueOf(n.Content[i].Value).Convert(v.Type().Key())), secret)
		if err != nil {
			return nil, err
		}
		n.Content[i+1] = value
	}
	return n, nil
}

func encodeValue(v reflect.Value, secret string) (*yaml.Node, error) {
	shown := v.Interface()
	if text, ok := shown.(string); ok && text != "" {
		shown = conceal(text, secret)
	}
	n := &yaml.Node{}
	if err := n.Encode(shown); err != nil {
		return nil, err
	}
	return n, nil
}

func conceal(text, secret string) string {
	switch secret {
	case "":
		return text
	case "url":
		return concealURL(text)
	default:
		return hidden
	}
}

// concealURL hides the passwords and the query of a URL. Text that is not a URL is hidden as a whole, because it may be
// a secret in another form. A list of URLs, or of hosts in one URL, is shown without its user, because it is ambiguous
// where a password ends and a host begins.
func concealURL(text string) string {
	if !strings.Contains(text, "://") {
		if strings.ContainsAny(text, "=?@ ") || strings.HasPrefix(text, "//") {
			return hidden
		}
		return text // a path
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return hidden
	}
	if strings.Contains(text, ",") && strings.Contains(text, "@") {
		return u.Scheme + "://" + hidden
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), "hidden")
	} else if u.User != nil {
		// A user without a password may be a token.
		u.User = url.User("hidden")
	}
	if u.RawQuery != "" {
		u.RawQuery = "hidden"
	}
	if u.Fragment != "" {
		u.Fragment = "hidden"
	}
	return u.String()
}
