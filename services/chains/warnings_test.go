package chains

import (
	"testing"
	"time"
)

func TestAWarningIsRepeatedForAChainAfterAnHour(t *testing.T) {
	w, now := warnings{at: map[string]time.Time{}}, time.Unix(1_700_000_000, 0)
	for _, step := range []struct {
		chainID string
		after   time.Duration
		want    bool
	}{{"eip155:1", 0, true}, {"eip155:1", warnEvery - 1, false}, {"eip155:10", warnEvery - 1, true}, {"eip155:1", warnEvery, true}} {
		if got := w.first(step.chainID, now.Add(step.after)); got != step.want {
			t.Errorf("%s after %s: %t", step.chainID, step.after, got)
		}
	}
}
