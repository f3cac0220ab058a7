package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"

	"github.com/hawser-dev/hawser/services/relay/clientauth"
)

// peer is a light client of the relay.
type peer struct {
	url string
	// receive is called with each message that is delivered, before it is acknowledged.
	receive func(message string)

	mu      sync.Mutex
	conn    net.Conn
	waiting map[string]chan error
}

var ids atomic.Int64

func init() { ids.Store(time.Now().UnixMilli() * 1000) }

func newPeer(address string, receive func(string)) (*peer, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now().Unix()
	token, err := clientauth.Sign(key, "ws://"+address, clientauth.Claims{Subject: "00", IssuedAt: now, ExpiresAt: now + 86400})
	if err != nil {
		return nil, err
	}
	query := url.Values{"auth": {token}, "projectId": {project}, "useOnCloseEvent": {"true"}}
	return &peer{url: "ws://" + address + "/?" + query.Encode(), receive: receive, waiting: map[string]chan error{}}, nil
}

// open connects, and reads until the connection ends; ended is called then.
func (p *peer) open(ctx context.Context, ended func()) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	conn, early, _, err := ws.Dial(ctx, p.url)
	if err != nil {
		return err
	}
	var from io.Reader = conn
	if early != nil {
		// The buffer holds what came with the handshake, such as a ping.
		rest, _ := early.Peek(early.Buffered())
		from = io.MultiReader(bytes.NewReader(rest), conn)
	}
	p.mu.Lock()
	p.conn = conn
	p.mu.Unlock()
	go func() {
		p.read(from)
		_ = conn.Close()
		p.mu.Lock()
		for id, answer := range p.waiting {
			delete(p.waiting, id)
			answer <- errors.New("the connection ended")
		}
		p.mu.Unlock()
		if ended != nil {
			ended()
		}
	}()
	return nil
}

func (p *peer) read(from io.Reader) {
	for {
		h, err := ws.ReadHeader(from)
		if err != nil {
			return
		}
		payload := make([]byte, h.Length)
		if _, err := io.ReadFull(from, payload); err != nil {
			return
		}
		switch h.OpCode {
		case ws.OpPing:
			p.write(ws.OpPong, payload)
		case ws.OpText:
			p.handle(payload)
		case ws.OpClose:
			return
		}
	}
}

func (p *peer) handle(payload []byte) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Data struct {
				Message string `json:"message"`
			} `json:"data"`
		} `json:"params"`
		Error *struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(payload, &m) != nil {
		return
	}
	if m.Method != "" {
		p.receive(m.Params.Data.Message)
		p.write(ws.OpText, fmt.Appendf(nil, `{"id":%s,"jsonrpc":"2.0","result":true}`, m.ID))
		return
	}
	p.mu.Lock()
	answer := p.waiting[string(m.ID)]
	delete(p.waiting, string(m.ID))
	p.mu.Unlock()
	if answer == nil {
		return
	}
	if m.Error != nil {
		answer <- errors.New(m.Error.Message)
		return
	}
	answer <- nil
}

func (p *peer) write(op ws.OpCode, payload []byte) {
	frame := ws.MaskFrameInPlace(ws.NewFrame(op, true, payload))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		_ = ws.WriteFrame(p.conn, frame)
	}
}

// close ends the connection.
func (p *peer) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.conn.Close()
}

// call calls a method, and returns its failure.
func (p *peer) call(method, params string) error {
	id := fmt.Sprint(ids.Add(1))
	answer := make(chan error, 1)
	p.mu.Lock()
	p.waiting[id] = answer
	p.mu.Unlock()
	p.write(ws.OpText, fmt.Appendf(nil, `{"id":%s,"jsonrpc":"2.0","method":%q,"params":%s}`, id, method, params))
	select {
	case err := <-answer:
		return err
	case <-time.After(15 * time.Second):
		return errors.New("no answer")
	}
}

func (p *peer) publish(topic, message string) error {
	return p.call("irn_publish", fmt.Sprintf(`{"topic":%q,"message":%q,"ttl":3600,"tag":1108}`, topic, message))
}

func (p *peer) subscribe(topics ...string) error {
	if len(topics) == 0 {
		return nil
	}
	return p.call("irn_batchSubscribe", `{"topics":["`+strings.Join(topics, `","`)+`"]}`)
}

func newTopic() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	return hex.EncodeToString(raw)
}
