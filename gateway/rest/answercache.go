package rest

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/services/platform/cache"
	"github.com/hawser-dev/hawser/services/platform/cachecontrol"
)

const (
	// answersBytes bounds the bodies that the gateway keeps, and answerBytes one of them.
	answersBytes = 32 << 20
	answerBytes  = 1 << 20
	// entryBytes is about what an answer takes beside its key and its body.
	entryBytes = 1 << 10
)

// AnswerCache keeps responses to GET requests for as long as the service allows (package cachecontrol). A response about a chain is dropped
// when the chain has a new block, and it is kept only if its service had seen the same newest block as the gateway.
type AnswerCache struct {
	kept *cache.Cache[string, *keptAnswer]

	mu sync.RWMutex
	// heads are the hashes of the newest blocks, by CAIP-2 chain id.
	heads map[string]string
}

// keptAnswer is a response with status 200.
type keptAnswer struct {
	header http.Header
	body   []byte
	policy cachecontrol.Policy
}

// NewAnswerCache returns an empty cache.
func NewAnswerCache() *AnswerCache {
	return &AnswerCache{heads: map[string]string{}, kept: cache.New(cache.Options[string, *keptAnswer]{
		MaxWeight:  answersBytes,
		Weigh:      func(key string, a *keptAnswer) uint32 { return uint32(entryBytes + len(key) + cap(a.body)) },
		LifetimeOf: func(a *keptAnswer) time.Duration { return a.policy.MaxAge },
	})}
}

// OnHead records the newest block of a chain. Answers that were read at another block are no longer used.
func (c *AnswerCache) OnHead(chainID, hash string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads[chainID] = hash
}

// Reset drops every answer, because blocks may have been missed.
func (c *AnswerCache) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.heads)
	c.kept.Clear()
}

// isNew reports whether an answer was read at the newest block that the gateway has seen of its chain.
func (c *AnswerCache) isNew(p cachecontrol.Policy) bool {
	if p.ChainID == "" {
		return true
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.heads[p.ChainID] == p.Head
}

// Wrap answers GET requests from the cache. On a miss it calls h, and keeps the answer if the service allows it.
func (c *AnswerCache) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			h.ServeHTTP(w, r)
			return
		}
		key := answerKey(r)
		if a, ok := c.kept.Get(key); ok && c.isNew(a.policy) {
			a.send(w)
			return
		}
		var policy cachecontrol.Policy
		res := &bufferedResponse{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(res, r.WithContext(context.WithValue(r.Context(), policyKey{}, &policy)))
		if policy.MaxAge > 0 && res.status == http.StatusOK && res.body.Len() <= answerBytes && c.isNew(policy) {
			c.kept.Set(key, &keptAnswer{header: representation(w.Header()), body: res.body.Bytes(), policy: policy})
		}
		res.send()
	})
}

// answerKey identifies a request: by its URL, the base of absolute URLs in its answer, and its project.
func answerKey(r *http.Request) string {
	base := ""
	if b, ok := access.RequestBaseOf(r.Context()); ok {
		base = b.URL()
	}
	return strings.Join([]string{base, access.ProjectIDOf(r), r.URL.RequestURI()}, "\n")
}

// send writes the response.
func (a *keptAnswer) send(w http.ResponseWriter) {
	header := w.Header()
	for name, values := range a.header {
		header[name] = values
	}
	_, _ = w.Write(a.body)
}

// representation returns the headers that describe a body (RFC 9110, 8), and those that say how to cache it.
func representation(all http.Header) http.Header {
	kept := http.Header{}
	for _, name := range []string{"Content-Type", "Content-Encoding", "Cache-Control"} {
		if values := all[name]; values != nil {
			kept[name] = values
		}
	}
	return kept
}

type policyKey struct{}

// WithPolicies returns a connection that hands the cache policies of its answers to an [AnswerCache] and to [WithMaxAge].
func WithPolicies(cc grpc.ClientConnInterface) grpc.ClientConnInterface { return policyConn{cc} }

type policyConn struct{ grpc.ClientConnInterface }

// Invoke calls a method.
func (c policyConn) Invoke(ctx context.Context, method string, req, resp any, opts ...grpc.CallOption) error {
	policy, ok := ctx.Value(policyKey{}).(*cachecontrol.Policy)
	if !ok {
		return c.ClientConnInterface.Invoke(ctx, method, req, resp, opts...)
	}
	var header metadata.MD
	err := c.ClientConnInterface.Invoke(ctx, method, req, resp, append(opts, grpc.Header(&header))...)
	*policy = cachecontrol.FromHeader(header)
	return err
}
