package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/hawser-dev/hawser/services/bitcoin/bitcointest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/peertls/peertlstest"
)

const (
	project = "00000000000000000000000000000001"
	// treasuryKey is the key of the account that the local chains fund for the sellers of the sandbox.
	treasuryKey = "6c47e7a644ba1edbd0a731557405887885453535a1390c7f51349e52f9558fb2"
	// startTimeout bounds how long a suite may take until /health answers 200; it is generous because a build server may be slow.
	startTimeout = 60 * time.Second
)

// A build is the way in which the binary is compiled.
type build int

const (
	// raced has the race detector if the tests have it. Every test on the shared suite of one process runs on it.
	raced build = iota
	// plain is the binary that operators run. It starts in a fraction of the time.
	plain
)

// program is a binary of the repository, each build of which is compiled once a test process.
type program [plain + 1]func() (string, error)

// newProgram returns the program of a folder. The variable has the path of a binary that is compiled already, as operators run it.
func newProgram(folder, variable string) *program {
	return &program{
		raced: sync.OnceValues(func() (string, error) { return compile(folder, "-race") }),
		plain: sync.OnceValues(func() (string, error) {
			if path := os.Getenv(variable); path != "" {
				return path, nil
			}
			return compile(folder)
		}),
	}
}

var (
	hawser    = newProgram("../../gateway/cmd/hawser", "HAWSER_BINARY")
	hawserDev = newProgram("../../services/development/cmd/hawser-dev", "HAWSER_DEV_BINARY")
	buildDirs []string
	buildLock sync.Mutex
)

