package projects

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/services/platform/origin"
)

// Bounds of the fields of a project.
const (
	maxNameLetters       = 80
	maxOrigins           = 100
	maxRequestsPerSecond = 1_000_000
	maxBurst             = 10_000_000
)

var (
	// ErrUnknown means that no project has the id.
	ErrUnknown = errors.New("there is no such project")
	// ErrExists means that a project already has the id.
	ErrExists = errors.New("a project with this id exists")
	// ErrChanged means that a project was changed since it was read.
	ErrChanged = errors.New("the project was changed in the meantime")
	// ErrEnabled means that a project is enabled, and cannot be deleted.
	ErrEnabled = errors.New("the project is enabled: disable it first")
)

// Invalid is the error of an invalid field of a project.
type Invalid struct {
	// Field is the name of the field on the command line and in the configuration.
	Field string
	// Text describes the error.
	Text string
}

// Error returns field and text on one line.
func (e *Invalid) Error() string { return e.Field + ": " + e.Text }

// ID identifies a project: 32 lower-case hex digits.
type ID string

// ParseID parses an id. It refuses upper-case digits. The error is [*Invalid].
func ParseID(text string) (ID, error) {
	if raw, err := hex.DecodeString(text); err != nil || len(raw) != 16 || strings.ToLower(text) != text {
		return "", &Invalid{Field: "id", Text: "it is not 32 lower-case hex digits"}
	}
	return ID(text), nil
}

// NewID returns a random id.
func NewID(random io.Reader) (ID, error) {
	var raw [16]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("draw a project id: %w", err)
	}
	return ID(hex.EncodeToString(raw[:])), nil
}

// Limit is the rate limit of one caller.
type Limit struct {
	// RequestsPerSecond is the average rate; 0 means the default of the gateway.
	RequestsPerSecond float64
	// Burst is the number of calls allowed at once; at least 1 with a limit, 0 without.
	Burst uint32
}

// NewLimit returns a limit of an average number of requests per second. A burst of 0 becomes the number of one second.
func NewLimit(perSecond float64, burst uint32) (Limit, error) {
	switch {
	case math.IsNaN(perSecond), perSecond < 0, perSecond > maxRequestsPerSecond:
		return Limit{}, &Invalid{Field: "rate", Text: fmt.Sprintf("it is not between 0 and %d requests per second", maxRequestsPerSecond)}
	case burst > maxBurst:
		return Limit{}, &Invalid{Field: "burst", Text: fmt.Sprintf("it is over %d", maxBurst)}
	case perSecond == 0:
		return Limit{}, nil
	case burst == 0:
		burst = uint32(math.Ceil(perSecond))
	}
	return Limit{RequestsPerSecond: perSecond, Burst: burst}, nil
}

// Project is one site, or one group of sites, that uses this installation.
type Project struct {
	ID   ID
	Name string
	// AllowedOrigins are the origins that may call; empty for any.
	AllowedOrigins []origin.Pattern
	Limit          Limit
	Enabled        bool
	// CreatedAt and ChangedAt have a precision of one millisecond.
	CreatedAt, ChangedAt time.Time
}

// Rename sets the name, of 1 to 80 letters. The error is [*Invalid].
func (p *Project) Rename(name string) error {
	name = strings.TrimSpace(name)
	switch letters := utf8.RuneCountInString(name); {
	case !utf8.ValidString(name), strings.ContainsFunc(name, unicode.IsControl):
		return &Invalid{Field: "name", Text: "it has control characters, or is not UTF-8"}
	case letters == 0:
		return &Invalid{Field: "name", Text: "it is empty"}
	case letters > maxNameLetters:
		return &Invalid{Field: "name", Text: fmt.Sprintf("it is over %d letters", maxNameLetters)}
	}
	p.Name = name
	return nil
}

// Allow sets the origins that may call; an empty list allows any. The error is [*Invalid].
func (p *Project) Allow(origins []string) error {
	if len(origins) > maxOrigins {
		return &Invalid{Field: "origin", Text: fmt.Sprintf("there are over %d", maxOrigins)}
	}
	patterns := make([]origin.Pattern, 0, len(origins))
	for _, text := range origins {
		pattern, err := origin.ParsePattern(text)
		if err != nil {
			return &Invalid{Field: "origin", Text: fmt.Sprintf("%q: %s", text, err)}
		}
		if pattern.IsOneLabel() {
			return &Invalid{Field: "origin", Text: fmt.Sprintf("%q: it is not an origin, such as https://example.org%s", text, ofOneLabel(text))}
		}
		patterns = append(patterns, pattern)
	}
	p.AllowedOrigins = patterns
	return nil
}

// ofOneLabel says what a pattern of one label stands for.
func ofOneLabel(text string) string {
	if text == "*" {
		return ": `*` is one part of a host, and no list at all allows every page"
	}
	return ": write https://" + text + " if pages are at a host of that name"
}

// Restrict sets the rate limit of one caller. The error is [*Invalid].
func (p *Project) Restrict(perSecond float64, burst uint32) error {
	limit, err := NewLimit(perSecond, burst)
	if err != nil {
		return err
	}
	p.Limit = limit
	return nil
}
