package pools

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// same compares two states. For two v3 pools it compares only the ticks that both states may have.
func same(a, b state) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	p, okP := a.(*position)
	q, okQ := b.(*position)
	if !okP || !okQ {
		return a.equal(b)
	}
	low, high := max(p.ladder.low, q.ladder.low), min(p.ladder.high, q.ladder.high)
	return p.sqrtPrice == q.sqrtPrice && p.liquidity == q.liquidity && p.tick == q.tick && low < high &&
		slices.Equal(p.ladder.between(low, high), q.ladder.between(low, high))
}

func (l *ladder) between(low, high int32) []tick {
	return slices.DeleteFunc(slices.Clone(l.ticks), func(t tick) bool { return t.index < low || t.index > high })
}

func spelt(s state) string {
	switch s := s.(type) {
	case *reserves:
		return fmt.Sprintf("%s and %s", s[0].Dec(), s[1].Dec())
	case *position:
		var b strings.Builder
		fmt.Fprintf(&b, "price %s liquidity %s tick %d known %d to %d", s.sqrtPrice.Dec(), s.liquidity.Dec(), s.tick, s.ladder.low, s.ladder.high)
		for _, t := range s.ladder.ticks {
			fmt.Fprintf(&b, "\n  %d: gross %s net %s", t.index, t.gross.Dec(), t.net.Hex())
		}
		return b.String()
	default:
		return "nothing"
	}
}

// activeChain is a chain with a pool of every kind, on which a test generates random trades.
type activeChain struct {
	*testChain
	random *rand.Rand
	token  string
	// before is how many positions existed before, and closed holds the positions that are empty.
	before int64
	closed map[int64]bool
}

func newActiveChain(t *testing.T) *activeChain {
	l := &activeChain{testChain: newTestChain(t), random: rand.New(rand.NewPCG(4, 31337)), closed: map[int64]bool{}}
	l.token = l.testChain.token("LIVE")
	l.v2(l.token, 1_000_000, l.hub, 1_000_000)
	l.before = l.main.Positions(t)
	for _, fee := range []int64{500, 3000, 10_000} {
		l.v3(fee, l.token, l.hub, 100_000, 5, 100)
	}
	return l
}

// happen makes a random trade or change of liquidity.
func (l *activeChain) happen() {
	l.t.Helper()
	fee := []int64{500, 3000, 10_000}[l.random.IntN(3)]
	from, to := l.token, l.hub
	if l.random.IntN(2) == 0 {
		from, to = to, from
	}
	switch l.random.IntN(6) {
	case 0:
		l.offer(0, from, to, 1+l.random.Int64N(50_000))
	case 1, 2:
		l.offer(fee, from, to, 1+l.random.Int64N(60_000))
	case 3, 4:
		lower := l.random.Int64N(160) - 80
		l.position(fee, l.token, l.hub, 1+l.random.Int64N(20_000), lower, lower+1+l.random.Int64N(40))
	default:
		position := l.before + 1 + l.random.Int64N(l.main.Positions(l.t)-l.before)
		percent := []int64{30, 100}[l.random.IntN(2)]
		if !l.closed[position] {
			l.main.Withdraw(l.t, position, percent)
			l.closed[position] = percent == 100
		}
	}
}

// branch takes a snapshot, and returns a function that reverts the chain to it.
func (l *activeChain) branch() (undo func()) {
	revert, closed := l.chain.Snapshot(l.t), maps.Clone(l.closed)
	return func() {
		revert(l.t)
		l.closed = closed
	}
}

func TestTrackedStatesEqualTheChain(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.turn(f, l.token)
	if len(f.state.entries) != 4 {
		t.Fatalf("found %d pools", len(f.state.entries))
	}
	l.takeRequests()
	for range 25 {
		for range 1 + l.random.IntN(3) {
			l.happen()
		}
		l.turn(f)
		l.expectFresh(f)
		l.takeRequests()
	}
}

