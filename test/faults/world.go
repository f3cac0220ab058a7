package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/seal"
)

const (
	project = "00000000000000000000000000000001"
	// treasuryKey is the key of the account that the local chain funds for the sellers of the sandbox, which hawser-dev offers.
	treasuryKey = "6c47e7a644ba1edbd0a731557405887885453535a1390c7f51349e52f9558fb2"
	// executorKeys and paymasterKey are the keys of the accounts that it funds for the bundler.
	executorKeys = `["b201fc85538d19bff9988ba8853e2856fb3fb1e4e757520ecfb034651406b503", "00d474452f48d2d1598d1fe76f9b5f8bc64765d0363f8eacb710e0c0c66de492"]`
	paymasterKey = "792a6fae15e286ff265dddeea177453313f7401ab113aeb4445d38af273b1ec4"
	// startTimeout bounds how long the system may take until it answers.
	startTimeout = 2 * time.Minute
)

// shape is how the suite is split, and what its processes may use.
type shape struct {
	// groups are the services that share a process, by its name, beside the gateway.
	groups map[string]string
	// replicas is how many processes each group of services has.
	replicas int
	// settings are lines of the configuration of every process, and relay are further members of its mapping of the relay.
	settings, relay string
	// memory is the limit of each process in bytes; 0 for none.
	memory int64
	// nodes are URLs of nodes by the id of an EVM chain, beside the local chains.
	nodes map[string]string
}

// brokenShape has two of each process, so that one can be broken, and no limits of callers: all requests come from one address.
var brokenShape = shape{
	groups: map[string]string{
		"data":   "chains,projects,handoff,directory,analytics,bitcoin,balances,activity,nfts,access,names,preview,convert,updates",
		"wallet": "auth,wallet,bundler,sessions,webhooks,onramp",
		"relay":  "relay",
	},
	replicas: 2,
	settings: `gateway: {limits: {requests_per_second: 0, open_requests_per_second: 0}}
activity: {new_accounts_per_hour: 0, old_calls_per_hour: 0, old_calls_per_caller: 0}
names: {registrations_per_hour: 0}
`,
	relay: ", requests_per_second: 10000, burst: 10000, connects_per_second: 10000, connect_burst: 10000",
}

// world is every process of the system.
type world struct {
	shape
	hawserBinary, devBinary, natsBinary, dir string
	// isolated says that network and mounts are this program's own.
	isolated bool

	chain        chain
	chains       []chain
	lifeline     io.Closer
	database     *part
	databaseDisk *disk
	dsn          string
	nats         []*natsServer
	busURL       string
	hawser       []*hawserProcess
	gateways     []string // URLs
	// vendors are the processes of hawser-dev, and sellers the addresses at which they offer the sandbox.
	vendors []*hawserProcess
	sellers []string

	parts   []*part
	running sync.WaitGroup
	failed  chan error
	stop    context.CancelFunc
	// skewedUntil is when the clocks were last wrong, in Unix nanoseconds, or the largest number while one is.
	skewedUntil atomic.Int64
}

// wasSkewed reports whether the clock of a process has been wrong at some time since: it may have refused requests that other processes accept.
func (w *world) wasSkewed(since time.Time) bool { return w.skewedUntil.Load() > since.UnixNano() }

// hawserProcess is one process of the suite, or of hawser-dev.
type hawserProcess struct {
	*part
	// clock is the file that its clock follows.
	clock string
	// ready is the URL of its readiness.
	ready string
}

// newWorld starts everything and returns once it is ready.
func newWorld(ctx context.Context, s shape, o options) (*world, error) {
	dir, err := os.MkdirTemp("", "hawser-faults-")
	if err != nil {
		return nil, err
	}
	w := &world{shape: s, hawserBinary: o.hawser, devBinary: o.dev, natsBinary: o.nats, dir: dir, isolated: o.isolated, failed: make(chan error, 100)}
	// PostgreSQL runs as another user.
	if err := os.Chmod(dir, 0o711); err != nil {
		return nil, errors.Join(err, w.close())
	}
	if err := w.start(ctx); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *world) start(ctx context.Context) error {
	ctx, w.stop = context.WithCancel(ctx)
	if w.isolated {
		if err := newNetwork(); err != nil {
			return err
		}
	}
	if err := errors.Join(w.startChain(ctx), w.startPostgreSQL(), w.startNATS(), w.describeSuite()); err != nil {
		return err
	}
	for _, p := range w.parts {
		w.running.Go(func() {
			if err := p.supervise(ctx); err != nil {
				w.failed <- err
			}
		})
	}
	if err := w.untilReady(ctx); err != nil {
		return err
	}
	// A process may have started before what it needs.
	for _, p := range w.parts {
		p.resetExits()
	}
	return nil
}

