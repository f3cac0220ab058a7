// Package esplora is a client of servers that speak the HTTP API of Esplora (https://github.com/Blockstream/esplora/blob/master/API.md), several
// for one network.
package esplora

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// PageSize is how many confirmed transactions one page has; the last page has fewer.
const PageSize = 25

const (
	// timeout bounds one request.
	timeout = 4 * time.Second
	// responseLimit bounds one response, in bytes. 25 transactions of an exchange can be large.
	responseLimit = 8 << 20
	// pause is how long a failed server is not used while another one answers.
	pause = 30 * time.Second
	// verifiedFor is how long the network of a server is trusted.
	verifiedFor = time.Hour
	// refusalLimit bounds the text of a server, in bytes.
	refusalLimit = 300
	// maxEstimates bounds the fee rates of one response. Esplora has 28.
	maxEstimates = 100
	// maxRateDigits bounds a fee rate, in characters.
	maxRateDigits = 20
)

var (
	// errNetwork is returned if a server is on another network.
	errNetwork = errors.New("the server is on another network")
	// errResponse is returned if a response lacks required fields, or has values that are impossible on the network.
	errResponse = errors.New("the response is malformed")
)

// statusError is an HTTP status that indicates a failure of the server.
type statusError int

// Error names the status.
func (e statusError) Error() string { return fmt.Sprintf("status %d", int(e)) }

// Client sends requests to the servers of one network. It is safe for concurrent use.
type Client struct {
	http  *upstream.Client
	meter *upstream.Meter
	clock clock.Clock
	// genesis is the start of the hash of the network's first block.
	genesis string
	servers []*server
	// refreshes shares the requests of refresh between callers, and refreshedAt is when every server was last probed.
	refreshes   routine.Flights
	refreshedAt atomic.Pointer[time.Time]
}

// server is one Esplora server and its state.
type server struct {
	url string

	mu sync.Mutex
	// verifiedAt is when its first block was last verified. pausedUntil is set when it fails.
	verifiedAt  time.Time
	pausedUntil time.Time
	// answeredAt and took describe its latest answer, tip is the newest block that it last returned; lastError is the
	// kind of its latest failure, and failing is set if that is later than the latest answer.
	answeredAt  time.Time
	took        time.Duration
	tip         uint64
	failing     bool
	lastError   upstream.Outcome
	lastErrorAt time.Time
}

// New returns the client of the network whose first block has a hash that starts with genesis. urls are base URLs, the preferred first, in which
// ${NAME} is taken from the environment.
func New(genesis string, urls []string, c clock.Clock) *Client {
	client := &Client{http: upstream.New(timeout, responseLimit), meter: upstream.NewMeter("node", "bip122:"+genesis), clock: c, genesis: genesis}
	for _, u := range urls {
		client.servers = append(client.servers, &server{url: strings.TrimSuffix(os.ExpandEnv(u), "/")})
	}
	return client
}

// Balance returns what an address holds. It fails with a [RefusedError] if a server refuses the address.
func (c *Client) Balance(ctx context.Context, address string) (b Balance, err error) {
	type sums struct {
		Funded *int64 `json:"funded_txo_sum"`
		Spent  *int64 `json:"spent_txo_sum"`
	}
	isValid := func(s *sums) bool {
		return s != nil && s.Funded != nil && s.Spent != nil && *s.Funded >= 0 && *s.Spent >= 0
	}
	err = c.get(ctx, "/address/"+address, func(body []byte) error {
		var stats struct {
			Chain   *sums `json:"chain_stats"`
			Mempool *sums `json:"mempool_stats"`
		}
		if json.Unmarshal(body, &stats) != nil || !isValid(stats.Chain) || !isValid(stats.Mempool) || *stats.Chain.Spent > *stats.Chain.Funded {
			return errResponse
		}
		b = Balance{Confirmed: *stats.Chain.Funded - *stats.Chain.Spent, Pending: *stats.Mempool.Funded - *stats.Mempool.Spent}
		return nil
	})
	return b, err
}

// Unspent lists the unspent outputs of an address. It fails with a [RefusedError] if a server refuses the address, as for too many outputs.
func (c *Client) Unspent(ctx context.Context, address string) (outputs []UnspentOutput, err error) {
	err = c.get(ctx, "/address/"+address+"/utxo", func(body []byte) error {
		outputs = nil
		if json.Unmarshal(body, &outputs) != nil || outputs == nil || slices.ContainsFunc(outputs, func(o UnspentOutput) bool { return !isID(o.TransactionID) || o.Value < 0 }) {
			return errResponse
		}
		return nil
	})
	return outputs, err
}

