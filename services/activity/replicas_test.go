package activity

import (
	"slices"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestTwoReplicasPublishEachBlockOnce(t *testing.T) {
	first := open(t)
	first.stop()
	first.dsn = storetest.PostgreSQL(t)
	first.start(t)
	second := *first
	second.start(t)

	from, to := first.fresh(t), first.fresh(t)
	first.request(t, to, "")
	if second.request(t, to, "").GetCoverage().GetBackfilling() {
		t.Error("the second replica does not have what the first one read")
	}
	var want []string
	for range 10 {
		hash := first.send(t, map[string]any{"from": from, "to": to, "value": "0x1"})
		want = append([]string{hash}, want...)
		first.head(t)
		second.head(t)
	}
	for _, replica := range []*world{first, &second} {
		eventually(t, "ten rows", func() bool { return slices.Equal(replica.hashes(t, to), want) })
	}
	account := first.chain.CAIP2 + ":" + strings.ToLower(to)
	published := map[uint64]int{}
	eventually(t, "ten events", func() bool {
		for len(first.changes) > 0 {
			if e := <-first.changes; slices.Contains(e.GetAccounts(), account) {
				published[e.GetBlock()]++
			}
		}
		return len(published) == 10
	})
	for block, times := range published {
		if times != 1 {
			t.Errorf("block %d was published %d times", block, times)
		}
	}
}
