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
	// leastConfirmations is the least number of blocks after which a block counts as final.
	leastConfirmations = 64
	// defaultFinality is used for networks without final_after, defaultBlockTime for those without block_time.
	defaultFinality  = 20 * time.Minute
	defaultBlockTime = 250 * time.Millisecond
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

// claimants returns the nodes whose results for key no other node has confirmed.
func (r *Results) claimants(key string, now time.Time) (nodes []*pool.Node) {
	for _, c := range r.lookUp(key, now).claims {
		nodes = append(nodes, c.by)
	}
	return nodes
}

// add records the result of a node; single is set for the only node of a chain.
func (r *Results) add(key string, result json.RawMessage, by *pool.Node, single bool, now time.Time) {
	if len(key)+len(result) > resultBytes || r.lookUp(key, now).result != nil {
		return
	}
	own := claim{by: by}
	if !single {
		// This takes milliseconds for a large result, so not under the lock.
		own.hash = rpc.ResultHash(result)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.lookUp(key, now)
	if known.result != nil {
		return
	}
	updated := cachedResult{until: now.Add(resultTTL)}
	confirms := func(c claim) bool { return c.by != by && c.hash == own.hash }
	if single || slices.ContainsFunc(known.claims, confirms) {
		updated.result = result
	} else {
		others := slices.DeleteFunc(slices.Clone(known.claims), func(c claim) bool { return c.by == by })
		others = append(others, own)
		updated.claims = others[max(0, len(others)-maxClaims):]
	}
	r.cache.Set(key, updated)
}

// confirmations returns how many blocks must follow a block before it counts as final.
func confirmations(c pool.Chain) uint64 {
	after, blockTime := c.FinalAfter, c.BlockTime
	if after <= 0 {
		after = defaultFinality
	}
	if blockTime <= 0 {
		blockTime = defaultBlockTime
	}
	return max(leastConfirmations, uint64((after+blockTime-1)/blockTime))
}