// add describes a part, which start starts.
func (w *world) add(name string, command func() *exec.Cmd) *part {
	p := newPart(w.dir, name, command)
	w.parts = append(w.parts, p)
	return p
}

// describeSuite describes the processes of the suite.
func (w *world) describeSuite() error {
	key := filepath.Join(w.dir, "wallet.key")
	if err := seal.CreateAge(key); err != nil {
		return err
	}
	addresses := map[string][]string{}
	for range w.replicas {
		for _, group := range append(sortedKeys(w.groups), "gateway") {
			address := freeport.Address()
			addresses[group] = append(addresses[group], address)
		}
	}
	for _, address := range addresses["gateway"] {
		w.gateways = append(w.gateways, "http://"+address)
	}
	if err := w.describeVendors(); err != nil {
		return err
	}
	var s strings.Builder
	s.WriteString(w.settings)
	fmt.Fprintf(&s, "relay: {urls: [%s]%s}\n", strings.Join(w.gateways, ", "), w.relay)
	// Ether of the local chain is worth nothing.
	const most = "'100000000000000000000'"
	fmt.Fprintf(&s, "projects: {seed: [{id: %q, name: Faults}]}\nbundler: {chains: {%q: {}}, executors: %s,\n", project, w.chain.CAIP2, executorKeys)
	fmt.Fprintf(&s, "  paymaster: {signer: %q, name: Faults, projects: ['*'], project_wei_per_day: %s, account_wei_per_day: %s},\n", paymasterKey, most, most)
	fmt.Fprintf(&s, "  limits: {project_loss_wei_per_hour: %s, loss_wei_per_hour: %s}}\n", most, most)
	fmt.Fprintf(&s, "public_url: %s\nonramp: {orders_per_hour: 0, sellers: %q}\nwallet: {key: {file: %s}}\n", w.gateways[0], strings.Join(w.sellers, ","), key)
	s.WriteString(w.describeNodes())
	if len(w.nodes) > 0 {
		var table strings.Builder
		for _, id := range sortedKeys(w.nodes) {
			fmt.Fprintf(&s, "    %q: [%q]\n", id, w.nodes[id])
			fmt.Fprintf(&table, "- {chain_id: %q, key: scripted, name: Scripted, native: {name: Ether, symbol: ETH, decimals: 18}}\n", id)
		}
		networks := filepath.Join(w.dir, "networks.yaml")
		if err := os.WriteFile(networks, []byte(table.String()), 0o600); err != nil {
			return err
		}
		fmt.Fprintf(&s, "  networks_file: %s\n", networks)
	}
	fmt.Fprintf(&s, "store: {dsn: %q, connections: 10}\nbus: {url: %q, replicas: %d}\npeers:\n", w.dsn, w.busURL, natsServers)
	for group, services := range w.groups {
		for service := range strings.SplitSeq(services, ",") {
			fmt.Fprintf(&s, "  %s: %q\n", service, strings.Join(addresses[group], ","))
		}
	}
	for n := range w.replicas {
		for _, group := range append(sortedKeys(w.groups), "gateway") {
			if err := w.addHawser(group, n, addresses[group][n], s.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

// describeNodes returns the section of a configuration with the nodes of the local chains.
func (w *world) describeNodes() string {
	var s strings.Builder
	fmt.Fprintf(&s, "chains:\n  devnet_file: %s/devnet.json\n  dev: true\n  nodes:\n", w.dir)
	for _, c := range w.chains {
		fmt.Fprintf(&s, "    %q: [%q]\n", c.CAIP2, c.RPCURL)
	}
	return s.String()
}

// describeVendors describes the processes of hawser-dev, whose sandboxes are one in the database of the suite.
func (w *world) describeVendors() error {
	for n := range w.replicas {
		name, pages, sellers := fmt.Sprintf("hawser-dev-%d", n+1), freeport.Address(), freeport.Address()
		config, clock := filepath.Join(w.dir, name+".yaml"), filepath.Join(w.dir, name+".clock")
		text := w.describeNodes() + fmt.Sprintf("data_dir: %s\nsuite: {gateway: %q}\nstore: {dsn: %q}\nsandbox: {treasury: %q}\nlisten: {http: %q, grpc: %q, smtp: '127.0.0.1:0'}\n",
			filepath.Join(w.dir, name), w.gateways[0], w.dsn, treasuryKey, pages, sellers)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			return err
		}
		p := w.add(name, func() *exec.Cmd {
			cmd := exec.Command(w.devBinary)
			cmd.Env = append(os.Environ(), "HAWSER_DEV_CONFIG="+config, "HAWSER_TEST_CLOCK="+clock)
			return cmd
		})
		w.vendors = append(w.vendors, &hawserProcess{part: p, clock: clock, ready: "http://" + pages + "/ready"})
		w.sellers = append(w.sellers, sellers)
	}
	return nil
}

// processes returns those of the suite and of hawser-dev.
func (w *world) processes() []*hawserProcess { return slices.Concat(w.hawser, w.vendors) }

func (w *world) addHawser(group string, n int, address, shared string) error {
	name := fmt.Sprintf("%s-%d", group, n+1)
	metrics := freeport.Address()
	target, listen := w.groups[group], "grpc: "+address
	switch group {
	case "gateway":
		target, listen = "gateway", "gateway: "+address+", frame: ''"
	case "relay":
		grpc := freeport.Address()
		listen = "relay: " + address + ", grpc: " + grpc
	}
	config, clock := filepath.Join(w.dir, name+".yaml"), filepath.Join(w.dir, name+".clock")
	text := shared + fmt.Sprintf("target: %q\ndata_dir: %s\nlisten: {%s, metrics: %s}\n", target, filepath.Join(w.dir, name), listen, metrics)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return err
	}
	p := w.add(name, func() *exec.Cmd {
		cmd := exec.Command(w.hawserBinary)
		cmd.Env = append(os.Environ(), "HAWSER_CONFIG="+config, "HAWSER_TEST_CLOCK="+clock)
		if w.memory > 0 {
			// As the chart sets it.
			cmd.Env = append(cmd.Env, fmt.Sprintf("GOMEMLIMIT=%d", w.memory/5*4))
		}
		return cmd
	})
	if w.memory > 0 {
		p.group = newMemoryGroup(name, w.memory)
	}
	w.hawser = append(w.hawser, &hawserProcess{part: p, clock: clock, ready: "http://" + metrics + "/ready"})
	return nil
}

// untilReady returns when every process is ready.
func (w *world) untilReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for _, p := range w.processes() {
		for {
			why := p.unready(ctx)
			if why == "" {
				break
			}
			select {
			case err := <-w.failed:
				return err
			default:
			}
			if ctx.Err() != nil {
				return fmt.Errorf("%s is not ready: %s; the end of its log:\n%s", p.name, why, tail(p.log))
			}
			pause(ctx, 100*time.Millisecond)
		}
	}
	return nil
}

// unready returns why the process is not ready; empty if it is.
func (p *hawserProcess) unready(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.ready, nil)
	if err != nil {
		return err.Error()
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err.Error()
	}
	if res.StatusCode != http.StatusOK {
		return string(body)
	}
	return ""
}

// close ends every process and removes what they kept.
func (w *world) close() error {
	if w.stop != nil {
		w.stop()
	}
	w.running.Wait()
	if w.lifeline != nil {
		_ = w.lifeline.Close()
	}
	errs := []error{w.keepLogs()}
	for _, p := range w.parts {
		p.group.remove()
	}
	if w.databaseDisk != nil {
		errs = append(errs, w.databaseDisk.remove())
	}
	for _, s := range w.nats {
		if s.disk != nil {
			errs = append(errs, s.disk.remove())
		}
	}
	return errors.Join(append(errs, os.RemoveAll(w.dir))...)
}

// logs is where the logs of the last run are kept.
const logs = ".tmp/faults"

// keepLogs copies what the parts logged.
func (w *world) keepLogs() error {
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return err
	}
	for _, p := range w.parts {
		raw, err := os.ReadFile(p.log)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(logs, filepath.Base(p.log)), raw, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// tail returns the last lines of a log.
func tail(log string) string {
	raw, err := os.ReadFile(log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	return strings.Join(lines[max(0, len(lines)-30):], "\n")
}