func TestABlockIsAppliedFromItsLogsAlone(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.turn(f, l.token)
	before := f.state.head.number
	l.takeRequests()
	l.sell(3000, l.token, l.hub, 1000)
	view := l.turn(f)
	bodies := l.takeRequests()
	if len(bodies) != 2 || reads(bodies) != 0 {
		t.Errorf("the nodes were called:\n%s", strings.Join(bodies, "\n"))
	}
	if view.Block.Number <= before || view.Block.Hash != f.state.head.hash.String() || view.Block.Time.IsZero() {
		t.Errorf("the view is of %+v", view.Block)
	}
	if err := f.turn(t.Context(), nil, &announced{number: f.state.head.number, hash: f.state.head.hash.String()}); err != nil {
		t.Fatal(err)
	}
	if bodies := l.takeRequests(); len(bodies) != 0 {
		t.Errorf("a head that is known was asked for: %q", bodies)
	}
	l.chain.Call(t, "anvil_mine", "0x1")
	head, _, err := f.node.newest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.takeRequests()
	if err := f.turn(t.Context(), nil, &announced{number: head.number, hash: head.hash.String()}); err != nil {
		t.Fatal(err)
	}
	if bodies := l.takeRequests(); len(bodies) != 1 || f.state.head != head {
		t.Errorf("an announced head took %d bodies", len(bodies))
	}
}

func TestAReorganisationIsUndone(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.turn(f, l.token)
	for range 6 {
		undo := l.branch()
		for range 1 + l.random.IntN(4) {
			l.happen()
			l.turn(f)
		}
		l.takeRequests()
		undo()
		l.expectTurn(f, "the chain is shorter")
		for range l.random.IntN(6) {
			l.happen()
		}
		l.expectTurn(f, "the chain has another branch")
	}
}

// expectTurn updates the tracker, and fails the test if that reads contracts.
func (l *activeChain) expectTurn(f *tracker, why string) {
	l.t.Helper()
	l.turn(f)
	if n := reads(l.takeRequests()); n != 0 {
		l.t.Errorf("%s: contracts were read %d times", why, n)
	}
	l.expectFresh(f)
	l.takeRequests()
}

func TestAPoolOfAnOrphanedBranchIsRemoved(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.turn(f, l.token)
	undo := l.branch()
	l.v2(l.token, 500, l.wrapped, 500)
	l.sell(0, l.token, l.wrapped, 10)
	if view := l.turn(f); view.Pools() != 5 {
		t.Fatalf("the new pool was not found: %d pools", view.Pools())
	}
	l.expectFresh(f)
	undo()
	l.chain.Call(t, "anvil_mine", "0x5")
	if view := l.turn(f); view.Pools() != 4 {
		t.Errorf("the pool of the other branch is still there: %d pools", view.Pools())
	}
	l.expectFresh(f)
	l.v2(l.token, 500, l.wrapped, 500)
	if view := l.turn(f); view.Pools() != 5 {
		t.Errorf("the pool did not come back: %d pools", view.Pools())
	}
	l.expectFresh(f)
}

func TestAWideGapIsNotReadBlockByBlock(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	f.node.steps = 4
	l.turn(f, l.token)
	for round := range 3 {
		for range 8 {
			l.happen()
		}
		if round == 1 {
			l.v3(10_000, l.token, l.wrapped, 100, 10)
		}
		l.takeRequests()
		view := l.turn(f)
		for _, body := range l.takeRequests() {
			if strings.Contains(body, "eth_getBlockByNumber") && strings.Count(body, "jsonrpc") > 4 {
				t.Error("the blocks of the gap were read one by one")
			}
		}
		if want := 4 + min(round, 1); view.Pools() != want {
			t.Errorf("gap %d: %d pools, want %d", round, view.Pools(), want)
		}
		l.expectFresh(f)
	}
}

