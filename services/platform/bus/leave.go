package bus

import (
	"context"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// probeTimeout bounds how long a server may take to answer for JetStream.
	probeTimeout = time.Second
	// cutOffFor is how long JetStream must not answer before its server is left.
	cutOffFor = 2 * time.Second
	// replicaSilence is the time without a message after which a replica counts as unreachable; replicas answer their leader every second.
	replicaSilence = 3 * time.Second
)

// leaveCutOff reconnects to another server when JetStream of the connected one has not answered for cutOffFor. It runs
// until the bus closes. A server that is cut off from its cluster keeps its connections, so the client does not
// reconnect by itself.
func (b *Bus) leaveCutOff() {
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	var since time.Time // when JetStream did not answer for the first time; zero while it does
	for {
		select {
		case <-b.closing.Done():
			return
		case <-tick.C:
		}
		begun := b.clock.Now()
		switch {
		case !b.conn.IsConnected() || len(b.conn.Servers()) < 2 || b.hasJetStream():
			since = time.Time{}
		case since.IsZero():
			since = begun
		case b.clock.Now().Sub(since) >= cutOffFor:
			slog.Warn("JetStream of the NATS server does not answer: reconnecting to another server", "server", b.conn.ConnectedServerName())
			if err := b.conn.ForceReconnect(); err != nil {
				slog.Warn("reconnecting to another NATS server failed", "error", err)
			}
			since = time.Time{}
		}
	}
}

// hasJetStream reports whether JetStream answers, and at least one stream of this process has a leader with a quorum. A
// leader of JetStream's metadata still answers for some 15 seconds after it was cut off, so its own answer is not
// sufficient.
func (b *Bus) hasJetStream() bool {
	ctx, cancel := context.WithTimeout(b.closing, probeTimeout)
	defer cancel()
	if _, err := b.js.AccountInfo(ctx); err != nil {
		return false
	}
	streams := b.knownStreams()
	answers := make(chan bool, len(streams))
	var requests routine.WaitGroup
	defer requests.Wait()
	for _, name := range streams {
		requests.Go(ctx, func() {
			stream, err := b.js.Stream(ctx, name)
			answers <- err == nil && hasQuorum(stream.CachedInfo().Cluster)
		})
	}
	for range streams {
		if <-answers {
			cancel()
			return true
		}
	}
	return len(streams) == 0
}

// knownStreams returns the names of the streams that this process has used.
func (b *Bus) knownStreams() (names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for owner := range b.streams {
		names = append(names, streamName(owner))
	}
	return names
}

// hasQuorum reports whether a stream's leader received messages from a majority of the replicas, itself included, within replicaSilence. cluster is
// what the leader reports; it is nil on a single server.
func hasQuorum(cluster *jetstream.ClusterInfo) bool {
	if cluster == nil {
		return true
	}
	reached := 1
	for _, replica := range cluster.Replicas {
		if replica.Active < replicaSilence {
			reached++
		}
	}
	return 2*reached > len(cluster.Replicas)+1
}
