package fetch

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// maxURL bounds a URL, in bytes. It is the limit of most servers, because some URLs contain a whole request (ERC-3668).
const maxURL = 8 << 10

// parse parses the address of a document, and refuses addresses that no legitimate document has. The error wraps
// [ErrRefused].
func (c *Client) parse(text string) (*url.URL, error) {
	if len(text) > maxURL {
		return nil, refused("the address is too long")
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, refused("not an address")
	}
	return u, c.check(u)
}

// check refuses URLs by their text alone; the addresses that they resolve to are checked by dial.
func (c *Client) check(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refused("neither http nor https")
	case u.User != nil:
		return refused("user info in the address")
	case u.Opaque != "" || u.Hostname() == "":
		return refused("no host")
	case !c.allowPrivate && !usualPort(u.Port()):
		return refused("neither port 80 nor 443")
	case c.allowPrivate:
		return nil
	}
	if err := checkHost(u.Hostname()); err != nil {
		return err
	}
	if !c.isNamed(u.Hostname()) {
		return refused("the operator did not name the host")
	}
	return nil
}

// isNamed reports whether a host is one of the allowed hosts, or a subdomain of one.
func (c *Client) isNamed(host string) bool {
	host = normalizeHost(host)
	return slices.ContainsFunc(c.hosts, func(named string) bool {
		return named == AnyHost || host == named || strings.HasSuffix(host, "."+named)
	})
}

// CheckHost returns an error for a text that is neither [AnyHost] nor a public host without a port.
func CheckHost(host string) error {
	if host == AnyHost {
		return nil
	}
	if u, err := url.Parse("https://" + host); err != nil || u.Hostname() != host || strings.Contains(host, AnyHost) {
		return refused("not a host")
	}
	return checkHost(host)
}

func normalizeHosts(hosts []string) []string {
	normal := make([]string, len(hosts))
	for i, host := range hosts {
		normal[i] = normalizeHost(host)
	}
	return normal
}

func normalizeHost(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

func usualPort(port string) bool { return port == "" || port == "80" || port == "443" }

// checkHost refuses literal addresses that are not public, and texts that only some resolvers parse as an address:
// `2130706433`, `0x7f.1`, `0177.0.0.1`.
func checkHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		if !IsPublic(a) {
			return refused("the address is not public")
		}
		return nil
	}
	if strings.ContainsAny(host, ":%") {
		return refused("not a host")
	}
	host = strings.TrimSuffix(host, ".")
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	if last == "" || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return refused("not a host")
	}
	return nil
}

func refused(why string) error { return fmt.Errorf("%w: %s", ErrRefused, why) }
