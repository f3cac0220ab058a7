package route

import (
	"context"
	"runtime"
	"sync"
)

// workspace is the memory of a search. Workspaces are reused, so that searches allocate little.
type workspace struct {
	potentials potentials
	subgraphs  []*subgraph
	labels     labels
	traffic    traffic
	path       []edge
	dual       dual
	flows      []flow
	brought    []brought
	relevant   relevant
	// values are the prices that a certificate assigns to every node; via is the pool that bids a price.
	values []float64
	via    []int32
	// active marks the nodes of the dual, and joined its pools.
	active, joined []int64
	stamp          int64
	// extended is the stamp of the dual for which all nodes have prices.
	extended int64
	columns  []column
	// mispriced are the nodes outside of the dual whose pools allow arbitrage between each other; noted marks them.
	mispriced []int32
	noted     []int64
	round     int64
}

var (
	workspaces = sync.Pool{New: func() any { return new(workspace) }}
	// atWork bounds concurrent searches to twice the number of processors: more would use memory without being faster.
	atWork = make(chan struct{}, 2*runtime.GOMAXPROCS(0))
)

// borrow waits for a workspace and resizes it to a graph.
func borrow(ctx context.Context, m *Graph, hops int) (*workspace, error) {
	select {
	case atWork <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	w := workspaces.Get().(*workspace)
	w.fit(m, hops)
	return w, nil
}

func (w *workspace) giveBack() {
	workspaces.Put(w)
	<-atWork
}

// fit resizes the workspace to a graph's nodes and pools.
func (w *workspace) fit(m *Graph, hops int) {
	nodes := m.layout.tokens * max(1, m.layout.venues)
	if len(w.active) < nodes {
		w.values, w.via = make([]float64, nodes), make([]int32, nodes)
		w.active, w.noted = make([]int64, nodes), make([]int64, nodes)
	}
	if len(w.joined) < len(m.layout.pools) {
		w.joined = make([]int64, len(m.layout.pools))
	}
	w.relevant.fit(len(m.layout.pools), nodes)
	w.labels.fit(m.layout.tokens, hops)
	w.traffic.fit(len(m.layout.pools))
}

// subgraph returns one of the workspace's subgraphs.
func (w *workspace) subgraph(i int) *subgraph {
	for len(w.subgraphs) <= i {
		w.subgraphs = append(w.subgraphs, new(subgraph))
	}
	return w.subgraphs[i]
}
