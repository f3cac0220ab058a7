// Command relay measures the wallet-connect relay: memory per connection, latency and rate of messages, and what a restart costs. Relay and
// clients are processes of their own.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	clients := flag.String("clients", "", "be the clients of a relay at this address, and nothing else")
	task := flag.String("task", "", "what the clients do")
	second := flag.String("second", "", "address of the relay that subscribers use, if it is another")
	n := flag.Int("n", 15_000, "connections to hold")
	back := flag.Int("back", 10_000, "clients of the relay that is restarted")
	topics := flag.Int("topics", 50, "topics of each client of the relay that is restarted")
	gently := flag.Bool("gently", false, "stop that relay as an upgrade does, instead of killing it")
	mailboxes := flag.Int("mailboxes", 1_000_000, "mailboxes of the relay that is started")
	only := flag.String("only", "sockets,messages,replicas,restart,mailboxes", "what to measure")
	hawser := flag.String("hawser", ".tmp/bin/hawser", "the binary to measure")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *clients != "" {
		return runClients(ctx, *task, *clients, *second, *n, *topics)
	}
	w := &world{hawser: *hawser}
	return measure(w, strings.Split(*only, ","), map[string]func() error{
		"sockets":   func() error { return w.measureSockets(ctx, *n) },
		"messages":  func() error { return w.measureMessages(ctx) },
		"replicas":  func() error { return w.measureReplicas(ctx) },
		"restart":   func() error { return w.measureRestart(ctx, *back, *topics, *gently) },
		"mailboxes": func() error { return w.measureMailboxes(ctx, *mailboxes) },
	})
}

func measure(w *world, only []string, measures map[string]func() error) error {
	defer w.close()
	for _, name := range only {
		do, ok := measures[name]
		if !ok {
			return fmt.Errorf("there is no measure %q", name)
		}
		if err := do(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		w.close()
	}
	return nil
}

// report prints one line.
func report(what string, value float64, unit, note string) {
	fmt.Printf("%-62s %12.1f %-14s %s\n", what, value, unit, note)
}
