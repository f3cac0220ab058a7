package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// honestRate is how many requests a second another caller makes beside each attack.
	honestRate = 15
	// recess is how long the suite rests after an attack.
	recess = 3 * time.Second
)

// chartShape is the suite as the chart splits it, with one process of each group, the memory of a pod by default, and the default limits of callers. The
// addresses of callers come from a proxy.
func chartShape(node string) shape {
	return shape{
		groups: map[string]string{
			"chains":   "chains,bitcoin",
			"accounts": "activity,balances,nfts,access,updates,names,preview",
			"convert":  "convert",
			"keys":     "auth,wallet,bundler,sessions,webhooks",
			"control":  "projects,analytics,handoff,directory,onramp",
			"relay":    "relay",
		},
		replicas: 1,
		settings: "gateway: {trust_forwarded_for: true}\n",
		relay:    ", trust_forwarded_for: true",
		memory:   512 << 20,
		nodes:    map[string]string{scriptedChain: node},
	}
}

// watch is what a caller and the processes of the suite met in a phase.
type watch struct {
	errors, right int
	firstError    string
	p99           time.Duration
	// slowest is the kind of request that took longest at its 99th percentile.
	slowest string
	// peaks are the most bytes that each process had resident.
	peaks map[string]int64
}

// runHostile plays each attack beside another caller, prints a table, and returns errBroken if a process left its memory or ended, or if the other caller
// had an error.
func runHostile(o options) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	node, stopNode, err := scriptedNode()
	if err != nil {
		return err
	}
	defer stopNode()
	// The node is on this machine's network.
	w, err := newWorld(ctx, chartShape(node), o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	k, err := w.prepare(ctx)
	if err != nil {
		return err
	}
	pause(ctx, recess)
	quiet := w.beside(ctx, k, o.duration, func(context.Context) {})
	fmt.Printf("| attack | what the attacker had | most memory MiB of %d | errors of another caller | its p99 ms (times the quiet one, slowest request) |\n| --- | --- | ---: | ---: | ---: |\n", w.memory>>20)
	fmt.Println(row("none", "", quiet, quiet))
	broken := quiet.broken("none", w)
	for _, a := range w.attacks() {
		if !strings.Contains(a.name, o.only) {
			continue
		}
		t := &tally{counts: map[string]int{}}
		met := w.beside(ctx, k, o.duration, func(ctx context.Context) { a.play(ctx, t) })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fmt.Println(row(a.name, t.String(), met, quiet))
		broken = append(broken, met.broken(a.name, w)...)
		if a.isRefused != nil && !t.has(a.isRefused) {
			broken = append(broken, a.name+": the attacker is never refused")
		}
		if err := w.untilReady(ctx); err != nil {
			return err
		}
		pause(ctx, recess)
	}
	for _, b := range broken {
		fmt.Println("BROKEN:", b)
	}
	if len(broken) > 0 {
		return fmt.Errorf("%w: %d", errBroken, len(broken))
	}
	fmt.Println("every process stayed within its memory, and the other caller had no error")
	return nil
}

// beside plays an attack for a while beside another caller.
func (w *world) beside(ctx context.Context, k known, length time.Duration, play func(ctx context.Context)) watch {
	for _, p := range w.hawser {
		p.resetPeak()
	}
	recorder := newRecorder()
	writes := &acknowledged{world: w, recorder: recorder, mail: newMail(w, recorder)}
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var running sync.WaitGroup
	running.Go(func() { writes.mail.receive(ctx) })
	g := &generator{calls: append(w.reads(k), writes.publish()), rate: honestRate, random: rand.New(rand.NewPCG(1, 1)), recorder: recorder} //nolint:gosec // the same requests in each phase
	running.Go(func() { g.run(ctx) })
	running.Go(func() { play(ctx) })
	running.Wait()
	writes.mail.close()
	met := recorder.watch()
	met.peaks = map[string]int64{}
	for _, p := range w.hawser {
		met.peaks[p.name] = p.peak()
	}
	return met
}

// watch returns what became of all requests.
func (r *recorder) watch() (met watch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []time.Duration
	var worst time.Duration
	for _, name := range sortedKeys(r.took) {
		all = append(all, r.took[name]...)
		if p99 := quantile(slices.Sorted(slices.Values(r.took[name])), 0.99); p99 > worst {
			worst, met.slowest = p99, name
		}
	}
	met.right = len(all)
	met.p99 = quantile(slices.Sorted(slices.Values(all)), 0.99)
	for _, call := range sortedKeys(r.refused) {
		for _, reason := range sortedKeys(r.refused[call]) {
			met.errors += r.refused[call][reason]
			met.firstError = call + ": " + reason
		}
	}
	for _, what := range r.wrong {
		met.errors++
		met.firstError = what
	}
	return met
}

// broken returns what must not be.
func (m watch) broken(attack string, w *world) (broken []string) {
	if m.errors > 0 {
		broken = append(broken, fmt.Sprintf("%s: %d of %d requests of another caller failed, such as %s", attack, m.errors, m.errors+m.right, m.firstError))
	}
	for _, name := range sortedKeys(m.peaks) {
		if m.peaks[name] >= w.memory {
			broken = append(broken, fmt.Sprintf("%s: %s used %d MiB", attack, name, m.peaks[name]>>20))
		}
	}
	for _, p := range w.hawser {
		if n := p.unexpectedExits(); n > 0 {
			broken = append(broken, fmt.Sprintf("%s: %s ended %d times", attack, p.name, n))
			p.resetExits()
		}
	}
	return broken
}

func row(name, outcome string, m, quiet watch) string {
	ms := float64(m.p99) / float64(time.Millisecond)
	times := float64(m.p99) / float64(max(quiet.p99, 1))
	names := sortedKeys(m.peaks)
	slices.SortStableFunc(names, func(a, b string) int { return int(m.peaks[b]>>20 - m.peaks[a]>>20) })
	var peaks []string
	for _, name := range names[:min(3, len(names))] {
		peaks = append(peaks, fmt.Sprintf("%s %d", strings.TrimSuffix(name, "-1"), m.peaks[name]>>20))
	}
	return fmt.Sprintf("| %s | %s | %s | %d of %d | %.0f (%.1f, %s) |", name, outcome, strings.Join(peaks, ", "), m.errors, m.errors+m.right, ms, times, m.slowest)
}

// tally counts what an attacker had. It is safe for concurrent use.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (t *tally) add(outcome string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[outcome]++
}

// has reports whether an outcome is one of those that is reports.
func (t *tally) has(is func(outcome string) bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(sortedKeys(t.counts), is)
}

// String returns the outcomes with their counts, the most frequent one first.
func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	names := sortedKeys(t.counts)
	slices.SortStableFunc(names, func(a, b string) int { return t.counts[b] - t.counts[a] })
	var list []string
	for _, name := range names[:min(len(names), 4)] {
		list = append(list, fmt.Sprintf("%d x %s", t.counts[name], name))
	}
	return strings.Join(list, ", ")
}
