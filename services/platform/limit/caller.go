package limit

import (
	"net/netip"
	"strings"
)

// Caller is whose budget is used: a project, and the network that a call came from. It is comparable.
type Caller struct {
	// Project is the id of the project that the call names; empty where it names none.
	Project string
	// Network is the address of the caller: one IPv4 address, or the /64 of an IPv6 address, within which everyone chooses addresses
	// freely. The zero prefix stands for all whose address is not known.
	Network netip.Prefix
}

// CallerOf returns the caller behind an IP address; text that is none stands for an unknown address.
func CallerOf(project, address string) Caller {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return Caller{Project: project}
	}
	return Caller{Project: project, Network: network(addr)}
}

// network is what the callers of an address have in common.
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

// Address returns the IP address that a request came from: remote, which is the connection's `host:port`, or, where a proxy in front is
// trusted, the last element of the last of its X-Forwarded-For lines, which is the one that the proxy wrote itself. What precedes that
// element is the caller's own word. IPv4 in IPv6 is returned as IPv4; the zero Addr says that there is no valid address.
func Address(remote string, forwardedFor []string, trusted bool) netip.Addr {
	if trusted && len(forwardedFor) > 0 {
		line := forwardedFor[len(forwardedFor)-1]
		if addr, ok := parse(strings.TrimSpace(line[strings.LastIndexByte(line, ',')+1:])); ok {
			return addr
		}
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
