package proxy

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// finalUntil is the newest final block when nodes were asked: what they return about later blocks is not kept, even if these become final before the
// answer comes.
type finalUntil struct {
	number uint64
	known  bool
}

// includes reports whether a block was final.
func (f finalUntil) includes(number uint64) bool { return f.known && number <= f.number }

// finalNow returns the newest final block; none without a database of final results.
func (p *Proxy) finalNow() (f finalUntil) {
	if p.kept != nil {
		f.number, f.known = p.pool.Finalized()
	}
	return f
}

// keeps reports whether the result of q may be in the database: q names fixed blocks, and none that is known not to be final.
func (p *Proxy) keeps(q rpc.Request, final finalUntil) bool {
	if p.kept == nil || !q.Spec.Kept || p.chain.Dev || !p.chain.IsEVM() {
		return false
	}
	number, known, fixed := q.FixedAt()
	return fixed && (!known || !final.known || number <= final.number)
}

// keptRead identifies q in the database.
func (p *Proxy) keptRead(q rpc.Request) finalcache.Read {
	return finalcache.Read{Key: finalcache.KeyOf(p.chain.ID, q.Key()), ChainID: p.chain.ID, Method: q.Method, Calls: q.LeastCalls()}
}

// find returns the results of requests that the database has, by their position. What it has of others becomes a claim, so that another node is asked.
// The error is a refusal of bytes.
func (p *Proxy) find(ctx context.Context, requests []rpc.Request, final finalUntil) (results map[int]json.RawMessage, err error) {
	var reads []finalcache.Read
	at := map[finalcache.Key]int{}
	for i, q := range requests {
		if p.keeps(q, final) {
			read := p.keptRead(q)
			reads = append(reads, read)
			at[read.Key] = i
		}
	}
	if len(reads) == 0 {
		return nil, nil
	}
	results = map[int]json.RawMessage{}
	for key, e := range p.kept.Find(ctx, reads...) {
		i, ok := at[key]
		if !ok {
			continue
		}
		if len(e.Result) == 0 {
			p.claim(p.key(requests[i]), e.Claim)
			continue
		}
		if err := limit.BytesOf(ctx).Grow(int64(len(e.Result))); err != nil {
			return nil, err
		}
		p.results.confirm(p.key(requests[i]), e.Result, p.clock.Now())
		results[i] = e.Result
	}
	return results, nil
}

// claim records what a node returned before, unless that node is no node of the chain any more.
func (p *Proxy) claim(key string, c finalcache.Claim) {
	by := p.pool.NodeAt(c.Node)
	if by != nil || p.pool.HasOneNode() {
		p.results.claimed(key, claim{by: by, hash: c.Hash}, p.clock.Now())
	}
}

// keep has a result written to the database if it is final: the result itself if it was confirmed, else what the node returned. An empty list is kept
// only where two nodes returned it, because a node that lacks something may return one.
func (p *Proxy) keep(ctx context.Context, read finalcache.Read, n *pool.Node, result json.RawMessage, is standing, hash [sha256.Size]byte) {
	if is == ignored || int64(len(result)) > p.kept.MaxEntryBytes() || p.pool.HasOneNode() && rpc.IsEmptyList(result) {
		return
	}
	if hash == ([sha256.Size]byte{}) {
		hash = rpc.ResultHash(result)
	}
	e := finalcache.Entry{Key: read.Key, ChainID: read.ChainID, Claim: finalcache.Claim{Hash: hash}}
	if n != nil {
		e.Claim.Node = n.Host()
	}
	if is == confirmed {
		e.Result = result
	}
	p.kept.Keep(ctx, e)
}

// keepAgain has a result of the chain's only node written when it is read from memory for the first time: the database has a claim of it.
func (p *Proxy) keepAgain(ctx context.Context, key string, read finalcache.Read, result json.RawMessage) {
	if p.results.readAgain(key, p.clock.Now()) {
		p.keep(ctx, read, nil, result, confirmed, [sha256.Size]byte{})
	}
}
