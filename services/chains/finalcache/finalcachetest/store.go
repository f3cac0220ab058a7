// Package finalcachetest has the conformance tests of [finalcache.Store].
package finalcachetest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hawser-dev/hawser/services/chains/finalcache"
)

// start is a moment that is exact to the millisecond.
var start = time.UnixMilli(1_700_000_000_000)

const chain = "eip155:1"

// claim returns the claim of a read.
func claim(read, node, result string) finalcache.Entry {
	return finalcache.Entry{Key: finalcache.KeyOf(chain, read), ChainID: chain, Claim: finalcache.Claim{Node: node, Hash: sha256.Sum256([]byte(result))}}
}

// result returns a confirmed result.
func result(read, node, text string) finalcache.Entry {
	e := claim(read, node, text)
	e.Result = json.RawMessage(text)
	return e
}

// RunStore runs the conformance tests on stores that are empty.
func RunStore(t *testing.T, open func(t *testing.T) finalcache.Store) {
	add := func(t *testing.T, s finalcache.Store, at time.Time, entries ...finalcache.Entry) {
		t.Helper()
		if err := s.Add(t.Context(), entries, at); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("a result is found byte for byte", func(t *testing.T) {
		s := open(t)
		large := `{"transactions":["` + strings.Repeat("0xabcdef", 10_000) + `"], "é": null}`
		add(t, s, start, result("a", "one", `"0x1"`), result("b", "", large), claim("c", "two", "x"))
		if got := find(t, s, "a").Result; string(got) != `"0x1"` {
			t.Errorf("got %s", got)
		}
		if got := find(t, s, "b").Result; string(got) != large {
			t.Errorf("got %d bytes", len(got))
		}
		if got := find(t, s, "c"); len(got.Result) > 0 || got.Claim != claim("c", "two", "x").Claim || got.ChainID != chain || !got.UsedAt.Equal(start) {
			t.Errorf("got %+v", got)
		}
		if got := find(t, s, "d"); got.Key != "" {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("nothing replaces a result", func(t *testing.T) {
		s := open(t)
		add(t, s, start, claim("a", "one", "x"))
		add(t, s, start, claim("a", "two", "y"))
		if got := find(t, s, "a").Claim; got != claim("a", "two", "y").Claim {
			t.Errorf("got the claim %+v", got)
		}
		add(t, s, start, result("a", "one", `"0x2"`))
		add(t, s, start, claim("a", "three", "z"), result("a", "four", `"0x3"`))
		if got := find(t, s, "a").Result; string(got) != `"0x2"` {
			t.Errorf("got %s", got)
		}
	})
	t.Run("sizes are the sums of the rows, and what was not read for longest goes first", func(t *testing.T) {
		s := open(t)
		for i := range 10 {
			add(t, s, start.Add(time.Duration(i)*time.Hour), claim(fmt.Sprint(i), "one", "x"))
			add(t, s, start.Add(time.Duration(i)*time.Hour), result(fmt.Sprint(i), "two", `"0x1"`))
		}
		before := size(t, s)
		if before.Results != 10 || before.Bytes <= 0 || before.Bytes%10 != 0 {
			t.Fatalf("the size is %+v", before)
		}
		if err := s.Touch(t.Context(), []finalcache.Key{finalcache.KeyOf(chain, "0")}, start.Add(time.Hour*100)); err != nil {
			t.Fatal(err)
		}
		if removed, err := s.Trim(t.Context(), before.Bytes); removed != 0 || err != nil {
			t.Errorf("%d bytes are removed from what is within the bound, %v", removed, err)
		}
		removed, err := s.Trim(t.Context(), before.Bytes*55/100)
		if err != nil || removed != before.Bytes/2 {
			t.Errorf("%d bytes are removed of %d, %v", removed, before.Bytes, err)
		}
		if after := size(t, s); after.Results != 5 || after.Bytes != before.Bytes/2 {
			t.Errorf("the size is %+v", after)
		}
		for i := range 10 {
			if kept := find(t, s, fmt.Sprint(i)).Key != ""; kept != (i == 0 || i > 5) {
				t.Errorf("row %d is there: %t", i, kept)
			}
		}
		if _, err := s.Trim(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if after := size(t, s); after != (finalcache.Size{}) {
			t.Errorf("the size of nothing is %+v", after)
		}
	})
	t.Run("writers that add the same do not disturb each other", func(t *testing.T) {
		s := open(t)
		var g errgroup.Group
		for range 4 {
			g.Go(func() error {
				for i := range 10 {
					if err := s.Add(context.WithoutCancel(t.Context()), []finalcache.Entry{claim(fmt.Sprint(i), "one", "x"), result(fmt.Sprint(i), "two", `"0x1"`)}, start); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		if got := size(t, s); got.Results != 10 {
			t.Errorf("the size is %+v", got)
		}
	})
	t.Run("reading ends when nothing more is wanted", func(t *testing.T) {
		s := open(t)
		add(t, s, start, result("a", "one", `"0x1"`), result("b", "one", `"0x1"`))
		calls := 0
		err := s.Find(t.Context(), []finalcache.Key{finalcache.KeyOf(chain, "a"), finalcache.KeyOf(chain, "b")}, func(finalcache.Entry) bool {
			calls++
			return false
		})
		if err != nil || calls != 1 {
			t.Errorf("%d entries, %v", calls, err)
		}
	})
}

func find(t *testing.T, s finalcache.Store, read string) (found finalcache.Entry) {
	t.Helper()
	err := s.Find(t.Context(), []finalcache.Key{finalcache.KeyOf(chain, read)}, func(e finalcache.Entry) bool {
		found = e
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func size(t *testing.T, s finalcache.Store) finalcache.Size {
	t.Helper()
	sizes, err := s.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return sizes[chain]
}
