package clearsign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	// maxNesting bounds the nesting of a file, and maxNodes its values.
	maxNesting = 24
	maxNodes   = 20_000
)

// nodeKind is the kind of a JSON value.
type nodeKind int

const (
	objectNode nodeKind = iota + 1
	listNode
	textNode
	numberNode
	flagNode
	nullNode
)

var nodeNames = map[nodeKind]string{
	objectNode: "an object", listNode: "a list", textNode: "a text", numberNode: "a number", flagNode: "true or false", nullNode: "null",
}

// node is a JSON value that knows its place in its file.
type node struct {
	parent *node
	// key is the name of a member, the index of an item in brackets, or of the first node the name of the file.
	key     string
	kind    nodeKind
	members []*node // of an object, in their order
	items   []*node // of a list
	text    string  // of a text or a number
	flag    bool
}

// parseTree parses JSON. It fails for nesting and sizes over the bounds, and for members of equal names.
func parseTree(file string, raw []byte) (*node, error) {
	r := treeReader{decoder: json.NewDecoder(bytes.NewReader(raw)), raw: raw}
	r.decoder.UseNumber()
	root := &node{key: file}
	err := r.fill(root, 0)
	if err == nil {
		if _, end := r.decoder.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("there is more after the JSON value")
		}
	}
	if err != nil {
		line := 1 + bytes.Count(raw[:min(int(r.decoder.InputOffset()), len(raw))], []byte("\n"))
		return nil, fmt.Errorf("%s: line %d: %w", file, line, err)
	}
	return root, nil
}

type treeReader struct {
	decoder *json.Decoder
	raw     []byte
	nodes   int
}

func (r *treeReader) fill(n *node, depth int) error {
	if r.nodes++; r.nodes > maxNodes {
		return fmt.Errorf("it has over %d values", maxNodes)
	}
	if depth > maxNesting {
		return fmt.Errorf("its values are nested deeper than %d", maxNesting)
	}
	token, err := r.decoder.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return r.object(n, depth)
		}
		return r.list(n, depth)
	case string:
		n.kind, n.text = textNode, t
	case json.Number:
		n.kind, n.text = numberNode, t.String()
	case bool:
		n.kind, n.flag = flagNode, t
	default:
		n.kind = nullNode
	}
	return nil
}

func (r *treeReader) object(n *node, depth int) error {
	n.kind = objectNode
	seen := map[string]bool{}
	for r.decoder.More() {
		token, err := r.decoder.Token()
		if err != nil {
			return err
		}
		child := &node{parent: n, key: token.(string)}
		if seen[child.key] {
			return fmt.Errorf("the member %q is there twice", child.key)
		}
		seen[child.key] = true
		n.members = append(n.members, child)
		if err := r.fill(child, depth+1); err != nil {
			return err
		}
	}
	_, err := r.decoder.Token()
	return err
}

func (r *treeReader) list(n *node, depth int) error {
	n.kind = listNode
	for r.decoder.More() {
		child := &node{parent: n, key: fmt.Sprintf("[%d]", len(n.items))}
		n.items = append(n.items, child)
		if err := r.fill(child, depth+1); err != nil {
			return err
		}
	}
	_, err := r.decoder.Token()
	return err
}

// place returns where a value is, such as `router.json: display.formats["swap(uint256 amount)"].fields[2]`.
func (n *node) place() string {
	if n.parent == nil {
		return n.key
	}
	above, separator := n.parent.place(), "."
	if n.parent.parent == nil {
		separator = ": "
	}
	switch {
	case n.parent.kind == listNode:
		return above + n.key
	case strings.Trim(n.key, "$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "":
		return fmt.Sprintf("%s[%.120q]", above, n.key)
	default:
		return above + separator + n.key
	}
}

// fault returns an error at the place of a value.
func (n *node) fault(format string, args ...any) error {
	return fmt.Errorf("%s: %w", n.place(), fmt.Errorf(format, args...))
}

// member returns a member of an object; nil if it is absent or null.
func (n *node) member(key string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		if m.key == key && m.kind != nullNode {
			return m
		}
	}
	return nil
}

// expect fails for a value of another kind. A nil node is of every kind: it is absent.
func (n *node) expect(kind nodeKind) error {
	if n != nil && n.kind != kind {
		return n.fault("it is %s, not %s", nodeNames[n.kind], nodeNames[kind])
	}
	return nil
}

// unsupported are the members of the standard that this package does not support, by the reason.
var unsupported = map[string]string{
	"factory":               "contracts of a factory are not supported: list their deployments",
	"addressMatcher":        "no list of addresses is fetched: list the deployments",
	"domainSeparator":       "a hash of a domain is not supported: name the members of the domain, or the deployments",
	"maps":                  "maps are not supported: write one descriptor for each deployment",
	"screens":               "screens of single wallets are not supported",
	"separator":             "separators are not supported",
	"encryption":            "encrypted values are not supported",
	"chainId":               "values of another chain are not supported",
	"chainIdPath":           "values of another chain are not supported",
	"selector":              "a selector beside the data is not supported",
	"selectorPath":          "a selector beside the data is not supported",
	"token":                 "the symbol and the decimals of a token are read from its contract",
	"prefix":                "prefixes of units are not supported",
	"labelKey":              "keys of translations are not supported",
	"intentKey":             "keys of translations are not supported",
	"$i18n":                 "translations are not supported",
	"map":                   "maps are not supported: write one descriptor for each deployment",
	"interpolatedIntentKey": "keys of translations are not supported",
}

// object fails for a value that is no object, and for members that are none of known. Names that begin with $ are notes of the author; null is an absent member.
func (n *node) object(known ...string) error {
	if err := n.expect(objectNode); n == nil || err != nil {
		return err
	}
	for _, m := range n.members {
		switch reason := unsupported[m.key]; {
		case m.kind == nullNode || slices.Contains(known, m.key):
		case reason != "":
			return m.fault("%s", reason)
		case !strings.HasPrefix(m.key, "$") || m.key == "$ref":
			return m.fault("there is no such member here")
		}
	}
	return nil
}

// list fails for a value that is no list, and for one of more than limit items.
func (n *node) list(limit int) error {
	if err := n.expect(listNode); n == nil || err != nil {
		return err
	}
	if len(n.items) > limit {
		return n.fault("it has over %d items", limit)
	}
	return nil
}

// textOf returns the text of a member; empty if it is absent.
func (n *node) textOf(key string) (string, error) {
	m := n.member(key)
	if m == nil {
		return "", nil
	}
	return m.text, m.expect(textNode)
}