// Transactions lists transactions of an address, newest first. If last is empty, these are the unconfirmed transactions
// and the newest 25 confirmed ones; otherwise the 25 confirmed ones before last. It fails with a [RefusedError] if a
// server refuses the address.
func (c *Client) Transactions(ctx context.Context, address, last string) (list []Transaction, err error) {
	path := "/address/" + address + "/txs"
	if last != "" {
		path += "/chain/" + last
	}
	err = c.get(ctx, path, func(body []byte) error {
		list = nil
		if json.Unmarshal(body, &list) != nil || list == nil || !allValid(list) {
			return errResponse
		}
		return nil
	})
	return list, err
}

// Transaction returns the bytes of a transaction, as hex digits, and its status. It fails with [ErrUnknown], or with a
// [RefusedError].
func (c *Client) Transaction(ctx context.Context, id string) (raw string, status Status, err error) {
	err = c.get(ctx, "/tx/"+id+"/hex", func(body []byte) error {
		raw = strings.TrimSpace(string(body))
		return nil
	})
	if err != nil {
		return "", status, err
	}
	err = c.get(ctx, "/tx/"+id+"/status", func(body []byte) error {
		var stated struct {
			Confirmed *bool `json:"confirmed"`
		}
		if json.Unmarshal(body, &stated) != nil || stated.Confirmed == nil || json.Unmarshal(body, &status) != nil {
			return errResponse
		}
		return nil
	})
	return raw, status, err
}

// TipHeight returns the height of the newest block. A failure of this request does not pause the server.
func (c *Client) TipHeight(ctx context.Context) (height uint64, err error) {
	err = c.try(ctx, query{path: tipPath}, func(*server) {}, func(body []byte) error {
		height, err = parseHeight(body)
		return err
	})
	return height, err
}

// tipPath is the path of the height of the newest block.
const tipPath = "/blocks/tip/height"

func parseHeight(body []byte) (uint64, error) {
	height, err := strconv.ParseUint(strings.TrimSpace(string(body)), 10, 32)
	if err != nil {
		return 0, errResponse
	}
	return height, nil
}

