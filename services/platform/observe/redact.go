package observe

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
)

// valueLimit is how many bytes of a value are logged, and stackLimit how many of a stack trace: callers may send more.
const (
	valueLimit = 1 << 10
	stackLimit = 16 << 10
)

// redacted replaces what must not be logged.
const redacted = "[redacted]"

// secretKeys are attributes whose values are never logged.
var secretKeys = map[string]bool{
	"email": true, "key": true, "api_key": true, "secret": true, "password": true, "token": true, "authorization": true, "cookie": true,
	"dsn": true, "otp": true, "mnemonic": true, "private_key": true,
}

var (
	emailAddress = regexp.MustCompile(`[\w.+%-]+@[\w-]+(\.[\w-]+)+`)
	urlUser      = regexp.MustCompile(`(://)[^/\s"@]+@`)
	urlSecret    = regexp.MustCompile(`(?i)([?&](?:api[-_]?key|key|token|access_token|secret|password|email)=)[^&\s"]+`)
	// urlText is a URL, and urlKey a part of its path that may be a key.
	urlText = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s"'<>]+`)
	urlKey  = regexp.MustCompile(`/[A-Za-z0-9_-]{20,}`)
	// projectID is a project id, or the key of many node vendors: 32 hex digits that are not part of a longer number.
	projectID = regexp.MustCompile(`\b([0-9a-fA-F]{8})[0-9a-fA-F]{24}\b`)
)

// redact is a slog.HandlerOptions.ReplaceAttr function. It keeps the first eight digits of a project id, and removes
// secrets and e-mail addresses.
func redact(_ []string, a slog.Attr) slog.Attr {
	if a.Key == logTrace || a.Key == logSpan {
		return a
	}
	if secretKeys[strings.ToLower(a.Key)] {
		return slog.String(a.Key, redacted)
	}
	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, scrub(a.Key, a.Value.String()))
	case slog.KindAny:
		switch v := a.Value.Any().(type) {
		case error:
			return slog.String(a.Key, scrub(a.Key, v.Error()))
		case fmt.Stringer:
			return slog.String(a.Key, scrub(a.Key, v.String()))
		case string, []byte, []string:
			return slog.String(a.Key, scrub(a.Key, fmt.Sprintf("%s", v)))
		}
	}
	return a
}

// scrub removes secrets from a text, and truncates it.
func scrub(key, text string) string {
	limit := valueLimit
	if key == "stack" {
		limit = stackLimit
	}
	if len(text) <= limit {
		return unsecret(text)
	}
	// A secret that the limit would truncate is removed first.
	clean := unsecret(text[:min(len(text), 2*limit)])
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(clean[:min(len(clean), limit)], ""), len(text))
}

// Redacted removes secrets, e-mail addresses and project ids from a text that operators see, as the log does.
func Redacted(text string) string { return unsecret(text) }

// withoutKeys removes what may be keys from the path of a URL.
func withoutKeys(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	host, path, found := strings.Cut(rest, "/")
	if !found {
		return url
	}
	return scheme + "://" + host + urlKey.ReplaceAllString("/"+path, "/"+redacted)
}

// unsecret removes what is secret from a text.
func unsecret(text string) string {
	if strings.ContainsRune(text, '@') {
		text = urlUser.ReplaceAllString(text, "${1}"+redacted+"@")
		text = emailAddress.ReplaceAllString(text, redacted)
	}
	if strings.Contains(text, "://") {
		text = urlText.ReplaceAllStringFunc(text, withoutKeys)
	}
	if strings.ContainsRune(text, '=') {
		text = urlSecret.ReplaceAllString(text, "${1}"+redacted)
	}
	return projectID.ReplaceAllString(text, "${1}…")
}
