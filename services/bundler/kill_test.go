package bundler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/big"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/killtest"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// childConfig is the configuration of a bundler in another process.
type childConfig struct {
	Devnet    []byte
	Database  string
	Executors []string
}

func TestMain(m *testing.M) {
	killtest.Main(serveChild)
	os.Exit(m.Run())
}

// serveChild prints a line when it is ready, sends the operations that follow its configuration, and prints the hash of each once it is accepted.
func serveChild(ctx context.Context, in *json.Decoder) error {
	var c childConfig
	if err := in.Decode(&c); err != nil {
		return err
	}
	d := &devnettest.Devnet{Raw: c.Devnet}
	if err := json.Unmarshal(c.Devnet, d); err != nil {
		return err
	}
	db, err := store.Open(ctx, c.Database)
	if err != nil {
		return err
	}
	cfg := DefaultConfig()
	cfg.Chains, cfg.Executors = map[string]Chain{local: {}}, c.Executors
	cfg.Limits.AccountPerHour, cfg.Limits.ProjectPerHour = 0, 0
	cfg.Limits.ProjectLossPerHour, cfg.Limits.LossPerHour = "10000000000000000000", "10000000000000000000"
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
	failed := routine.Go(ctx, func() error { return s.work(ctx) })
	n, err := s.endpoint.Network(ctx, local)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(os.Stdout, "ready"); err != nil {
		return err
	}
	for {
		var raw json.RawMessage
		switch err := in.Decode(&raw); {
		case errors.Is(err, io.EOF):
			return <-failed
		case err != nil:
			return err
		}
		o, err := userop.Parse(raw)
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
}

func TestEachOperationIsIncludedOnceThroughKills(t *testing.T) {
	const accounts, each, kills = 5, 40, 4
	w := newWorld(t, open(t), nil)
	operations := map[common.Hash]*userop.Operation{}
	to := newKey(t).Address()
	for range accounts {
		for _, o := range w.newPerson().operations(to, each) {
			operations[o.Hash(userop.EntryPoint07, w.network().Number)] = o
		}
	}
	executors := []string{newExecutor(t, w.chain), newExecutor(t, w.chain)}
	config := childConfig{Devnet: devnettest.Start(t).Raw, Database: storetest.SQLite(t), Executors: executors}

	waiting := slices.Collect(maps.Keys(operations))
	for round := range kills + 1 {
		enough := len(waiting)
		if round < kills {
			enough = accounts * each / (kills + 1)
		}
		waiting = sendUntilKilled(t, config, operations, waiting, enough)
	}
	if len(waiting) > 0 {
		t.Fatalf("%d operations were not accepted", len(waiting))
	}

	killtest.Start(t, config)
	want := big.NewInt(accounts * each)
	for deadline := time.Now().Add(patience); w.balance(to).Cmp(want) < 0 && time.Now().Before(deadline); {
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

// sendUntilKilled sends the waiting operations through a new process, kills it when it has accepted enough of them, and
// returns the remaining ones.
func sendUntilKilled(t *testing.T, config childConfig, operations map[common.Hash]*userop.Operation, waiting []common.Hash, enough int) []common.Hash {
	t.Helper()
	p := killtest.Start(t, config)
	p.Await(1)
	written := make(chan struct{})
	go func() {
		defer close(written)
		for _, hash := range waiting {
			if p.Send(operations[hash]) != nil {
				return // the process was killed
			}
		}
	}()
	accepted := map[common.Hash]bool{}
	for _, hash := range append(p.Await(enough), p.Kill()...) {
		accepted[common.HexToHash(hash)] = true
	}
	<-written
	return slices.DeleteFunc(waiting, func(hash common.Hash) bool { return accepted[hash] })
}
