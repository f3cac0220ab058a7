package chains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// lines receives each line of a log.
type lines chan string

// Write implements io.Writer.
func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// startNode runs a node of a chain, which counts how often it was asked for the chain's id.
func startNode(t *testing.T, chainID string) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		if q.Method == "eth_chainId" {
			asked.Add(1)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%q}`, q.ID, chainID)
			return
		}
		hash := "0x" + strings.Repeat("1", 64)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"number":"0x1","hash":%q,"parentHash":%q,"timestamp":"0x1"}}`, q.ID, hash, hash)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func TestTheStartAsksEachNodeForItsChain(t *testing.T) {
	right, askedRight := startNode(t, "0x1")
	wrong, askedWrong := startNode(t, "0x5")
	log := make(lines, 100)
	cfg := Config{Nodes: map[string][]string{"eip155:1": {right + "/v3/secret", wrong + "/v3/secret", "http://127.0.0.1:1/v3/secret"}}}
	s, err := New(t.Context(), cfg, Deps{Clock: clock.System{}, Log: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Work(ctx) }()
	logged := []string{<-log, <-log}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	text := strings.Join(logged, "")
	for _, want := range []string{
		`msg="node is on another chain and is not used" chain=eip155:1 node=2 host=` + strings.TrimPrefix(wrong, "http://") + " chain_id=5\n",
		`msg="node does not tell its chain" chain=eip155:1 node=3 host=127.0.0.1:1 error=`,
	} {
		if !strings.Contains(text, want) || strings.Contains(text, "secret") {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	// The right node may be asked while the others are logged already.
	if a, b := askedRight.Load(), askedWrong.Load(); a > 1 || b != 1 {
		t.Errorf("the nodes were asked %d and %d times", a, b)
	}
}

// Nodes of Solana and Polkadot tell their chain by the hash of its first block.
func TestTheStartAsksNodesOfOtherNamespacesToo(t *testing.T) {
	for chainID, method := range map[string]string{
		"polkadot:91b171bb158e2d3848fa23a9f1c25182": "chain_getBlockHash",
		"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp":   "getGenesisHash",
	} {
		wrong := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var q struct {
				ID     json.RawMessage `json:"id"`
				Method string          `json:"method"`
			}
			if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
				t.Error(err)
			}
			if q.Method != method {
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, q.ID)
				return
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":"0x%s"}`, q.ID, strings.Repeat("7", 64))
		}))
		log := make(lines, 100)
		s, err := New(t.Context(), Config{Nodes: map[string][]string{chainID: {wrong.URL + "/v3/secret"}}}, Deps{Clock: clock.System{}, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelError}))})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Work(ctx) }()
		if got, want := <-log, "is not used\" chain="+chainID+" node=1 host="+strings.TrimPrefix(wrong.URL, "http://"); !strings.Contains(got, want) || strings.Contains(got, "secret") {
			t.Errorf("no %s in %s", want, got)
		}
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		wrong.Close()
	}
}

func TestTheStartAsksNoPublicNode(t *testing.T) {
	table, err := LoadNetworks(Config{PublicNodes: true, Nodes: map[string][]string{"eip155:10": {"https://node.test"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range table {
		if n.public == (n.ChainID == "eip155:10") {
			t.Errorf("%s is public: %t", n.ChainID, n.public)
		}
	}
}

func TestTheServiceStartsWithoutItsCacheAndOpensItLater(t *testing.T) {
	node, _ := startNode(t, "0x1")
	file := storetest.SQLite(t)
	var tries atomic.Int32
	opened := make(chan *store.DB, 1)
	cfg := Config{Nodes: map[string][]string{"eip155:1": {node}}, Cache: finalcache.DefaultConfig()}
	cfg.Cache.Enabled = true
	s, err := New(t.Context(), cfg, Deps{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler), OpenCache: func(ctx context.Context) (*store.DB, error) {
		if tries.Add(1) == 1 {
			return nil, errors.New("the server starts")
		}
		db, err := store.Open(ctx, file)
		opened <- db
		return db, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	if tries.Load() != 0 {
		t.Error("the constructor waits for the database")
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Work(ctx) }()
	db := <-opened
	var rows int
	for end := time.Now().Add(30 * time.Second); db.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM chains_results`).Scan(&rows) != nil; {
		if time.Now().After(end) {
			t.Fatal("there are no tables")
		}
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := db.Ping(t.Context()); err == nil {
		t.Error("the database is still open")
	}
}
