package convert

import (
	"testing"
	"time"
)

func TestANodesClockGivesASwapNoEndlessLife(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for name, c := range map[string]struct{ block, want time.Time }{
		"a block of a while ago": {now.Add(-time.Hour), now},
		"a chain a little ahead": {now.Add(time.Minute), now.Add(time.Minute)},
		"a chain far ahead":      {now.Add(time.Hour), now.Add(2 * time.Minute)},
		"a node that lies":       {time.Unix(1<<62, 0), now.Add(2 * time.Minute)},
	} {
		if got := chainTime(now, c.block); !got.Equal(c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
