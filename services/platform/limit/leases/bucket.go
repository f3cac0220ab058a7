package leases

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/hawser-dev/hawser/services/platform/limit"
)

// aheadShare is the part of a burst that all replicas together lease at a time.
const aheadShare = 1.0 / 20

// bucket is what is left of a caller's rate for all replicas, at a time of the NATS server. Tokens below 0 are owed.
type bucket struct {
	tokens float64
	at     time.Time
}

// bucketBytes is the size of an encoded bucket.
const bucketBytes = 16

func (b bucket) encode() []byte {
	out := binary.BigEndian.AppendUint64(make([]byte, 0, bucketBytes), math.Float64bits(b.tokens))
	return binary.BigEndian.AppendUint64(out, uint64(b.at.UnixNano()))
}

func decodeBucket(raw []byte) (bucket, error) {
	if len(raw) != bucketBytes {
		return bucket{}, errors.New("the record is not a bucket")
	}
	tokens := math.Float64frombits(binary.BigEndian.Uint64(raw))
	if math.IsNaN(tokens) || math.IsInf(tokens, 0) {
		return bucket{}, errors.New("the record has an invalid number of tokens")
	}
	return bucket{tokens: tokens, at: time.Unix(0, int64(binary.BigEndian.Uint64(raw[8:])))}, nil
}

// level returns the tokens at a time; a time before that of the bucket adds none.
func (b bucket) level(r limit.Rate, now time.Time) float64 {
	return min(burst(r), b.tokens+max(0, now.Sub(b.at).Seconds())*r.PerSecond)
}

func burst(r limit.Rate) float64 { return max(1, r.Burst) }

// portion returns how many tokens one of n replicas leases at a time, at least 1.
func portion(r limit.Rate, n int) float64 {
	return max(1, math.Floor(burst(r)*aheadShare/float64(n)))
}
