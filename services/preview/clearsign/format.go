package clearsign

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

const (
	// maxFields bounds the fields of one list, and maxListed the items of other lists.
	maxFields = 64
	maxListed = 100
	// maxGroups bounds the nesting of groups.
	maxGroups = 4
	// labelLimit, intentLimit and textLimit bound texts that are shown, in characters.
	labelLimit  = 64
	intentLimit = 120
	textLimit   = 256
	// maxDecimals bounds the decimal places of a quantity.
	maxDecimals = 77
)

// format describes one function or message.
type format struct {
	intent string
	// heads are the rows of an intent that has several parts.
	heads    []Row
	sentence []segment
	fields   group
}

// segment is a part of a sentence: text, or a field.
type segment struct {
	text  string
	field *field
}

// group is a list of fields and of groups.
type group struct {
	entries []entry
	// isBundled shows the first items of all lists, then the second ones, and so on.
	isBundled bool
}

// entry is one field or one group.
type entry struct {
	field *field
	group *group
}

// field shows the values at a place of the data.
type field struct {
	label string
	kind  Kind
	from  source
	key   string
	rule  rule

	// isNative is set for an amount of the native token.
	isNative                bool
	token, collection       *source
	natives, senders        []evm.Address
	threshold               *big.Int
	message, unit           string
	decimals                int
	names                   map[string]string
	callee, amount, spender *source
}

// source is where values are from: a place of the data, or a constant.
type source struct {
	at       location
	constant *value
}

func (s *source) read(d data) ([]value, bool) {
	if s.constant != nil {
		return []value{*s.constant}, true
	}
	return d.read(s.at)
}

// rule says when a field is shown.
type rule struct {
	// isHidden is set for a field that is not shown.
	isHidden bool
	// unless are values that are not shown, and only those that the value has to be among, or nil.
	unless, only []*node
}

// formatReader reads the formats of one descriptor.
type formatReader struct {
	root *node
	data *dataType
	// excluded are the paths that version 1 does not show.
	excluded []string
	fields   []*field
}

// read reads the format of a function or a message whose arguments have the type data.
func (r *formatReader) read(n *node) (*format, error) {
	if err := n.object("intent", "interpolatedIntent", "fields", "required", "excluded"); err != nil {
		return nil, err
	}
	f := &format{}
	if err := r.intent(f, n.member("intent")); err != nil {
		return nil, err
	}
	for _, key := range []string{"required", "excluded"} {
		keys, err := r.paths(n.member(key))
		if err != nil {
			return nil, err
		}
		// Every field that is not excluded is shown, so that required has nothing to add.
		if key == "excluded" {
			r.excluded = keys
		}
	}
	fields, err := r.group(n, jsonPath{}, 0)
	if err != nil {
		return nil, err
	}
	f.fields = *fields
	if s := n.member("interpolatedIntent"); s != nil {
		if f.sentence, err = r.sentence(s); err != nil {
			return nil, err
		}
	}
	if f.intent == "" && len(f.heads) == 0 {
		return nil, n.fault("it has no intent")
	}
	return f, nil
}

// intent reads what the request does: a text, or labels with texts.
func (r *formatReader) intent(f *format, n *node) error {
	if n == nil || n.kind == textNode {
		if n != nil {
			f.intent = plaintext.Text(n.text, intentLimit)
		}
		return nil
	}
	if err := n.expect(objectNode); err != nil {
		return err
	}
	if len(n.members) > maxFields {
		return n.fault("it has over %d parts", maxFields)
	}
	for _, m := range n.members {
		if err := m.expect(textNode); err != nil {
			return err
		}
		f.heads = append(f.heads, Row{Label: plaintext.Text(m.key, labelLimit), Kind: Text, Text: plaintext.Text(m.text, intentLimit)})
	}
	return nil
}

// paths reads a list of paths of the data, and returns their keys.
func (r *formatReader) paths(n *node) (keys []string, err error) {
	if err := n.list(maxListed); n == nil || err != nil {
		return nil, err
	}
	for _, item := range n.items {
		p, err := r.path(item, jsonPath{})
		if err != nil {
			return nil, err
		}
		if _, err := p.locate(r.data); err != nil {
			return nil, item.fault("%w", err)
		}
		keys = append(keys, p.key())
	}
	return keys, nil
}

