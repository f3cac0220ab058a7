package access

import (
	"net/http"
	"net/url"
	"strings"
)

// Parameter returns the first value of a query parameter, and whether there is one. It finds what [url.Values] would, without a map of all parameters:
// each request is asked for several.
func Parameter(r *http.Request, name string) (value string, found bool) {
	for part := range strings.SplitSeq(r.URL.RawQuery, "&") {
		key, escaped, _ := strings.Cut(part, "=")
		if part == "" || strings.Contains(part, ";") {
			continue
		}
		if key, err := url.QueryUnescape(key); err != nil || key != name {
			continue
		}
		if value, err := url.QueryUnescape(escaped); err == nil {
			return value, true
		}
	}
	return "", false
}
