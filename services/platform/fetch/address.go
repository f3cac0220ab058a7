package fetch

import "net/netip"

// notPublic are the IPv4 networks that are not part of the open internet: those of the registry of special-purpose
// addresses (RFC 6890), and last the one public address at which a cloud serves its own machines.
var notPublic = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32",
)

// global is the only part of IPv6 from which public addresses are allocated. Loopback, link-local, unique local,
// multicast, IPv4-mapped and NAT64 addresses are all outside of it.
var global = netip.MustParsePrefix("2000::/3")

// notGlobal are the networks inside [global] that are not the open internet: protocol assignments and Teredo, documentation, 6to4.
var notGlobal = prefixes("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")

// IsPublic reports whether an address is part of the open internet.
func IsPublic(a netip.Addr) bool {
	switch {
	case !a.IsValid() || a.Zone() != "":
		return false
	case a.Is4():
		return !within(notPublic, a)
	default:
		return global.Contains(a) && !within(notGlobal, a)
	}
}

func within(networks []netip.Prefix, a netip.Addr) bool {
	for _, n := range networks {
		if n.Contains(a) {
			return true
		}
	}
	return false
}

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		list[i] = netip.MustParsePrefix(t)
	}
	return list
}
