package finalcache

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"
)

// Key identifies a read: the hash of its chain, method and parameters, in base64.
type Key string

// KeyOf returns the key of a read.
func KeyOf(chainID, read string) Key {
	sum := sha256.Sum256([]byte(chainID + " " + read))
	return Key(base64.RawURLEncoding.EncodeToString(sum[:]))
}

// Claim is what one node returned for a read.
type Claim struct {
	// Node is the host of the node.
	Node string
	// Hash is the hash of its result.
	Hash [sha256.Size]byte
}

// Entry is what is known of a read.
type Entry struct {
	Key Key
	// ChainID is the CAIP-2 chain id.
	ChainID string
	Claim   Claim
	// Result is empty while only one node returned it.
	Result json.RawMessage
	// UsedAt is when it was added or read, exact to the hour. It is not set in entries to add.
	UsedAt time.Time
}

// size is what an entry counts for before compression, in bytes.
func (e Entry) size() int64 { return int64(rowBytes + len(e.Result)) }

// Size is what the rows of a chain take.
type Size struct {
	// Bytes is what they count for, Results how many there are.
	Bytes, Results int64
}

// Store keeps entries. It is safe for concurrent use, also by several processes.
type Store interface {
	// Find calls each with what is known of the reads, in any order, until it returns false.
	Find(ctx context.Context, keys []Key, each func(Entry) bool) error
	// Add adds entries. A claim replaces a claim, a result replaces a claim, and nothing replaces a result.
	Add(ctx context.Context, entries []Entry, now time.Time) error
	// Touch records that entries were read.
	Touch(ctx context.Context, keys []Key, now time.Time) error
	// Trim removes what was not read for the longest time until all rows count for at most this much, in bytes. It returns what it removed, or 0 if
	// another process does it.
	Trim(ctx context.Context, most int64) (removed int64, err error)
	// Sizes returns the sizes by chain.
	Sizes(ctx context.Context) (map[string]Size, error)
}
