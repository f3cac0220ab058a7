// Package killtest runs a function of a test in a process of its own, which the test kills. The process is the test binary, started again: [Main] is the
// first call of the package's TestMain. The test sends JSON to the process, and the process prints a line for each thing that it has done.
package killtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// asChild is the variable that makes a test binary run the child of [Main].
const asChild = "HAWSER_TEST_KILLED"

// patience bounds how long a process runs. It is long because a build server may be busy.
const patience = 3 * time.Minute

// Main runs child and exits, if this process is one that [Start] started. Child reads what the test sends from in, and prints to standard output.
func Main(child func(ctx context.Context, in *json.Decoder) error) {
	if os.Getenv(asChild) == "" {
		return
	}
	if err := child(context.Background(), json.NewDecoder(os.Stdin)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Process is a process that runs the child of [Main].
type Process struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    *json.Encoder
	pipe  io.Closer
	lines *bufio.Scanner
}

// Start starts a process and sends it one value. The process is killed when the test ends.
func Start(t testing.TB, value any) *Process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), asChild+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &Process{t: t, cmd: cmd, in: json.NewEncoder(in), pipe: in, lines: bufio.NewScanner(out)}
	t.Cleanup(func() {
		p.Kill()
		cancel()
	})
	if err := p.Send(value); err != nil {
		t.Fatal(err)
	}
	return p
}

// ID returns the id of the process.
func (p *Process) ID() int { return p.cmd.Process.Pid }

// Send sends a value to the process. It fails if the process has ended.
func (p *Process) Send(value any) error { return p.in.Encode(value) }

// Await returns the next lines that the process prints, this many. It fails the test if the process ends before.
func (p *Process) Await(n int) (lines []string) {
	p.t.Helper()
	for len(lines) < n && p.lines.Scan() {
		lines = append(lines, p.lines.Text())
	}
	if len(lines) < n {
		p.t.Fatalf("the process ended by itself after %d lines", len(lines))
	}
	return lines
}

// Kill ends the process with SIGKILL, and returns the lines that it printed before the signal reached it, and that were not read yet.
func (p *Process) Kill() (rest []string) {
	if p.cmd.ProcessState != nil {
		return nil
	}
	_ = p.cmd.Process.Kill()
	for p.lines.Scan() {
		rest = append(rest, p.lines.Text())
	}
	_ = p.pipe.Close()
	_ = p.cmd.Wait()
	return rest
}
