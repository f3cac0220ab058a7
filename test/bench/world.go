package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/hawser-dev/hawser/services/platform/freeport"
)

// startTimeout bounds how long one process may take until it answers.
const startTimeout = 60 * time.Second

// raisedBudgets turns the rate limits off, because all requests of a bench are from one caller.
const raisedBudgets = "gateway: {limits: {requests_per_second: 0, open_requests_per_second: 0}}\n"

// raisedWatches is how many accounts one caller of the bench may watch at once.
const raisedWatches = 2 * watchers

// world is the local chains and every process started beside them.
type world struct {
	binary, dir, account string
	settings             string
	// chainURL is the node of the chain 31337.
	chainURL string
	// profiles is the folder for profiles; empty for none.
	profiles string
	nats     *server.Server
	started  []*exec.Cmd
	lifeline io.Closer
}

type process struct {
	url, metrics string
	pid          int
	// servicePID is the second process of a split pair.
	servicePID     int
	serviceMetrics string
	started        time.Duration
}

func newWorld(ctx context.Context, binary string) (_ *world, err error) {
	w := &world{binary: binary}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	if w.dir, err = os.MkdirTemp("", "hawser-bench-"); err != nil {
		return nil, err
	}
	chains := exec.CommandContext(ctx, "node", "packages/devnet/src/cli.mjs", "--ephemeral", "--chains", "31337,31338")
	chains.Stderr = os.Stderr
	if w.lifeline, err = chains.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := chains.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := chains.Start(); err != nil {
		return nil, err
	}
	w.started = append(w.started, chains)
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var devnet struct {
		Chains []struct {
			CAIP2  string `json:"caip2"`
			RPCURL string `json:"rpcUrl"`
		} `json:"chains"`
		Accounts []struct {
			Address string `json:"address"`
		} `json:"accounts"`
	}
	if err := json.Unmarshal(line, &devnet); err != nil {
		return nil, err
	}
	w.account = devnet.Accounts[0].Address
	file := filepath.Join(w.dir, "devnet.json")
	if err := os.WriteFile(file, line, 0o600); err != nil {
		return nil, err
	}
	var s strings.Builder
	s.WriteString(raisedBudgets)
	fmt.Printf("budgets raised for one address that asks for all: %s, updates.watches_per_caller: %d\n", strings.TrimSpace(raisedBudgets), raisedWatches)
	fmt.Fprintf(&s, "projects: {seed: [{id: %[1]q, name: Bench}]}\nupdates: {watches_per_caller: %[3]d}\nchains:\n  devnet_file: %[2]s\n  dev: true\n  nodes:\n", project, file, raisedWatches)
	w.chainURL = devnet.Chains[0].RPCURL
	for _, c := range devnet.Chains {
		fmt.Fprintf(&s, "    %q: [%q]\n", c.CAIP2, c.RPCURL)
	}
	w.settings = s.String()
	return w, nil
}

func (w *world) startAllInOne(ctx context.Context) (*process, error) {
	return w.startAllInOneAt(ctx, "127.0.0.1:0")
}

// startAllInOneAt starts one process with every service, whose relay listens at an address of its own.
func (w *world) startAllInOneAt(ctx context.Context, relay string) (*process, error) {
	gateway, metrics := freeport.Address(), freeport.Address()
	begun := time.Now()
	pid, err := w.start(ctx, "all", fmt.Sprintf("listen: {gateway: %s, relay: '%s', frame: '127.0.0.1:0', metrics: %s, profiles: true}\n", gateway, relay, metrics))
	if err != nil {
		return nil, err
	}
	p := &process{url: "http://" + gateway, metrics: "http://" + metrics, pid: pid}
	err = p.wait(ctx)
	p.started = time.Since(begun)
	return p, err
}

// startSplit runs the gateway in one process and every service in another.
func (w *world) startSplit(ctx context.Context) (*process, error) {
	bus, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: filepath.Join(w.dir, "nats"), NoSigs: true})
	if err != nil {
		return nil, err
	}
	bus.Start()
	w.nats = bus
	if !bus.ReadyForConnections(startTimeout) {
		return nil, errors.New("NATS did not start")
	}
	services, gateway, metrics := freeport.Address(), freeport.Address(), freeport.Address()
	shared := fmt.Sprintf("bus: {url: %q}\npeers: {access: %[2]s, activity: %[2]s, analytics: %[2]s, auth: %[2]s, balances: %[2]s, bitcoin: %[2]s, bundler: %[2]s, chains: %[2]s, convert: %[2]s, directory: %[2]s, handoff: %[2]s, names: %[2]s, nfts: %[2]s, onramp: %[2]s, preview: %[2]s, projects: %[2]s, sessions: %[2]s, updates: %[2]s, wallet: %[2]s, webhooks: %[2]s}\n", bus.ClientURL(), services)
	serviceMetrics := freeport.Address()
	p := &process{url: "http://" + gateway, metrics: "http://" + metrics, serviceMetrics: "http://" + serviceMetrics}
	if p.servicePID, err = w.start(ctx, "access,activity,analytics,auth,balances,bitcoin,bundler,chains,convert,directory,handoff,names,nfts,onramp,preview,projects,sessions,updates,wallet,webhooks", shared+fmt.Sprintf("listen: {grpc: %s, metrics: %s, profiles: true}\n", services, serviceMetrics)); err != nil {
		return nil, err
	}
	if p.pid, err = w.start(ctx, "gateway", shared+fmt.Sprintf("listen: {gateway: %s, frame: '127.0.0.1:0', metrics: %s, profiles: true}\n", gateway, metrics)); err != nil {
		return nil, err
	}
	return p, p.wait(ctx)
}

func (w *world) start(ctx context.Context, target, more string) (int, error) {
	dir, err := os.MkdirTemp(w.dir, "process-")
	if err != nil {
		return 0, err
	}
	config := filepath.Join(dir, "hawser.yaml")
	text := fmt.Sprintf("target: %q\ndata_dir: %s\nlog: {level: warn}\n", target, dir) + more + w.settings
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, w.binary)
	cmd.Env = append(os.Environ(), "HAWSER_CONFIG="+config)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	w.started = append(w.started, cmd)
	return cmd.Process.Pid, nil
}

func (p *process) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		_, err := fetch(ctx, p.url+"/health")
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s did not start: %w", p.url, err)
		case <-time.After(2 * time.Millisecond):
		}
	}
}

func (w *world) close() {
	for i := len(w.started) - 1; i >= 0; i-- {
		_ = w.started[i].Process.Signal(syscall.SIGTERM)
		_ = w.started[i].Wait()
	}
	if w.lifeline != nil {
		_ = w.lifeline.Close()
	}
	if w.nats != nil {
		w.nats.Shutdown()
	}
	_ = os.RemoveAll(w.dir)
}
