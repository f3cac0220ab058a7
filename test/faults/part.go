package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// restartPause is the time from the end of a part to its restart, as under a process supervisor. A part that is held is not restarted.
const restartPause = 200 * time.Millisecond

// part is one process of the system. It is started again whenever it ends.
type part struct {
	name string
	// command returns a new command; its output goes to the part's log.
	command func() *exec.Cmd
	log     string

	mu      sync.Mutex
	process *os.Process
	// held keeps the part from being started again.
	held bool
	// exits counts the ends that nothing here caused.
	exits  int
	killed bool
	ended  chan struct{}
	// group bounds the memory of the process, and may be nil.
	group *memoryGroup
}

func newPart(dir, name string, command func() *exec.Cmd) *part {
	return &part{name: name, command: command, log: filepath.Join(dir, name+".log"), ended: make(chan struct{})}
}

// supervise starts the part again whenever it ends, until ctx ends, and then kills it.
func (p *part) supervise(ctx context.Context) error {
	defer close(p.ended)
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	for ctx.Err() == nil {
		if p.isHeld() {
			pause(ctx, restartPause/10)
			continue
		}
		if err := p.once(ctx); err != nil {
			return err
		}
		pause(ctx, restartPause)
	}
	return nil
}

// once runs the part until it ends.
func (p *part) once(ctx context.Context) error {
	log, err := os.OpenFile(p.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := p.command()
	cmd.Stdout, cmd.Stderr = log, log
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	p.mu.Lock()
	if p.held || ctx.Err() != nil {
		p.mu.Unlock()
		return nil
	}
	if err := cmd.Start(); err != nil {
		p.mu.Unlock()
		return fmt.Errorf("%s: %w", p.name, err)
	}
	p.process, p.killed = cmd.Process, false
	p.group.add(cmd.Process.Pid)
	p.mu.Unlock()
	_ = cmd.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.process = nil
	if !p.killed {
		p.exits++
	}
	return nil
}

func (p *part) isHeld() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held
}

// kill ends the process with SIGKILL; it is started again soon.
func (p *part) kill() { p.signal(syscall.SIGKILL) }

// hold kills the process and keeps it away until release.
func (p *part) hold() {
	p.mu.Lock()
	p.held = true
	p.mu.Unlock()
	p.kill()
}

func (p *part) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = false
}

// signal sends a signal to the process, if there is one.
func (p *part) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == nil {
		return
	}
	p.killed = p.killed || s == syscall.SIGKILL
	_ = p.process.Signal(s)
}

// unexpectedExits returns how often the part ended by itself.
func (p *part) unexpectedExits() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exits
}

// resetExits forgets how often the part ended.
func (p *part) resetExits() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exits = 0
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// signalAll sends a signal to the process and to its children.
func (p *part) signalAll(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.process == nil {
		return
	}
	_ = p.process.Signal(s)
	for _, child := range children(p.process.Pid) {
		_ = syscall.Kill(child, s)
	}
}

// children returns the processes that a process started.
func children(pid int) (pids []int) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return nil
	}
	for field := range strings.FieldsSeq(string(raw)) {
		if child, err := strconv.Atoi(field); err == nil {
			pids = append(pids, child)
		}
	}
	return pids
}
