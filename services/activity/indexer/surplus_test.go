package indexer

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

// Pages may watch as many accounts as are followed. The blocks of the others are read after their requests.
func TestAnAccountWithoutRoomIsReadAfterItsRequest(t *testing.T) {
	i, c, _ := backfill(t, 100, func(cfg *Config) { cfg.Followed = 1 })
	watched, other := evm.Address{1}, evm.Address{2}
	i.trackFor(t, "a", watched)
	for minute := range 5 {
		i.Clock = clocktest.StoppedAt(time.Unix(1_700_000_000+int64(minute)*61, 0))
		for _, r := range []index.Request{
			{Account: index.Account{ChainID: "eip155:1", Address: watched}, Caller: "a", Watched: true, At: i.Clock.Now()},
			{Account: index.Account{ChainID: "eip155:1", Address: other}, Caller: "b", At: i.Clock.Now()},
		} {
			if _, err := i.Store.Requested(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		if minute == 0 {
			i.trackFor(t, "b", other)
		}
		if err := i.updateFollowed(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		i.fillAll(t, c)
	}
	if n := i.unread(t, other); n > 0 {
		t.Errorf("%d blocks of the other account are unread", n)
	}
}
