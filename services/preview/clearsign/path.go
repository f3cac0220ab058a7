package clearsign

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxSteps bounds the selectors of a path.
const maxSteps = 24

// The roots of a path. Without a root it is relative.
const (
	dataRoot      = '#'
	fileRoot      = '$'
	containerRoot = '@'
)

// jsonPath refers to values: of the data of a request, of what surrounds the data, or of the descriptor itself.
type jsonPath struct {
	root  rune // 0 for a relative path
	steps []step
}

// step selects a member, one item, or a range of items or bytes.
type step struct {
	name    string
	isRange bool
	// from and to are the ends of a range, or from is the index of an item. Negative ones count from the end; nil is an open end.
	from, to *int
	// member is the index of a named member, once the path is located.
	member int
}

// parsePath parses a path such as `#.orders.[0].token` or `params.path.[-20:]`.
func parsePath(text string) (jsonPath, error) {
	p, rest := jsonPath{}, text
	if text == "" {
		return p, errors.New("the path is empty")
	}
	if strings.ContainsRune("#$@", rune(text[0])) {
		p.root = rune(text[0])
		var ok bool
		if rest, ok = strings.CutPrefix(text[1:], "."); !ok {
			return p, fmt.Errorf("the path %.80q has no dot after its root", text)
		}
	}
	// An item may follow its list without a dot.
	for _, part := range strings.Split(strings.ReplaceAll(rest, "[", ".["), ".") {
		if part == "" {
			continue
		}
		s, err := parseStep(part)
		if err != nil {
			return p, fmt.Errorf("the path %.80q: %w", text, err)
		}
		if p.steps = append(p.steps, s); len(p.steps) > maxSteps {
			return p, fmt.Errorf("the path %.80q is too long", text)
		}
	}
	if len(p.steps) == 0 {
		return p, fmt.Errorf("the path %.80q selects nothing", text)
	}
	return p, nil
}

func parseStep(text string) (step, error) {
	inside, isIndex := strings.CutPrefix(text, "[")
	if !isIndex {
		if !nameForm.MatchString(text) {
			return step{}, fmt.Errorf("%.40q is no name", text)
		}
		return step{name: text}, nil
	}
	inside, ok := strings.CutSuffix(inside, "]")
	if !ok {
		return step{}, fmt.Errorf("%.40q has no end", text)
	}
	from, to, isRange := strings.Cut(inside, ":")
	s := step{isRange: isRange || inside == ""}
	for _, end := range []struct {
		text string
		to   **int
	}{{from, &s.from}, {to, &s.to}} {
		if end.text == "" {
			continue
		}
		n, err := strconv.ParseInt(end.text, 10, 32)
		if err != nil {
			return step{}, fmt.Errorf("%.40q is no index", end.text)
		}
		*end.to = new(int(n))
	}
	return s, nil
}

// under returns a relative path within another one; a path with a root is not changed.
func (p jsonPath) under(above jsonPath) jsonPath {
	if p.root != 0 {
		return p
	}
	return jsonPath{above.root, slices.Concat(above.steps, p.steps)}
}

// key identifies what a path of the data or its surroundings refers to.
func (p jsonPath) key() string {
	var b strings.Builder
	b.WriteRune(max(p.root, dataRoot))
	for _, s := range p.steps {
		switch {
		case s.name != "":
			b.WriteString("." + s.name)
		case s.isRange:
			b.WriteString(".[" + end(s.from) + ":" + end(s.to) + "]")
		default:
			b.WriteString(".[" + end(s.from) + "]")
		}
	}
	return b.String()
}

func end(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// bounds returns the first index of a range and the one after its last, of as many values; false if the range is not within them.
func (s step) bounds(length int) (from, to int, ok bool) {
	from, to = 0, length
	if s.from != nil {
		from = *s.from
	}
	if s.to != nil {
		to = *s.to
	}
	if from < 0 {
		from += length
	}
	if to < 0 {
		to += length
	}
	return from, to, 0 <= from && from <= to && to <= length
}

// location is a path that is checked against the types of a function or a message.
type location struct {
	// container is the name of a value that surrounds the data; empty for one of the data.
	container string
	steps     []step
	// of is the type of the values, and cut the range of their bytes that is meant, or nil.
	of     *dataType
	cut    *step
	isMany bool
}

// containers are the types of the values that surround the data of a request.
var containers = map[string]*dataType{
	"from": {kind: addressType, words: 1}, "to": {kind: addressType, words: 1},
	"value": {kind: uintType, size: 256, words: 1}, "chainId": {kind: uintType, size: 256, words: 1},
}

// locate checks a path against the type of the data.
func (p jsonPath) locate(data *dataType) (location, error) {
	switch p.root {
	case fileRoot:
		return location{}, fmt.Errorf("the path %s is not one of the data", p.key())
	case containerRoot:
		of, ok := containers[p.steps[0].name]
		if !ok || len(p.steps) > 1 {
			return location{}, fmt.Errorf("the path %s is none of @.from, @.to, @.value and @.chainId", p.key())
		}
		return location{container: p.steps[0].name, of: of}, nil
	}
	l := location{of: data}
	for _, s := range p.steps {
		if l.cut != nil {
			return location{}, fmt.Errorf("the path %s goes on after bytes", p.key())
		}
		if err := l.step(s); err != nil {
			return location{}, fmt.Errorf("the path %s: %w", p.key(), err)
		}
	}
	return l, nil
}

func (l *location) step(s step) error {
	switch {
	case s.name != "":
		s.member = slices.IndexFunc(l.of.members, func(m typeMember) bool { return m.name == s.name })
		if s.member < 0 {
			return fmt.Errorf("there is no %s", s.name)
		}
		l.of = l.of.members[s.member].of
	case l.of.kind == listType:
		l.of = l.of.item
		l.isMany = l.isMany || s.isRange
	case !s.isRange:
		return errors.New("an index is not one of a list")
	case l.of.kind == structType || l.of.kind == boolType || s.from == nil && s.to == nil:
		return errors.New("a range is neither one of a list nor of bytes")
	default:
		l.cut = &s
		return nil
	}
	l.steps = append(l.steps, s)
	return nil
}
