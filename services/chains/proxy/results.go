package proxy

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/chains/pool"
	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

const (
	// resultTTL bounds how long a result is cached.
	resultTTL = 10 * time.Minute
	// maxClaims is how many different results of one read are stored while no two nodes agree.
	maxClaims = 3
	// resultsBytes bounds the cache for all chains together, resultBytes one entry.
	resultsBytes = 32 << 20
	resultBytes  = 1 << 20
	// claimBytes is the size of a claim.
	claimBytes = sha256.Size + 8
)

// Results caches final results of reads. On a chain with two or more nodes a result is served only after two of them
// have returned it: the result of the first is stored as a claim, the next read is sent to another node, and equal
// results are then served. The cache causes no additional calls.
type Results struct {
	mu    sync.Mutex
	cache *cache.Cache[string, cachedResult]
}

// cachedResult is what nodes returned for one read.
type cachedResult struct {
	// result is what two nodes returned, or nil until then.
	result json.RawMessage
	claims []claim
	until  time.Time
	// once is set while the chain's only node was asked once.
	once bool
}

// claim is the hash of a result of one node.
type claim struct {
	by   *pool.Node
	hash [sha256.Size]byte
}

// NewResults returns an empty cache.
func NewResults() *Results {
	return &Results{cache: cache.New(cache.Options[string, cachedResult]{MaxWeight: resultsBytes, Weigh: weigh})}
}

func weigh(key string, f cachedResult) uint32 {
	return uint32(len(key) + len(f.result) + len(f.claims)*claimBytes)
}

func (r *Results) lookUp(key string, now time.Time) cachedResult {
	known, ok := r.cache.Get(key)
	if !ok || !now.Before(known.until) {
		return cachedResult{}
	}
	return known
}

// get returns a result that two nodes agree on.
func (r *Results) get(key string, now time.Time) (json.RawMessage, bool) {
	result := r.lookUp(key, now).result
	return result, result != nil
}

// readAgain reports whether a result of the only node of a chain is read for the second time.
func (r *Results) readAgain(key string, now time.Time) bool {
	if !r.lookUp(key, now).once {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.lookUp(key, now)
	if !known.once {
		return false
	}
	known.once = false
	r.cache.Set(key, known)
	return true
}

// confirm records a result that was confirmed before.
func (r *Results) confirm(key string, result json.RawMessage, now time.Time) {
	if len(key)+len(result) > resultBytes {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cache.Set(key, cachedResult{result: result, until: now.Add(resultTTL)})
}

// claimed records a claim that was made before, unless there is one of the node already.
func (r *Results) claimed(key string, c claim, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.lookUp(key, now)
	if known.result != nil || slices.ContainsFunc(known.claims, func(other claim) bool { return other.by == c.by }) {
		return
	}
	claims := append(slices.Clone(known.claims), c)
	r.cache.Set(key, cachedResult{claims: claims[max(0, len(claims)-maxClaims):], until: now.Add(resultTTL)})
}

// claimants returns the nodes whose results for key no other node has confirmed.
func (r *Results) claimants(key string, now time.Time) (nodes []*pool.Node) {
	for _, c := range r.lookUp(key, now).claims {
		nodes = append(nodes, c.by)
	}
	return nodes
}

// standing is what a result is after it was added.
type standing int

const (
	// ignored is a result that is too large, or known already.
	ignored standing = iota
	// claimedOnce is one that one node has returned.
	claimedOnce
	// confirmed is one that two nodes have returned, or twice the only node of a chain.
	confirmed
)

// add records the result of a node; single is set for the only node of a chain. The hash is set if there is more than one node, or a claim.
func (r *Results) add(key string, result json.RawMessage, by *pool.Node, single bool, now time.Time) (is standing, hash [sha256.Size]byte) {
	known := r.lookUp(key, now)
	if len(key)+len(result) > resultBytes || known.result != nil {
		return ignored, hash
	}
	if !single || len(known.claims) > 0 {
		// This takes milliseconds for a large result, so not under the lock.
		hash = rpc.ResultHash(result)
	}
	own := claim{by: by, hash: hash}
	r.mu.Lock()
	defer r.mu.Unlock()
	known = r.lookUp(key, now)
	if known.result != nil {
		return ignored, hash
	}
	is = claimedOnce
	if slices.ContainsFunc(known.claims, func(c claim) bool { return (single || c.by != by) && c.hash == own.hash }) {
		is = confirmed
	}
	updated := cachedResult{until: now.Add(resultTTL)}
	if single || is == confirmed {
		updated.result, updated.once = result, is != confirmed
	} else {
		others := slices.DeleteFunc(slices.Clone(known.claims), func(c claim) bool { return c.by == by })
		others = append(others, own)
		updated.claims = others[max(0, len(others)-maxClaims):]
	}
	r.cache.Set(key, updated)
	return is, hash
}
