package balances

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/onramp/proof"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// stream is the caller's end of a watched account.
type stream struct {
	grpc.ServerStream
	ctx  context.Context
	sent chan *balancesv1.WatchAccountResponse
}

func (s stream) Context() context.Context { return s.ctx }

func (s stream) Send(m *balancesv1.WatchAccountResponse) error {
	select {
	case s.sent <- m:
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// events keeps what was published, each id once, as the stream of events does.
type events struct {
	mu   sync.Mutex
	byID map[string]proto.Message
}

func (e *events) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.byID)
}

func (e *events) PublishID(_ context.Context, id string, m proto.Message) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byID == nil {
		e.byID = map[string]proto.Message{}
	}
	e.byID[id] = m
	return nil
}

// orderToken is the one that every stream of this package tells.
const orderToken = "AAAAAAAAAAAAAAAAAAAAAA"

// watch opens a stream, and says how it ended.
func (w world) watch(t *testing.T, r *balancesv1.WatchAccountRequest) (stream, <-chan error) {
	t.Helper()
	return w.watchAs(t, caller.Behind(t.Context(), caller.Caller{OrderTokens: orderToken}), r)
}

// watchAs opens a stream of the caller whom a context names.
func (w world) watchAs(t *testing.T, ctx context.Context, r *balancesv1.WatchAccountRequest) (stream, <-chan error) { //nolint:revive // t goes before everything
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	t.Cleanup(cancel)
	s := stream{ctx: ctx, sent: make(chan *balancesv1.WatchAccountResponse)}
	ended := make(chan error, 1)
	go func() { ended <- w.WatchAccount(r, s) }()
	return s, ended
}

func (s stream) next(t *testing.T) *balancesv1.WatchAccountResponse {
	t.Helper()
	select {
	case m := <-s.sent:
		return m
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was sent")
		return nil
	}
}

func TestAWatchedAccountIsListedAtOnceAndAfterEveryBlockThatChangesIt(t *testing.T) {
	w := open(t)
	published := &events{}
	w.events = published
	holder := w.devnet.Accounts[7].Address
	w.chain.Call(t, "anvil_setBalance", holder, "0x5")
	s, _ := w.watch(t, &balancesv1.WatchAccountRequest{Address: holder, ChainId: watchedChain, Currency: "usd"})
	euros, _ := w.watch(t, &balancesv1.WatchAccountRequest{Address: strings.ToLower(holder), ChainId: watchedChain, Currency: "btc"})
	euros.next(t)
	if first := s.next(t).GetBalances().GetBalances(); first[0].GetQuantity().GetNumeric() != "0.000000000000000005" || first[0].GetPrice() == 0 {
		t.Errorf("first: got %v", first[0])
	}
	w.chain.Call(t, "anvil_setBalance", holder, "0x6")
	w.OnHead(watchedChain, 4711)
	next := s.next(t)
	if next.GetBlock() != 4711 || next.GetBalances().GetBalances()[0].GetQuantity().GetNumeric() != "0.000000000000000006" {
		t.Errorf("after a block: got %v", next)
	}
	euros.next(t)
	w.OnActivity([]string{"no account", fmt.Sprintf("%s:%s", watchedChain, strings.ToLower(holder))}, 4712)
	if m := s.next(t); m.GetActivity() == nil || m.GetBlock() != 4712 {
		t.Errorf("after a change of the history: got %v", m)
	}
	want := &balancesv1.BalanceChanged{Account: watchedChain + ":" + strings.ToLower(holder), Block: 4711}
	// Watchers are told before everybody else.
	for deadline := time.Now().Add(20 * time.Second); published.count() == 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	published.mu.Lock()
	defer published.mu.Unlock()
	if len(published.byID) != 1 {
		t.Errorf("published %v, want one event whatever the watchers count in", published.byID)
	}
	for _, m := range published.byID {
		if !proto.Equal(m, want) {
			t.Errorf("published %v, want %v", m, want)
		}
	}
}

func TestWatchersOnEveryChainAreToldOfAnAccountsIdentityAndPurchases(t *testing.T) {
	digest := proof.Digest(orderToken)
	w := open(t)
	holder, other := w.devnet.Accounts[7].Address, w.devnet.Accounts[8].Address
	here, _ := w.watch(t, &balancesv1.WatchAccountRequest{Address: holder, ChainId: watchedChain, Currency: "usd"})
	there, _ := w.watch(t, &balancesv1.WatchAccountRequest{Address: strings.ToLower(holder), ChainId: "eip155:31338", Currency: "usd"})
	w.OnHead("eip155:31338", 7)
	for _, s := range []stream{here, there} {
		s.next(t)
	}
	w.OnIdentity("no account", other, strings.ToLower(holder))
	for _, s := range []stream{here, there} {
		if m := s.next(t); m.GetIdentity() == nil {
			t.Errorf("got %v, want a changed identity", m)
		}
	}
	w.OnOrder(other, "order-1", digest)
	w.OnOrder("no account", "order-2", digest)
	w.OnOrder(holder, "order-4", "another's")
	w.OnOrder(holder, "order-3", digest)
	for s, block := range map[stream]uint64{here: 0, there: 7} {
		if m := s.next(t); m.GetOrders().GetOrderId() != "order-3" || m.GetBlock() != block {
			t.Errorf("got %v, want a purchase that moved, with block %d", m, block)
		}
	}
}