func TestAGapOnAnotherBranchIsReadAgain(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	f.node.steps = 4
	undo := l.branch()
	l.happen()
	l.turn(f, l.token)
	undo()
	for range 3 {
		l.happen()
	}
	l.v2(l.token, 500, l.wrapped, 500)
	l.chain.Call(t, "anvil_mine", "0x5")
	l.turn(f)
	if view := l.turn(f, l.token); view.Pools() != 5 {
		t.Errorf("%d pools", view.Pools())
	}
	l.expectFresh(f)
}

func TestAPriceBeyondTheKnownTicksIsReadAgain(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.position(500, l.token, l.hub, 10, -88_000, 88_000)
	l.turn(f, l.token)
	// Trades use up the positions near the price, and the remaining small position lets the price move far away.
	for range 6 {
		l.offer(500, l.token, l.hub, 900_000)
		l.turn(f)
		l.turn(f)
		l.expectFresh(f)
	}
	for _, e := range f.state.entries {
		if p, ok := e.state.(*position); ok && e.Fee == 500 && (p.isNearEdge(10) || p.tick < 60_000 && p.tick > -60_000) {
			t.Errorf("the price at tick %d stands in the ticks from %d to %d", p.tick, p.ladder.low, p.ladder.high)
		}
	}
}

func TestEverythingIsReadAgainWithoutLogs(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.turn(f, l.token)
	l.mute.Store(true)
	for range refusals - 1 {
		l.happen()
		if err := f.turn(t.Context(), nil, nil); !errors.Is(err, errNoLogs) {
			t.Fatalf("got %v", err)
		}
	}
	for range 3 {
		l.happen()
		if view := l.turn(f); view.Pools() != 4 {
			t.Errorf("%d pools", view.Pools())
		}
		l.expectFresh(f)
	}
	l.mute.Store(false)
	l.happen()
	l.takeRequests()
	l.turn(f)
	if n := reads(l.takeRequests()); n != 0 {
		t.Errorf("with logs again: %d readings", n)
	}
	l.expectFresh(f)
}

func TestMissingLogsAreDetected(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.turn(f, l.token)
	l.deaf.Store(true)
	l.sell(3000, l.token, l.hub, 10)
	l.turn(f)
	l.deaf.Store(false)
	if kept := f.state.entries; !slices.ContainsFunc(kept, func(e entry) bool { return e.Fee == 3000 && e.since < f.state.head.number }) {
		t.Fatal("the pools were read already")
	}
	l.clock.Pass(auditEvery)
	if view := l.turn(f); view.Pools() != 4 {
		t.Errorf("%d pools", view.Pools())
	}
	l.expectFresh(f)
	if said := l.logs.String(); !strings.Contains(said, "all are read again") {
		t.Errorf("said %q", said)
	}
	l.logs.Reset()
	l.clock.Pass(auditEvery)
	l.takeRequests()
	l.turn(f)
	if n := reads(l.takeRequests()); n != 1 || l.logs.Len() > 0 {
		t.Errorf("all is well, and there were %d readings, and said was %q", n, l.logs)
	}
}

func TestTheLogsOfManyPoolsAreReadWithoutAnAddressFilter(t *testing.T) {
	l := newActiveChain(t)
	f := l.tracker()
	l.turn(f, l.token)
	f.state.most, f.state.logs = 3, nil
	unlisted := l.testChain.token("STRANGER")
	l.v2(unlisted, 10, l.wrapped, 10)
	for range 9 {
		l.happen()
		l.sell(0, unlisted, l.wrapped, 1)
	}
	l.takeRequests()
	if view := l.turn(f); view.Pools() != 4 {
		t.Errorf("%d pools", view.Pools())
	}
	bodies := l.takeRequests()
	logs := slices.DeleteFunc(bodies, func(b string) bool { return !strings.Contains(b, "eth_getLogs") })
	if len(logs) < 2 || slices.ContainsFunc(logs, func(b string) bool { return strings.Contains(b, `"address"`) || strings.Count(b, "jsonrpc") > 9 }) {
		t.Errorf("logs were asked for like this:\n%s", strings.Join(logs, "\n"))
	}
	l.expectFresh(f)
}
