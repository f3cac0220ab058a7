package metadata

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"
)

// ErrSource is what a URI gives that leads nowhere this package knows.
var ErrSource = errors.New("no metadata is to be found under this URI")

// Source is where a document is.
type Source struct {
	// URL is the document's http or https address; empty when the document is Inline.
	URL string
	// ByGateway says that the URL is one of a gateway's, and not one that the token's author wrote.
	ByGateway bool
	// Inline is the document itself.
	Inline []byte
}

// Gateways are the servers that answer for names of other networks; each URL ends with a slash. Nothing is found through an empty one.
type Gateways struct {
	// IPFS is asked for `ipfs://CID/path`, as `https://ipfs.io/ipfs/`.
	IPFS string
	// Arweave is asked for `ar://ID/path`, as `https://arweave.net/`.
	Arweave string
}

// Locate finds out where a URI leads: http, https, ipfs, ar, or a document of at most limit bytes in the URI itself (data). The error
// wraps [ErrSource].
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

// through leads a name and path of another network to its gateway, and nowhere else there.
func through(gateway, path string) (Source, error) {
	name, _, _ := strings.Cut(path, "/")
	if gateway == "" || name == "" || strings.Trim(name, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") != "" {
		return Source{}, ErrSource
	}
	plain, err := url.PathUnescape(path)
	if err != nil || strings.ContainsRune(plain, '\\') || slices.Contains(strings.Split(plain, "/"), "..") {
		return Source{}, ErrSource
	}
	return Source{URL: gateway + strings.ReplaceAll(path, " ", "%20"), ByGateway: true}, nil
}

// inline reads what follows `data:` (RFC 2397).
func inline(rest string, limit int) (Source, error) {
	head, body, ok := strings.Cut(rest, ",")
	if !ok {
		return Source{}, ErrSource
	}
	// An escape takes three letters a byte, base64 less.
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

// unescape resolves percent escapes; many authors leave them out, and a lone percent sign is then what it says.
func unescape(s string) []byte {
	if plain, err := url.PathUnescape(s); err == nil {
		return []byte(plain)
	}
	return []byte(s)
}

// decodeBase64 reads either alphabet, padded or not.
func decodeBase64(s string) ([]byte, error) {
	s = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "").Replace(s)
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
}

// ForToken puts a token's id where the URI of an ERC-1155 contract leaves room for it: as 64 lower-case hex digits for `{id}`.
func ForToken(uri string, id *big.Int) string {
	return strings.ReplaceAll(uri, "{id}", fmt.Sprintf("%064x", id))
}
