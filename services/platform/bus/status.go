package bus

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// ours holds the name prefixes of the suite's streams. Other applications may share the servers.
var ours = []string{"HAWSER_", "RELAY_", "KV_RELAY_"}

// Status describes the connection to the servers, for operators.
func (b *Bus) Status(ctx context.Context) *statusv1.Bus {
	s := &statusv1.Bus{Embedded: b.embedded != nil, Server: b.conn.ConnectedServerName()}
	for _, known := range b.conn.Servers() {
		if u, err := url.Parse(known); err == nil && !s.GetEmbedded() {
			s.Servers = append(s.Servers, u.Host)
		}
	}
	slices.Sort(s.Servers)
	if err := b.Ready(ctx); err != nil {
		s.Error = err.Error()
	}
	return s
}

// Streams describes the streams of the suite by name, for operators.
func (b *Bus) Streams(ctx context.Context) (streams []*statusv1.Stream, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var names []string
	list := b.js.StreamNames(ctx)
	for name := range list.Name() {
		if slices.ContainsFunc(ours, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			names = append(names, name)
		}
	}
	if err := list.Err(); err != nil {
		return nil, err
	}
	slices.Sort(names)
	streams = make([]*statusv1.Stream, len(names))
	var requests routine.WaitGroup
	for i, name := range names {
		// A stream without a leader does not answer.
		streams[i] = &statusv1.Stream{Name: name, Copies: uint32(b.replicas)}
		requests.Go(ctx, func() {
			if stream, err := b.js.Stream(ctx, name); err == nil {
				streams[i] = describe(stream.CachedInfo())
			}
		})
	}
	requests.Wait()
	return streams, nil
}

func describe(info *jetstream.StreamInfo) *statusv1.Stream {
	s := &statusv1.Stream{
		Name: info.Config.Name, Messages: info.State.Msgs, Bytes: info.State.Bytes, Copies: uint32(max(1, info.Config.Replicas)),
		Quorum: hasQuorum(info.Cluster) && (info.Cluster == nil || info.Cluster.Leader != ""),
	}
	if info.Cluster == nil {
		return s
	}
	if info.Cluster.Leader != "" {
		s.Replicas = append(s.Replicas, &statusv1.Replica{Server: info.Cluster.Leader, Leader: true, Current: true})
	}
	for _, r := range info.Cluster.Replicas {
		s.Replicas = append(s.Replicas, &statusv1.Replica{Server: r.Name, Current: r.Current && !r.Offline && r.Active < replicaSilence})
	}
	return s
}
