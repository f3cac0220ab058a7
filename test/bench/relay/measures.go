package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

// measureSockets measures memory per connection: idle, and with five topics.
func (w *world) measureSockets(ctx context.Context, n int) error {
	r, err := w.startAllInOne(ctx)
	if err != nil {
		return err
	}
	before := residentMiB(r.cmd.Process.Pid)
	c, err := w.startClients(ctx, "hold", n, r.address, "")
	if err != nil {
		return err
	}
	start := time.Now()
	for _, what := range []string{"idle", "with 5 topics"} {
		if _, err := c.next(); err != nil {
			return err
		}
		opened := time.Since(start)
		// Two rounds of pings, so that connections are in the state in which they stay.
		time.Sleep(45 * time.Second)
		perSocket := (residentMiB(r.cmd.Process.Pid) - before) / float64(n)
		report(fmt.Sprintf("connections per GiB, %s", what), 1024/perSocket, "", fmt.Sprintf("%.1f KiB each, %d held, done in %s", perSocket*1024, n, opened.Round(time.Millisecond)))
		start = time.Now()
		if err := c.command("on"); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) measureMessages(ctx context.Context) error {
	r, err := w.startAllInOne(ctx)
	if err != nil {
		return err
	}
	return w.measurePairs(ctx, "one relay", r, r)
}

func (w *world) measureReplicas(ctx context.Context) error {
	first, second, err := w.startReplicas(ctx)
	if err != nil {
		return err
	}
	return w.measurePairs(ctx, "two relays", first, second)
}

// measurePairs measures messages from clients of one relay to clients of another.
func (w *world) measurePairs(ctx context.Context, where string, from, to *relay) error {
	c, err := w.startClients(ctx, "rate", 1000, from.address, to.address)
	if err != nil {
		return err
	}
	times, err := c.next()
	if err != nil {
		return err
	}
	report("publish to deliver at 1,000 msg/s, p50, "+where, times[0], "ms", "")
	report("publish to deliver at 1,000 msg/s, p99, "+where, times[1], "ms", fmt.Sprintf("%.0f messages", times[4]))
	report("publish to answer at 1,000 msg/s, p99, "+where, times[3], "ms", "")
	before := cpu(from.cmd.Process.Pid)
	start := time.Now()
	if c, err = w.startClients(ctx, "most", 64, from.address, to.address); err != nil {
		return err
	}
	perSecond, err := c.next()
	if err != nil {
		return err
	}
	used := (cpu(from.cmd.Process.Pid) - before).Seconds() / time.Since(start).Seconds()
	report("messages per second, as many as go, "+where, perSecond[0], "msg/s", fmt.Sprintf("%.0f msg/s per core of the relay, of %d cores", perSecond[0]/used, runtime.NumCPU()))
	return nil
}

// measureRestart ends a relay with n clients of some topics each and starts it again.
func (w *world) measureRestart(ctx context.Context, n, topics int, gently bool) error {
	r, err := w.startAllInOne(ctx)
	if err != nil {
		return err
	}
	c, err := w.startClients(ctx, "return", n, r.address, "", "-topics", strconv.Itoa(topics))
	if err != nil {
		return err
	}
	if _, err := c.next(); err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	how := "kill"
	start := time.Now()
	if gently {
		how = "stop"
		r.stop()
	} else {
		r.kill()
	}
	ended := time.Since(start)
	if err := w.start(ctx, r); err != nil {
		return err
	}
	if err := c.command("restarted"); err != nil {
		return err
	}
	result, err := c.next()
	if err != nil {
		return err
	}
	report(fmt.Sprintf("%d clients of %d topics back after %s and start", n, topics, how), result[0], "s",
		fmt.Sprintf("%.0f messages acknowledged, %.0f lost, %.0f clients not back, %.0f attempts failed; it ended in %s", result[1], result[2], result[3], result[4], ended.Round(time.Millisecond)))
	report("memory of the relay afterwards", residentMiB(r.cmd.Process.Pid), "MiB", fmt.Sprintf("%.0f MiB at most, %.1f s of CPU", peakMiB(r.cmd.Process.Pid), cpu(r.cmd.Process.Pid).Seconds()))
	return nil
}

// measureMailboxes starts a relay that has n mailboxes of one message each.
func (w *world) measureMailboxes(ctx context.Context, n int) error {
	r, err := w.startAllInOne(ctx)
	if err != nil {
		return err
	}
	r.kill()
	if err := w.fill(ctx, n); err != nil {
		return err
	}
	start := time.Now()
	if err := w.start(ctx, r); err != nil {
		return err
	}
	report(fmt.Sprintf("start with %d mailboxes", n), time.Since(start).Seconds(), "s", fmt.Sprintf("%.0f MiB resident", residentMiB(r.cmd.Process.Pid)))
	return nil
}

// fill writes mailboxes into the folder of a relay that does not run, without waiting for the disk.
func (w *world) fill(ctx context.Context, n int) error {
	s, err := server.NewServer(&server.Options{DontListen: true, NoSigs: true, JetStream: true, StoreDir: filepath.Join(w.dir, "all", "nats", "relaxed"), JetStreamMaxStore: 8 << 30})
	if err != nil {
		return err
	}
	s.Start()
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	if !s.ReadyForConnections(time.Minute) {
		return fmt.Errorf("the NATS server does not start")
	}
	conn, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		return err
	}
	defer conn.Close()
	store, err := mailbox.Open(ctx, conn, mailbox.Config{MaxBytes: 6 << 30, Replicas: 1})
	if err != nil {
		return err
	}
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var running sync.WaitGroup
	for range 16 {
		running.Go(func() {
			for next.Add(1) <= int64(n) && failed.Load() == nil {
				m := mailbox.Message{Body: padding, Tag: 1108}
				_, _ = rand.Read(m.Topic[:])
				// Of a million networks.
				m.Account.Networks[0] = binary.BigEndian.Uint32(m.Topic[:]) >> 12
				if _, err := store.Publish(ctx, m, 24*time.Hour); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	running.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}
