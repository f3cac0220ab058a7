package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/shopspring/decimal"
	"google.golang.org/grpc"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/payout"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

const (
	// treasuryKey is the treasury's key on the local chains. It is public, and used only there.
	treasuryKey = "0x6c47e7a644ba1edbd0a731557405887885453535a1390c7f51349e52f9558fb2"
	one, two    = "eip155:31337", "eip155:31338"
	// patience bounds every wait of a test.
	patience = 30 * time.Second
)

// nodes forwards requests to the local chains as the chains service does.
type nodes struct {
	devnet *devnettest.Devnet
	// solana is nil unless a test needs it.
	solana *devnettest.Solana
	// refuse, if set, is called before a body is sent; its error is returned to the caller.
	refuse atomic.Pointer[func(body []byte) error]
	// away is a chain that does not answer, and hangs one whose calls end with their context.
	away, hangs atomic.Value
	// bare makes networks not describe their contracts. rewrite, if set, changes answers.
	bare    atomic.Bool
	rewrite atomic.Pointer[func(answer []byte) []byte]
}

func (n *nodes) ListNetworks(context.Context, *chainsv1.ListNetworksRequest, ...grpc.CallOption) (*chainsv1.ListNetworksResponse, error) {
	res := &chainsv1.ListNetworksResponse{}
	for _, c := range n.devnet.Chains {
		network := &chainsv1.Network{ChainId: c.CAIP2, Name: c.Name}
		if !n.bare.Load() {
			network.Development = n.devnet.Describe(c.CAIP2)
		}
		res.Networks = append(res.Networks, network)
	}
	if n.solana != nil {
		res.Networks = append(res.Networks, &chainsv1.Network{ChainId: n.solana.CAIP2, Name: "Solana Local", Development: n.solana.Raw})
	}
	return res, nil
}

func (n *nodes) Forward(ctx context.Context, r *chainsv1.ForwardRequest, _ ...grpc.CallOption) (*chainsv1.ForwardResponse, error) {
	if refuse := n.refuse.Load(); refuse != nil {
		if err := (*refuse)(r.GetBody()); err != nil {
			return nil, err
		}
	}
	if r.GetChainId() == n.away.Load() {
		return nil, errors.New("the chain is away")
	}
	if r.GetChainId() == n.hangs.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if n.solana != nil && n.solana.CAIP2 == r.GetChainId() {
		body, err := n.solana.Forward(ctx, r.GetBody())
		if rewrite := n.rewrite.Load(); rewrite != nil {
			body = (*rewrite)(body)
		}
		return &chainsv1.ForwardResponse{Body: body}, err
	}
	for _, c := range n.devnet.Chains {
		if c.CAIP2 != r.GetChainId() {
			continue
		}
		body, err := c.Forward(ctx, r.GetBody())
		if rewrite := n.rewrite.Load(); rewrite != nil {
			body = (*rewrite)(body)
		}
		return &chainsv1.ForwardResponse{Body: body}, err
	}
	return nil, errors.New("no such chain")
}

// refuseSends makes sending transactions fail, and no other call.
func (n *nodes) refuseSends() {
	refuse := func(body []byte) error {
		if bytes.Contains(body, []byte("eth_sendRawTransaction")) {
			return errors.New("the node is away")
		}
		return nil
	}
	n.refuse.Store(&refuse)
}

// keepStatesFrom makes transactions be sent again, and counts of transactions before a block fail.
func (n *nodes) keepStatesFrom(t *testing.T, first string) {
	t.Helper()
	least := hexutil.MustDecodeUint64(first)
	refuse := func(body []byte) error {
		var calls []struct {
			Method string
			Params []any
		}
		if json.Unmarshal(body, &calls) != nil {
			return nil
		}
		for _, c := range calls {
			if c.Method != "eth_getTransactionCount" {
				continue
			}
			if block, err := hexutil.DecodeUint64(c.Params[1].(string)); err == nil && block < least {
				return errors.New("missing trie node")
			}
		}
		return nil
	}
	n.refuse.Store(&refuse)
}

