package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/relay/relaytest"
)

// attacker is the address of a caller that attacks.
const attacker = "203.0.113.9"

// attack is what one caller, or those of one network, can do to the suite.
type attack struct {
	name string
	// play attacks until ctx ends, and notes what it had.
	play func(ctx context.Context, t *tally)
	// isRefused reports whether an outcome is a refusal; the attacker must have one at least. It is nil for an attack that need not be refused.
	isRefused func(outcome string) bool
}

// attacks returns all attacks.
func (w *world) attacks() []attack {
	limited := outcomes("429", "503", "JSON-RPC -32005", "JSON-RPC 429")
	return []attack{
		{"logs of 180 MiB", w.repeat(4, func(int) httpRequest { return logsRequest(1) }), limited},
		{"batches of 100 requests for logs", w.repeat(100, func(int) httpRequest { return logsRequest(100) }), limited},
		{"answers of 9 MiB that are not read", w.slowReaders, outcomes("429", "503", "ended")},
		{"a topic of 120 sockets that do not read", w.fanOut, nil},
		{"messages of 1 MiB for 30 days", w.fillStore, outcomes("refused")},
		{"500 reads of a mailbox in one request", w.fetches, nil},
		{"new accounts", w.repeat(8, func(int) httpRequest {
			return get200("/v1/account/%s/history?chainId=%s&projectId=%s", randomAddress(), w.chain.CAIP2, project)
		}), nil},
		{"portfolios on all networks", w.repeat(16, func(int) httpRequest {
			return get200("/v1/account/%s/portfolio?projectId=%s", randomAddress(), project)
		}), limited},
		{"prices of addresses that are no tokens", w.repeat(8, w.prices), limited},
		{"quotes of addresses that are no tokens", w.repeat(8, func(int) httpRequest {
			return get200("/v1/convert/quotes?amount=1000&from=%[1]s:%[2]s&to=%[1]s:%[3]s&gasPrice=1&projectId=%[4]s", w.chain.CAIP2, randomAddress(), randomAddress(), project)
		}), limited},
		{"hashes and reverts that look like faults of a node", w.repeat(8, brokenReads), nil},
		{"transactions of 10,000 logs", w.emitLogs, nil},
		{"callers of a /48", w.repeatFrom(16, func(n int) string { return fmt.Sprintf("2001:db8:7:%x::1", n%65_536) }, w.weighty), limited},
		{"bodies that never end", w.slowBodies, nil},
	}
}

// outcomes returns a function that reports whether an outcome begins with one of the words.
func outcomes(words ...string) func(string) bool {
	return func(outcome string) bool {
		for _, word := range words {
			if strings.HasPrefix(outcome, word) {
				return true
			}
		}
		return false
	}
}

// repeat sends requests of one address, so many at once.
func (w *world) repeat(atOnce int, next func(n int) httpRequest) func(context.Context, *tally) {
	return w.repeatFrom(atOnce, func(int) string { return attacker }, next)
}

// repeatFrom sends requests of addresses, so many at once.
func (w *world) repeatFrom(atOnce int, from func(n int) string, next func(n int) httpRequest) func(context.Context, *tally) {
	return func(ctx context.Context, t *tally) {
		var senders sync.WaitGroup
		for sender := range atOnce {
			senders.Go(func() {
				for n := sender; ctx.Err() == nil; n += atOnce {
					r := next(n)
					r.from = from(n)
					outcome := w.outcome(ctx, r)
					if ctx.Err() == nil {
						t.add(outcome)
					}
					if outcome == "429" {
						// Refusals cost an attacker nothing; more of them tell no more.
						pause(ctx, 20*time.Millisecond)
					}
				}
			})
		}
		senders.Wait()
	}
}

