package bus

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

func TestALeaderHasAQuorumWhileItHearsFromMostReplicas(t *testing.T) {
	const recent, silent = time.Second, replicaSilence + time.Second
	for _, test := range []struct {
		name    string
		cluster *jetstream.ClusterInfo
		want    bool
	}{
		{"a server without a cluster", nil, true},
		{"one copy", leaderOf(), true},
		{"both other replicas answer", leaderOf(recent, recent), true},
		{"one of two is silent", leaderOf(recent, silent), true},
		{"both others are silent", leaderOf(silent, silent), false},
		{"two of four are silent", leaderOf(recent, silent, recent, silent), true},
		{"three of four are silent", leaderOf(silent, silent, recent, silent), false},
	} {
		if got := hasQuorum(test.cluster); got != test.want {
			t.Errorf("%s: quorum %t", test.name, got)
		}
	}
}

// leaderOf returns the cluster information of a leader, with a replica for each time since its last message.
func leaderOf(replicas ...time.Duration) *jetstream.ClusterInfo {
	info := &jetstream.ClusterInfo{Leader: "it"}
	for _, active := range replicas {
		info.Replicas = append(info.Replicas, &jetstream.PeerInfo{Active: active})
	}
	return info
}
