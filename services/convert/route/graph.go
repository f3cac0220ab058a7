package route

import "fmt"

// Token is a token's index in a graph, from 0.
type Token uint32

// Venue is a router that trades a pool, below 64. A plan that is a single transaction of an ordinary account uses only
// the venues of one router.
type Venue uint16

// Pool is one pool of a graph.
type Pool struct {
	Token0, Token1 Token
	Venue          Venue
	Model          Model
	// GasHop is the estimated gas of one hop through the pool, in units.
	GasHop uint64
}

// Graph holds tokens and the pools that trade them, each pool at one state. It is immutable and safe for concurrent
// use.
type Graph struct {
	layout *layout
	chunks []*chunk
}

// layout is the part of a graph that does not depend on the states of pools.
type layout struct {
	tokens int
	venues int
	pools  []fixture
	// The arcs that leave a token are arcs[first[token]:first[token+1]].
	first []int32
	arcs  []arc
}

// fixture is the part of a pool that does not depend on its state.
type fixture struct {
	ends   [2]Token
	venue  Venue
	gasHop uint64
}

// arc is one direction of a pool, from the token that goes in.
type arc struct {
	pool  int32
	to    Token
	venue Venue
	from  side
}

// key numbers the sides of pools: twice the index of the pool, plus one if token1 goes in.
func (a arc) key() int32 { return a.pool<<1 | int32(a.from) }

// chunkSize balances how much [Graph.With] copies for each changed pool and for the whole graph.
const chunkSize = 32

// chunk holds the states of some consecutive pools. Graphs share unchanged chunks.
type chunk struct {
	models [chunkSize]Model
	curves [chunkSize]curve
	// rates are the outputs of the first unit on either side, after the fee; 0 if nothing is paid.
	rates [chunkSize][2]float64
}

// NewGraph returns a graph with a number of tokens. It fails for a pool with a token outside of the graph, a venue above 63, the same token twice, or no model.
func NewGraph(tokens int, pools []Pool) (*Graph, error) {
	return (*Graph)(nil).Rebuilt(tokens, pools, nil)
}

// Rebuilt is [NewGraph] for pools of which some have the state that they have in this graph. from has for each pool its index here if it does, and -1 if not;
// nil is -1 for all.
func (m *Graph) Rebuilt(tokens int, pools []Pool, from []int) (*Graph, error) {
	l := &layout{tokens: tokens, pools: make([]fixture, len(pools)), first: make([]int32, tokens+1), arcs: make([]arc, 2*len(pools))}
	next := &Graph{layout: l, chunks: make([]*chunk, (len(pools)+chunkSize-1)/chunkSize)}
	for i := range next.chunks {
		next.chunks[i] = &chunk{}
	}
	for i, p := range pools {
		if int(p.Token0) >= tokens || int(p.Token1) >= tokens || p.Token0 == p.Token1 {
			return nil, fmt.Errorf("pool %d trades token %d for %d of %d tokens", i, p.Token0, p.Token1, tokens)
		}
		if p.Model == nil {
			return nil, fmt.Errorf("pool %d has no model", i)
		}
		if err := checkVenue(p.Venue); err != nil {
			return nil, fmt.Errorf("pool %d: %w", i, err)
		}
		l.pools[i] = fixture{ends: [2]Token{p.Token0, p.Token1}, venue: p.Venue, gasHop: p.GasHop}
		l.venues = max(l.venues, int(p.Venue)+1)
		at := next.chunks[i/chunkSize]
		if from == nil || from[i] < 0 {
			at.put(i%chunkSize, p.Model)
		} else {
			at.copy(i%chunkSize, m.chunks[from[i]/chunkSize], from[i]%chunkSize)
		}
	}
	l.connect()
	return next, nil
}

// connect sorts the pools' sides by the token that goes in.
func (l *layout) connect() {
	for _, p := range l.pools {
		l.first[p.ends[0]+1]++
		l.first[p.ends[1]+1]++
	}
	for t := range l.tokens {
		l.first[t+1] += l.first[t]
	}
	next := append([]int32(nil), l.first...)
	for i, p := range l.pools {
		for from, token := range p.ends {
			l.arcs[next[token]] = arc{pool: int32(i), to: p.ends[1-from], venue: p.venue, from: side(from)}
			next[token]++
		}
	}
}

func (s *chunk) put(i int, model Model) {
	s.models[i] = model
	s.curves[i] = model.curve()
	s.rates[i] = [2]float64{s.curves[i].spot(0), s.curves[i].spot(1)}
}

// copy sets a pool to one of another chunk.
func (s *chunk) copy(i int, other *chunk, at int) {
	s.models[i], s.curves[i], s.rates[i] = other.models[at], other.curves[at], other.rates[at]
}

// With returns the graph with other states of some pools, by their index. Indexes outside of the graph are ignored.
func (m *Graph) With(states map[int]Model) *Graph {
	next := &Graph{layout: m.layout, chunks: append([]*chunk(nil), m.chunks...)}
	for i, model := range states {
		if i < 0 || i >= len(m.layout.pools) || model == nil {
			continue
		}
		at := i / chunkSize
		if next.chunks[at] == m.chunks[at] {
			own := *m.chunks[at]
			next.chunks[at] = &own
		}
		next.chunks[at].put(i%chunkSize, model)
	}
	return next
}

// Tokens returns the number of tokens in the graph.
func (m *Graph) Tokens() int { return m.layout.tokens }

// Pools returns the number of pools in the graph.
func (m *Graph) Pools() int { return len(m.layout.pools) }

// Pool returns a pool at its state. The index must be within the graph.
func (m *Graph) Pool(i int) Pool {
	f := m.layout.pools[i]
	return Pool{Token0: f.ends[0], Token1: f.ends[1], Venue: f.venue, Model: m.model(i), GasHop: f.gasHop}
}

func (m *Graph) model(i int) Model { return m.chunks[i/chunkSize].models[i%chunkSize] }

func (m *Graph) curve(i int32) *curve {
	return &m.chunks[i/chunkSize].curves[i%chunkSize]
}

func (m *Graph) rates(i int32) *[2]float64 {
	return &m.chunks[i/chunkSize].rates[i%chunkSize]
}

// rate returns the output of the first unit into a side.
func (m *Graph) rate(a arc) float64 {
	return m.chunks[a.pool/chunkSize].rates[a.pool%chunkSize][a.from]
}

// leaving lists the arcs from a token.
func (l *layout) leaving(t Token) []arc { return l.arcs[l.first[t]:l.first[t+1]] }