// path reads a path; a relative one is under another one.
func (r *formatReader) path(n *node, above jsonPath) (jsonPath, error) {
	if err := n.expect(textNode); err != nil {
		return jsonPath{}, err
	}
	p, err := parsePath(n.text)
	if err != nil {
		return jsonPath{}, n.fault("%w", err)
	}
	return p.under(above), nil
}

// group reads a list of fields.
func (r *formatReader) group(n *node, above jsonPath, depth int) (*group, error) {
	list := n.member("fields")
	if err := list.list(maxFields); err != nil {
		return nil, err
	}
	if list == nil {
		return &group{}, nil
	}
	if depth > maxGroups {
		return nil, list.fault("groups are nested deeper than %d", maxGroups)
	}
	g := &group{}
	mode, err := n.textOf("iteration")
	if err != nil {
		return nil, err
	}
	switch mode {
	case "bundled":
		g.isBundled = true
	case "":
		g.isBundled = slices.ContainsFunc(above.steps, func(s step) bool { return s.isRange })
	case "sequential":
	default:
		return nil, n.member("iteration").fault("it is neither sequential nor bundled")
	}
	for _, item := range list.items {
		e, err := r.entry(item, above, depth, g.isBundled)
		if err != nil {
			return nil, err
		}
		if e != (entry{}) {
			g.entries = append(g.entries, e)
		}
	}
	return g, nil
}

// entry reads a field or a group; nothing for a field that is never shown.
func (r *formatReader) entry(n *node, above jsonPath, depth int, inBundle bool) (entry, error) {
	if n.member("fields") == nil {
		f, err := r.field(n, above)
		if err != nil || f == nil {
			return entry{}, err
		}
		r.fields = append(r.fields, f)
		return entry{field: f}, nil
	}
	if err := n.object("path", "fields", "iteration"); err != nil {
		return entry{}, err
	}
	if inBundle {
		return entry{}, n.fault("groups in bundled groups are not supported")
	}
	if at := n.member("path"); at != nil {
		p, err := r.path(at, above)
		if err != nil {
			return entry{}, err
		}
		if _, err := p.locate(r.data); err != nil {
			return entry{}, at.fault("%w", err)
		}
		above = p
	}
	g, err := r.group(n, above, depth+1)
	return entry{group: g}, err
}

// parts are a field's own members, and those of the definition that it refers to.
type parts struct{ own, definition *node }

func (p parts) member(key string) *node {
	if m := p.own.member(key); m != nil {
		return m
	}
	return p.definition.member(key)
}

func (p parts) param(key string) *node {
	if m := p.own.member("params").member(key); m != nil {
		return m
	}
	return p.definition.member("params").member(key)
}

// field reads a field; nil for one that is never shown.
func (r *formatReader) field(n *node, above jsonPath) (*field, error) {
	if err := n.object("path", "value", "label", "format", "params", "visible", "$ref"); err != nil {
		return nil, err
	}
	p := parts{own: n}
	if ref := n.member("$ref"); ref != nil {
		var err error
		if p.definition, err = r.lookUp(ref, "display", "definitions"); err != nil {
			return nil, err
		}
		if err := p.definition.object("label", "format", "params", "visible"); err != nil {
			return nil, err
		}
	}
	f := &field{}
	at, constant := n.member("path"), n.member("value")
	if (at == nil) == (constant == nil) {
		return nil, n.fault("it has not exactly one of path and value")
	}
	if at != nil {
		located, err := r.path(at, above)
		if err != nil {
			return nil, err
		}
		if f.from.at, err = located.locate(r.data); err != nil {
			return nil, at.fault("%w", err)
		}
		f.key = located.key()
		for _, s := range located.steps {
			if s.name != "" {
				f.label = s.name
			}
		}
		f.rule.isHidden = slices.Contains(r.excluded, f.key)
	}
	if err := f.visible(p.member("visible")); err != nil {
		return nil, err
	}
	if f.rule.isHidden && f.rule.only == nil {
		return nil, nil
	}
	if label := p.member("label"); label != nil {
		if err := label.expect(textNode); err != nil {
			return nil, err
		}
		f.label = label.text
	}
	if f.label = plaintext.Text(f.label, labelLimit); f.label == "" {
		return nil, n.fault("it has no label")
	}
	return f, r.formatter(f, p, above, constant)
}

