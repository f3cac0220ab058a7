package route

import "sync"

// desk is the memory that a search works with. Desks are used again, so that searches hardly allocate.
type desk struct {
	atlas   atlas
	webs    []*web
	trails  trails
	traffic traffic
	path    []thread
	dual    dual
	flows   []flow
	brought []brought
	ground  ground
	// values are the prices that a certificate gives to every node; via is the pool that bids a price.
	values []float64
	via    []int32
	// active marks the nodes, and joined the pools, that the dual has.
	active, joined []int64
	stamp          int64
	// extended is the stamp of the dual whose prices all nodes have.
	extended int64
	entrants []entrant
	// disputed are the nodes outside of the dual whose pools would profit from one another; noted marks them.
	disputed []int32
	noted    []int64
	round    int64
}

var desks = sync.Pool{New: func() any { return new(desk) }}

// fit makes room for a market's nodes and pools.
func (d *desk) fit(m *Market, hops int) {
	nodes := m.layout.tokens * max(1, m.layout.venues)
	if len(d.active) < nodes {
		d.values, d.via = make([]float64, nodes), make([]int32, nodes)
		d.active, d.noted = make([]int64, nodes), make([]int64, nodes)
	}
	if len(d.joined) < len(m.layout.pools) {
		d.joined = make([]int64, len(m.layout.pools))
	}
	d.ground.fit(len(m.layout.pools), nodes)
	d.trails.fit(m.layout.tokens, hops)
	d.traffic.fit(len(m.layout.pools))
}

// web returns one of the desk's webs.
func (d *desk) web(i int) *web {
	for len(d.webs) <= i {
		d.webs = append(d.webs, new(web))
	}
	return d.webs[i]
}
