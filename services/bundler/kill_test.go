package bundler

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/chainclient"
	"github.com/hawser-dev/hawser/services/evm/account"
	"github.com/hawser-dev/hawser/services/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// childEnv names the variable that makes the test binary a bundler. Its value is the path of a file with a
// [childConfig].
const childEnv = "HAWSER_TEST_BUNDLER"

// childReady is what the process prints before the hashes of operations.
const childReady = "ready"

// childConfig is the configuration of a bundler in another process.
type childConfig struct {
	Devnet    []byte
	Database  string
	Executors []string
}

func TestMain(m *testing.M) {
	if file := os.Getenv(childEnv); file != "" {
		if err := serveChild(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serveChild sends the operations of standard input, one in a line, and prints the hash of each.
func serveChild(file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var c childConfig
	if err := json.Unmarshal(raw, &c); err != nil {
		return err
	}
	d := &devnettest.Devnet{Raw: c.Devnet}
	if err := json.Unmarshal(c.Devnet, d); err != nil {
		return err
	}
	ctx := context.Background()
	db, err := store.Open(ctx, c.Database)
	if err != nil {
		return err
	}
	cfg := DefaultConfig()
	cfg.Chains, cfg.Executors = map[string]Chain{local: {}}, c.Executors
	cfg.Limits.AccountPerHour, cfg.Limits.ProjectPerHour = 0, 0
	w := &world{}
	for _, chain := range d.Chains {
		if chain.CAIP2 == local {
			w.chain = chain
		}
	}
	nodes := &localNodes{w, d}
	log := slog.New(slog.DiscardHandler)
	s, err := newServer(ctx, cfg, Deps{Chain: chainclient.NewFrom(nodes, nodes, clock.System{}), DB: db, Clock: clock.System{}, Log: log})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(os.Stdout, childReady); err != nil {
		return err
	}
	failed := routine.Go(ctx, func() error { return s.work(ctx) })
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		o, err := userop.Parse(lines.Bytes())
		if err != nil {
			return err
		}
		n, err := s.endpoint.Network(ctx, local)
		if err != nil {
			return err
		}
		hash := o.Hash(userop.EntryPoint07, n.Number)
		if err := s.endpoint.Send(ctx, project, local, userop.EntryPoint07, o); err != nil {
			return fmt.Errorf("operation %s: %w", hash, err)
		}
		if _, err := fmt.Fprintln(os.Stdout, hash); err != nil {
			return err
		}
	}
	return <-failed
}

func TestEachOfAThousandOperationsIsIncludedOnceThroughKills(t *testing.T) {
	const accounts, each, kills = 10, 100, 4
	w := newWorld(t, open(t), nil)
	operations := map[common.Hash]*userop.Operation{}
	to := newKey(t).Address()
	for range accounts {
		for _, o := range w.newPerson().operations(to, each) {
			operations[o.Hash(userop.EntryPoint07, w.network().Number)] = o
		}
	}
	executors := []string{newExecutor(t, w.chain), newExecutor(t, w.chain)}
	config := writeChild(t, childConfig{Devnet: devnettest.Start(t).Raw, Database: storetest.SQLite(t), Executors: executors})

	waiting := slices.Collect(maps.Keys(operations))
	for round := range kills + 1 {
		enough := len(waiting)
		if round < kills {
			enough = accounts * each / (kills + 1)
		}
		waiting = runChild(t, config, operations, waiting, enough)
	}
	if len(waiting) > 0 {
		t.Fatalf("%d operations were not accepted", len(waiting))
	}

	last := startChild(t, config)
	defer last.kill(t)
	want := big.NewInt(accounts * each)
	for range 200 {
		if w.balance(to).Cmp(want) >= 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if got := w.balance(to); got.Cmp(want) != 0 {
		t.Errorf("%s operations were executed, want %s", got, want)
	}
	sent := 0
	for _, text := range executors {
		key, err := account.ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		var n hexutil.Uint64
		if err := json.Unmarshal(w.chain.Call(t, "eth_getTransactionCount", key.Address(), "latest"), &n); err != nil {
			t.Fatal(err)
		}
		sent += int(n)
	}
	if sent != accounts*each {
		t.Errorf("the executors sent %d transactions, want %d", sent, accounts*each)
	}
}

// child is a bundler in another process.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Scanner
}

func writeChild(t testing.TB, c childConfig) string {
	t.Helper()
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "child.json")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// startChild starts a bundler process, and returns once it accepts operations.
func startChild(t testing.TB, config string) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0])}
	c.cmd.Env = append(os.Environ(), childEnv+"="+config)
	c.cmd.Stderr = os.Stderr
	var err error
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.stdout = bufio.NewScanner(stdout)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if !c.stdout.Scan() || c.stdout.Text() != childReady {
		t.Fatalf("the process printed %q", c.stdout.Text())
	}
	return c
}

// kill kills the process with SIGKILL.
func (c *child) kill(t testing.TB) {
	t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = c.cmd.Wait()
}

// runChild sends the waiting operations through a new process, kills it when it has accepted enough of them, and
// returns the remaining ones.
func runChild(t *testing.T, config string, operations map[common.Hash]*userop.Operation, waiting []common.Hash, enough int) []common.Hash {
	t.Helper()
	c := startChild(t, config)
	written := routine.Go(t.Context(), func() error {
		for _, hash := range waiting {
			line, err := json.Marshal(operations[hash])
			if err != nil {
				return err
			}
			if _, err := c.stdin.Write(append(line, '\n')); err != nil {
				return nil // the process was killed
			}
		}
		return nil
	})
	accepted := map[common.Hash]bool{}
	for len(accepted) < enough && c.stdout.Scan() {
		accepted[common.HexToHash(c.stdout.Text())] = true
	}
	c.kill(t)
	if err := <-written; err != nil {
		t.Error(err)
	}
	return slices.DeleteFunc(waiting, func(hash common.Hash) bool { return accepted[hash] })
}
