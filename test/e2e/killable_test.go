package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// killable is a suite whose processes may be killed and started again.
type killable struct {
	devnet *devnettest.Devnet
	dsn    string
	// sandbox is the DSN of the sandbox, and sellers are the addresses where it is offered.
	sandbox string
	sellers []string
	// bus is the URL of the NATS server; empty for one in the process of the suite.
	bus       string
	gateways  []string // URLs
	processes []*killableProcess

	// written counts what was acknowledged.
	written atomic.Int64
	// stop ends the writers.
	stop chan struct{}

	mu       sync.Mutex
	names    []*writtenName
	orders   []*writtenOrder
	sessions []string // tokens that were acknowledged
	refusals map[string]int
}

type killableProcess struct {
	program      *program
	name, config string
	cmd          *exec.Cmd
}

func newKillable(t *testing.T, split bool) *killable {
	t.Helper()
	skipInShort(t)
	k := &killable{devnet: devnettest.Start(t), stop: make(chan struct{}), refusals: map[string]int{}}
	s := &suite{dir: t.TempDir()}
	s.write(t, "devnet.json", string(k.devnet.Raw))
	if !split {
		address := freeport.Address()
		k.gateways = []string{"http://" + address}
		k.dsn, k.sandbox = filepath.Join(s.dir, "hawser.db"), filepath.Join(s.dir, "sandbox.db")
		k.addDev(t, s, 1)
		k.add(t, s, "hawser", listeners{gateway: address}.section())
		return k
	}
	k.dsn, k.sandbox = storetest.PostgreSQL(t), storetest.PostgreSQL(t)
	k.bus = startNATS(t)
	const rest = "chains,projects,analytics,auth,bitcoin,bundler,sessions,directory,activity,balances,nfts,access,handoff,preview,convert,updates,wallet,webhooks"
	replicas := map[string][]string{"names": {freeport.Address(), freeport.Address()}, "onramp": {freeport.Address(), freeport.Address()}, rest: {freeport.Address()}}
	var peers strings.Builder
	for target, addresses := range replicas {
		for name := range strings.SplitSeq(target, ",") {
			fmt.Fprintf(&peers, "  %s: %q\n", name, strings.Join(addresses, ","))
		}
	}
	shared := fmt.Sprintf("store: {dsn: %q, connections: 8}\nbus: {url: %q}\npeers:\n%s", k.dsn, k.bus, peers.String())
	gateways := []string{freeport.Address(), freeport.Address()}
	for _, address := range gateways {
		k.gateways = append(k.gateways, "http://"+address)
	}
	k.addDev(t, s, 2)
	for target, addresses := range replicas {
		for _, address := range addresses {
			k.add(t, s, target, shared+fmt.Sprintf("target: %q\n", target)+listeners{grpc: address}.section())
		}
	}
	for _, address := range gateways {
		k.add(t, s, "gateway", shared+"target: gateway\n"+listeners{gateway: address}.section())
	}
	return k
}

// add describes one process, with a folder of its own.
func (k *killable) add(t *testing.T, s *suite, name, extra string) {
	t.Helper()
	n := len(k.processes)
	config := strings.Replace(settings(s.dir, k.gateways[0], strings.Join(k.sellers, ","), k.devnet), "data_dir: "+s.dir, fmt.Sprintf("data_dir: %s/%d", s.dir, n), 1)
	if k.dsn != "" && !strings.Contains(extra, "dsn:") {
		config += fmt.Sprintf("store: {dsn: %q}\n", k.dsn)
	}
	k.processes = append(k.processes, &killableProcess{program: hawser, name: name, config: s.write(t, fmt.Sprintf("%d.yaml", n), config+extra)})
}

// addDev describes replicas of hawser-dev, whose sandboxes have one database.
func (k *killable) addDev(t *testing.T, s *suite, replicas int) {
	t.Helper()
	for range replicas {
		n, address := len(k.processes), freeport.Address()
		config := devSettings(s.dir, fmt.Sprintf("%s/%d", s.dir, n), k.gateways[0], freeport.Address(), address, k.devnet) + fmt.Sprintf("store: {dsn: %q}\n", k.sandbox)
		k.sellers = append(k.sellers, address)
		k.processes = append(k.processes, &killableProcess{program: hawserDev, name: "hawser-dev", config: s.write(t, fmt.Sprintf("%d.yaml", n), config)})
	}
}

// start starts a process, which logs to a file that is shown when the test fails.
func (p *killableProcess) start(t *testing.T) {
	t.Helper()
	log, err := os.OpenFile(p.config+".log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p.cmd = exec.Command(p.program.binary(t, plain))
	p.cmd.Env = environment(p.config)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

func (p *killableProcess) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// showLogs prints the end of the log of each process.
func (k *killable) showLogs(t *testing.T) {
	for _, p := range k.processes {
		raw, _ := os.ReadFile(p.config + ".log")
		lines := bytes.Split(raw, []byte("\n"))
		t.Logf("end of the log of %s:\n%s", p.name, bytes.Join(lines[max(0, len(lines)-40):], []byte("\n")))
	}
}
