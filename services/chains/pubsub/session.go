package pubsub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/coder/websocket"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

const (
	// dialTime, writeTime and pingTime bound operations of a node.
	dialTime  = 10 * time.Second
	writeTime = 10 * time.Second
	pingTime  = 15 * time.Second
	// answerTime is how long a node may take to answer a request; a subscription is then requested again. Callers wait longer.
	answerTime = 4 * time.Second
	// messageLimit bounds one message of a node, in bytes: an account of 10 MiB in base 64.
	messageLimit = 16 << 20
)

// conn is a WebSocket to a node.
type conn struct{ socket *websocket.Conn }

func dial(ctx context.Context, url string) (conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, url, nil) //nolint:bodyclose // the library closes it
	if err != nil {
		return conn{}, errors.New("no connection") // the error of the library contains the URL, which may contain a key
	}
	socket.SetReadLimit(messageLimit)
	return conn{socket}, nil
}

func (c conn) close() { _ = c.socket.CloseNow() }

func (c conn) send(ctx context.Context, id uint64, method string, params json.RawMessage) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return c.socket.Write(ctx, websocket.MessageText, body)
}

// session holds the subscriptions of one connection. It is used by one goroutine.
type session struct {
	hub  *Hub
	conn conn
	// next is the id of the last request.
	next uint64
	// requested are the requested feeds; pending are those without a response, by the id of the request, and feeds the
	// others, by their id at the node.
	requested map[Topic]*feed
	pending   map[uint64]request
	feeds     map[uint64]*feed
	// readers are the reads of accounts in progress.
	readers *routine.WaitGroup
}

// request is a request for a feed.
type request struct {
	feed *feed
	sent time.Time
}

// message is a response or a notification.
type message struct {
	ID     *uint64         `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc.Error  `json:"error"`
	Params struct {
		Result       json.RawMessage `json:"result"`
		Subscription uint64          `json:"subscription"`
	} `json:"params"`
}

// run subscribes to the hub's feeds and delivers messages, until there are no feeds or the connection ends.
func (s *session) run(ctx context.Context) error {
	received := make(chan message)
	failed := make(chan error, 1)
	s.readers.Go(ctx, func() { failed <- s.receive(ctx, received) }, func(err error) { failed <- err })
	ping := time.NewTicker(pingTime)
	defer ping.Stop()
	answers := time.NewTicker(answerTime / 2)
	defer answers.Stop()
	for {
		if isIdle, err := s.adjust(ctx); err != nil || isIdle {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return err
		case <-s.hub.changed:
		case m := <-received:
			s.take(ctx, m)
		case now := <-answers.C:
			s.dropUnanswered(now)
		case <-ping.C:
			s.readers.Go(ctx, func() {
				bounded, cancel := context.WithTimeout(ctx, pingTime)
				defer cancel()
				if s.conn.socket.Ping(bounded) != nil {
					s.conn.close()
				}
			}, func(error) { s.conn.close() })
		}
	}
}

func (s *session) receive(ctx context.Context, received chan<- message) error {
	for {
		_, raw, err := s.conn.socket.Read(ctx)
		if err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			return fmt.Errorf("the node sent another message: %w", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case received <- m:
		}
	}
}

// adjust requests new feeds and ends removed ones. It reports whether there are no feeds.
func (s *session) adjust(ctx context.Context) (isIdle bool, err error) {
	wanted := s.hub.wanted()
	for t, f := range s.requested {
		if wanted[t] != f {
			delete(s.requested, t)
		}
	}
	for id, f := range s.feeds {
		if s.requested[f.topic] == f {
			continue
		}
		delete(s.feeds, id)
		s.next++
		if err := s.conn.send(ctx, s.next, unsubscribeMethods[f.topic.method], fmt.Appendf(nil, "[%d]", id)); err != nil {
			return false, err
		}
	}
	for t, f := range wanted {
		if s.requested[t] == f || s.isPending(t) {
			continue
		}
		s.next++
		s.requested[t], s.pending[s.next] = f, request{f, time.Now()}
		if err := s.conn.send(ctx, s.next, t.method, json.RawMessage(t.params)); err != nil {
			return false, err
		}
	}
	return len(wanted) == 0, nil
}

// isPending reports whether the node has not yet responded to a subscription to the same topic. The node gives equal
// subscriptions the same id, so ending the earlier one would end the later one too.
func (s *session) isPending(t Topic) bool {
	for _, r := range s.pending {
		if r.feed.topic == t {
			return true
		}
	}
	return false
}

// dropUnanswered makes adjust request again what the node has not answered in time. A late answer is then ignored.
func (s *session) dropUnanswered(now time.Time) {
	for id, r := range s.pending {
		if now.Sub(r.sent) < answerTime {
			continue
		}
		delete(s.pending, id)
		if s.requested[r.feed.topic] == r.feed {
			delete(s.requested, r.feed.topic)
		}
	}
}

// take handles a message of the node.
func (s *session) take(ctx context.Context, m message) {
	if m.ID == nil {
		if f := s.feeds[m.Params.Subscription]; f != nil {
			if f.topic.method == methodSignature {
				// The node has ended the subscription.
				delete(s.feeds, m.Params.Subscription)
			}
			s.hub.deliver(f, m.Params.Result)
		}
		return
	}
	f := s.pending[*m.ID].feed
	delete(s.pending, *m.ID)
	if f == nil {
		return
	}
	var id uint64
	if m.Error != nil || json.Unmarshal(m.Result, &id) != nil {
		s.hub.fail(f, errRefused)
		return
	}
	s.feeds[id] = f
	isAgain := f.accepted
	s.hub.accept(f)
	if isAgain && f.topic.method == methodAccount {
		s.readers.Go(ctx, func() { s.hub.catchUp(ctx, f) }, func(err error) { s.hub.fail(f, err) })
	}
}

// errRefused is the reason of a subscription that the node does not accept.
var errRefused = errors.New("the node refuses the subscription")

// catchUp reads an account and delivers it, after changes may have been missed.
func (h *Hub) catchUp(ctx context.Context, f *feed) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":%s}`, f.topic.params)
	answer, err := h.read(ctx, body)
	var m message
	if err != nil || json.Unmarshal(answer, &m) != nil || m.Error != nil || len(m.Result) == 0 {
		h.fail(f, ErrLost)
		return
	}
	h.deliver(f, m.Result)
}
