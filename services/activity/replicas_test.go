package activity

import (
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestTwoReplicasOfOneIndexTellEachBlockOnce(t *testing.T) {
	first := open(t)
	first.stop()
	first.dsn = storetest.PostgreSQL(t)
	first.start(t)
	second := *first
	second.start(t)

	from, to := first.fresh(t), first.fresh(t)
	first.ask(t, to, "")
	if second.ask(t, to, "").GetCoverage().GetBackfilling() {
		t.Error("what one replica read, the other does not know")
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
	account := first.chain.CAIP2 + ":" + lower(evm.MustAddress(to))
	told := map[uint64]int{}
	eventually(t, "ten events", func() bool {
		for len(first.changes) > 0 {
			if e := <-first.changes; slices.Contains(e.GetAccounts(), account) {
				told[e.GetBlock()]++
			}
		}
		return len(told) == 10
	})
	for block, times := range told {
		if times != 1 {
			t.Errorf("block %d was told %d times", block, times)
		}
	}
}
