package e2e

import (
	"context"
	"encoding/json"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

const (
	devChain = "eip155:31337"
	holder   = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
)

// socket is a WebSocket to the JSON-RPC endpoint.
type socket struct{ conn *websocket.Conn }

// said is a message of the endpoint: a response, or a notification of a subscription.
type said struct {
	ID     int
	Result json.RawMessage
	Params struct {
		Subscription string
		Result       struct {
			Number, Hash, ParentHash, BlockHash, TransactionHash string
			Removed                                              bool
		}
	}
}

func (s *suite) socket(t *testing.T) socket {
	t.Helper()
	return s.socketTo(t, devChain)
}

func (s *suite) socketTo(t *testing.T, chainID string) socket {
	t.Helper()
	url := strings.Replace(s.url, "http", "ws", 1) + "/v1?chainId=" + chainID + "&projectId=" + project
	conn, _, err := websocket.Dial(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return socket{conn}
}

func (s socket) send(t *testing.T, message string) {
	t.Helper()
	if err := s.conn.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
		t.Fatal(err)
	}
}

func (s socket) hear(t *testing.T) (m said) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	_, raw, err := s.conn.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return m
}

// subscribe returns the subscription's id.
func (s socket) subscribe(t *testing.T, params string) (id string) {
	t.Helper()
	s.send(t, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":`+params+`}`)
	if err := json.Unmarshal(s.hear(t).Result, &id); err != nil {
		t.Fatal(err)
	}
	return id
}

// pay moves one unit of a token, and returns the transaction's hash.
func pay(t *testing.T, chain devnettest.Chain) (hash string) {
	t.Helper()
	data := "0xa9059cbb" + strings.Repeat("0", 24) + strings.ToLower(holder[2:]) + strings.Repeat("0", 63) + "1"
	tx := map[string]string{"from": holder, "to": chain.Tokens[0].Address, "data": data}
	if err := json.Unmarshal(chain.Call(t, "eth_sendTransaction", tx), &hash); err != nil {
		t.Fatal(err)
	}
	return hash
}

func TestASocketSendsEveryBlockAndLogAndTheLogsThatAReorgRemoved(t *testing.T) {
	eachShape(t, func(t *testing.T, s *suite) {
		chain := devnettest.Start(t).Chain(t, devChain)
		heads, logs := s.socket(t), s.socket(t)
		heads.send(t, `{"jsonrpc":"2.0","id":3,"method":"eth_chainId","params":[]}`)
		if got := heads.hear(t); got.ID != 3 || string(got.Result) != `"0x7a69"` {
			t.Errorf("answered %+v", got)
		}
		heads.subscribe(t, `["newHeads"]`)
		logs.subscribe(t, `["logs",{"address":"`+chain.Tokens[0].Address+`"}]`)
		paid := pay(t, chain)
		first := logs.hear(t).Params.Result
		if first.TransactionHash != paid || first.Removed {
			t.Errorf("received %+v, want the log of %s", first, paid)
		}
		last := heads.hear(t).Params.Result
		for range 3 {
			chain.Call(t, "anvil_mine", "0x1")
		}
		for range 3 {
			next := heads.hear(t).Params.Result
			if next.ParentHash != last.Hash {
				t.Errorf("%s does not follow on %s", next.Number, last.Number)
			}
			last = next
		}
		// The three blocks and the one with the payment are replaced.
		chain.Call(t, "anvil_reorg", 4, []any{})
		gone := logs.hear(t).Params.Result
		if !gone.Removed || gone.TransactionHash != paid || gone.BlockHash != first.BlockHash {
			t.Errorf("received %+v, want the log of %s taken back", gone, paid)
		}
		if again := heads.hear(t).Params.Result; again.Hash == last.Hash {
			t.Errorf("block %s was sent twice", again.Number)
		}
	})
}

func TestASocketEndsWhenTheSuiteGoesDown(t *testing.T) {
	t.Parallel()
	s := startAllInOne(t, raced, "")
	c := s.socket(t)
	c.subscribe(t, `["newHeads"]`)
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	for {
		if _, _, err := c.conn.Read(ctx); err != nil {
			if got := websocket.CloseStatus(err); got != websocket.StatusServiceRestart {
				t.Errorf("it ended with %d: %v", got, err)
			}
			break
		}
	}
	if err := s.process.Wait(); err != nil {
		t.Errorf("hawser: %v", err)
	}
}
