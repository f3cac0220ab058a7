package bus_test

import (
	"testing"
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
)

func TestTheStatusOfAServerInThisProcess(t *testing.T) {
	b := bustest.Embedded(t)
	publishIDs(t, b, "1", "2")
	s := b.Status(t.Context())
	if !s.GetEmbedded() || s.GetServer() != "hawser" || len(s.GetServers()) > 0 || s.GetError() != "" {
		t.Errorf("%v", s)
	}
	streams, err := b.Streams(t.Context())
	if err != nil || len(streams) != 1 {
		t.Fatalf("%v, %v", streams, err)
	}
	if got := streams[0]; got.GetName() != "HAWSER_PROJECTS" || got.GetMessages() != 2 || got.GetCopies() != 1 || !got.GetQuorum() || len(got.GetReplicas()) != 1 || !got.GetReplicas()[0].GetLeader() {
		t.Errorf("%v", got)
	}
}

func TestTheStatusNamesTheServersOfAClusterThatAreAway(t *testing.T) {
	t.Parallel()
	url, stop := bustest.Cluster(t, 3)
	b := bustest.Open(t, bus.Config{URL: url, Replicas: 3})
	publishIDs(t, b, "1")
	current := func() (quorum bool, names map[string]bool) {
		names = map[string]bool{}
		streams, err := b.Streams(t.Context())
		if err != nil || len(streams) != 1 {
			return false, names
		}
		for _, r := range streams[0].GetReplicas() {
			names[r.GetServer()] = r.GetCurrent()
		}
		return streams[0].GetQuorum(), names
	}
	until(t, "every server has a copy", func() bool {
		quorum, names := current()
		return quorum && names["n0"] && names["n1"] && names["n2"]
	})
	if s := b.Status(t.Context()); len(s.GetServers()) < 3 || s.GetServer() == "" || s.GetError() != "" {
		t.Errorf("%v", s)
	}

	stop(1)
	until(t, "n1 is away and the stream takes messages", func() bool {
		quorum, names := current()
		return quorum && names["n0"] && !names["n1"] && names["n2"]
	})

	stop(2)
	until(t, "the stream has no quorum, or the servers do not say", func() bool {
		streams, err := b.Streams(t.Context())
		lost := func(s *statusv1.Stream) bool { return !s.GetQuorum() }
		return err != nil || len(streams) == 1 && lost(streams[0])
	})
}

// until waits until done returns true, for what a cluster of real servers does asynchronously.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not so: %s", what)
		}
	}
}
