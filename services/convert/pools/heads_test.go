package pools

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

func TestTheLastViewIsReturnedWhileNoNodeAnswers(t *testing.T) {
	h := newTestChain(t)
	a, b := h.token("A"), h.token("B")
	h.v2(a, 10, h.wrapped, 20)
	k := h.keeper()
	h.down.Store(true)
	if _, err := k.View(t.Context(), h.chain.CAIP2, addresses(a)...); !errors.Is(err, ErrUnreachable) || !errors.Is(err, errDown) {
		t.Errorf("a chain that was never read: got %v", err)
	}
	h.down.Store(false)
	first := h.view(k, a)
	h.down.Store(true)
	h.clock.Pass(time.Minute)
	last := h.view(k, a)
	if last.Block != first.Block || h.clock.Now().Sub(last.Checked) < time.Minute {
		t.Errorf("block %+v checked %s ago", last.Block, h.clock.Now().Sub(last.Checked))
	}
	if _, err := k.View(t.Context(), h.chain.CAIP2, addresses(b)...); !errors.Is(err, ErrUnreachable) {
		t.Errorf("a token that was never looked for: got %v", err)
	}
	h.clock.Pass(time.Minute)
	if _, err := k.View(t.Context(), h.chain.CAIP2, addresses(a)...); !errors.Is(err, ErrUnreachable) {
		t.Errorf("a view that is too old: got %v", err)
	}
	h.down.Store(false)
	if v := h.view(k, a, b); h.clock.Now().Sub(v.Checked) > time.Minute {
		t.Error("the view is not renewed")
	}
	k.Close()
	if said := h.logs.String(); strings.Count(said, "cannot be read") != 2 {
		t.Errorf("it was to be logged once each time that the node went away: %s", said)
	}
}

func TestAViewIsUpdatedByEachBlock(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 1000, h.wrapped, 1000)
	k := h.keeper()
	h.view(k, a)
	h.sell(0, a, h.wrapped, 10)
	head := h.announce(k)
	h.eventually(k, "the block with the swap", func(v *View) bool { return v.Block.Number >= head.number }, a)
	h.v3(500, a, h.wrapped, 100, 10)
	h.announce(k)
	h.eventually(k, "the new pool", func(v *View) bool { return v.Pools() == 2 }, a)
	h.sell(0, a, h.wrapped, 10) // and this block is not announced
	n := node{send: h.chain.Forward}
	head, _, err := n.newest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.eventually(k, "a block that was not announced", func(v *View) bool { return v.Block.Number >= head.number }, a)
}

// newestView is view, and again while the round to an announced block has failed: a node on a busy machine may not answer in time, and then the last view
// is returned.
func (h *testChain) newestView(k *Keeper, about ...string) *View {
	h.t.Helper()
	f := k.chains[h.chain.CAIP2]
	for deadline := time.Now().Add(patience); ; {
		v := h.view(k, about...)
		f.mu.Lock()
		failed := f.target.hasFailed() || f.now != nil && f.now.target.hasFailed()
		f.mu.Unlock()
		if !failed || time.Now().After(deadline) {
			return v
		}
	}
}

func (a *announced) hasFailed() bool { return a != nil && a.failed }

func TestAViewIsOfTheNewestAnnouncedBlock(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 1000, h.wrapped, 1000)
	k := h.keeper()
	h.view(k, a)
	for range 10 {
		h.sell(0, a, h.wrapped, 1)
		head := h.announce(k)
		if v := h.newestView(k, a); v.Block.Number < head.number {
			t.Errorf("block %d was announced, and the view is of %d", head.number, v.Block.Number)
		}
	}
	head := h.announce(k)
	k.OnHead(h.chain.CAIP2, head.number+1000, "0x"+strings.Repeat("ab", 32))
	if v := h.newestView(k, a); v.Block.Number != head.number {
		t.Errorf("a block that is not on the chain: got %d, want %d", v.Block.Number, head.number)
	}
}

// interruption calls its function instead of the next reading of the time, once.
type interruption struct {
	clock.Clock
	run func()
}

