package pools

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// view returns a view, or fails the test.
func (h *testChain) view(k *Keeper, about ...string) *View {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	v, err := k.View(ctx, h.chain.CAIP2, addresses(about...)...)
	if err != nil {
		h.t.Fatal(err)
	}
	return v
}

// eventually waits until a view satisfies wanted.
func (h *testChain) eventually(k *Keeper, what string, wanted func(*View) bool, about ...string) *View {
	h.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		v := h.view(k, about...)
		if wanted(v) {
			return v
		}
		if time.Now().After(deadline) {
			h.t.Fatalf("%s: never", what)
		}
	}
}

// announce reports the chain's head to the keeper.
func (h *testChain) announce(k *Keeper) header {
	h.t.Helper()
	n := node{send: h.chain.Forward}
	head, _, err := n.newest(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	k.OnHead(h.chain.CAIP2, head.number, head.hash.String())
	return head
}

func TestAViewHasTheDirectAndTheHubPools(t *testing.T) {
	h := newTestChain(t)
	a, b, unlisted := h.token("A"), h.token("B"), h.token("S")
	h.v2(a, 10, h.wrapped, 20)
	h.v2(h.hub, 10, h.wrapped, 20)
	h.v3(500, a, h.hub, 10, 3)
	h.v3(3000, a, b, 10, 3)
	h.v3(10_000, a, b, 10, 3)
	h.other.PoolV2(t, units(a, 5), units(b, 5))
	h.v2(unlisted, 10, h.wrapped, 20)
	k := h.keeper()
	v := h.view(k, a, b)

	type found struct {
		a, b  string
		kind  Kind
		fee   uint32
		venue int
	}
	want := []found{
		{a, h.wrapped, V2, 3000, 0}, {h.hub, h.wrapped, V2, 3000, 0}, {a, h.hub, V3, 500, 0},
		{a, b, V3, 3000, 0}, {a, b, V3, 10_000, 0}, {a, b, V2, 3000, 1},
	}
	if v.Pools() != len(want) || v.Graph.Pools() != len(want) {
		t.Fatalf("%d pools, want %d", v.Pools(), len(want))
	}
	for i := range v.Pools() {
		p := v.Pool(i)
		ours := func(f found) bool {
			return pairOf(evm.MustAddress(f.a), evm.MustAddress(f.b)) == pair{p.Token0, p.Token1} && f.kind == p.Kind && f.fee == p.Fee && f.venue == p.Venue
		}
		if !slices.ContainsFunc(want, ours) {
			t.Errorf("%+v was not requested", p)
		}
		shown := v.Graph.Pool(i)
		if v.Address(shown.Token0) != p.Token0 || v.Address(shown.Token1) != p.Token1 || int(shown.Venue) != p.Venue || shown.GasHop == 0 {
			t.Errorf("in the graph: %+v, as a fact: %+v", shown, p)
		}
	}
	native, ok := v.Token(evm.Native)
	if wrapped, okWrapped := v.Token(evm.MustAddress(h.wrapped)); !ok || !okWrapped || native != wrapped {
		t.Error("the native currency is not its wrapped token")
	}
	if _, ok := v.Token(evm.MustAddress(unlisted)); ok {
		t.Error("a token that was not requested is there")
	}
	if v := h.view(k, unlisted); v.Pools() != len(want)+1 {
		t.Errorf("after the next question: %d pools", v.Pools())
	}
}

func TestAViewOfAKnownTokenSendsNoRequest(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 10, h.wrapped, 20)
	k := h.keeper()
	first := h.view(k, a)
	h.takeRequests()
	if second := h.view(k, a); second.Block != first.Block {
		t.Errorf("the views are of %+v and %+v", first.Block, second.Block)
	}
	if bodies := h.takeRequests(); len(bodies) > 1 {
		t.Errorf("the nodes were asked: %q", bodies)
	}
}

