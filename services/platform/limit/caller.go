package limit

import (
	"net/netip"
	"slices"
	"strings"
)

// Caller is whose budget is used: a project, and the network that a call came from. It is comparable.
type Caller struct {
	// Project is the id of the project that the call names; empty for none.
	Project string
	// Network is the address of the caller: one IPv4 address, or the /64 of an IPv6 address, within which a user can
	// choose addresses freely. The zero prefix is shared by all callers whose address is not known.
	Network netip.Prefix
}

// CallerOf returns the caller at an IP address. Text that is not an address is an unknown address.
func CallerOf(project, address string) Caller {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return Caller{Project: project}
	}
	return Caller{Project: project, Network: network(addr)}
}

// network returns the network that an address is counted by.
func network(addr netip.Addr) netip.Prefix {
	addr = addr.Unmap().WithZone("")
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	prefix, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}

// The networks around an IPv6 /64 that are counted as well: a home is given a /56, a server a /48.
var outer = []struct{ bits, factor int }{{56, 4}, {48, 16}}

// Levels returns the caller itself, and, for IPv6, the caller at the /56 and the /48 around its network. They may use 4 and 16 times as much.
func (c Caller) Levels() []Level { return c.AppendLevels(nil) }

// AppendLevels appends the levels, of which there are at most 3, to a slice.
func (c Caller) AppendLevels(levels []Level) []Level {
	levels = append(levels, Level{c, 1})
	if !c.isIPv6() {
		return levels
	}
	for _, o := range outer {
		around, _ := c.Network.Addr().Prefix(o.bits)
		levels = append(levels, Level{Caller{c.Project, around}, o.factor})
	}
	return levels
}

// Site returns the network of the caller's site: its IPv4 address, or the /48 around its network, of which a server is given all.
func (c Caller) Site() netip.Prefix {
	networks, n := c.networks()
	return networks[n-1]
}

// networks returns the networks of the levels, and how many there are.
func (c Caller) networks() (networks [3]netip.Prefix, n int) {
	networks[0], n = c.Network, 1
	if c.isIPv6() {
		for _, o := range outer {
			networks[n], _ = c.Network.Addr().Prefix(o.bits)
			n++
		}
	}
	return networks, n
}

func (c Caller) isIPv6() bool { return c.Network.Bits() == 64 && c.Network.Addr().Is6() }

// Address returns the IP address of a request: that of remote, the connection's `host:port`, or, if a proxy in front is
// trusted, the last element of X-Forwarded-For, which the proxy itself wrote. IPv4 in IPv6 is returned as IPv4; the zero Addr means that there is no
// valid address.
func Address(remote string, forwardedFor []string, trusted bool) netip.Addr {
	hops := 0
	if trusted {
		hops = 1
	}
	return AddressBehind(remote, forwardedFor, hops)
}

// AddressBehind is Address behind this many trusted proxies, each of which adds the address that it was called from: the address is as many elements
// from the end of X-Forwarded-For. The elements before it are set by the caller. A request with fewer elements did not come through all proxies: its
// address is that of the connection.
func AddressBehind(remote string, forwardedFor []string, hops int) netip.Addr {
	for _, line := range slices.Backward(forwardedFor) {
		elements := strings.Split(line, ",")
		if hops > len(elements) {
			hops -= len(elements)
			continue
		}
		if hops > 0 {
			if addr, ok := parse(strings.TrimSpace(elements[len(elements)-hops])); ok {
				return addr
			}
		}
		break
	}
	addr, _ := parse(remote)
	return addr
}

// parse reads an address with or without a port.
func parse(text string) (netip.Addr, bool) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return addr.Unmap().WithZone(""), true
	}
	if addr, err := netip.ParseAddrPort(text); err == nil {
		return addr.Addr().Unmap().WithZone(""), true
	}
	return netip.Addr{}, false
}
