package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

const (
	signedHash = "0x1111111111111111111111111111111111111111111111111111111111111111"
	syncBody   = `{"jsonrpc":"2.0","id":7,"method":"eth_sendRawTransactionSync","params":["0x02aa"]}`
)

// mining returns a node that takes transactions, and has the receipt after it was asked so many times. It records the methods that it was sent.
func mining(after int, methods *[]string) func(string) (int, string, error) {
	return chainstest.Returns(func(q chainstest.Request) string {
		*methods = append(*methods, q.Method)
		switch q.Method {
		case "eth_sendRawTransaction":
			return `"` + signedHash + `"`
		case "eth_getTransactionReceipt":
			if after--; after < 0 {
				return `{"transactionHash":"` + signedHash + `","status":"0x1","blockNumber":"0x1"}`
			}
		}
		return "null"
	})
}

func TestASynchronousSendReturnsTheReceipt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var methods []string
		d := newProxy(chainstest.Script{"a": mining(3, &methods)}, "a")
		got, err := d.Answer(t.Context(), []byte(syncBody))
		want := `{"jsonrpc":"2.0","id":7,"result":{"transactionHash":"` + signedHash + `","status":"0x1","blockNumber":"0x1"}}`
		if err != nil || string(got) != want {
			t.Errorf("answered %s, %v", got, err)
		}
		if sent := strings.Count(strings.Join(methods, " "), "eth_sendRawTransaction"); sent != 1 || strings.Contains(strings.Join(methods, " "), "Sync") {
			t.Errorf("the node was sent %q", methods)
		}
	})
}

func TestASynchronousSendThatIsNotMinedNamesItsHash(t *testing.T) {
	for params, wait := range map[string]time.Duration{
		`["0x02aa"]`:          syncWait,
		`["0x02aa",null]`:     syncWait,
		`["0x02aa",1500]`:     1500 * time.Millisecond,
		`["0x02aa",86400000]`: maxSyncWait,
	} {
		t.Run(params, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var methods []string
				d := newProxy(chainstest.Script{"a": mining(1000, &methods)}, "a")
				start := time.Now()
				got, err := d.Answer(t.Context(), []byte(strings.Replace(syncBody, `["0x02aa"]`, params, 1)))
				if err != nil || !isNotMined(got) {
					t.Errorf("answered %s, %v", got, err)
				}
				if waited := time.Since(start); waited != wait {
					t.Errorf("waited %s, want %s", waited, wait)
				}
			})
		})
	}
}

func TestASynchronousSendEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var methods []string
		d := newProxy(chainstest.Script{"a": mining(1000, &methods)}, "a")
		ctx, cancel := context.WithCancel(t.Context())
		defer time.AfterFunc(time.Second, cancel).Stop()
		if got, err := d.Answer(ctx, []byte(syncBody)); !errors.Is(err, context.Canceled) {
			t.Errorf("answered %s, %v", got, err)
		}
	})
}

// isNotMined reports whether an answer is the error of EIP-7966 for a transaction that was sent.
func isNotMined(answer json.RawMessage) bool {
	var a struct{ Error jsonrpc.Error }
	return json.Unmarshal(answer, &a) == nil && a.Error.Code == 4 && string(a.Error.Data) == `"`+signedHash+`"`
}

func TestASynchronousSendIsAnsweredBeforeItsCallerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var methods []string
		d := newProxy(chainstest.Script{"a": mining(1000, &methods)}, "a")
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if got, err := d.Answer(ctx, []byte(syncBody)); err != nil || !isNotMined(got) {
			t.Errorf("answered %s, %v", got, err)
		}
	})
}

func TestABatchOfSynchronousSendsHasOneDeadline(t *testing.T) {
	batch := []byte("[" + strings.TrimSuffix(strings.Repeat(strings.Replace(syncBody, `["0x02aa"]`, `["0x02aa",86400000]`, 1)+",", jsonrpc.BatchLimit), ",") + "]")
	for name, callerTime := range map[string]time.Duration{"of the gateway": 30 * time.Second, "of a caller that waits for longer": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sent atomic.Int32
				d := newProxy(chainstest.Script{"a": chainstest.Returns(func(q chainstest.Request) string {
					if q.Method == "eth_sendRawTransaction" {
						sent.Add(1)
						return `"` + signedHash + `"`
					}
					return "null"
				})}, "a")
				ctx, cancel := context.WithTimeout(t.Context(), callerTime)
				defer cancel()
				start := time.Now()
				got, err := d.Answer(ctx, batch)
				if waited := time.Since(start); waited != maxSyncWait {
					t.Errorf("waited %s, want %s", waited, maxSyncWait)
				}
				var answers []json.RawMessage
				if err != nil || json.Unmarshal(got, &answers) != nil || len(answers) != jsonrpc.BatchLimit || sent.Load() != jsonrpc.BatchLimit {
					t.Fatalf("%d answers after %d were sent, %v", len(answers), sent.Load(), err)
				}
				for _, answer := range answers {
					if !isNotMined(answer) {
						t.Errorf("answered %s", answer)
					}
				}
			})
		})
	}
}

// silent is a node that takes transactions and answers no other call.
type silent struct{ chainstest.Script }

func (s silent) PostJSON(ctx context.Context, url string, body []byte) (int, []byte, error) {
	if strings.Contains(string(body), "eth_getTransactionReceipt") {
		<-ctx.Done()
		return 0, nil, ctx.Err()
	}
	return s.Script.PostJSON(ctx, url, body)
}

func TestANodeThatDoesNotAnswerDoesNotDelayASynchronousSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var methods []string
		d := newProxy(silent{chainstest.Script{"a": mining(0, &methods)}}, "a")
		start := time.Now()
		got, err := d.Answer(t.Context(), []byte(strings.Replace(syncBody, `["0x02aa"]`, `["0x02aa",1500]`, 1)))
		if waited := time.Since(start); err != nil || !isNotMined(got) || waited != 1500*time.Millisecond {
			t.Errorf("answered %s, %v, after %s", got, err, waited)
		}
	})
}

func TestASynchronousSendThatIsRefusedIsNotWaitedFor(t *testing.T) {
	for params, want := range map[string]string{
		`["0x02aa"]`:     `{"code":-32000,"message":"insufficient funds for gas * price + value"}`,
		`[]`:             `"code":-32602`,
		`["0x02aa",0]`:   `"code":-32602`,
		`["0x02aa",-1]`:  `"code":-32602`,
		`["0x02aa","5"]`: `"code":-32602`,
		`["0x02aa",1,2]`: `"code":-32602`,
		`[{"to":"0x"}]`:  `"code":-32602`,
	} {
		t.Run(params, func(t *testing.T) {
			d := newProxy(chainstest.Script{"a": chainstest.Responds(200,
				`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"insufficient funds for gas * price + value"}}`)}, "a")
			got, err := d.Answer(t.Context(), []byte(strings.Replace(syncBody, `["0x02aa"]`, params, 1)))
			if err != nil || !strings.Contains(string(got), want) {
				t.Errorf("answered %s, %v", got, err)
			}
		})
	}
}
