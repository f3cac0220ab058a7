package registry

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

// Attributes are the text records of a name by key (ENSIP-5, ENSIP-18).
type Attributes map[string]string

// attributeRules validates the value of each known key.
var attributeRules = map[string]func(value string) bool{
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

// maxURL bounds a URL, in bytes.
const maxURL = 512

var (
	handleForm = regexp.MustCompile(`^@?[A-Za-z0-9_.#-]{1,64}$`)
	emailForm  = regexp.MustCompile(`^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`)
)

// check validates keys and values; the error is [*AttributeError].
func (a Attributes) check() error {
	for key, value := range a {
		fits, known := attributeRules[key]
		if !known || !fits(value) {
			return &AttributeError{Key: key}
		}
	}
	return nil
}

// AttributeError is the error of an unknown key or an invalid value.
type AttributeError struct{ Key string }

// Error returns a text with the key.
func (e *AttributeError) Error() string { return "attribute " + e.Key + " is invalid" }

// isText returns a check that accepts up to the given number of characters, at least one of them visible, without line
// breaks and direction marks.
func isText(letters int) func(string) bool {
	return func(value string) bool {
		n := utf8.RuneCountInString(value)
		return n <= letters && utf8.ValidString(value) && strings.ContainsFunc(value, isVisible) && !hasHidden(value)
	}
}

// isVisible reports whether a character is neither a space nor one that only joins others.
func isVisible(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }

func hasHidden(value string) bool {
	for _, r := range value {
		joins := r == '\u200c' || r == '\u200d'
		if unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || plaintext.Hidden(r) && !joins {
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

// maxData bounds a data URL, in bytes of text.
const maxData = 32 << 10

var (
	dataForm  = regexp.MustCompile(`^data:image/[a-z0-9.+-]+[;,]`)
	tokenForm = regexp.MustCompile(`^eip155:[0-9]{1,32}/(?:erc721|erc1155):0x[0-9a-fA-F]{40}/[0-9]{1,78}$`)
)

// IsPicture accepts the avatar record of an ENS name (ENSIP-12): an https or ipfs URL, a data URL, or an NFT.
var IsPicture = anyOf(isURL("https", "ipfs"), isData, isToken)

func isData(value string) bool {
	return len(value) <= maxData && dataForm.MatchString(value) && !hasHidden(value)
}

// isToken accepts the id of an NFT (CAIP-22, CAIP-29).
func isToken(value string) bool { return tokenForm.MatchString(value) }