func TestANewTokenTakesOneRoundTrip(t *testing.T) {
	h := newTestChain(t)
	a, b := h.token("A"), h.token("B")
	h.v2(a, 10, h.wrapped, 20)
	h.other.PoolV2(t, units(a, 10), units(h.wrapped, 20))
	h.v3(3000, a, h.wrapped, 10, 3)
	h.v2(b, 10, h.wrapped, 20)
	h.v3(3000, b, h.wrapped, 10, 3)
	f := h.tracker()
	h.turn(f, a)
	h.takeRequests()
	if v := h.turn(f, b); v.Pools() != 5 {
		t.Fatalf("%d pools", v.Pools())
	}
	// One for the head and one for the states of pools: the addresses are derived.
	if bodies := h.takeRequests(); len(bodies) != 2 {
		t.Errorf("%d bodies", len(bodies))
	}
}

func TestViewOfAnUnknownChainOrAClosedKeeperFails(t *testing.T) {
	h := newTestChain(t)
	k := h.keeper()
	if _, err := k.View(t.Context(), "eip155:1"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("got %v", err)
	}
	k.OnHead("eip155:1", 1, "0x")
	k.Close()
	if _, err := k.View(t.Context(), h.chain.CAIP2); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestARouterThatNamesAnotherFactoryIsLeftOut(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 10, h.wrapped, 20)
	h.other.PoolV2(t, units(a, 5), units(h.wrapped, 5))
	h.v3(3000, a, h.wrapped, 10, 3)
	h.table.Venues = slices.Clone(h.table.Venues)
	h.table.Venues[0].Router = evm.MustAddress(h.routers.First) // this router uses only the v3 factory
	h.table.Venues[1].Router = evm.MustAddress(a)               // this is not a router
	v := h.view(h.keeper(), a)
	if v.Pools() != 1 || v.Pool(0).Kind != V3 {
		t.Errorf("%d pools", v.Pools())
	}
	if said := h.logs.String(); strings.Count(said, "does not name the factory") != 2 {
		t.Errorf("said: %s", said)
	}
}

func TestFeesAreReadFromTheContracts(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.other.PoolV2(t, units(a, 1000), units(h.wrapped, 1000))
	h.v3(3000, a, h.wrapped, 1000, 5)
	h.table.Venues = slices.Clone(h.table.Venues)
	wrongFee, wrongSpacing := *h.table.Venues[1].V2, *h.table.Venues[0].V3
	wrongFee.FeeNumerator = 998
	wrongSpacing.Fees, wrongSpacing.Spacing = []uint32{700, 3000}, map[uint32]int32{700: 14, 3000: 30}
	h.table.Venues[1].V2, h.table.Venues[0].V3 = &wrongFee, &wrongSpacing
	f := h.tracker()
	v := h.turn(f, a)
	if v.Pools() != 2 {
		t.Fatalf("%d pools", v.Pools())
	}
	h.expectFresh(f)
	for i := range v.Pools() {
		from := evm.MustAddress(a)
		sold := units(a, 3)
		out, _, ok := v.Graph.Pool(i).Model.Swap(uint256.MustFromBig(sold.Units), v.Pool(i).Token0 == from)
		if !ok {
			t.Fatalf("pool %d does not take it", i)
		}
		want := h.main.Quote(t, 3000, sold, h.wrapped)
		if v.Pool(i).Kind == V2 {
			answer := h.other.Ask(t, h.second.V2, "getAmountsOut(uint256,address[])",
				number(sold.Units), number(big.NewInt(64)), number(big.NewInt(2)), evm.Word(from), evm.Word(evm.MustAddress(h.wrapped)))
			want = new(big.Int).SetBytes(answer[len(answer)-32:])
		}
		if out.ToBig().Cmp(want) != 0 {
			t.Errorf("pool %d: pays %s, want %s", i, out.Dec(), want)
		}
	}
	if said := h.logs.String(); strings.Count(said, "counts with another fee") != 1 || !strings.Contains(said, "left_of_a_million=997000") {
		t.Errorf("said: %s", said)
	}
	if fees := f.state.factories[1].fees(); !slices.Equal(fees, []uint32{3000}) {
		t.Errorf("fees of the v3 factory: %v", fees)
	}
}

