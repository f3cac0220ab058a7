package bus

import (
	"context"
	"log/slog"
	"time"
)

const (
	// probeTimeout bounds how long a server may take to tell of JetStream.
	probeTimeout = time.Second
	// cutOffFor is how long JetStream must not be there before its server is left.
	cutOffFor = 2 * time.Second
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

// hasJetStream reports whether JetStream answers.
func (b *Bus) hasJetStream() bool {
	ctx, cancel := context.WithTimeout(b.closing, probeTimeout)
	defer cancel()
	_, err := b.js.AccountInfo(ctx)
	return err == nil
}
