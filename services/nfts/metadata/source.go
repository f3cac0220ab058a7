package metadata

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// ErrSource means that a URI is invalid or of an unsupported scheme.
var ErrSource = errors.New("no metadata found at this URI")

// Source is the location of a document.
type Source struct {
	// URL is the document's http or https URL; empty if the document is Inline.
	URL string
	// ByGateway means that the URL is that of a gateway, not one that the token's author wrote.
	ByGateway bool
	// Inline is the document of a data URI.
	Inline []byte
}

// Gateways are the base URLs of HTTP gateways, with a trailing slash. An empty one disables its scheme.
type Gateways struct {
	// IPFS serves `ipfs://CID/path`; for example `https://ipfs.io/ipfs/`.
	IPFS string
	// Arweave serves `ar://ID/path`; for example `https://arweave.net/`.
	Arweave string
}

// Locate resolves a URI of the scheme http, https, ipfs, ar or data. A data URI contains at most limit bytes. The error wraps [ErrSource].
func (g Gateways) Locate(uri string, limit int) (Source, error) {
	uri = strings.TrimSpace(uri)
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok {
		return Source{}, ErrSource
	}
	switch strings.ToLower(scheme) {
	case "data":
		return inline(rest, limit)
	case "http", "https":
		return Source{URL: uri}, nil
	case "ipfs":
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "//"), "ipfs/")
		return through(g.IPFS, rest)
	case "ar":
		return through(g.Arweave, strings.TrimPrefix(rest, "//"))
	default:
		return Source{}, ErrSource
	}
}

// through returns the source of an id and path at a gateway. The path cannot leave the gateway's base URL.
func through(gateway, path string) (Source, error) {
	name, _, _ := strings.Cut(path, "/")
	if gateway == "" || name == "" || strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") != "" {
		return Source{}, ErrSource
	}
	plain := string(unescape(path))
	if strings.ContainsRune(plain, '\\') || slices.Contains(strings.Split(plain, "/"), "..") {
		return Source{}, ErrSource
	}
	return Source{URL: gateway + escapePath(path), ByGateway: true}, nil
}

// escapePath returns a path of files as one of a URL. Escapes in it stay; `#` and `?` are part of a name.
func escapePath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		_, isEscape := escapedByte(path[i:])
		if c == '%' && isEscape || c == '/' || c == '&' || c == '+' || c == ',' || isUnreserved(c) {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// isUnreserved reports whether a character of a URL needs no escape (RFC 3986).
func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// inline decodes a data URI (RFC 2397), given without `data:`.
func inline(rest string, limit int) (Source, error) {
	head, body, ok := strings.Cut(rest, ",")
	if !ok {
		return Source{}, ErrSource
	}
	// A percent escape takes three characters per byte, base64 fewer.
	if len(body) > 3*limit {
		return Source{}, fmt.Errorf("%w: it is too large", ErrSource)
	}
	document := unescape(body)
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), ";base64") {
		var err error
		if document, err = decodeBase64(string(document)); err != nil {
			return Source{}, fmt.Errorf("%w: %w", ErrSource, err)
		}
	}
	if len(document) == 0 || len(document) > limit {
		return Source{}, fmt.Errorf("%w: %d bytes", ErrSource, len(document))
	}
	return Source{Inline: document}, nil
}

// unescape decodes percent escapes as the URL standard of WHATWG does: what is no escape is kept as it is.
func unescape(s string) []byte {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c, ok := escapedByte(s[i:]); ok {
			b = append(b, c)
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return b
}

// escapedByte returns the byte whose percent escape s begins with.
func escapedByte(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), err == nil
}

// decodeBase64 decodes the standard and the URL alphabet, with or without padding.
func decodeBase64(s string) ([]byte, error) {
	s = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "").Replace(s)
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
}

// ForToken replaces `{id}` in the URI of an ERC-1155 contract by the token's id, as 64 lower-case hex digits. It fails with [ErrSource] if the result
// would be longer than any URI of a document of at most limit bytes: the id takes sixteen times the place of its placeholder.
func ForToken(uri string, id *big.Int, limit int) (string, error) {
	const placeholder, digits, head = "{id}", 64, 1 << 10
	if len(uri)+strings.Count(uri, placeholder)*(digits-len(placeholder)) > 3*limit+head {
		return "", fmt.Errorf("%w: it is too large", ErrSource)
	}
	return strings.ReplaceAll(uri, placeholder, fmt.Sprintf("%064x", id)), nil
}
