// Package cachecontrol lets a service say how long the gateway may keep an answer. It travels as gRPC header metadata, beside the answer.
//
// An answer that has a policy must not depend on who calls: the gateway gives it to every caller that makes the same request.
package cachecontrol

import (
	"context"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// Policy says how long an answer may be kept.
type Policy struct {
	// MaxAge is the longest time; zero means that the answer must not be kept. It is sent in milliseconds.
	MaxAge time.Duration
	// ChainID is the CAIP-2 id of the chain whose next block makes the answer stale; empty for none.
	ChainID string
	// Head is the hash of the newest block of ChainID when the service read the answer; empty if it was not known.
	Head string
}

const (
	maxAgeKey = "hawser-cache-max-age"
	chainKey  = "hawser-cache-chain"
	headKey   = "hawser-cache-head"
)

// Set adds a policy to the answer of the call that ctx belongs to. It does nothing outside a call.
func Set(ctx context.Context, p Policy) {
	// It fails only outside a call, where an answer cannot have a policy.
	_ = grpc.SetHeader(ctx, metadata.Pairs(maxAgeKey, strconv.FormatInt(p.MaxAge.Milliseconds(), 10), chainKey, p.ChainID, headKey, p.Head))
}

// FromHeader returns the policy in the header of an answer; its MaxAge is zero when there is none.
func FromHeader(header metadata.MD) Policy {
	ms, err := strconv.ParseInt(first(header, maxAgeKey), 10, 64)
	if err != nil || ms <= 0 {
		return Policy{}
	}
	return Policy{MaxAge: time.Duration(ms) * time.Millisecond, ChainID: first(header, chainKey), Head: first(header, headKey)}
}

func first(header metadata.MD, key string) string {
	if values := header[key]; len(values) > 0 {
		return values[0]
	}
	return ""
}