func (c *interruption) Now() time.Time {
	if run := c.run; run != nil {
		c.run = nil
		run()
	}
	return c.Clock.Now()
}

// The round of an announced block may end while a caller, whom the scheduler interrupted, looks for the view.
func TestAViewIsOfABlockWhoseRoundEndsDuringTheCall(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 1000, h.wrapped, 1000)
	f := h.tracker()
	h.turn(f, a)
	f.wakeUp()
	h.sell(0, a, h.wrapped, 1)
	head := h.announceTo(f)
	f.clock = &interruption{Clock: h.clock, run: func() {
		if err := h.round(f); err != nil {
			t.Error(err)
		}
	}}
	v, err := f.viewAbout(t.Context(), limit.Caller{}, addresses(a), nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Block.Number < head.number {
		t.Errorf("block %d was announced, and the view is of %d", head.number, v.Block.Number)
	}
}

func TestAnAnnouncedBlockIsReadAgainAfterAFailure(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 1000, h.wrapped, 1000)
	f := h.tracker()
	h.turn(f, a)
	f.wakeUp()
	h.sell(0, a, h.wrapped, 1)
	head := h.announceTo(f)
	h.down.Store(true)
	if err := h.round(f); !errors.Is(err, errDown) {
		t.Fatalf("without a node: got %v", err)
	}
	h.down.Store(false)
	f.clock = &interruption{Clock: h.clock, run: func() {
		select {
		case <-f.wake:
		default:
			t.Error("the caller has to wait for the next poll")
		}
		if err := h.round(f); err != nil {
			t.Error(err)
		}
	}}
	v, err := f.viewAbout(t.Context(), limit.Caller{}, addresses(a), nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Block.Number < head.number {
		t.Errorf("block %d was announced, and the view is of %d", head.number, v.Block.Number)
	}
}

// announceTo announces the newest block to a tracker that runs only when the test calls round.
func (h *testChain) announceTo(f *tracker) header {
	h.t.Helper()
	head, _, err := f.node.newest(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	f.announce(head.number, head.hash.String())
	return head
}

// round does what run does in one round, and returns the error of the round.
func (h *testChain) round(f *tracker) error {
	r := f.begin()
	f.finish(r, f.turn(h.t.Context(), nil, r.target))
	return r.err
}

func TestAViewIsOfTheBlockThatReplacedAnother(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 1000, h.wrapped, 1000)
	k := h.keeper()
	h.view(k, a)
	for range 10 {
		h.sell(0, a, h.wrapped, 1)
		h.announce(k)
		h.newestView(k, a)
		h.chain.Call(t, "anvil_reorg", 1, []any{})
		head := h.announce(k)
		if v := h.newestView(k, a); v.Block.Hash != head.hash.String() {
			t.Errorf("block %d is %s, and the view is of %s", head.number, head.hash, v.Block.Hash)
		}
	}
}

func TestAnUnusedChainIsNotRead(t *testing.T) {
	h := newTestChain(t)
	a := h.token("A")
	h.v2(a, 1000, h.wrapped, 1000)
	k := h.keeper()
	h.view(k, a)
	f := k.chains[h.chain.CAIP2]
	h.clock.Pass(idleAfter)
	h.announce(k)
	isRunning := func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.running
	}
	for deadline := time.Now().Add(patience); isRunning(); {
		if time.Now().After(deadline) {
			t.Fatal("the chain is still followed")
		}
		time.Sleep(time.Millisecond)
	}
	// The last round may have begun before the clock was advanced; the audit is then done in the next round.
	f.work.Lock()
	f.auditor.last = h.clock.Now()
	f.work.Unlock()
	h.takeRequests()
	h.sell(0, a, h.wrapped, 10)
	head := h.announce(k)
	if bodies := h.takeRequests(); len(bodies) != 0 {
		t.Errorf("the nodes were asked: %q", bodies)
	}
	if v := h.view(k, a); v.Block.Number < head.number {
		t.Errorf("a view of block %d, the chain is at %d", v.Block.Number, head.number)
	}
	if n := reads(h.takeRequests()); n != 0 {
		t.Errorf("what pools hold was read %d times, although logs tell", n)
	}
}
