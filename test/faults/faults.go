package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"syscall"
	"time"
)

// fault is something that breaks. Its victim is chosen at random.
type fault struct {
	name string
	// isolated is true for a fault that needs a network and disks of its own.
	isolated bool
	// through is true for a fault during which the system must recover, and again after its end. Others last for the time lasting.
	through bool
	// begin breaks something and returns its name and a function that mends it.
	begin func(w *world, random *rand.Rand) (victim string, end func() error, err error)
}

// lasting is how long a fault lasts during which the system need not recover.
const lasting = 4 * time.Second

// skew is the error of a clock that is set wrong.
const skew = time.Hour

func allFaults() []fault {
	return []fault{
		{"kill -9 of a process", false, false, killProcesses(1)},
		{"kill -9 of two processes at once", false, false, killProcesses(2)},
		{"SIGSTOP of a process", false, false, freezeProcess},
		{"kill -9 of PostgreSQL", false, false, killDatabase},
		{"SIGSTOP of PostgreSQL", false, false, freezeDatabase},
		{"disk of PostgreSQL full", true, false, fillDatabase},
		{"kill -9 of a NATS server", false, false, killNATS},
		{"SIGSTOP of a NATS server", false, false, freezeNATS},
		{"a NATS server away", false, true, holdNATS},
		{"a NATS server cut off from all", true, true, cutNATS("input", "output", "forward")},
		{"a NATS server cut off from the others", true, true, cutNATS("forward")},
		{"disk of a NATS server full", true, true, fillNATS},
		{"clock of a process an hour off", false, false, skewClock},
	}
}

func nothing() error { return nil }

func one[T any](random *rand.Rand, of []T) T { return of[random.IntN(len(of))] }

func killProcesses(n int) func(w *world, random *rand.Rand) (string, func() error, error) {
	return func(w *world, random *rand.Rand) (victims string, end func() error, err error) {
		all := w.processes()
		for _, i := range random.Perm(len(all))[:n] {
			all[i].kill()
			victims += " " + all[i].name
		}
		return victims[1:], nothing, nil
	}
}

// freeze stops a part for a while.
func freeze(p *part) (string, func() error, error) {
	p.signal(syscall.SIGSTOP)
	time.Sleep(lasting)
	return p.name, func() error { p.signal(syscall.SIGCONT); return nil }, nil
}

func freezeProcess(w *world, random *rand.Rand) (string, func() error, error) {
	return freeze(one(random, w.processes()).part)
}

func killDatabase(w *world, _ *rand.Rand) (string, func() error, error) {
	w.database.kill()
	return w.database.name, nothing, nil
}

// freezeDatabase stops the processes that answer queries as well as the one that accepts connections.
func freezeDatabase(w *world, _ *rand.Rand) (string, func() error, error) {
	w.database.signalAll(syscall.SIGSTOP)
	time.Sleep(lasting)
	return w.database.name, func() error { w.database.signalAll(syscall.SIGCONT); return nil }, nil
}

func fillDatabase(w *world, _ *rand.Rand) (string, func() error, error) {
	if err := w.databaseDisk.fill(); err != nil {
		return "", nil, err
	}
	time.Sleep(lasting)
	return w.database.name, w.databaseDisk.empty, nil
}

func killNATS(w *world, random *rand.Rand) (string, func() error, error) {
	s := one(random, w.nats)
	s.kill()
	return s.name, nothing, nil
}

func freezeNATS(w *world, random *rand.Rand) (string, func() error, error) {
	return freeze(one(random, w.nats).part)
}

func holdNATS(w *world, random *rand.Rand) (string, func() error, error) {
	s := one(random, w.nats)
	s.hold()
	return s.name, func() error { s.release(); return nil }, nil
}

func cutNATS(chains ...string) func(w *world, random *rand.Rand) (string, func() error, error) {
	return func(w *world, random *rand.Rand) (string, func() error, error) {
		s := one(random, w.nats)
		return s.name, heal, s.host.drop(chains...)
	}
}

// fillNATS fills the disk of a NATS server, and restarts the server in the end: after a failed write it disables JetStream until then.
func fillNATS(w *world, random *rand.Rand) (string, func() error, error) {
	s := one(random, w.nats)
	return s.name, func() error {
		err := s.disk.empty()
		s.kill()
		return err
	}, s.disk.fill()
}

// skewClock makes the clock of a process jump, and back.
func skewClock(w *world, random *rand.Rand) (string, func() error, error) {
	p := one(random, w.processes())
	by := skew
	if random.IntN(2) == 0 {
		by = -skew
	}
	w.skewedUntil.Store(math.MaxInt64)
	if err := os.WriteFile(p.clock, []byte(by.String()), 0o600); err != nil {
		return "", nil, err
	}
	time.Sleep(lasting)
	return fmt.Sprintf("%s by %s", p.name, by), func() error {
		err := os.Remove(p.clock)
		// The process reads the file a few times a second; until then its refusals are right.
		time.Sleep(clockPause)
		w.skewedUntil.Store(time.Now().UnixNano())
		return err
	}, nil
}

// clockPause is a little longer than a process takes to follow its clock's file.
const clockPause = 500 * time.Millisecond

// outcome is how the system recovered from a fault.
type outcome struct {
	fault, victim string
	recovery      time.Duration
	// last is the last failure.
	last string
	// behind is how long replicas of streams were not current after the recovery.
	behind time.Duration
	// broken is true if the recovery took too long.
	broken bool
}

// maxRecovery bounds how long a recovery is waited for.
const maxRecovery = time.Minute

// inject makes a fault, ends it, and waits until the system has recovered and would survive the next one.
func (t *trial) inject(ctx context.Context, f fault) (outcome, error) {
	t.recorder.mark()
	begun := time.Now()
	victim, end, err := f.begin(t.world, t.random)
	if err != nil {
		return outcome{}, fmt.Errorf("%s: %w", f.name, err)
	}
	o := outcome{fault: f.name, victim: victim}
	if f.through {
		t.await(ctx, begun, &o)
	}
	ended := time.Now()
	if err := end(); err != nil {
		return outcome{}, fmt.Errorf("%s, its end: %w", f.name, err)
	}
	t.recorder.mark()
	t.await(ctx, ended, &o)
	recovered := time.Now()
	if err := t.world.awaitReplicas(ctx); err != nil {
		o.broken, o.last = true, err.Error()
	}
	o.behind = time.Since(recovered)
	return o, nil
}

// await waits until the system has recovered from what happened at a time.
func (t *trial) await(ctx context.Context, since time.Time, o *outcome) {
	for ctx.Err() == nil {
		recovery, last, ok := t.recorder.settled(since, t.kinds)
		late := time.Since(since) > maxRecovery
		if !ok && !late {
			pause(ctx, 50*time.Millisecond)
			continue
		}
		if late {
			recovery = maxRecovery
		}
		if recovery > o.recovery {
			o.recovery, o.last = recovery, last
		}
		o.broken = o.broken || late || recovery > t.recovery
		return
	}
}