// listener is the gateway that receives webhooks.
type listener struct {
	*httptest.Server
	// failing is how many of the next webhooks are answered with 500.
	failing atomic.Int64

	mu     sync.Mutex
	events map[string][]ramp.Event // by order
	failed []error
}

// world is a sandbox on the local chains, and the receiver of its webhooks.
type world struct {
	*Sandbox
	devnet   *devnettest.Devnet
	nodes    *nodes
	clock    *clocktest.Ahead
	listener *listener
	db       *store.DB
	cfg      Config
}

func open(t *testing.T, db *store.DB) *world {
	t.Helper()
	w := &world{devnet: devnettest.Start(t), clock: &clocktest.Ahead{}, db: db, listener: &listener{events: map[string][]ramp.Event{}}}
	w.nodes = &nodes{devnet: w.devnet}
	w.listener.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.hear(rw, r) }))
	t.Cleanup(w.listener.Close)
	w.cfg = DefaultConfig()
	w.cfg.Treasury, w.cfg.PublicURL, w.cfg.Gateway = treasuryKey, "https://sandbox.example", w.listener.URL
	w.Sandbox = w.replica(t)
	return w
}

func onSQLite(t *testing.T) *world {
	t.Helper()
	return open(t, storetest.Open(t, storetest.SQLite(t)))
}

