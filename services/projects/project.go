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

// Bounds of what a project may hold.
const (
	maxNameLetters       = 80
	maxOrigins           = 100
	maxRequestsPerSecond = 1_000_000
	maxBurst             = 10_000_000
)

var (
	// ErrUnknown says that no project has the id.
	ErrUnknown = errors.New("there is no such project")
	// ErrExists says that a project has the id already.
	ErrExists = errors.New("a project with this id exists")
)

// Invalid says which value of a project cannot be.
type Invalid struct {
	// Field is the value's name, as the command line and the configuration spell it.
	Field string
	// Text says what is wrong with it.
	Text string
}

// Error is field and text on one line.
func (e *Invalid) Error() string { return e.Field + ": " + e.Text }

// ID names a project: 32 lower-case hex digits.
type ID string

// ParseID reads an id; upper-case digits are not part of its form. The error is [*Invalid].
func ParseID(text string) (ID, error) {
	if raw, err := hex.DecodeString(text); err != nil || len(raw) != 16 || strings.ToLower(text) != text {
		return "", &Invalid{Field: "id", Text: "it is not 32 lower-case hex digits"}
	}
	return ID(text), nil
}

// NewID draws an id.
func NewID(random io.Reader) (ID, error) {
	var raw [16]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("draw a project id: %w", err)
	}
	return ID(hex.EncodeToString(raw[:])), nil
}

// Limit is how often one caller may call.
type Limit struct {
	// RequestsPerSecond is the average; 0 means what the gateway lets every caller ask.
	RequestsPerSecond float64
	// Burst is how many calls may come at once; at least 1 where there is a limit, 0 where there is none.
	Burst uint32
}

// NewLimit returns the limit of so many requests a second on average; a burst of 0 becomes what a second allows.
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
	// AllowedOrigins are the pages that may call; none means any.
	AllowedOrigins []origin.Pattern
	Limit          Limit
	Enabled        bool
	// CreatedAt and ChangedAt are exact to the millisecond.
	CreatedAt, ChangedAt time.Time
}

// Rename gives the project a name of 1 to 80 letters. The error is [*Invalid].
func (p *Project) Rename(name string) error {
	name = strings.TrimSpace(name)
	switch letters := utf8.RuneCountInString(name); {
	case !utf8.ValidString(name), strings.ContainsFunc(name, unicode.IsControl):
		return &Invalid{Field: "name", Text: "it holds what is not text"}
	case letters == 0:
		return &Invalid{Field: "name", Text: "it is empty"}
	case letters > maxNameLetters:
		return &Invalid{Field: "name", Text: fmt.Sprintf("it is over %d letters", maxNameLetters)}
	}
	p.Name = name
	return nil
}

// Allow makes these the pages that may call; an empty list lets every page in. The error is [*Invalid].
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
		patterns = append(patterns, pattern)
	}
	p.AllowedOrigins = patterns
	return nil
}

// Restrict sets how often one caller may call. The error is [*Invalid].
func (p *Project) Restrict(perSecond float64, burst uint32) error {
	limit, err := NewLimit(perSecond, burst)
	if err != nil {
		return err
	}
	p.Limit = limit
	return nil
}