func TestPoolsOfListedTokensAreReadInAdvance(t *testing.T) {
	h := newTestChain(t)
	for range 2*prefetchTokens + 1 {
		listed := h.token("L")
		h.v2(listed, 10, h.wrapped, 20)
		h.listed = append(h.listed, tokens.Token{Address: evm.MustAddress(listed)})
	}
	k := h.keeper()
	h.view(k)
	h.clock.Pass(time.Minute)
	h.announce(k)
	h.eventually(k, "all listed tokens", func(v *View) bool {
		h.clock.Pass(prefetchEvery)
		h.announce(k)
		return v.Pools() == len(h.listed)
	})
	h.takeRequests()
	h.view(k, h.listed[0].Address.String())
	if n := reads(h.takeRequests()); n != 0 {
		t.Errorf("a listed token took %d readings", n)
	}
}

func TestConcurrentViewsAreServed(t *testing.T) {
	h := newTestChain(t)
	var all []string
	for range 6 {
		token := h.token("M")
		h.v2(token, 10, h.wrapped, 20)
		all = append(all, token)
	}
	k := h.keeper()
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			token := all[i%len(all)]
			v, err := k.View(t.Context(), h.chain.CAIP2, addresses(token)...)
			if err != nil {
				t.Error(err)
				return
			}
			if _, ok := v.Token(evm.MustAddress(token)); !ok {
				t.Errorf("the view is not about %s", token)
			}
			k.OnHead(h.chain.CAIP2, v.Block.Number, v.Block.Hash)
		})
	}
	wg.Wait()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.View(gone, h.chain.CAIP2, addresses(h.token("N"))...); !errors.Is(err, context.Canceled) {
		t.Errorf("somebody who left: got %v", err)
	}
}

func TestSearchesGoByTurnsOfCallers(t *testing.T) {
	h := newTestChain(t)
	k := h.keeper()
	f := newTracker(k, h.table)
	f.running = true
	about := func(n int) []pair { return pairsAbout(h.table.Hubs, []evm.Address{numbered(1000 + n)}) }
	greedy, other := limit.CallerOf("p", "192.0.2.1"), limit.CallerOf("p", "192.0.2.2")
	for n := range pairsPerCaller {
		f.request(greedy, about(n))
		f.request(greedy, about(0))
	}
	most := pairsPerCaller / len(about(0)) * len(about(0))
	if f.searches.n != most {
		t.Errorf("%d pairs of one caller wait, want %d", f.searches.n, most)
	}
	if r := f.request(greedy, about(pairsPerCaller)); !errors.Is(r.err, errBusy) {
		t.Errorf("one token too many: got %v", r.err)
	}
	r := f.request(other, about(pairsPerCaller))
	if r.err != nil {
		t.Errorf("another caller: got %v", r.err)
	}
	for n := range 10 * pairsWaiting {
		f.request(limit.CallerOf("p", numbered(n).String()+strconv.Itoa(n)), about(n))
	}
	for n := range 256 {
		for token := range pairsPerCaller {
			f.request(limit.CallerOf("p", fmt.Sprintf("198.51.100.%d", n)), about(token))
		}
	}
	if f.searches.n > pairsWaiting {
		t.Errorf("%d pairs wait", f.searches.n)
	}
	// The first search is that of the first caller, the second has those of some others.
	first, pairs := f.searches.take(pairsPerSearch)
	second, more := f.searches.take(pairsPerSearch)
	if len(pairs) > 2*pairsPerSearch || len(more) > 2*pairsPerSearch || !slices.ContainsFunc(slices.Concat(first, second), func(s *search) bool { return &s.round == r }) {
		t.Errorf("%d and %d pairs are searched, and another caller still waits", len(pairs), len(more))
	}
}

