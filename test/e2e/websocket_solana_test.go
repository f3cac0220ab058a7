package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// solanaSaid is a message of the endpoint on Solana, where ids of subscriptions are numbers.
type solanaSaid struct {
	ID     int
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
	Method string
	Params struct {
		Subscription uint64
		Result       struct {
			Slot  uint64
			Value struct {
				Lamports  uint64
				Signature string
				Err       any
				Pubkey    string
			}
		}
	}
}

func (s socket) hearSolana(t *testing.T) (m solanaSaid) {
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

// ask sends a request and returns its response, past notifications.
func (s socket) ask(t *testing.T, method, params string) solanaSaid {
	t.Helper()
	s.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":%q,"params":%s}`, method, params))
	for {
		if m := s.hearSolana(t); m.Method == "" {
			return m
		}
	}
}

// follow subscribes and returns the subscription's id.
func (s socket) follow(t *testing.T, method, params string) (id uint64) {
	t.Helper()
	m := s.ask(t, method, params)
	if err := json.Unmarshal(m.Result, &id); err != nil {
		t.Fatalf("%s: %+v", method, m.Error)
	}
	return id
}

func TestASocketToSolanaSendsWhatIsSubscribedTo(t *testing.T) {
	eachShape(t, func(t *testing.T, s *suite) {
		chain := devnettest.StartSolana(t)
		to := chain.Accounts[9].Address
		for name, c := range map[string]struct {
			method, params string
			notification   string
		}{
			"an account":           {"accountSubscribe", `["` + to + `",{"encoding":"base64","commitment":"confirmed"}]`, "accountNotification"},
			"logs":                 {"logsSubscribe", `[{"mentions":["` + to + `"]},{"commitment":"confirmed"}]`, "logsNotification"},
			"slots":                {"slotSubscribe", `[]`, "slotNotification"},
			"accounts of programs": {"programSubscribe", `["11111111111111111111111111111111",{"encoding":"base64","commitment":"confirmed","filters":[{"memcmp":{"offset":0,"bytes":""}}]}]`, ""},
		} {
			c1 := s.socketTo(t, chain.CAIP2)
			if c.notification == "" {
				if m := c1.ask(t, c.method, c.params); m.Error == nil || m.Error.Code != -32602 {
					t.Errorf("%s without what they hold: %+v", name, m)
				}
				continue
			}
			id := c1.follow(t, c.method, c.params)
			var signature string
			if err := json.Unmarshal(chain.Call(t, "requestAirdrop", to, 5_000_000), &signature); err != nil {
				t.Fatal(err)
			}
			m := c1.hearSolana(t)
			if m.Method != c.notification || m.Params.Subscription != id {
				t.Errorf("%s: received %+v", name, m)
			}
			if v := m.Params.Result.Value; v.Lamports == 0 && v.Signature != signature && m.Params.Result.Slot == 0 {
				t.Errorf("%s: received %+v", name, m)
			}
			once := s.socketTo(t, chain.CAIP2)
			one := once.follow(t, "signatureSubscribe", `["`+signature+`",{"commitment":"confirmed"}]`)
			if m := once.hearSolana(t); m.Method != "signatureNotification" || m.Params.Subscription != one || m.Params.Result.Value.Err != nil {
				t.Errorf("the signature: received %+v", m)
			}
			// The connection stays open after it.
			if m := once.ask(t, "getGenesisHash", `[]`); len(m.Result) == 0 {
				t.Errorf("after the signature: %+v", m)
			}
			end := c.method[:len(c.method)-len("Subscribe")] + "Unsubscribe"
			if m := c1.ask(t, end, fmt.Sprintf(`[%d]`, id)); string(m.Result) != "true" {
				t.Errorf("%s: ended with %+v", name, m)
			}
			if m := c1.ask(t, end, fmt.Sprintf(`[%d]`, id)); m.Error == nil || m.Error.Code != -32602 {
				t.Errorf("%s: ended twice: %+v", name, m)
			}
		}
	})
}

func TestASocketToSolanaRefusesWhatIsNotListed(t *testing.T) {
	eachShape(t, func(t *testing.T, s *suite) {
		chain := devnettest.StartSolana(t)
		c := s.socketTo(t, chain.CAIP2)
		for method, code := range map[string]int{"blockSubscribe": -32601, "voteSubscribe": -32601, "rootSubscribe": -32601, "eth_subscribe": -32601, "blockUnsubscribe": -32601} {
			if m := c.ask(t, method, `["newHeads"]`); m.Error == nil || m.Error.Code != code {
				t.Errorf("%s: %+v", method, m)
			}
		}
		if m := c.ask(t, "logsSubscribe", `["all"]`); m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("all logs: %+v", m)
		}
		evm := s.socketTo(t, devChain)
		if m := evm.ask(t, "slotSubscribe", `[]`); m.Error == nil || m.Error.Code != -32601 {
			t.Errorf("slots of an EVM chain: %+v", m)
		}
		many := s.socketTo(t, chain.CAIP2)
		for range 64 {
			many.follow(t, "slotSubscribe", `[]`)
		}
		if m := many.ask(t, "slotSubscribe", `[]`); m.Error == nil || m.Error.Code != -32005 {
			t.Errorf("one subscription too many: %+v", m)
		}
	})
}
