// Command faults runs the suite as an operator would split it, sends it requests at a fixed rate, breaks its parts at random, and checks that no
// acknowledged write is lost, that no answer is wrong, and that everything works again within ten seconds. With -load it breaks nothing. With -hostile
// it attacks the suite as callers can, and checks that every process stays within its memory and that another caller is served as before.
//
// Linux only. Where it runs as root it makes a network and mounts of its own: faults that need them are skipped otherwise.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	hawser, dev, nats, only string
	duration, recovery      time.Duration
	rate                    float64
	seed                    uint64
	load, hostile           bool
	isolated                bool
}

// errBroken is returned when a check failed; what is wrong has been printed.
var errBroken = errors.New("checks failed")

func main() {
	var o options
	flag.StringVar(&o.hawser, "hawser", ".tmp/bin/hawser-faults", "the binary to test")
	flag.StringVar(&o.dev, "dev", ".tmp/bin/hawser-dev-faults", "the binary of the on-ramp provider")
	flag.StringVar(&o.nats, "nats", ".tmp/bin/nats-server", "the NATS server")
	flag.StringVar(&o.only, "only", "", "play only faults whose name has this in it")
	flag.DurationVar(&o.duration, "duration", 3*time.Minute, "for how long there is load")
	flag.DurationVar(&o.recovery, "recovery", 10*time.Second, "how long a recovery may take, a minute at most")
	flag.Float64Var(&o.rate, "rate", 60, "requests a second")
	flag.Uint64Var(&o.seed, "seed", 0, "seed of the random choices; 0 for another one each time")
	flag.BoolVar(&o.load, "load", false, "break nothing")
	flag.BoolVar(&o.hostile, "hostile", false, "attack a suite with the limits of the chart instead, and watch a caller beside each attack")
	flag.BoolVar(&o.isolated, "isolated", false, "network and mounts are this program's own; set by the program itself")
	flag.Parse()
	if !o.isolated {
		isolate()
	}
	play := run
	if o.hostile {
		play = runHostile
	}
	if err := play(o); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func ignoreInterrupts() { signal.Ignore(os.Interrupt, syscall.SIGTERM) }

// trial is one run.
type trial struct {
	options
	world        *world
	acknowledged *acknowledged
	recorder     *recorder
	random       *rand.Rand
	kinds        []string
}

func run(o options) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.seed == 0 {
		o.seed = rand.Uint64()
	}
	fmt.Printf("seed %d, %v requests a second for %s\n", o.seed, o.rate, o.duration)
	w, err := newWorld(ctx, brokenShape, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	k, err := w.prepare(ctx)
	if err != nil {
		return err
	}
	t := &trial{options: o, world: w, random: rand.New(rand.NewPCG(o.seed, 0)), recorder: newRecorder()} //nolint:gosec // a choice of faults that can be repeated
	t.acknowledged = &acknowledged{world: w, recorder: t.recorder, mail: newMail(w, t.recorder)}
	return t.run(ctx, k)
}

// run sends load, plays the faults, checks the writes, and prints the result.
func (t *trial) run(ctx context.Context, k known) error {
	calls := t.acknowledged.calls(k)
	t.kinds = kinds(calls)
	load, stopLoad := context.WithCancel(ctx)
	receiving, stopReceiving := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer t.acknowledged.mail.close()
	defer running.Wait()
	defer stopReceiving()
	defer stopLoad()
	running.Go(func() { t.acknowledged.mail.receive(receiving) })
	if err := t.warmUp(ctx); err != nil {
		return err
	}
	generator := &generator{calls: calls, rate: t.rate, random: rand.New(rand.NewPCG(t.seed, 1)), recorder: t.recorder} //nolint:gosec // as above
	loaded := make(chan struct{})
	running.Go(func() {
		defer close(loaded)
		generator.run(load)
	})
	var outcomes []outcome
	var err error
	if t.load {
		pause(ctx, t.duration)
	} else {
		outcomes, err = t.injectAll(ctx)
	}
	stopLoad()
	<-loaded
	if err = errors.Join(err, ctx.Err()); err != nil {
		return err
	}
	fmt.Print(t.recorder.table())
	broken, err := t.acknowledged.check(ctx)
	if err != nil {
		return err
	}
	return t.report(outcomes, broken)
}

// warmUp makes one write of each kind, so that reads find something.
func (t *trial) warmUp(ctx context.Context) error {
	for _, c := range []call{t.acknowledged.registerName(), t.acknowledged.signIn(), t.acknowledged.createGrant(), t.acknowledged.buy(), t.acknowledged.publish()} {
		requestCtx, cancel := context.WithTimeout(ctx, requestTimeout)
		v := c.do(requestCtx)
		cancel()
		if v != right {
			return fmt.Errorf("%s before any fault: %s%s", c.name, v.refused, v.wrong)
		}
	}
	return nil
}

// injectAll plays faults in random order, each once before any is played again, until the time is over.
func (t *trial) injectAll(ctx context.Context) (outcomes []outcome, err error) {
	faults := t.faults()
	if len(faults) == 0 {
		return nil, fmt.Errorf("no fault has %q in its name", t.only)
	}
	begun := time.Now()
	pause(ctx, quiet)
	for {
		for _, i := range t.random.Perm(len(faults)) {
			if time.Since(begun) > t.duration || ctx.Err() != nil {
				return outcomes, nil
			}
			o, err := t.inject(ctx, faults[i])
			if err != nil {
				return outcomes, err
			}
			fmt.Printf("%s  %-40s %-24s recovered after %5.1f s   %s\n", time.Now().UTC().Format("15:04:05"), o.fault, o.victim, o.recovery.Seconds(), o.last)
			outcomes = append(outcomes, o)
		}
	}
}

// faults returns the faults that can be made on this machine.
func (t *trial) faults() (faults []fault) {
	for _, f := range allFaults() {
		if !strings.Contains(f.name, t.only) {
			continue
		}
		if f.isolated && !t.isolated {
			fmt.Printf("skipped, because it needs a network and mounts of its own: %s\n", f.name)
			continue
		}
		faults = append(faults, f)
	}
	return faults
}

// report prints the result, and returns errBroken if a check failed.
func (t *trial) report(outcomes []outcome, broken []string) error {
	fmt.Print(recoveries(outcomes))
	for _, o := range outcomes {
		if o.broken {
			broken = append(broken, fmt.Sprintf("%s (%s): recovered after %s; the last failure: %s", o.fault, o.victim, o.recovery.Round(100*time.Millisecond), o.last))
		}
	}
	for _, p := range t.world.parts {
		if n := p.unexpectedExits(); n > 0 {
			fmt.Printf("%s ended %d times by itself\n", p.name, n)
		}
	}
	broken = append(broken, t.recorder.wrong...)
	if len(broken) == 0 {
		fmt.Println("no acknowledged write was lost, and no answer was wrong")
		return nil
	}
	for _, b := range broken[:min(len(broken), 50)] {
		fmt.Println("BROKEN:", b)
	}
	return fmt.Errorf("%w: %d (seed %d)", errBroken, len(broken), t.seed)
}

// recoveries returns a table of how long the system took to recover from each kind of fault.
func recoveries(outcomes []outcome) string {
	type row struct {
		times              int
		sum, worst, behind time.Duration
		worstVictim        string
	}
	rows := map[string]*row{}
	for _, o := range outcomes {
		r := rows[o.fault]
		if r == nil {
			r = &row{}
			rows[o.fault] = r
		}
		r.times, r.sum, r.behind = r.times+1, r.sum+o.recovery, max(r.behind, o.behind)
		if o.recovery >= r.worst {
			r.worst, r.worstVictim = o.recovery, o.victim
		}
	}
	if len(rows) == 0 {
		return ""
	}
	text := "| fault | times | mean recovery s | longest s | of | replicas current after at most s |\n| --- | ---: | ---: | ---: | --- | ---: |\n"
	for _, name := range sortedKeys(rows) {
		r := rows[name]
		text += fmt.Sprintf("| %s | %d | %.1f | %.1f | %s | %.1f |\n",
			name, r.times, (r.sum / time.Duration(r.times)).Seconds(), r.worst.Seconds(), r.worstVictim, r.behind.Seconds())
	}
	return text
}
