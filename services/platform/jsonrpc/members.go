package jsonrpc

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// depthLimit is how deep arrays and objects of a request may be nested.
const depthLimit = 64

// Members returns the members of an object by their exact names, values without surrounding white space. It returns
// false if raw is not an object, if a member name occurs twice at any depth, ignoring case, or if it is nested more
// than 64 deep. raw must be valid JSON.
func Members(raw []byte) (map[string]json.RawMessage, bool) {
	s := scanner{b: raw}
	s.space()
	if s.at >= len(raw) || raw[s.at] != '{' {
		return nil, false
	}
	found := make(map[string]json.RawMessage, 4)
	s.object(func(name string, value []byte) { found[name] = value })
	return found, !s.broken
}

// elements returns the elements of an array, at most limit, without parsing them.
func elements(raw []byte, limit int) []json.RawMessage {
	s := scanner{b: raw, shallow: true}
	var found []json.RawMessage
	s.array(func(value []byte) bool {
		found = append(found, value)
		return len(found) < limit
	})
	return found
}

// scanner walks once over valid JSON.
type scanner struct {
	b     []byte
	at    int
	depth int
	// shallow leaves objects unread, so that depth and repetition do not matter.
	shallow bool
	// broken says that a member occurred twice or that the nesting was too deep.
	broken bool
}

func (s *scanner) space() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// value reads one value and returns its text.
func (s *scanner) value() []byte {
	s.space()
	start := s.at
	if s.shallow {
		s.skip()
		return s.b[start:s.at:s.at]
	}
	switch s.b[s.at] {
	case '{':
		s.object(nil)
	case '[':
		s.array(nil)
	default:
		s.scalar()
	}
	return s.b[start:s.at:s.at]
}

// skip skips one value by counting its brackets.
func (s *scanner) skip() {
	open := 0
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case '{', '[':
			open++
			s.at++
		case '}', ']':
			open--
			s.at++
		case ' ', '\t', '\r', '\n', ',', ':':
			s.at++
		default:
			s.scalar()
		}
		if open == 0 {
			return
		}
	}
}

// scalar skips a string, a number, true, false or null.
func (s *scanner) scalar() {
	if s.b[s.at] == '"' {
		for s.at++; s.b[s.at] != '"'; s.at++ {
			if s.b[s.at] == '\\' {
				s.at++
			}
		}
		s.at++
		return
	}
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\r', '\n', ',', ':', '}', ']':
			return
		}
		s.at++
	}
}

// enter records that an array or object begins, and reports whether the depth is within the limit. If it is not, the
// value is skipped.
func (s *scanner) enter() bool {
	if s.depth == depthLimit {
		s.broken = true
		s.skip()
		return false
	}
	s.depth++
	s.at++
	return true
}

func (s *scanner) object(member func(name string, value []byte)) {
	if !s.enter() {
		return
	}
	seen := map[string]struct{}{}
	for {
		s.space()
		switch s.b[s.at] {
		case '}':
			s.at++
			s.depth--
			return
		case ',':
			s.at++
			s.space()
		}
		start := s.at
		s.scalar()
		name := unquote(s.b[start:s.at])
		folded := fold(name)
		if _, again := seen[folded]; again {
			s.broken = true
		}
		seen[folded] = struct{}{}
		s.space()
		s.at++ // the colon
		value := s.value()
		if member != nil {
			member(name, value)
		}
	}
}

func (s *scanner) array(element func(value []byte) bool) {
	if !s.enter() {
		return
	}
	for {
		s.space()
		switch s.b[s.at] {
		case ']':
			s.at++
			s.depth--
			return
		case ',':
			s.at++
		}
		value := s.value()
		if element != nil && !element(value) {
			return
		}
	}
}

func unquote(raw []byte) string {
	for _, c := range raw {
		if c == '\\' {
			var name string
			_ = json.Unmarshal(raw, &name)
			return name
		}
	}
	return string(raw[1 : len(raw)-1])
}

// fold maps names that are equal to a case-insensitive reader to the same text (Unicode simple folding).
func fold(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return strings.Map(foldRune, name)
		}
	}
	return strings.ToUpper(name)
}

// foldRune returns the smallest of the runes that differ from r only in case.
func foldRune(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}
