package names

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/services/plain"
)

// Attributes are what a name says of its owner, by key (ENSIP-5, ENSIP-18).
type Attributes map[string]string

// attributeKinds says which keys there are, and what they hold.
var attributeKinds = map[string]func(value string) bool{
	"alias":         isText(64),
	"avatar":        anyOf(isURL("http", "https", "ipfs"), isToken),
	"bio":           isText(255),
	"com.discord":   isHandle,
	"com.github":    isHandle,
	"com.reddit":    isHandle,
	"com.twitter":   isHandle,
	"description":   isText(255),
	"email":         isEmail,
	"header":        isURL("http", "https", "ipfs"),
	"location":      isText(64),
	"org.telegram":  isHandle,
	"url":           isURL("http", "https", "ipfs"),
	"xyz.farcaster": isHandle,
}

// maxURL is how long a URL may be, in bytes.
const maxURL = 512

var (
	handleForm = regexp.MustCompile(`^@?[A-Za-z0-9_.#-]{1,64}$`)
	emailForm  = regexp.MustCompile(`^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`)
)

// check refuses keys that are not known and values that cannot be; the error is [*AttributeError].
func (a Attributes) check() error {
	for key, value := range a {
		fits, known := attributeKinds[key]
		if !known || !fits(value) {
			return &AttributeError{Key: key}
		}
	}
	return nil
}

// AttributeError says which attribute cannot be.
type AttributeError struct{ Key string }

// Error names the key.
func (e *AttributeError) Error() string { return "attribute " + e.Key + " cannot be" }

// isText takes up to so many letters, of which some can be seen: nothing that breaks the line or turns the direction of writing.
func isText(letters int) func(string) bool {
	return func(value string) bool {
		n := utf8.RuneCountInString(value)
		return n <= letters && utf8.ValidString(value) && strings.ContainsFunc(value, isSeen) && !hasHidden(value)
	}
}

// isSeen leaves out spaces, and what only joins other letters.
func isSeen(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }

func hasHidden(value string) bool {
	for _, r := range value {
		joins := r == '\u200c' || r == '\u200d'
		if unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || plain.Hidden(r) && !joins {
			return true
		}
	}
	return false
}

func anyOf(kinds ...func(string) bool) func(string) bool {
	return func(value string) bool {
		return slices.ContainsFunc(kinds, func(fits func(string) bool) bool { return fits(value) })
	}
}

func isURL(schemes ...string) func(string) bool {
	return func(value string) bool {
		if len(value) > maxURL || hasHidden(value) {
			return false
		}
		u, err := url.Parse(value)
		return err == nil && u.Host != "" && u.User == nil && slices.Contains(schemes, u.Scheme)
	}
}

func isHandle(value string) bool { return handleForm.MatchString(value) }

func isEmail(value string) bool { return len(value) <= 254 && emailForm.MatchString(value) }
