// Package origin matches the Origin headers of web pages against a project's list.
package origin

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxLength bounds an origin and a pattern, in bytes: a host name has at most 253.
const maxLength = 300

// Origin is a parsed Origin header.
type Origin struct {
	scheme string
	labels []string
	port   string
}

// Parse reads an Origin header. The opaque origin `null` is an error: it names no page.
func Parse(header string) (Origin, error) {
	scheme, authority, ok := strings.Cut(header, "://")
	if !ok || len(header) > maxLength {
		return Origin{}, errors.New("an origin is scheme://host or scheme://host:port")
	}
	scheme, err := parseScheme(scheme)
	if err != nil {
		return Origin{}, err
	}
	labels, port, err := parseAuthority(authority, false)
	if err != nil {
		return Origin{}, err
	}
	return Origin{scheme: scheme, labels: labels, port: orDefault(port, scheme)}, nil
}

// Of returns the origin of an http or https URL as browsers write it, or an empty string for any other text.
func Of(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	o, err := Parse(u.Scheme + "://" + u.Host)
	if err != nil {
		return ""
	}
	return o.String()
}

// String returns the origin as browsers write it: without a port that is the default of its scheme.
func (o Origin) String() string { return o.scheme + "://" + o.Authority() }

// Authority returns host and port, without a port that is the default of the scheme.
func (o Origin) Authority() string {
	host := strings.Join(o.labels, ".")
	if o.port == orDefault("", o.scheme) {
		return host
	}
	return host + ":" + o.port
}

// IsLocal reports whether the page is served by the visitor's machine, under one of its usual names.
func (o Origin) IsLocal() bool {
	switch strings.Join(o.labels, ".") {
	case "localhost", "127.0.0.1", "[::1]":
		return true
	default:
		return false
	}
}

// IsExtension reports whether an Origin header is that of a browser extension, such as a wallet configured with the
// address of the gateway. Lists of origins apply to web pages only.
func IsExtension(header string) bool {
	scheme, _, ok := strings.Cut(header, "://")
	return ok && slices.Contains([]string{"chrome-extension", "moz-extension", "safari-web-extension"}, scheme)
}

// Pattern is one entry of a project's list: `example.org`, `https://example.org`, `https://*.example.org:8443`. A
// scheme or port that it leaves out is not compared; `*` matches exactly one host label.
type Pattern struct {
	scheme string
	labels []string
	port   string
}

// ParsePattern reads an entry of a list.
func ParsePattern(text string) (Pattern, error) {
	if len(text) > maxLength {
		return Pattern{}, fmt.Errorf("it is over %d bytes", maxLength)
	}
	scheme, authority, hasScheme := strings.Cut(text, "://")
	if !hasScheme {
		scheme, authority = "", text
	}
	if hasScheme {
		var err error
		if scheme, err = parseScheme(scheme); err != nil {
			return Pattern{}, err
		}
	}
	labels, port, err := parseAuthority(authority, true)
	if err != nil {
		return Pattern{}, err
	}
	return Pattern{scheme: scheme, labels: labels, port: port}, nil
}

// String returns the pattern in the form of [ParsePattern].
func (p Pattern) String() string {
	text := strings.Join(p.labels, ".")
	if p.scheme != "" {
		text = p.scheme + "://" + text
	}
	if p.port != "" {
		text += ":" + p.port
	}
	return text
}

// IsOneLabel reports whether the pattern is one label without a scheme and a port, such as `foo` or `*`: few pages are at a host that is called so, and
// lists that have one usually mean something else.
func (p Pattern) IsOneLabel() bool {
	return p.scheme == "" && p.port == "" && len(p.labels) == 1 && p.labels[0] != "localhost" && !strings.HasPrefix(p.labels[0], "[")
}

// Matches reports whether p matches the page o.
func (p Pattern) Matches(o Origin) bool {
	if p.scheme != "" && p.scheme != o.scheme {
		return false
	}
	if p.port != "" && p.port != o.port {
		return false
	}
	return slices.EqualFunc(p.labels, o.labels, func(want, got string) bool { return want == "*" || want == got })
}

