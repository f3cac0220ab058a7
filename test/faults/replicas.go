package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// errBehind is returned while a replica of a stream is not current.
var errBehind = errors.New("a replica is behind")

// awaitReplicas waits until each stream has a leader and replicas that are all current, for a minute at most. Until then a cluster of three servers is
// not sure to survive the loss of another one.
func (w *world) awaitReplicas(ctx context.Context) error {
	conn, err := nats.Connect(w.busURL, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, maxRecovery)
	defer cancel()
	for {
		err := checkReplicas(ctx, js)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("after %s: %w", maxRecovery, err)
		}
		pause(ctx, 100*time.Millisecond)
	}
}

// checkReplicas returns an error unless all replicas of all streams are current.
func checkReplicas(ctx context.Context, js jetstream.JetStream) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	names := js.StreamNames(ctx)
	for name := range names.Name() {
		stream, err := js.Stream(ctx, name)
		if err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
		for _, r := range stream.CachedInfo().Cluster.Replicas {
			if r.Offline || !r.Current {
				return fmt.Errorf("%w: %s of stream %s", errBehind, r.Name, name)
			}
		}
	}
	return names.Err()
}
