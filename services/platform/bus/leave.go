package bus

import (
	"context"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// probeTimeout bounds how long a server may take to tell of JetStream.
	probeTimeout = time.Second
	// cutOffFor is how long JetStream must not be there before its server is left.
	cutOffFor = 2 * time.Second
	// replicaSilence is the time without a message after which a replica counts as unreachable; replicas answer their leader every second.
	replicaSilence = 3 * time.Second
)

// leaveCutOff moves the connection to another server whenever the one it leads to has had no JetStream for a while, until the bus closes. A server
// that the network cut off from its cluster keeps its connections, and without this would for as long as the network is so.
func (b *Bus) leaveCutOff() {
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	var since time.Time // when JetStream was found to be away; zero while it is there
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
			slog.Warn("the NATS server has no JetStream: another one is tried", "server", b.conn.ConnectedServerName())
			if err := b.conn.ForceReconnect(); err != nil {
				slog.Warn("bus", "error", err)
			}
			since = time.Time{}
		}
	}
}

// hasJetStream reports whether JetStream answers, and the leader of at least one stream of this process does that reaches most of its replicas. A
// server that leads JetStream's metadata answers for some 15 seconds after it was cut off.
func (b *Bus) hasJetStream() bool {
	ctx, cancel := context.WithTimeout(b.closing, probeTimeout)
	defer cancel()
	if _, err := b.js.AccountInfo(ctx); err != nil {
		return false
	}
	streams := b.knownStreams()
	answers := make(chan bool, len(streams))
	var asking routine.WaitGroup
	defer asking.Wait()
	for _, name := range streams {
		asking.Go(ctx, func() {
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
	heard := 1
	for _, replica := range cluster.Replicas {
		if replica.Active < replicaSilence {
			heard++
		}
	}
	return 2*heard > len(cluster.Replicas)+1
}
