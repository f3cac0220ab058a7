package caller

import "net/netip"

// Network returns an address without its last 8 bits (IPv4) or 80 bits (IPv6); empty if it is not an address.
func Network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	a = a.Unmap()
	if a.IsLoopback() {
		return "this machine"
	}
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, err := a.WithZone("").Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}