// compile builds a binary into a directory that TestMain removes. The other flags are those of tools/test.sh and the Makefile, so that the packages
// come compiled from Go's cache.
func compile(folder string, flags ...string) (string, error) {
	buildLock.Lock()
	defer buildLock.Unlock()
	dir, err := os.MkdirTemp("", "hawser-e2e-")
	if err != nil {
		return "", err
	}
	buildDirs = append(buildDirs, dir)
	path := filepath.Join(dir, filepath.Base(folder))
	args := append([]string{"build", "-trimpath", "-ldflags", "-s -w", "-o", path}, flags...)
	cmd := exec.Command("go", append(args, folder)...)
	cmd.Env = os.Environ()
	if len(flags) == 0 {
		cmd.Env = append(cmd.Env, "CGO_ENABLED=0")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return path, nil
}

// binary returns the path of a build.
func (p *program) binary(h host, b build) string {
	h.Helper()
	if !raceEnabled {
		b = plain
	}
	path, err := p[b]()
	if err != nil {
		h.Fatal(err)
	}
	return path
}

// Accounts of the local chains that the bundler uses: m/44'/60'/0'/4/0 signs for the paymaster, …/4/1 and …/4/2 send.
const paymasterKey = "792a6fae15e286ff265dddeea177453313f7401ab113aeb4445d38af273b1ec4"

var executorKeys = []string{"b201fc85538d19bff9988ba8853e2856fb3fb1e4e757520ecfb034651406b503", "00d474452f48d2d1598d1fe76f9b5f8bc64765d0363f8eacb710e0c0c66de492"}

// suite is a running hawser, in one process or in several, with a hawser-dev beside it.
type suite struct {
	// orderTokens are those of the purchases that were begun.
	orderTokens []string
	url         string
	// sellers is where hawser-dev offers the sandbox, and dev the address of its pages.
	sellers, dev string
	dir          string
	binary       string
	// env are variables of every process.
	env []string
	// config is what commands beside the suite use; gateway is the configuration of the process at url, and process that process.
	config  string
	gateway string
	process *exec.Cmd
	// logs are the files to which the processes log, and metrics the addresses of their metrics.
	logs, metrics []string
}

// settings is the part of a configuration that every process of a suite shares.
func settings(dir, url, sellers string, devnet *devnettest.Devnet) string {
	var s strings.Builder
	fmt.Fprintf(&s, "data_dir: %s\n", dir)
	// All requests of the tests come from one address.
	s.WriteString("gateway:\n  limits: {requests_per_second: 1000, burst: 100000, open_requests_per_second: 1000, open_burst: 100000}\n")
	s.WriteString("activity:\n  new_accounts_per_hour: 0\n  old_calls_per_hour: 0\n  old_calls_per_caller: 0\n")
	fmt.Fprintf(&s, "projects:\n  seed:\n    - {id: %q, name: Test}\n", project)
	s.WriteString("bundler:\n  chains: {'eip155:31337': {}, 'eip155:31338': {}}\n  limits: {project_per_hour: 0, account_per_hour: 0, " +
		"project_loss_wei_per_hour: '100000000000000000000', loss_wei_per_hour: '100000000000000000000'}\n")
	fmt.Fprintf(&s, "  executors: [%q, %q]\n  paymaster: {signer: %q, name: Test, projects: ['*'], "+
		"project_wei_per_day: '100000000000000000000', account_wei_per_day: '100000000000000000000'}\n", executorKeys[0], executorKeys[1], paymasterKey)
	s.WriteString("names:\n  past: 1h\n  registrations_per_hour: 0\n  ens:\n    allow_private: true\n")
	fmt.Fprintf(&s, "public_url: %s\nonramp:\n  orders_per_hour: 0\n  sellers: %q\n", url, sellers)
	s.WriteString(nodes(dir, devnet))
	if bitcoin, err := localBitcoin(); err == nil {
		fmt.Fprintf(&s, "    %q: [%q]\n", bitcointest.ChainID, bitcoin.url)
	}
	return s.String()
}

// nodes is the section of a configuration with the nodes of the local chains.
func nodes(dir string, devnet *devnettest.Devnet) string {
	var s strings.Builder
	fmt.Fprintf(&s, "chains:\n  devnet_file: %s/devnet.json\n  dev: true\n  nodes:\n", dir)
	for _, c := range devnet.Chains {
		fmt.Fprintf(&s, "    %q: [%q]\n", c.CAIP2, c.RPCURL)
	}
	if c := devnet.Solana; c != nil {
		fmt.Fprintf(&s, "    %q: [%q]\n", c.CAIP2, c.RPCURL)
	}
	return s.String()
}

// devSettings is the configuration of a hawser-dev that offers the sandbox to a suite.
func devSettings(dir, data, gateway, pages, sellers string, devnet *devnettest.Devnet) string {
	return nodes(dir, devnet) + fmt.Sprintf("data_dir: %s\nsuite: {gateway: %q}\nsandbox: {treasury: %q}\nlisten: {http: %q, grpc: %q, smtp: %q}\n",
		data, gateway, treasuryKey, pages, sellers, anyPort)
}

// startAllInOne runs every service in one process.
func startAllInOne(t host, b build, extra string) *suite {
	t.Helper()
	devnet := localChains(t)
	s := newSuite(t, b, devnet)
	config := s.write(t, "hawser.yaml", settings(s.dir, s.url, s.sellers, devnet)+extra+listeners{gateway: s.address()}.section())
	s.config, s.gateway = config, config
	s.restart(t)
	s.wait(t)
	return s
}

// restart starts the process at s.url, for the first time or after it was killed.
func (s *suite) restart(t host) {
	t.Helper()
	s.process = s.start(t, s.gateway)
}

// kill ends the process at s.url without a warning.
func (s *suite) kill(t host) {
	t.Helper()
	if err := s.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.process.Wait()
}

// startSplit runs one process for each service, joined by gRPC over mutual TLS and one NATS server.
func startSplit(t host) *suite {
	t.Helper()
	devnet := localChains(t)
	s := newSuite(t, plain, devnet)
	bus := startNATS(t)
	peers := map[string]string{}
	for _, name := range []string{"access", "activity", "analytics", "auth", "balances", "bitcoin", "bundler", "chains", "convert", "directory", "handoff", "names", "nfts", "onramp", "preview", "projects", "sessions", "updates", "wallet", "webhooks"} {
		peers[name] = freeport.Address()
	}
	var where strings.Builder
	for name, address := range peers {
		fmt.Fprintf(&where, "  %s: %s\n", name, address)
	}
	known := peertlstest.NewAuthority(testOf(t)).Issue(testOf(t), s.dir, 24*time.Hour, "hawser.e2e.svc")
	joined := fmt.Sprintf("peers:\n%sbus:\n  url: %s\ntls: {certificate: %q, key: %q, authorities: %q, name: %s}\n",
		where.String(), bus, known.Certificate, known.Key, known.Authorities, known.Name)
	write := func(target string, l listeners) string {
		return s.write(t, target+".yaml", settings(s.dir, s.url, s.sellers, devnet)+fmt.Sprintf("target: %s\n", target)+joined+l.section())
	}
	for target, address := range peers {
		s.start(t, write(target, listeners{grpc: address}))
	}
	s.gateway = write("gateway", listeners{gateway: s.address()})
	s.restart(t)
	s.config = filepath.Join(s.dir, "projects.yaml")
	s.wait(t)
	return s
}

// localChains are those that all tests of this process share.
func localChains(h host) *devnettest.Devnet {
	h.Helper()
	t := testOf(h)
	return devnettest.Start(t).With(devnettest.StartSolana(t))
}

// testOf returns the test of a host.
func testOf(h host) *testing.T {
	if s, ok := h.(starting); ok {
		return s.t
	}
	return h.(*testing.T)
}

func newSuite(t host, b build, devnet *devnettest.Devnet) *suite {
	t.Helper()
	s := &suite{url: "http://" + freeport.Address(), sellers: freeport.Address(), dir: t.TempDir(), binary: hawser.binary(t, b)}
	if _, ok := t.(starting); ok {
		s.env = []string{"HAWSER_LOG_LEVEL=debug", "OTEL_EXPORTER_OTLP_ENDPOINT=" + collector().URL}
	}
	s.write(t, "devnet.json", string(devnet.Raw))
	s.startDev(t, b, devnet)
	return s
}

// startDev runs a hawser-dev until its host ends.
func (s *suite) startDev(t host, b build, devnet *devnettest.Devnet) {
	t.Helper()
	s.dev = freeport.Address()
	config := s.write(t, "dev.yaml", devSettings(s.dir, filepath.Join(s.dir, "dev"), s.url, s.dev, s.sellers, devnet))
	s.run(t, config, s.command(t, hawserDev.binary(t, b), config))
}

func (s *suite) address() string { return strings.TrimPrefix(s.url, "http://") }

func (s *suite) write(t host, name, text string) string {
	t.Helper()
	file := filepath.Join(s.dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// wait returns when the suite reports that it is ready.
func (s *suite) wait(t host) {
	t.Helper()
	deadline := time.Now().Add(startTimeout)
	waiting := []string{s.url + "/health"}
	if s.dev != "" {
		waiting = append(waiting, "http://"+s.dev+"/ready")
	}
	for _, address := range s.metrics {
		waiting = append(waiting, "http://"+address+"/ready")
	}
	for len(waiting) > 0 {
		res, err := http.Get(waiting[0])
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				waiting = waiting[1:]
				continue
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s did not answer 200", waiting[0])
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// start runs one hawser until its host ends.
func (s *suite) start(t host, config string) *exec.Cmd {
	t.Helper()
	if at := metricsIn(t, config); at != "" && !slices.Contains(s.metrics, at) {
		s.metrics = append(s.metrics, at)
	}
	cmd := s.command(t, s.binary, config)
	s.run(t, config, cmd)
	return cmd
}

// run runs a process until its host ends, and reports an error when it does not stop cleanly.
func (s *suite) run(t host, config string, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState != nil {
			return
		}
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the process with %s: %v", filepath.Base(config), err)
		}
	})
}

// command is a binary with one configuration. Its log is printed when the host has failed, and the host fails when a race was detected.
func (s *suite) command(t host, binary, config string) *exec.Cmd {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(config), ".yaml")+".log"))
	if err != nil {
		t.Fatal(err)
	}
	s.logs = append(s.logs, log.Name())
	cmd := exec.Command(binary)
	cmd.Env = append(environment(config), s.env...)
	cmd.Stdout, cmd.Stderr = log, log
	t.Cleanup(func() {
		raw, _ := os.ReadFile(log.Name())
		_ = log.Close()
		if strings.Contains(string(raw), "DATA RACE") {
			t.Errorf("the race detector reported with %s:\n%s", filepath.Base(config), raw)
		} else if t.Failed() {
			t.Logf("log of %s:\n%s", filepath.Base(config), raw)
		}
	})
	return cmd
}

// metricsIn returns the address of the metrics in a configuration.
func metricsIn(t host, config string) string {
	t.Helper()
	raw, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), "metrics: ")
	address, _, _ := strings.Cut(rest, "\n")
	return address
}

// environment returns the environment of a process with a configuration file, without the variables of the tests, which it would take for mistyped
// settings. GORACE removes the second that a raced process sleeps before it exits.
func environment(config string) []string {
	own := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains([]string{"HAWSER_BINARY", urlVariable, settingsVariable, envKills}, name)
	})
	return append(own, "HAWSER_CONFIG="+config, "HAWSER_DEV_CONFIG="+config, "GORACE=atexit_sleep_ms=20")
}

func startNATS(t host) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(startTimeout) {
		t.Fatal("NATS did not start")
	}
	return s.ClientURL()
}
