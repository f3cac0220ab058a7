package pools

import (
	"context"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// candidate is a pool that may exist.
type candidate struct {
	factory *factory
	pair    pair
	fee     uint32
	address evm.Address
}

func (c candidate) pool() Pool {
	return Pool{Address: c.address, Token0: c.pair[0], Token1: c.pair[1], Venue: c.factory.venue, Kind: c.factory.kind, Fee: c.fee}
}

// find returns the pools of pairs that exist at a block, with their state: in two round trips, or in one if the addresses of all factories' pools can be
// derived.
func (n node) find(ctx context.Context, block uint64, factories []*factory, pairs []pair) ([]entry, error) {
	candidates, err := n.candidates(ctx, block, factories, pairs)
	if err != nil {
		return nil, err
	}
	found := make([]entry, len(candidates))
	for i, c := range candidates {
		found[i] = entry{Pool: c.pool(), factory: c.factory}
	}
	if err := n.read(ctx, block, found); err != nil {
		return nil, err
	}
	existing := found[:0]
	for _, e := range found {
		if e.state != nil {
			existing = append(existing, e)
		}
	}
	return existing, nil
}

// candidates returns the possible pools of pairs, at the addresses that the factories return or that follow from their code.
func (n node) candidates(ctx context.Context, block uint64, factories []*factory, pairs []pair) ([]candidate, error) {
	var known, lookedUp []candidate
	var queries []evm.Query
	for _, f := range factories {
		for _, p := range pairs {
			for _, fee := range f.fees() {
				c := candidate{factory: f, pair: p, fee: fee}
				if f.derives {
					c.address = f.derived(p, fee)
					known = append(known, c)
					continue
				}
				lookedUp = append(lookedUp, c)
				queries = append(queries, evm.Query{Call: f.lookUp(p, fee), Keep: wordSize, Targets: []evm.Address{f.address}})
			}
		}
	}
	reading, err := n.reader.ReadAt(ctx, n.chainID, block, queries)
	if err != nil {
		return nil, err
	}
	for i, c := range lookedUp {
		address, ok := reading.Answers[i][0].Address()
		if !ok || address == (evm.Address{}) {
			continue
		}
		if c.factory.hasHash() {
			c.factory.learn(address, c.factory.derived(c.pair, c.fee))
		}
		c.address = address
		known = append(known, c)
	}
	return known, nil
}