func TestNetworksDelayNoSearchOfAnother(t *testing.T) {
	about := func(n int) []pair {
		return pairsAbout([]evm.Address{numbered(1), numbered(2)}, []evm.Address{numbered(10_000 + n)})
	}
	for name, attacker := range map[string]func(n int) limit.Caller{
		"networks of a /48":      func(n int) limit.Caller { return limit.CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", n)) },
		"projects of an address": func(n int) limit.Caller { return limit.CallerOf(strconv.Itoa(n), "198.51.100.7") },
	} {
		s := newSearches()
		for n := range 400 * pairsPerCaller {
			s.add(attacker(n%400), about(n))
		}
		s.take(pairsPerSearch)
		honest, ok := s.add(limit.CallerOf("p", "192.0.2.1"), about(0))
		if !ok {
			t.Fatalf("%s take all places", name)
		}
		if list, _ := s.take(pairsPerSearch); !slices.Contains(list, honest) {
			t.Errorf("%s delay the search of another", name)
		}
	}
}

func TestTheNextSearchBeginsAfterTheOneBefore(t *testing.T) {
	h := newTestChain(t)
	k := h.keeper()
	h.view(k, h.token("A"))
	f := newTracker(k, h.table)
	f.running = true
	h.turn(f)
	for n := range 3 {
		f.request(limit.CallerOf("p", fmt.Sprintf("192.0.2.%d", n)), pairsAbout(nil, []evm.Address{numbered(n), numbered(9)}))
	}
	for n := range pairsPerCaller {
		f.request(limit.Caller{}, pairsAbout(nil, []evm.Address{numbered(100 + n), numbered(9)}))
	}
	f.request(limit.CallerOf("p", "192.0.2.9"), pairsAbout(nil, []evm.Address{numbered(7), numbered(8)}))
	f.begin()
	if err := f.seek(t.Context(), nil, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if f.searches.n != 1 || len(f.wake) != 1 {
		t.Errorf("%d pairs wait, and the next round is requested: %t", f.searches.n, len(f.wake) == 1)
	}
}

func TestAddressesWithoutCodeAreNotSearched(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 10, h.wrapped, 20)
	k := h.keeper()
	h.view(k, a)
	f := k.chains[h.chain.CAIP2]
	searched := func() int {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.looked.pairs)
	}
	before := searched()
	h.takeRequests()
	for range 3 {
		for n := range 5 {
			if _, err := k.View(t.Context(), h.chain.CAIP2, numbered(5000+2*n), numbered(5001+2*n)); err != nil {
				t.Fatal(err)
			}
		}
	}
	codes := 0
	for _, body := range h.takeRequests() {
		codes += strings.Count(body, "eth_getCode")
	}
	if n := searched(); n != before || codes != 10 {
		t.Errorf("%d pairs of addresses without code are searched, and the codes of 10 are read %d times", n-before, codes)
	}
}

func TestANewContractIsSearchedSoon(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 10, h.wrapped, 20)
	k := h.keeper()
	h.view(k, a)
	f := k.chains[h.chain.CAIP2]
	searched := func(address evm.Address) bool {
		h.view(k, address.String())
		return len(f.missing(pairsAbout(h.table.Hubs, []evm.Address{address}))) == 0
	}
	early := numbered(6000)
	if searched(early) {
		t.Error("an address without code is searched")
	}
	h.chain.Call(t, "anvil_setCode", early.String(), "0x00")
	h.clock.Pass(20 * time.Second)
	if !searched(early) {
		t.Error("a contract that was asked for before it was created is not searched")
	}
	// A node that is behind has no code of a new contract.
	h.behind.Store(true)
	if !searched(evm.MustAddress(h.token("B"))) {
		t.Error("a contract that one node does not have yet is not searched")
	}
}

func TestPairsThatWereUsedLongestAgoAreDropped(t *testing.T) {
	s := newPairSet()
	used := pairOf(numbered(1), numbered(2))
	s.note([]pair{used})
	for n := range maxPairs + 10 {
		s.missing([]pair{used})
		s.note([]pair{pairOf(numbered(1), numbered(10+n))})
	}
	if !s.has(used) || len(s.pairs) > maxPairs || len(s.pairs) < maxPairs/2 {
		t.Errorf("%d pairs, the used one is kept: %t", len(s.pairs), s.has(used))
	}
}

// failing is a list of tokens that panics when it is read for the first time.
type failing struct{ reads atomic.Int32 }

func (f *failing) On(string) []tokens.Token {
	if f.reads.Add(1) == 1 {
		panic("broken")
	}
	return nil
}

func TestAChainIsTrackedAfterAPanicInTheBackground(t *testing.T) {
	h := newTestChain(t)
	a, b := h.token("A"), h.token("B")
	h.v2(a, 10, h.wrapped, 20)
	h.v2(b, 10, h.wrapped, 20)
	k := h.keeper()
	list := &failing{}
	k.Tokens = list
	h.view(k, a)
	for deadline := time.Now().Add(patience); list.reads.Load() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the list is not read")
		}
	}
	if v := h.view(k, b); v.Pools() != 2 {
		t.Errorf("%d pools", v.Pools())
	}
}
