package picture

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	// maxDepth bounds the nesting of elements.
	maxDepth = 128
	// maxSVG bounds an SVG, in bytes. The sanitized SVG is at most five times as long.
	maxSVG = 1 << 20
)

// sanitize rewrites an SVG with allowed elements and attributes only. The error wraps [ErrNone].
func sanitize(b []byte) ([]byte, error) {
	if len(b) > maxSVG {
		return nil, fmt.Errorf("%w: it is too large", ErrNone)
	}
	s := &sanitizer{in: xml.NewDecoder(bytes.NewReader(b)), nodes: []string{""}, work: newWork()}
	s.in.Entity = xml.HTMLEntity
	for {
		token, err := s.in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNone, err)
		}
		if err := s.take(token); err != nil {
			return nil, err
		}
	}
	if s.out.Len() == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrNone)
	}
	if !s.work.bounded() {
		return nil, fmt.Errorf("%w: it takes too long to draw", ErrNone)
	}
	return s.out.Bytes(), nil
}

type sanitizer struct {
	in  *xml.Decoder
	out bytes.Buffer
	// open are the names of the open elements.
	open []string
	// nodes are the ids of the root node and of each open element; an element without an id has that of its parent.
	nodes []string
	work  work
	// css collects the text of the open style element, which is checked as a whole.
	css strings.Builder
}

// take copies or removes one token. Comments, instructions and document types are removed.
func (s *sanitizer) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return s.start(t)
	case xml.EndElement:
		s.end()
	case xml.CharData:
		s.text(t)
	}
	return nil
}

func (s *sanitizer) start(e xml.StartElement) error {
	root := len(s.open) == 0
	if root && (s.out.Len() > 0 || e.Name.Local != "svg") {
		return fmt.Errorf("%w: its root is not svg", ErrNone)
	}
	if len(s.open) == maxDepth {
		return fmt.Errorf("%w: it is too deep", ErrNone)
	}
	if !keeps(e) || s.within("style") {
		if root {
			return fmt.Errorf("%w: its root is not svg", ErrNone)
		}
		if err := s.in.Skip(); err != nil {
			return fmt.Errorf("%w: %w", ErrNone, err)
		}
		return nil
	}
	s.enter(e)
	s.out.WriteString("<" + e.Name.Local)
	if root {
		s.out.WriteString(` xmlns="` + svgSpace + `"`)
	}
	s.attributes(e)
	s.out.WriteByte('>')
	return nil
}

func (s *sanitizer) end() {
	last := len(s.open) - 1
	if s.within("style") {
		s.escape(harmlessStyle(s.css.String()))
		s.css.Reset()
	}
	s.out.WriteString("</" + s.open[last] + ">")
	s.open = s.open[:last]
	s.nodes = s.nodes[:last+1]
}

// enter opens an element.
func (s *sanitizer) enter(e xml.StartElement) {
	around, id := s.nodes[len(s.nodes)-1], idOf(e)
	s.work.add(around, id)
	s.open = append(s.open, e.Name.Local)
	s.nodes = append(s.nodes, cmp.Or(id, around))
}

func idOf(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Space == "" && a.Name.Local == "id" {
			return a.Value
		}
	}
	return ""
}

func (s *sanitizer) text(t xml.CharData) {
	switch {
	case len(s.open) == 0:
	case s.within("style"):
		s.css.Write(t)
	default:
		s.escape(string(t))
	}
}

// within reports whether the innermost open element has the name.
func (s *sanitizer) within(element string) bool {
	return len(s.open) > 0 && s.open[len(s.open)-1] == element
}

func (s *sanitizer) escape(text string) {
	// Writes to a bytes.Buffer do not fail.
	_ = xml.EscapeText(&s.out, []byte(text))
}

// keeps reports whether an element is allowed. Otherwise it is removed with its children.
func keeps(e xml.StartElement) bool {
	if e.Name.Space != "" && e.Name.Space != svgSpace || !elements[e.Name.Local] {
		return false
	}
	return !animates(e) || animatesHarmlessly(e)
}

// attributes copies the harmless attributes, each name once: href occurs in two namespaces.
func (s *sanitizer) attributes(e xml.StartElement) {
	written := map[string]bool{}
	for _, a := range e.Attr {
		name, ok := attributeName(a.Name)
		if !ok || written[name] || !harmless(e.Name.Local, name, a.Value) {
			continue
		}
		written[name] = true
		s.work.refer(s.nodes[len(s.nodes)-1], name, a.Value)
		s.out.WriteString(" " + name + `="`)
		s.escape(a.Value)
		s.out.WriteByte('"')
	}
}