// Sources returns the sources of a Content-Security-Policy (CSP Level 3) that match every page that p matches. They
// match more pages if p has a `*`, which matches any number of labels there. An IPv6 address has no source.
func (p Pattern) Sources() []string {
	labels, wildcard := p.labels, ""
	for i, label := range p.labels {
		if label == "*" {
			labels, wildcard = p.labels[i+1:], "*."
		}
	}
	if len(labels) == 0 || strings.HasPrefix(labels[0], "[") {
		return nil
	}
	schemes, port := []string{p.scheme}, p.port
	if p.scheme == "" {
		schemes = []string{"http", "https"}
	}
	if port == "" {
		port = "*"
	}
	sources := make([]string, len(schemes))
	for i, scheme := range schemes {
		sources[i] = scheme + "://" + wildcard + strings.Join(labels, ".") + ":" + port
	}
	return sources
}

// Allowed reports whether a page with this Origin header may use a project with this list of patterns. An empty list
// allows every page; local allows pages of the visitor's machine whatever the list has, as development needs. A header
// that does not parse, including `null`, is allowed by an empty list only; an entry that does not parse allows no
// origin.
func Allowed(list []string, header string, local bool) bool {
	if len(list) == 0 {
		return true
	}
	o, err := Parse(header)
	if err != nil {
		return false
	}
	return local && o.IsLocal() || slices.ContainsFunc(list, func(entry string) bool {
		p, err := ParsePattern(entry)
		return err == nil && p.Matches(o)
	})
}

func parseScheme(text string) (string, error) {
	scheme := strings.ToLower(text)
	if scheme == "" || !isLetter(scheme[0]) {
		return "", errors.New("its scheme does not begin with a letter")
	}
	for i := range len(scheme) {
		if c := scheme[i]; !isLetter(c) && !isDigit(c) && c != '+' && c != '-' && c != '.' {
			return "", fmt.Errorf("its scheme has the character %q", c)
		}
	}
	return scheme, nil
}

// parseAuthority splits host and port. The labels of the host are returned in lower case, an IPv6 address as one label
// in brackets.
func parseAuthority(text string, wildcards bool) (labels []string, port string, err error) {
	if strings.HasPrefix(text, "[") {
		return parseIPv6(text)
	}
	host, portText, hasPort := strings.Cut(text, ":")
	if hasPort {
		if port, err = parsePort(portText); err != nil {
			return nil, "", err
		}
	}
	labels = strings.Split(strings.ToLower(host), ".")
	for _, label := range labels {
		if wildcards && label == "*" {
			continue
		}
		if err := checkLabel(label); err != nil {
			return nil, "", err
		}
	}
	return labels, port, nil
}

func parseIPv6(text string) (labels []string, port string, err error) {
	u, err := url.Parse("//" + text)
	if err != nil || u.Host != text {
		return nil, "", errors.New("its address does not parse")
	}
	addr, err := netip.ParseAddr(u.Hostname())
	if err != nil || addr.Zone() != "" {
		return nil, "", errors.New("its address does not parse")
	}
	if _, portText, found := strings.Cut(text, "]:"); found {
		if port, err = parsePort(portText); err != nil {
			return nil, "", err
		}
	}
	return []string{"[" + addr.String() + "]"}, port, nil
}

func parsePort(text string) (string, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 || text[0] == '+' {
		return "", fmt.Errorf("%q is not a port", text)
	}
	return strconv.FormatUint(n, 10), nil
}

func checkLabel(label string) error {
	if label == "" || len(label) > 63 {
		return errors.New("a part of its host is empty or over 63 characters")
	}
	for i := range len(label) {
		c := label[i]
		switch {
		case isLetter(c), isDigit(c), c == '-', c == '_':
		case c == '*':
			return errors.New("`*` stands for a whole host label")
		case c >= 0x80:
			return errors.New("its host is not in ASCII: write it in Punycode, as browsers send it")
		default:
			return fmt.Errorf("its host has the character %q", c)
		}
	}
	return nil
}

// orDefault returns the port, or the scheme's default port if it is empty.
func orDefault(port, scheme string) string {
	if port != "" {
		return port
	}
	switch scheme {
	case "https":
		return "443"
	case "http":
		return "80"
	default:
		return ""
	}
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