func TestAWatcherThatLeavesIsNoFailure(t *testing.T) {
	w := open(t)
	for _, reads := range []bool{true, false} {
		ctx, leave := context.WithCancel(t.Context())
		s := stream{ctx: ctx, sent: make(chan *balancesv1.WatchAccountResponse)}
		ended := make(chan error, 1)
		go func() {
			ended <- w.WatchAccount(&balancesv1.WatchAccountRequest{Address: w.devnet.Accounts[0].Address, ChainId: watchedChain, Currency: "usd"}, s)
		}()
		if reads {
			s.next(t)
		}
		leave()
		if err := <-ended; err != nil {
			t.Errorf("after it read a message %v: got %v", reads, err)
		}
	}
	w.watches.mu.Lock()
	defer w.watches.mu.Unlock()
	if n := len(w.watches.accounts); n != 0 {
		t.Errorf("%d accounts are still watched", n)
	}
}

func TestNobodyWatchesAllAccountsThatCanBeWatched(t *testing.T) {
	w := open(t)
	w.share.Each, w.share.Total = 2, 3
	watch := func(address string, n int) (stream, <-chan error) {
		ctx := caller.Behind(t.Context(), caller.Caller{Project: "p", Address: address})
		return w.watchAs(t, ctx, &balancesv1.WatchAccountRequest{Address: w.devnet.Accounts[n].Address, ChainId: watchedChain, Currency: "usd"})
	}
	refused := func(what string, ended <-chan error) {
		t.Helper()
		if f := fault.From(<-ended); f.Code != codes.ResourceExhausted || f.Reason != faultv1.Reason_REASON_RATE_LIMITED {
			t.Errorf("%s: got %v %v", what, f.Code, f.Reason)
		}
	}
	for n := range 2 {
		one, _ := watch("192.0.2.1", n)
		one.next(t)
	}
	_, ended := watch("192.0.2.1", 2)
	refused("a third account of one caller", ended)
	other, _ := watch("192.0.2.2", 0)
	other.next(t)
	_, ended = watch("192.0.2.3", 0)
	refused("more than there may be", ended)
}

func TestAWatcherThatDoesNotReadIsDropped(t *testing.T) {
	w := open(t)
	w.watches.pauses.patience = 20 * time.Millisecond
	_, ended := w.watch(t, &balancesv1.WatchAccountRequest{Address: w.devnet.Accounts[0].Address, ChainId: watchedChain, Currency: "usd"})
	if f := fault.From(<-ended); f.Code != codes.ResourceExhausted || f.Reason != faultv1.Reason_REASON_READER_SLOW {
		t.Errorf("got %v %v", f.Code, f.Reason)
	}
}

func TestBadQuestionsAboutWatching(t *testing.T) {
	w := open(t)
	account := w.devnet.Accounts[0].Address
	cases := map[string]struct {
		request *balancesv1.WatchAccountRequest
		reason  faultv1.Reason
	}{
		"unlisted chain":   {&balancesv1.WatchAccountRequest{Address: account, ChainId: "eip155:999999", Currency: "usd"}, faultv1.Reason_REASON_CHAIN_UNSUPPORTED},
		"no chain":         {&balancesv1.WatchAccountRequest{Address: account, Currency: "usd"}, faultv1.Reason_REASON_PARAMETER_INVALID},
		"no address":       {&balancesv1.WatchAccountRequest{Address: "0x12", ChainId: watchedChain, Currency: "usd"}, faultv1.Reason_REASON_ADDRESS_INVALID},
		"unknown currency": {&balancesv1.WatchAccountRequest{Address: account, ChainId: watchedChain, Currency: "irn"}, faultv1.Reason_REASON_CURRENCY_UNSUPPORTED},
		"no node":          {&balancesv1.WatchAccountRequest{Address: account, ChainId: "eip155:1", Currency: "usd"}, faultv1.Reason_REASON_CHAIN_UNAVAILABLE},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, ended := w.watch(t, c.request)
			if f := fault.From(<-ended); f.Reason != c.reason {
				t.Errorf("got %v %q, want %v", f.Reason, f.Public, c.reason)
			}
		})
	}
}

func TestAnAccountIsReadOnceForTheWatchersOfEveryCurrency(t *testing.T) {
	w := open(t)
	account := w.devnet.Accounts[0].Address
	for _, currency := range []string{"usd", "eur", "jpy"} {
		one, _ := w.watch(t, &balancesv1.WatchAccountRequest{Address: account, ChainId: watchedChain, Currency: currency})
		told := one.next(t).GetBalances().GetBalances()
		res, err := w.GetBalance(t.Context(), &balancesv1.GetBalanceRequest{Address: account, ChainId: watchedChain, Currency: currency})
		if err != nil || len(told) != len(res.GetBalances()) {
			t.Fatalf("%s: told of %d tokens, not %d: %v", currency, len(told), len(res.GetBalances()), err)
		}
		for i, want := range res.GetBalances() {
			if told[i].GetSymbol() != want.GetSymbol() || told[i].GetPrice() != want.GetPrice() || told[i].GetValue() != want.GetValue() {
				t.Errorf("%s: told %v, want %v", currency, told[i], want)
			}
		}
	}
	w.watches.mu.Lock()
	defer w.watches.mu.Unlock()
	if n := len(w.watches.accounts); n != 1 {
		t.Errorf("%d accounts are read", n)
	}
}
