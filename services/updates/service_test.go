package updates

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	updatesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/updates/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// accounts are the balances of accounts by lower-case address. They apply to every chain without other balances.
type accounts struct {
	mu    sync.Mutex
	units map[string]string
	// requests are the received requests.
	requests []*balancesv1.ReadAccountRequest
}

func (a *accounts) set(address, units string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.units[strings.ToLower(address)] = units
}

func (a *accounts) FindChanges(context.Context, *balancesv1.FindChangesRequest, ...grpc.CallOption) (*balancesv1.FindChangesResponse, error) {
	return nil, fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "no node").GRPCStatus().Err()
}

func (a *accounts) ReadAccount(_ context.Context, r *balancesv1.ReadAccountRequest, _ ...grpc.CallOption) (*balancesv1.ReadAccountResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, r)
	switch r.GetChainId() {
	case "eip155:999999":
		return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_CHAIN_UNSUPPORTED, "chainId", "unlisted").GRPCStatus().Err()
	case "eip155:1":
		return nil, fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "no node").GRPCStatus().Err()
	}
	res := &balancesv1.ReadAccountResponse{}
	for n, currency := range r.GetCurrencies() {
		source, age := "static", uint32(3)
		res.Lists = append(res.Lists, &balancesv1.PricedBalances{Currency: currency, Balances: []*balancesv1.Balance{{
			ChainId: r.GetChainId(), Symbol: "ETH", Quantity: &balancesv1.Quantity{Numeric: a.units[strings.ToLower(r.GetAddress())]},
			Price: float64(n + 1), PriceSource: &source, PriceAge: &age,
		}}})
	}
	return res, nil
}

type world struct {
	*server
	accounts *accounts
}

func open(*testing.T) world {
	a := &accounts{units: map[string]string{}}
	return world{newServer(DefaultConfig(), Deps{Accounts: a, Clock: clock.System{}}), a}
}

const (
	holder = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
	other  = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
)

// numbered returns another address for each n.
func numbered(n int) string { return fmt.Sprintf("0x%040x", 0xfeed00+n) }

// stream is the caller's end of a watched account.
type stream struct {
	grpc.ServerStream
	ctx  context.Context
	sent chan *updatesv1.WatchAccountResponse
}

func (s stream) Context() context.Context { return s.ctx }