// replica returns another process on the same database.
func (w *world) replica(t *testing.T) *Sandbox {
	t.Helper()
	s, err := newSandbox(t.Context(), w.cfg, Deps{Chain: chainclient.NewFrom(w.nodes, w.nodes, w.clock), DB: w.db, Clock: w.clock, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// startWork runs a replica's work until the test ends, or until stop is called.
func startWork(t *testing.T, s *Sandbox) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Work(ctx)
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

// hear receives a message as the gateway does.
func (w *world) hear(rw http.ResponseWriter, r *http.Request) {
	l := w.listener
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failing.Add(-1) >= 0 {
		rw.WriteHeader(http.StatusInternalServerError)
		return
	}
	name, isWebhook := strings.CutPrefix(r.URL.Path, ramp.WebhookPath)
	of, known := w.seller(name)
	if !isWebhook || !known {
		l.failed = append(l.failed, errors.New("there is no listener at "+r.URL.Path))
		return
	}
	events, err := of.Read(ramp.Delivery{URL: r.URL.String(), Header: r.Header, Body: body, At: w.clock.Now()})
	if errors.Is(err, ramp.ErrStale) {
		// The clock was advanced while the message was in transit, so it is sent again.
		rw.WriteHeader(http.StatusUnauthorized)
		return
	}
	if err != nil {
		l.failed = append(l.failed, err)
		return
	}
	for _, e := range events {
		l.events[e.OrderID] = append(l.events[e.OrderID], e)
	}
}

// heard lists the reported events of an order, each once.
func (l *listener) eventsOf(orderID string) []ramp.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := map[string]bool{}
	var all []ramp.Event
	for _, e := range l.events[orderID] {
		if !seen[e.ID] {
			all = append(all, e)
		}
		seen[e.ID] = true
	}
	return all
}

var orders atomic.Int64

// newWallet returns an unused account.
func newWallet() string {
	hash := crypto.Keccak256Hash([]byte("wallet " + time.Now().String() + big.NewInt(orders.Add(1)).String()))
	return evm.Address(hash[12:]).String()
}

// purchase returns a purchase of a token for a hundred dollars, with a new wallet.
func purchase(symbol, chainID string) ramp.Purchase {
	return ramp.Purchase{
		OrderID: "order-" + big.NewInt(orders.Add(1)).String(), Seller: "HARBOR-PAY", Symbol: symbol, ChainID: chainID, Method: checkout.MethodCard,
		Pay: &ramp.Amount{Value: decimal.NewFromInt(100), Currency: "USD"}, Wallets: []ramp.Wallet{{Address: newWallet()}},
	}
}

// begin opens a checkout with the first seller and returns its id.
func (w *world) begin(t *testing.T, p ramp.Purchase) (id string) {
	t.Helper()
	widget, err := w.sellers[0].Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	id, ok := strings.CutPrefix(widget.URL, w.cfg.PublicURL+PagePath)
	if !ok || len(id) < 26 {
		t.Fatalf("the page is at %s", widget.URL)
	}
	return id
}

func card(number string) map[string]string {
	return map[string]string{checkout.FieldNumber: number, checkout.FieldExpiry: "12/98", checkout.FieldCVC: "123", checkout.FieldName: "Ada Lovelace"}
}

// submit sends a form that must be accepted.
func (w *world) submit(t *testing.T, id, action string, fields map[string]string) {
	t.Helper()
	page, err := w.Submit(t.Context(), id, action, fields)
	if err != nil {
		t.Fatal(err)
	}
	if page != nil {
		t.Fatalf("%s is not taken:\n%s", action, page)
	}
}

func (w *world) page(t *testing.T, id string) string {
	t.Helper()
	page, err := w.Show(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// record returns the stored checkout.
func (w *world) record(t *testing.T, id string) checkout.Checkout {
	t.Helper()
	c, err := w.store.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// until waits until so returns true.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// ends waits until a checkout has ended and its messages are delivered.
func (w *world) ends(t *testing.T, id string) checkout.Checkout {
	t.Helper()
	until(t, "the checkout ends", func() bool { return w.record(t, id).Stage.Ended() })
	until(t, "its messages are delivered", func() bool {
		var waiting int
		const query = `SELECT COUNT(*) FROM onramp_sandbox_events WHERE order_id = $1 AND due_at IS NOT NULL`
		if err := w.db.Reader().QueryRowContext(t.Context(), query, w.record(t, id).OrderID).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
		return waiting == 0
	})
	return w.record(t, id)
}

// units returns how much of a token an account holds, in base units.
func (w *world) units(t *testing.T, chainID, symbol, account string) *big.Int {
	t.Helper()
	chain := w.devnet.Chain(t, chainID)
	var answer string
	if symbol == "ETH" {
		decode(t, chain.Call(t, "eth_getBalance", account, "latest"), &answer)
	} else {
		owner := evm.MustAddress(account)
		call := append(evm.Selector("balanceOf(address)"), evm.Word(owner)...)
		decode(t, chain.Call(t, "eth_call", map[string]string{"to": chain.Token(t, symbol).Address, "data": hexutil.Encode(call)}, "latest"), &answer)
	}
	n, ok := new(big.Int).SetString(strings.TrimPrefix(answer, "0x"), 16)
	if !ok {
		t.Fatalf("a balance of %q", answer)
	}
	return n
}

func decode(t *testing.T, raw json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

// states returns the states of events.
func states(events []ramp.Event) (all []ramp.State) {
	for _, e := range events {
		all = append(all, e.State)
	}
	return all
}

func treasury(t *testing.T) account.Key {
	t.Helper()
	key, err := account.ParseKey(treasuryKey)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sendFromTreasury uses the treasury's next nonce for another transaction.
func (w *world) sendFromTreasury(t *testing.T, chainID string) {
	t.Helper()
	key := treasury(t)
	chain := w.devnet.Chain(t, chainID)
	var count string
	decode(t, chain.Call(t, "eth_getTransactionCount", key.Address().String(), "latest"), &count)
	nonce, _ := new(big.Int).SetString(strings.TrimPrefix(count, "0x"), 16)
	to := key.Address()
	signed, err := key.SignTransaction(&types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(chain.ChainID), Nonce: nonce.Uint64(), GasTipCap: payout.Tip, GasFeeCap: big.NewInt(1e12), Gas: 21000, To: &to,
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	chain.Call(t, "eth_sendRawTransaction", hexutil.Encode(raw))
}
