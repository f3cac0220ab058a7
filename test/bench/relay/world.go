package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/hawser-dev/hawser/services/platform/freeport"
)

const project = "00000000000000000000000000000001"

// world holds the processes of one measure.
type world struct {
	hawser  string
	dir     string
	running []*exec.Cmd
	nats    *server.Server
}

func (w *world) close() {
	for i := len(w.running) - 1; i >= 0; i-- {
		_ = w.running[i].Process.Kill()
		_ = w.running[i].Wait()
	}
	w.running = nil
	if w.nats != nil {
		w.nats.Shutdown()
		w.nats.WaitForShutdown()
		w.nats = nil
	}
	if w.dir != "" {
		_ = os.RemoveAll(w.dir)
		w.dir = ""
	}
}

func (w *world) folder() (string, error) {
	if w.dir != "" {
		return w.dir, nil
	}
	var err error
	w.dir, err = os.MkdirTemp("", "hawser-relaybench-")
	return w.dir, err
}

// relay is a process that serves clients at ws://address.
type relay struct {
	address, metrics string
	config           string
	cmd              *exec.Cmd
}

// limits lets all clients come from one address.
const limits = "relay: {requests_per_second: 1000000, burst: 10000000, connects_per_second: 1000000, connect_burst: 1000000, store_bytes: 6442450944, " +
	"connections: 1000000, connections_per_address: 1000000, topics: 100000000, topics_per_address: 100000000, publications: 1000000, publications_per_address: 1000000}\n"

// startAllInOne starts a relay in a process with everything else.
func (w *world) startAllInOne(ctx context.Context) (*relay, error) {
	dir, err := w.folder()
	if err != nil {
		return nil, err
	}
	r := &relay{address: freeport.Address(), metrics: freeport.Address(), config: filepath.Join(dir, "all.yaml")}
	text := fmt.Sprintf("data_dir: %s/all\nlisten: {gateway: %s, frame: '127.0.0.1:0', relay: %s, metrics: %s}\n%sprojects: {seed: [{id: %q, name: Bench}]}\n",
		dir, freeport.Address(), r.address, r.metrics, limits, project)
	if err := os.WriteFile(r.config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	return r, w.start(ctx, r)
}

// startReplicas starts two relays around one NATS server.
func (w *world) startReplicas(ctx context.Context) (first, second *relay, err error) {
	dir, err := w.folder()
	if err != nil {
		return nil, nil, err
	}
	w.nats, err = server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, JetStream: true, StoreDir: filepath.Join(dir, "nats")})
	if err != nil {
		return nil, nil, err
	}
	w.nats.Start()
	if !w.nats.ReadyForConnections(10 * time.Second) {
		return nil, nil, errors.New("the NATS server does not start")
	}
	projects := freeport.Address()
	var started []*relay
	for _, target := range []string{"projects", "relay", "relay"} {
		r := &relay{address: freeport.Address(), metrics: freeport.Address(), config: filepath.Join(dir, fmt.Sprintf("%s%d.yaml", target, len(started)))}
		grpc := freeport.Address()
		if target == "projects" {
			grpc = projects
		}
		text := fmt.Sprintf("target: %s\ndata_dir: %s/%d\nbus: {url: %q}\nlisten: {grpc: %s, relay: %s, metrics: %s}\npeers: {projects: %q}\n%sprojects: {seed: [{id: %q, name: Bench}]}\n",
			target, dir, len(started), w.nats.ClientURL(), grpc, r.address, r.metrics, projects, limits, project)
		if err := os.WriteFile(r.config, []byte(text), 0o600); err != nil {
			return nil, nil, err
		}
		if err := w.start(ctx, r); err != nil {
			return nil, nil, err
		}
		started = append(started, r)
	}
	return started[1], started[2], nil
}

// start starts the process of a relay, and returns when it is ready.
func (w *world) start(ctx context.Context, r *relay) error {
	r.cmd = exec.CommandContext(ctx, w.hawser)
	r.cmd.Env = append(os.Environ(), "HAWSER_CONFIG="+r.config, "HAWSER_LOG_LEVEL=warn")
	r.cmd.Stderr = os.Stderr
	if err := r.cmd.Start(); err != nil {
		return err
	}
	w.running = append(w.running, r.cmd)
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.metrics+"/ready", nil)
		if err != nil {
			return err
		}
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
	}
	return errors.New("hawser does not get ready")
}

// kill ends the process of a relay without a warning.
func (r *relay) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// stop ends the process of a relay as an upgrade does.
func (r *relay) stop() {
	_ = r.cmd.Process.Signal(os.Interrupt)
	_ = r.cmd.Wait()
}

// clients is a process of clients. What it prints comes line by line.
type clients struct {
	cmd   *exec.Cmd
	input io.WriteCloser
	lines *bufio.Scanner
}

func (w *world) startClients(ctx context.Context, task string, n int, address, second string, more ...string) (*clients, error) {
	cmd := exec.CommandContext(ctx, os.Args[0], append([]string{"-clients", address, "-second", second, "-task", task, "-n", strconv.Itoa(n)}, more...)...)
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w.running = append(w.running, cmd)
	return &clients{cmd, input, bufio.NewScanner(output)}, nil
}

// next returns the numbers of the next line.
func (c *clients) next() ([]float64, error) {
	if !c.lines.Scan() {
		return nil, errors.New("the clients ended")
	}
	var numbers []float64
	for field := range strings.FieldsSeq(c.lines.Text()) {
		n, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil, fmt.Errorf("the clients say %q", c.lines.Text())
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// command sends the clients a line.
func (c *clients) command(line string) error {
	_, err := io.WriteString(c.input, line+"\n")
	return err
}

// residentMiB returns how much memory a process holds, and peakMiB how much it held at most.
func residentMiB(pid int) float64 { return statusMiB(pid, "VmRSS:") }
func peakMiB(pid int) float64     { return statusMiB(pid, "VmHWM:") }

// statusMiB returns a size in the status of a process.
func statusMiB(pid int, name string) float64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(raw), name)
	kib, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kib / 1024
}

// cpu returns the user and system time that a process has used so far.
func cpu(pid int) time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	var sum int64
	for _, f := range strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))[11:13] {
		ticks, _ := strconv.ParseInt(f, 10, 64)
		sum += ticks
	}
	return time.Duration(sum) * 10 * time.Millisecond
}
