package limit

import "net/netip"

// Rotation is a queue of callers, of which networks take turns: first IPv4 addresses and IPv6 /48s, and then the callers of each. It is not safe for
// concurrent use. The zero value is empty.
type Rotation struct {
	order   []netip.Prefix
	waiting map[netip.Prefix][]Caller
}

// Add adds a caller as the last one of its network.
func (r *Rotation) Add(c Caller) {
	networks, levels := c.networks()
	around := networks[levels-1]
	if r.waiting == nil {
		r.waiting = map[netip.Prefix][]Caller{}
	}
	if len(r.waiting[around]) == 0 {
		r.order = append(r.order, around)
	}
	r.waiting[around] = append(r.waiting[around], c)
}

// Next removes the caller whose turn it is; false if there is none.
func (r *Rotation) Next() (Caller, bool) {
	if len(r.order) == 0 {
		return Caller{}, false
	}
	around := r.order[0]
	r.order = r.order[1:]
	callers := r.waiting[around]
	if r.waiting[around] = callers[1:]; len(callers) == 1 {
		delete(r.waiting, around)
	} else {
		r.order = append(r.order, around)
	}
	return callers[0], true
}
