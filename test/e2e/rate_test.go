package e2e

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The rate of a project is shared by the gateways. What it gains while a test runs is little beside the burst.
const (
	sharedBurst     = 200
	sharedPerSecond = 1
)

// TestARateHoldsOverTwoGateways sends four times the burst. A gateway that NATS does not answer in time counts by itself for a while, as it should on a
// machine that is too busy; then this test starts again with another project.
func TestARateHoldsOverTwoGateways(t *testing.T) {
	first, second := twoGateways(t)
	for round := range 10 {
		seenSoon(t, "that both gateways share their limits", func() bool { return !first.readLimits(t).alone && !second.readLimits(t).alone })
		before := []limits{first.readLimits(t), second.readLimits(t)}
		id := fmt.Sprintf("1d0fa11a%024x", rand.Uint64())
		first.project(t, "create", "-id", id, "-name", "Limited", "-any-origin", "-rate", fmt.Sprint(sharedPerSecond), "-burst", fmt.Sprint(sharedBurst))
		begun := time.Now()
		answered, refused := spend(t, id, first, second)
		took := time.Since(begun)
		if after := []limits{first.readLimits(t), second.readLimits(t)}; !slices.Equal(after, before) {
			t.Logf("round %d: a gateway counted by itself", round+1)
			continue
		}
		t.Logf("%d requests were answered in %s, and %d were refused", answered, took, refused)
		if most := sharedBurst + sharedPerSecond*took.Seconds(); float64(answered) > most {
			t.Errorf("%d requests were answered, one gateway would answer %.0f", answered, most)
		}
		// Each gateway may have a fortieth of the burst left that the other one cannot use.
		if answered < sharedBurst*9/10 || refused == 0 {
			t.Errorf("%d requests were answered and %d refused, of a burst of %d", answered, refused, sharedBurst)
		}
		return
	}
	t.Error("a gateway counted by itself in every round")
}

// spend sends 800 requests of a project to gateways in turns, once each of them knows the project.
func spend(t *testing.T, id string, gateways ...*suite) (answered, refused int64) {
	t.Helper()
	for _, g := range gateways {
		g.answers(t, id, http.StatusOK)
	}
	var taken, over atomic.Int64
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			for range 40 {
				switch status := gateways[n%len(gateways)].requestAs(t, id); status {
				case http.StatusOK:
					taken.Add(1)
				case http.StatusTooManyRequests:
					over.Add(1)
				default:
					t.Errorf("status %d", status)
				}
			}
		})
	}
	all.Wait()
	return taken.Load() + int64(len(gateways)), over.Load()
}

// limits are the metrics of what makes a gateway count a rate by itself.
type limits struct {
	// alone says that NATS does not answer now.
	alone bool
	// failures counts requests to NATS that failed, or lost to those of other replicas.
	failures float64
}

func (s *suite) readLimits(t *testing.T) (l limits) {
	t.Helper()
	res, err := http.Get("http://" + metricsIn(t, s.gateway) + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	found := false
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), "} ")
		if !strings.Contains(name, `service="gateway"`) {
			continue
		}
		n, _ := strconv.ParseFloat(value, 64)
		switch {
		case strings.HasPrefix(name, "hawser_limit_alone{"):
			l.alone, found = n != 0, true
		case strings.HasPrefix(name, "hawser_limit_leases_total{") && (strings.Contains(name, `outcome="failed"`) || strings.Contains(name, `outcome="contended"`)):
			l.failures += n
		}
	}
	if !found {
		t.Fatal("the gateway has no metrics of its limits")
	}
	return l
}