func (s stream) Send(m *updatesv1.WatchAccountResponse) error {
	select {
	case s.sent <- m:
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// orderToken is the token that every stream in this package sends.
const orderToken = "AAAAAAAAAAAAAAAAAAAAAA"

// watch opens a stream, and returns it with a channel that receives how it ended.
func (w world) watch(t *testing.T, r *updatesv1.WatchAccountRequest) (stream, <-chan error) {
	t.Helper()
	return w.watchAs(t, caller.NewIncomingContext(t.Context(), caller.Caller{OrderTokens: orderToken}), r)
}

// watchAs opens a stream as the caller in a context.
func (w world) watchAs(t *testing.T, ctx context.Context, r *updatesv1.WatchAccountRequest) (stream, <-chan error) { //nolint:revive // t goes before everything
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	t.Cleanup(cancel)
	s := stream{ctx: ctx, sent: make(chan *updatesv1.WatchAccountResponse)}
	ended := make(chan error, 1)
	go func() { ended <- w.WatchAccount(r, s) }()
	return s, ended
}

func (s stream) next(t *testing.T) *updatesv1.WatchAccountResponse {
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
	w.accounts.set(holder, "5")
	s, _ := w.watch(t, &updatesv1.WatchAccountRequest{Address: holder, ChainId: watchedChain, Currency: "usd"})
	first := s.next(t).GetBalances().GetBalances()
	if first[0].GetQuantity().GetNumeric() != "5" || first[0].GetPrice() == 0 {
		t.Errorf("first: got %v", first[0])
	}
	euros, _ := w.watch(t, &updatesv1.WatchAccountRequest{Address: strings.ToLower(holder), ChainId: watchedChain, Currency: "eur"})
	euros.next(t)
	w.accounts.set(holder, "6")
	w.onHead(&chainsv1.Head{ChainId: watchedChain, Number: 4711})
	next := s.next(t)
	if next.GetBlock() != 4711 || next.GetBalances().GetBalances()[0].GetQuantity().GetNumeric() != "6" {
		t.Errorf("after a block: got %v", next)
	}
	euros.next(t)
	w.onActivity(&activityv1.ActivityChanged{Accounts: []string{"no account", fmt.Sprintf("%s:%s", watchedChain, strings.ToLower(holder))}, Block: 4712})
	if m := s.next(t); m.GetActivity() == nil || m.GetBlock() != 4712 {
		t.Errorf("after a change of the history: got %v", m)
	}
	w.accounts.mu.Lock()
	defer w.accounts.mu.Unlock()
	if last := w.accounts.requests[len(w.accounts.requests)-1]; last.GetBlock() != 4711 || len(last.GetCurrencies()) != 2 {
		t.Errorf("requested %v, want both currencies at block 4711", last)
	}
}

func TestWatchersOnEveryChainAreToldOfAnAccountsIdentityAndPurchases(t *testing.T) {
	digest := caller.OrderTokenDigest(orderToken)
	w := open(t)
	here, _ := w.watch(t, &updatesv1.WatchAccountRequest{Address: holder, ChainId: watchedChain, Currency: "usd"})
	there, _ := w.watch(t, &updatesv1.WatchAccountRequest{Address: strings.ToLower(holder), ChainId: "eip155:31338", Currency: "usd"})
	w.onHead(&chainsv1.Head{ChainId: "eip155:31338", Number: 7})
	for _, s := range []stream{here, there} {
		s.next(t)
	}
	w.onNameChanged(&namesv1.NameChanged{Name: "alice.hawser.id", Addresses: []string{"no account", other, strings.ToLower(holder)}})
	for _, s := range []stream{here, there} {
		if m := s.next(t); m.GetIdentity().GetName() != "alice.hawser.id" {
			t.Errorf("got %v, want a changed identity", m)
		}
	}
	w.onOrder(&onrampv1.OrderUpdated{WalletAddress: other, OrderId: "order-1", Proof: digest, Order: &onrampv1.Order{Id: "order-1", State: onrampv1.OrderState_ORDER_STATE_PAID}})
	w.onOrder(&onrampv1.OrderUpdated{WalletAddress: "no account", OrderId: "order-2", Proof: digest, Order: &onrampv1.Order{Id: "order-2", State: onrampv1.OrderState_ORDER_STATE_PAID}})
	w.onOrder(&onrampv1.OrderUpdated{WalletAddress: holder, OrderId: "order-4", Proof: "another's", Order: &onrampv1.Order{Id: "order-4", State: onrampv1.OrderState_ORDER_STATE_PAID}})
	w.onOrder(&onrampv1.OrderUpdated{WalletAddress: holder, OrderId: "order-3", Proof: digest, Order: &onrampv1.Order{Id: "order-3", State: onrampv1.OrderState_ORDER_STATE_PAID}})
	for s, block := range map[stream]uint64{here: 0, there: 7} {
		if m := s.next(t); m.GetOrders().GetOrderId() != "order-3" || m.GetOrders().GetOrder().GetState() != onrampv1.OrderState_ORDER_STATE_PAID || m.GetBlock() != block {
			t.Errorf("got %v, want a purchase that moved, with block %d", m, block)
		}
	}
}

func TestAWatcherThatLeavesIsNoFailure(t *testing.T) {
	w := open(t)
	for _, reads := range []bool{true, false} {
		ctx, leave := context.WithCancel(t.Context())
		s := stream{ctx: ctx, sent: make(chan *updatesv1.WatchAccountResponse)}
		ended := make(chan error, 1)
		go func() {
			ended <- w.WatchAccount(&updatesv1.WatchAccountRequest{Address: holder, ChainId: watchedChain, Currency: "usd"}, s)
		}()
		if reads {
			s.next(t)
		}
		leave()
		if err := <-ended; err != nil {
			t.Errorf("after it read a message %v: got %v", reads, err)
		}
	}
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	if n := len(w.hub.chains[watchedChain].accounts); n != 0 {
		t.Errorf("%d accounts are still watched", n)
	}
}

func TestNobodyWatchesAllAccountsThatCanBeWatched(t *testing.T) {
	w := open(t)
	w.share.Each, w.share.Total = 2, 3
	watch := func(address string, n int) (stream, <-chan error) {
		ctx := caller.NewIncomingContext(t.Context(), caller.Caller{Project: "p", Address: address})
		return w.watchAs(t, ctx, &updatesv1.WatchAccountRequest{Address: numbered(n), ChainId: watchedChain, Currency: "usd"})
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
	w.hub.intervals.send = 20 * time.Millisecond
	_, ended := w.watch(t, &updatesv1.WatchAccountRequest{Address: holder, ChainId: watchedChain, Currency: "usd"})
	if f := fault.From(<-ended); f.Code != codes.ResourceExhausted || f.Reason != faultv1.Reason_REASON_READER_SLOW {
		t.Errorf("got %v %v", f.Code, f.Reason)
	}
}

func TestBadQuestionsAboutWatching(t *testing.T) {
	w := open(t)
	cases := map[string]struct {
		request *updatesv1.WatchAccountRequest
		reason  faultv1.Reason
	}{
		"unlisted chain":   {&updatesv1.WatchAccountRequest{Address: holder, ChainId: "eip155:999999", Currency: "usd"}, faultv1.Reason_REASON_CHAIN_UNSUPPORTED},
		"no chain":         {&updatesv1.WatchAccountRequest{Address: holder, Currency: "usd"}, faultv1.Reason_REASON_PARAMETER_INVALID},
		"no address":       {&updatesv1.WatchAccountRequest{Address: "0x12", ChainId: watchedChain, Currency: "usd"}, faultv1.Reason_REASON_ADDRESS_INVALID},
		"unknown currency": {&updatesv1.WatchAccountRequest{Address: holder, ChainId: watchedChain, Currency: "irn"}, faultv1.Reason_REASON_CURRENCY_UNSUPPORTED},
		"no node":          {&updatesv1.WatchAccountRequest{Address: holder, ChainId: "eip155:1", Currency: "usd"}, faultv1.Reason_REASON_CHAIN_UNAVAILABLE},
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
	for n, currency := range []string{"usd", "eur", "jpy"} {
		one, _ := w.watch(t, &updatesv1.WatchAccountRequest{Address: holder, ChainId: watchedChain, Currency: currency})
		sent := one.next(t).GetBalances().GetBalances()
		w.accounts.mu.Lock()
		last := w.accounts.requests[len(w.accounts.requests)-1]
		w.accounts.mu.Unlock()
		if len(last.GetCurrencies()) != n+1 {
			t.Fatalf("requested %v for %d currencies", last, n+1)
		}
		for i, c := range last.GetCurrencies() {
			if c == currency && sent[0].GetPrice() != float64(i+1) {
				t.Errorf("%s: sent %v, want the price of its currency", currency, sent[0])
			}
		}
	}
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	if n := len(w.hub.chains[watchedChain].accounts); n != 1 {
		t.Errorf("%d accounts are read", n)
	}
}

func TestPricesGrowOlderUntilTheyAreSent(t *testing.T) {
	age := uint32(3)
	c := change{kind: balancesChanged, readAt: time.Unix(1000, 0), balances: balanceList{list: []*balancesv1.Balance{{PriceAge: &age}, {}}}}
	sent := c.toProto(time.Unix(1040, 0)).GetBalances().GetBalances()
	if sent[0].GetPriceAge() != 43 || sent[1].PriceAge != nil || age != 3 {
		t.Errorf("sent %v, %v and left %d", sent[0], sent[1], age)
	}
}

func TestAChangeOfASolanaAccountIsAChangeOfItsHistory(t *testing.T) {
	const account, chain = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
	w := open(t)
	w.accounts.set(account, "5")
	s, _ := w.watch(t, &updatesv1.WatchAccountRequest{Address: account, ChainId: chain, Currency: "usd"})
	if first := s.next(t); first.GetBalances().GetBalances()[0].GetQuantity().GetNumeric() != "5" {
		t.Errorf("first: got %v", first)
	}
	w.accounts.set(account, "6")
	w.onHead(&chainsv1.Head{ChainId: chain, Number: 4711})
	if m := s.next(t); m.GetBlock() != 4711 || m.GetBalances().GetBalances()[0].GetQuantity().GetNumeric() != "6" {
		t.Errorf("after a slot: got %v", m)
	}
	if m := s.next(t); m.GetBlock() != 4711 || m.GetActivity() == nil {
		t.Errorf("after the balances: got %v, want a change of the history", m)
	}
	_, ended := w.watch(t, &updatesv1.WatchAccountRequest{Address: holder, ChainId: chain, Currency: "usd"})
	if err := fault.From(<-ended); err.Reason != faultv1.Reason_REASON_ADDRESS_INVALID {
		t.Errorf("an address of eip155: %v", err)
	}
}
