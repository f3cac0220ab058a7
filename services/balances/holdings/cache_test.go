package holdings

import (
	"context"
	"strconv"
	"testing"
	"time"
)

func TestTheCacheIsBoundedInBytes(t *testing.T) {
	c := NewCache(time.Hour, func(list []Holding) []Holding { return list })
	const listed = 800
	load := func(context.Context) ([]Holding, error) { return make([]Holding, listed), nil }
	keys := make([]Key, 1_000)
	for n := range keys {
		keys[n] = Key{ChainID: "eip155:1", Owner: strconv.Itoa(n), Currency: "usd"}
		if _, err := c.Get(t.Context(), keys[n], load); err != nil {
			t.Fatal(err)
		}
	}
	kept := 0
	for _, k := range keys {
		if _, ok := c.entries.Get(k); ok {
			kept++
		}
	}
	if size := kept * listed * holdingSize; kept == 0 || size > 2*cacheSize {
		t.Errorf("%d accounts of %d bytes are kept", kept, size)
	}
}
