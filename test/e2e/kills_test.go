package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// envKills is how many kills each shape of the suite gets; five where it is not set. `make kills` sets it to a hundred.
const envKills = "HAWSER_KILLS"

// TestEveryAcknowledgedWriteIsThereOnceOverKills writes to a suite whose processes are killed with SIGKILL at random, and then compares the
// database and the chain with what was acknowledged: names, what they say, orders, payments, the messages of sellers about them, and sign-ins.
// It compares the events that were published with the changes in the database. It prints how long the suite took to recover.
func TestEveryAcknowledgedWriteIsThereOnceOverKills(t *testing.T) {
	t.Parallel()
	kills := killCount(t)
	t.Run("all in one on SQLite", func(t *testing.T) { newKillable(t, false).endure(t, kills) })
	t.Run("a process a service on PostgreSQL with two replicas", func(t *testing.T) { newKillable(t, true).endure(t, kills) })
}

// killCount returns how many kills a test plays.
func killCount(t *testing.T) int {
	t.Helper()
	kills := 5
	if text := os.Getenv(envKills); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s is not a number", envKills)
		}
	}
	return kills
}

// endure kills processes while writers write, and then checks that every acknowledged write is there once.
func (k *killable) endure(t *testing.T, kills int) {
	for _, p := range k.processes {
		p.start(t)
		t.Cleanup(p.kill)
	}
	t.Cleanup(func() {
		if t.Failed() {
			k.showLogs(t)
		}
	})
	k.untilReady(t)
	published := k.listen(t)
	sent := k.payouts(t)
	var writers sync.WaitGroup
	for n := range 3 {
		writers.Go(func() { k.writeNames(n) })
	}
	for n := range 2 {
		writers.Go(func() { k.writeOrders(n) })
	}
	writers.Go(func() { k.writeSessions(t) })
	var ready, wrote []time.Duration
	for range kills {
		time.Sleep(time.Duration(rand.IntN(700)) * time.Millisecond)
		victims := k.victims()
		for _, v := range victims {
			v.kill()
		}
		begun := time.Now()
		for _, v := range victims {
			v.start(t)
		}
		if rand.IntN(5) == 0 { // some die while they start
			time.Sleep(time.Duration(10+rand.IntN(160)) * time.Millisecond)
			victims[0].kill()
			begun = time.Now()
			victims[0].start(t)
		}
		k.untilReady(t)
		ready = append(ready, time.Since(begun))
		k.untilWritten(t)
		wrote = append(wrote, time.Since(begun))
	}
	close(k.stop)
	writers.Wait()
	k.wantNames(t)
	k.wantOrders(t, sent)
	k.wantSessions(t)
	k.wantPublished(t, published)
	t.Logf("%d kills: ready again after %s, first write after %s", kills, spread(ready), spread(wrote))
	t.Logf("refusals meanwhile: %v", k.refusals)
}

// victims are one to four processes, each at most once.
func (k *killable) victims() []*killableProcess {
	all := slices.Clone(k.processes)
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:1+rand.IntN(min(4, len(all)))]
}

// spread prints the minimum, the median and the maximum.
func spread(times []time.Duration) string {
	slices.Sort(times)
	at := func(i int) time.Duration { return times[i].Round(time.Millisecond) }
	return fmt.Sprintf("min %s, median %s, max %s", at(0), at(len(times)/2), at(len(times)-1))
}

// untilReady returns when every gateway reports that it is ready.
func (k *killable) untilReady(t *testing.T) {
	t.Helper()
	for _, gateway := range k.gateways {
		(&suite{url: gateway}).wait(t)
	}
}

// untilWritten returns when a write that began after the call was acknowledged.
func (k *killable) untilWritten(t *testing.T) {
	t.Helper()
	before := k.written.Load()
	for deadline := time.Now().Add(startTimeout); k.written.Load() == before; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing is written any more")
		}
	}
}