// outcome sends a request and returns what came of it.
func (w *world) outcome(ctx context.Context, r httpRequest) string {
	req, err := http.NewRequestWithContext(ctx, r.method, w.gateways[0]+r.path, strings.NewReader(r.body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("X-Forwarded-For", r.from)
	req.Header.Set("Content-Type", r.contentType)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "no answer"
	}
	defer func() { _ = res.Body.Close() }()
	head, err := io.ReadAll(io.LimitReader(res.Body, 4<<10))
	if err != nil {
		return "ended"
	}
	_, _ = io.Copy(io.Discard, res.Body)
	var answer struct{ Error *struct{ Code int } }
	var batch []struct{ Error *struct{ Code int } }
	if json.Unmarshal(head, &batch) == nil && len(batch) > 0 {
		answer.Error = batch[0].Error
	} else {
		_ = json.Unmarshal(head, &answer)
	}
	if res.StatusCode == http.StatusOK && answer.Error != nil {
		return "JSON-RPC " + strconv.Itoa(answer.Error.Code)
	}
	return strconv.Itoa(res.StatusCode)
}

// logsRequest requests the logs of 200,000 blocks of the scripted chain, so many times.
func logsRequest(times int) httpRequest {
	from := rand.IntN(scriptedHeight / 2)
	one := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x%x","toBlock":"0x%x"}]}`, from, from+199_999)
	if times > 1 {
		one = "[" + strings.Repeat(one+",", times-1) + one + "]"
	}
	return rpcRequest(scriptedChain, one)
}

func rpcRequest(chainID, body string) httpRequest {
	return httpRequest{method: http.MethodPost, path: "/v1/?chainId=" + chainID + "&projectId=" + project, contentType: "application/json", body: body}
}

// weighty requests the logs of a block, which count for several requests: a machine that is busy reaches the limits with them too.
func (w *world) weighty(n int) httpRequest {
	return rpcRequest(w.chain.CAIP2, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x%[1]x","toBlock":"0x%[1]x"}]}`, 1+n%2))
}

func randomAddress() string {
	var b [20]byte
	for i := range b {
		b[i] = byte(rand.IntN(256))
	}
	return "0x" + hex.EncodeToString(b[:])
}

// prices requests the prices of a hundred addresses.
func (w *world) prices(int) httpRequest {
	var list []string
	for range 100 {
		list = append(list, w.chain.CAIP2+":"+randomAddress())
	}
	body, _ := json.Marshal(map[string]any{"currency": "usd", "addresses": list})
	return httpRequest{method: http.MethodPost, path: "/v1/fungible/price?projectId=" + project, contentType: "application/json", body: string(body)}
}

// brokenReads makes calls whose answers look like faults of the node.
func brokenReads(n int) httpRequest {
	if n%2 == 0 {
		return rpcRequest(scriptedChain, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByHash","params":["%064x",false]}`, n+1))
	}
	return rpcRequest(scriptedChain, `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"`+randomAddress()+`"},"latest"]}`)
}

// slowReaders requests answers of 9 MiB and does not read them.
func (w *world) slowReaders(ctx context.Context, t *tally) {
	const connections = 100
	address := strings.TrimPrefix(w.gateways[0], "http://")
	one := logsRequest(1)
	one.body = `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x2"}]}`
	var readers sync.WaitGroup
	for range connections {
		readers.Go(func() {
			conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
			if err != nil {
				t.add("not connected")
				return
			}
			defer func() { _ = conn.Close() }()
			_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
			_, _ = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nX-Forwarded-For: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", one.path, address, attacker, len(one.body), one.body)
			<-ctx.Done()
			_ = conn.SetReadDeadline(time.Now().Add(time.Second))
			// What is in the buffers: the status, and whether all of the answer follows.
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.add("ended")
				return
			}
			defer func() { _ = res.Body.Close() }()
			if res.StatusCode != http.StatusOK {
				t.add(strconv.Itoa(res.StatusCode))
				return
			}
			if n, _ := io.Copy(io.Discard, res.Body); n < logsSize {
				t.add("ended after a part")
				return
			}
			t.add("200")
		})
	}
	readers.Wait()
}

// slowBodies announces bodies that never end.
func (w *world) slowBodies(ctx context.Context, t *tally) {
	address := strings.TrimPrefix(w.gateways[0], "http://")
	var senders sync.WaitGroup
	for range 200 {
		senders.Go(func() {
			for ctx.Err() == nil {
				conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
				if err != nil {
					return
				}
				stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
				_, _ = fmt.Fprintf(conn, "POST /v1/?chainId=%s&projectId=%s HTTP/1.1\r\nHost: %s\r\nX-Forwarded-For: %s\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n[", w.chain.CAIP2, project, address, attacker)
				res, err := http.ReadResponse(bufio.NewReader(conn), nil)
				stop()
				_ = conn.Close()
				switch {
				case ctx.Err() != nil:
					t.add("held to the end")
				case err != nil:
					t.add("ended")
				default:
					_ = res.Body.Close()
					t.add(strconv.Itoa(res.StatusCode))
				}
				pause(ctx, 20*time.Millisecond)
			}
		})
	}
	senders.Wait()
}

// relayOptions are those of a new client at the attacker's address.
func relayOptions() relaytest.Options {
	return relaytest.Options{Key: relaytest.NewKey(), From: attacker}
}

func (w *world) relayURL() string {
	return "ws" + strings.TrimPrefix(w.gateways[0], "http") + "/v1/relay"
}

// fanOut subscribes sockets that do not read to one topic, and publishes to it.
func (w *world) fanOut(ctx context.Context, t *tally) {
	topic := relaytest.Topic()
	var subscribers sync.WaitGroup
	for range 120 {
		subscribers.Go(func() {
			options := &websocket.DialOptions{HTTPHeader: http.Header{"X-Forwarded-For": {attacker}}}
			conn, _, err := websocket.Dial(ctx, relaytest.URL(w.relayURL(), relayOptions()), options) //nolint:bodyclose // the library closes it
			if err != nil {
				t.add("refused")
				return
			}
			defer func() { _ = conn.CloseNow() }()
			_ = conn.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"irn_subscribe","params":{"topic":%q}}`, topic))
			<-ctx.Done()
			reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			conn.SetReadLimit(4 << 20)
			for {
				if _, _, err = conn.Read(reading); err != nil {
					break
				}
			}
			if status := websocket.CloseStatus(err); status > 0 {
				t.add(fmt.Sprintf("close %d", status))
			} else if reading.Err() == nil {
				t.add("ended")
			} else {
				t.add("open")
			}
		})
	}
	pause(ctx, time.Second)
	for ctx.Err() == nil {
		w.publish(ctx, t, topic, 300)
	}
	subscribers.Wait()
}

// fillStore publishes to new topics.
func (w *world) fillStore(ctx context.Context, t *tally) {
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for ctx.Err() == nil {
				w.publish(ctx, t, "", 30*24*60*60)
			}
		})
	}
	clients.Wait()
}

// publish connects and publishes messages of 1 MiB until one is refused; an empty topic is a new one each time.
func (w *world) publish(ctx context.Context, t *tally, topic string, ttl int) {
	client, err := relaytest.DialContext(ctx, w.relayURL(), relayOptions())
	if err != nil {
		t.add("refused")
		pause(ctx, 100*time.Millisecond)
		return
	}
	defer client.Close()
	stop := context.AfterFunc(ctx, client.Close)
	defer stop()
	message := strings.Repeat("a", 1<<20-2048)
	for ctx.Err() == nil {
		to := topic
		if to == "" {
			to = relaytest.Topic()
		}
		answer, err := client.Call("irn_publish", map[string]any{"topic": to, "message": message, "ttl": ttl, "tag": 1})
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			t.add("ended")
			return
		case answer.Error != nil:
			t.add(fmt.Sprintf("refused %d", answer.Error.Code))
			pause(ctx, 20*time.Millisecond)
		default:
			t.add("published")
		}
	}
}

// fetches reads a mailbox of 200 messages of its own five hundred times in each request.
func (w *world) fetches(ctx context.Context, t *tally) {
	client, err := relaytest.DialContext(ctx, w.relayURL(), relayOptions())
	if err != nil {
		t.add("refused")
		return
	}
	defer client.Close()
	stop := context.AfterFunc(ctx, client.Close)
	defer stop()
	topic := relaytest.Topic()
	for n := range 200 {
		if _, err := client.Call("irn_publish", relaytest.Publication(topic, fmt.Sprint(n), 1)); err != nil {
			break
		}
	}
	list := make([]string, 500)
	for i := range list {
		list[i] = topic
	}
	for ctx.Err() == nil {
		answer, err := client.Call("irn_batchFetchMessages", map[string]any{"topics": list})
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			t.add("ended")
			return
		case answer.Error != nil:
			t.add(fmt.Sprintf("refused %d", answer.Error.Code))
			pause(ctx, 20*time.Millisecond)
		default:
			t.add("answered")
		}
	}
}

// emitter is the code of a contract that logs as many transfers of no units as the first word of its calldata says, from an account in the second one.
//
//	loop: PUSH0 PUSH0 … LOG3 of Transfer(from, from), then count down
var emitter = func() string {
	transfer := "7f" + "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
	return "0x5f35" + // n
		"5b" + // 2: loop
		"602035" + "602035" + transfer + "60205f" + "a3" + // LOG3(0, 32, topic0, account, account)
		"6001" + "90" + "03" + // n - 1
		"80" + "6002" + "57" + "00"
}()

// emitLogs has a contract log 10,000 transfers in a transaction, again and again. Each names an account of the attacker that is followed.
func (w *world) emitLogs(ctx context.Context, t *tally) {
	const contract, count = "0x0000000000000000000000000000000000e317e7", 10_000
	if err := w.chain.call(ctx, nil, "anvil_setCode", contract, emitter); err != nil {
		t.add(err.Error())
		return
	}
	account := randomAddress()
	follow := get200("/v1/account/%s/history?chainId=%s&projectId=%s", account, w.chain.CAIP2, project)
	follow.from = attacker
	_ = w.outcome(ctx, follow)
	data := fmt.Sprintf("0x%064x%024d%s", count, 0, strings.TrimPrefix(account, "0x"))
	for ctx.Err() == nil {
		var hash string
		err := w.chain.call(ctx, &hash, "eth_sendTransaction", map[string]any{"from": w.chain.accounts[6], "to": contract, "data": data, "gas": "0x1c9c380"})
		switch {
		case errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
			return
		case err != nil:
			t.add(string(bytes.TrimSpace([]byte(err.Error()))))
		default:
			t.add("sent")
		}
		pause(ctx, 500*time.Millisecond)
	}
}