// FeeEstimates returns fee rates in satoshis per 1,000 virtual bytes, by the number of blocks within which a transaction is expected.
func (c *Client) FeeEstimates(ctx context.Context) (map[int]uint64, error) {
	var raw map[string]json.Number
	err := c.try(ctx, query{path: "/fee-estimates"}, c.failed, func(body []byte) error {
		raw = nil
		if json.Unmarshal(body, &raw) != nil || raw == nil || len(raw) > maxEstimates {
			return errResponse
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	estimates := map[int]uint64{}
	for blocks, text := range raw {
		n, err := strconv.Atoi(blocks)
		if rate, ok := parseRate(text.String()); err == nil && ok {
			estimates[n] = rate
		}
	}
	return estimates, nil
}

// parseRate returns a fee rate in satoshis per 1,000 virtual bytes, rounded up. The API returns satoshis per virtual
// byte, with decimal places. Exponents are refused, because a short text could then be a number with millions of
// digits.
func parseRate(text string) (rate uint64, ok bool) {
	if len(text) > maxRateDigits || strings.ContainsFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') }) {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, false
	}
	r.Mul(r, big.NewRat(1000, 1))
	up := new(big.Int).Div(new(big.Int).Add(r.Num(), new(big.Int).Sub(r.Denom(), big.NewInt(1))), r.Denom())
	return up.Uint64(), up.IsUint64()
}

// isID reports whether a text is the id of a transaction.
func isID(text string) bool {
	return len(text) == 64 && !strings.ContainsFunc(text, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') })
}

// allValid reports whether all transactions have a valid id, and no amount is negative.
func allValid(list []Transaction) bool {
	for _, tx := range list {
		isNegative := func(o Output) bool { return o.Value < 0 }
		spendsNegative := func(in Input) bool { return in.Output != nil && isNegative(*in.Output) }
		if !isID(tx.ID) || tx.Fee < 0 || slices.ContainsFunc(tx.Outputs, isNegative) || slices.ContainsFunc(tx.Inputs, spendsNegative) {
			return false
		}
	}
	return true
}

// Send broadcasts a transaction. It fails with a [RefusedError]. The next server is tried only if this one cannot have received it.
func (c *Client) Send(ctx context.Context, raw string) error {
	err := ErrUnavailable
	for _, s := range c.usable() {
		var sent bool
		begun := time.Now()
		sent, err = c.send(ctx, s, raw)
		c.note(ctx, s, err, time.Since(begun))
		if _, refused := errors.AsType[*RefusedError](err); err == nil || refused {
			return err
		}
		if ctx.Err() != nil {
			break
		}
		c.failed(s)
		if sent {
			break
		}
	}
	return errors.Join(ErrUnavailable, err)
}

// send broadcasts a transaction through one server, and reports whether the server may have received it.
func (c *Client) send(ctx context.Context, s *server, raw string) (sent bool, err error) {
	if err := c.verify(ctx, s); err != nil {
		return false, err
	}
	status, body, err := c.http.PostText(ctx, s.url+"/tx", []byte(raw))
	switch {
	case err != nil:
		opened, ok := errors.AsType[*net.OpError](err)
		return !ok || opened.Op != "dial", err
	case status == http.StatusOK:
		return true, nil
	case status == http.StatusBadRequest:
		return true, &RefusedError{refusal(body)}
	default:
		return true, statusError(status)
	}
}

// refusal returns the reason in a server's text, such as `sendrawtransaction RPC error: {"code":-26,"message":"dust"}`.
func refusal(body []byte) string {
	text := string(body[:min(len(body), refusalLimit)])
	if at := strings.IndexByte(text, '{'); at >= 0 {
		var reason struct {
			Message string `json:"message"`
		}
		if json.Unmarshal([]byte(text[at:]), &reason) == nil && reason.Message != "" {
			return reason.Message
		}
	}
	return strings.TrimSpace(text)
}

// query is a request. If named is set, it is for something that a caller names, which a server may not have (404) or
// may refuse to show (400); otherwise it is for something that every server has.
type query struct {
	path  string
	named bool
}

// get sends a query for something that a caller names, and pauses the servers that fail.
func (c *Client) get(ctx context.Context, path string, parse func(body []byte) error) error {
	return c.try(ctx, query{path, true}, c.failed, parse)
}

// try parses the response of the first server that gives a valid one, and calls failed for each server that fails
// before. It fails with a [RefusedError] if a server refuses the query, and with [ErrUnknown] if no server has what it
// names.
func (c *Client) try(ctx context.Context, q query, failed func(*server), parse func(body []byte) error) error {
	err := ErrUnavailable
	unknown := 0
	for _, s := range c.usable() {
		begun := time.Now()
		err = c.ask(ctx, s, q, parse)
		c.note(ctx, s, err, time.Since(begun))
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, refused := errors.AsType[*RefusedError](err); err == nil || refused {
			return err
		}
		if errors.Is(err, ErrUnknown) {
			unknown++
			continue
		}
		failed(s)
	}
	if unknown == len(c.servers) && unknown > 0 {
		return ErrUnknown
	}
	return errors.Join(ErrUnavailable, err)
}

// ask sends a query to one server and parses the response. If the query names something, the error is ErrUnknown or a
// RefusedError if the server answered so.
func (c *Client) ask(ctx context.Context, s *server, q query, parse func(body []byte) error) error {
	if err := c.verify(ctx, s); err != nil {
		return err
	}
	status, body, err := c.http.GetJSON(ctx, s.url+q.path)
	switch {
	case err != nil:
		return err
	case status == http.StatusOK:
		return parse(body)
	case q.named && status == http.StatusBadRequest:
		return &RefusedError{refusal(body)}
	case q.named && status == http.StatusNotFound:
		return ErrUnknown
	default:
		return statusError(status)
	}
}

// verify checks that a server is of the network, unless that was done within verifiedFor.
func (c *Client) verify(ctx context.Context, s *server) error {
	s.mu.Lock()
	verified := !s.verifiedAt.IsZero() && c.clock.Now().Sub(s.verifiedAt) < verifiedFor
	s.mu.Unlock()
	if verified {
		return nil
	}
	status, hash, err := c.http.GetJSON(ctx, s.url+"/block-height/0")
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return statusError(status)
	}
	if !strings.HasPrefix(string(hash), c.genesis) {
		return errNetwork
	}
	s.mu.Lock()
	s.verifiedAt = c.clock.Now()
	s.mu.Unlock()
	return nil
}

// usable returns the servers that did not fail recently, followed by the others.
func (c *Client) usable() []*server {
	var first, last []*server
	now := c.clock.Now()
	for _, s := range c.servers {
		s.mu.Lock()
		paused := now.Before(s.pausedUntil)
		s.mu.Unlock()
		if paused {
			last = append(last, s)
		} else {
			first = append(first, s)
		}
	}
	return append(first, last...)
}

func (c *Client) failed(s *server) {
	s.mu.Lock()
	s.pausedUntil = c.clock.Now().Add(pause)
	s.mu.Unlock()
}