// lookUp returns what a path such as $.metadata.enums.NAME refers to in the descriptor, below some members.
func (r *formatReader) lookUp(n *node, below ...string) (*node, error) {
	if err := n.expect(textNode); err != nil {
		return nil, err
	}
	p, err := parsePath(n.text)
	if err != nil {
		return nil, n.fault("%w", err)
	}
	found := r.root
	for i, s := range p.steps {
		if s.name == "" || i < len(below) && s.name != below[i] {
			found = nil
		}
		found = found.member(s.name)
	}
	if p.root != fileRoot || len(p.steps) != len(below)+1 || found == nil {
		return nil, n.fault("there is no %.80q: want $.%s and a name", n.text, strings.Join(below, "."))
	}
	return found, nil
}

// visible reads when a field is shown. A field that wallets may leave out is shown.
func (f *field) visible(n *node) error {
	if n == nil {
		return nil
	}
	if n.kind == textNode {
		f.rule.isHidden = f.rule.isHidden || n.text == "never"
		if !slices.Contains([]string{"never", "always", "optional"}, n.text) {
			return n.fault("it is none of never, always and optional")
		}
		return nil
	}
	if err := n.object("ifNotIn", "mustMatch", "mustBe"); err != nil {
		return err
	}
	if len(n.members) != 1 {
		return n.fault("it has not exactly one rule")
	}
	list := n.members[0]
	if err := list.list(maxListed); err != nil {
		return err
	}
	if len(list.items) == 0 {
		return list.fault("it is empty")
	}
	if list.key == "ifNotIn" {
		f.rule.unless = list.items
		return nil
	}
	f.rule.isHidden, f.rule.only = true, list.items
	return nil
}

// isEqual reports whether a value is the one of a JSON value.
func (v value) isEqual(n *node) bool {
	switch {
	case v.of.kind == boolType:
		return n.kind == flagNode && n.flag == (v.number.Sign() > 0) || n.kind == textNode && n.text == v.flagText()
	case v.number != nil:
		number, ok := parseNumber(n.text)
		return ok && number.Cmp(v.number) == 0
	case v.of.kind == stringType:
		return n.kind == textNode && n.text == v.text
	default:
		return strings.EqualFold(n.text, fmt.Sprintf("0x%x", v.bytes))
	}
}

func (v value) flagText() string {
	if v.number.Sign() > 0 {
		return "true"
	}
	return "false"
}

// sentence reads an intent with values: {path} stands for the value of a field, and doubled braces for braces.
func (r *formatReader) sentence(n *node) (all []segment, err error) {
	if err := n.expect(textNode); err != nil {
		return nil, err
	}
	var text strings.Builder
	flush := func() {
		// Spaces at the ends of a text divide it from the values beside it.
		if text.Len() > 0 {
			all = append(all, segment{text: cleanSegment(text.String())})
			text.Reset()
		}
	}
	for rest := n.text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			text.WriteByte(rest[0])
			rest = rest[2:]
		case rest[0] == '}':
			return nil, n.fault("a brace is not opened")
		case rest[0] == '{':
			inside, after, ok := strings.Cut(rest[1:], "}")
			if !ok {
				return nil, n.fault("a brace is not closed")
			}
			f, err := r.named(n, inside)
			if err != nil {
				return nil, err
			}
			flush()
			all, rest = append(all, segment{field: f}), after
		default:
			text.WriteByte(rest[0])
			rest = rest[1:]
		}
		if len(all) > maxFields {
			return nil, n.fault("it has over %d parts", maxFields)
		}
	}
	flush()
	return all, nil
}

// cleanSegment returns plain text that keeps a space at each end.
func cleanSegment(text string) string {
	clean := plaintext.Text(text, textLimit)
	if strings.TrimLeft(text, " ") != text {
		clean = " " + clean
	}
	if strings.TrimRight(text, " ") != text && clean != " " {
		clean += " "
	}
	return clean
}

// named returns the field that a sentence names. It has to be shown whatever its value is.
func (r *formatReader) named(n *node, text string) (*field, error) {
	p, err := parsePath(text)
	if err != nil {
		return nil, n.fault("%w", err)
	}
	i := slices.IndexFunc(r.fields, func(f *field) bool { return f.key == p.key() })
	if i < 0 || r.fields[i].rule.isHidden || r.fields[i].rule.unless != nil {
		return nil, n.fault("{%.80s} is no field that is always shown", text)
	}
	return r.fields[i], nil
}
