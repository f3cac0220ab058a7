package limit

import "net/netip"

// Held counts what callers hold of a resource, by their networks, whatever their projects are. It is not safe for concurrent use.
//
// A network may hold as much as is left free (the dynamic threshold of Choudhury and Hahne, 1998, with a factor of one): one caller alone has half of the
// resource, n greedy callers have 1/(n+1) each, and as much stays for the next one. The IPv6 networks around it may hold twice (/56) and four times
// (/48) as much as is left.
type Held map[netip.Prefix]int64

// Allows reports whether a caller may hold n more, if this much is free after it.
func (h Held) Allows(c Caller, n, free int64) bool {
	networks, levels := c.networks()
	for _, network := range networks[:levels] {
		if h[network]+n > free {
			return false
		}
		free *= 2
	}
	return true
}

// Add adds n, which may be negative, to what a caller holds.
func (h Held) Add(c Caller, n int64) {
	networks, levels := c.networks()
	for _, network := range networks[:levels] {
		if h[network] += n; h[network] == 0 {
			delete(h, network)
		}
	}
}

// Load returns how much a caller holds relative to what it may: the most of any of its networks.
func (h Held) Load(c Caller) (most int64) {
	factor := int64(4)
	networks, levels := c.networks()
	for _, network := range networks[:levels] {
		most = max(most, factor*h[network])
		factor /= 2
	}
	return most
}
