package media

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/nfts/asset"
	"github.com/hawser-dev/hawser/services/nfts/metadata"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fetch"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// numbered returns the nth token of a contract.
func numbered(contract byte, n int) asset.Token {
	return asset.Token{Contract: asset.Contract{ChainID: "eip155:1", Address: evm.Address{19: contract}, Standard: asset.ERC721}, ID: asset.ID{31: byte(n), 30: byte(n >> 8)}}
}

// from returns a context of a caller at an address.
func from(t *testing.T, address string) context.Context {
	t.Helper()
	return caller.NewIncomingContext(t.Context(), caller.Caller{Project: "p", Address: address})
}

// weighed is a chain whose tokens have one URI. It takes the bytes of its answers, and counts its calls.
type weighed struct {
	oneURI

	calls atomic.Int64
}

func (w *weighed) CallEach(ctx context.Context, chainID string, calls []evm.Call, held *limit.Bytes) ([]evm.Answer, error) {
	w.calls.Add(int64(len(calls)))
	if err := held.Grow(3 * int64(len(calls)*len(w.uri))); err != nil {
		return nil, err
	}
	return w.oneURI.CallEach(ctx, chainID, calls, held)
}

func TestAListingReadsSoManyBytes(t *testing.T) {
	uri := append([]byte(`data:application/json,{"name":"`), bytes.Repeat([]byte("a"), 200<<10)...)
	chain, memory := &weighed{oneURI: oneURI{uri: append(uri, `"}`...)}}, limit.NewMemory(160<<20)
	m := NewMetadata(chain, nil, Gateways{}, memory)
	var tokens []asset.Token
	for n := range 400 {
		tokens = append(tokens, numbered(1, n))
	}
	most := int64(listingBytes/(200<<10) + requestsPerListing*urisPerRequest)
	found, inTime := m.Read(t.Context(), "eip155:1", tokens)
	if n := chain.calls.Load(); n > most || inTime || len(found) == 0 {
		t.Fatalf("%d URIs are read, in time %t, %d documents", n, inTime, len(found))
	}
	again, _ := m.Read(t.Context(), "eip155:1", tokens)
	if n := chain.calls.Load(); n > 2*most || len(again) <= len(found) {
		t.Errorf("the next listing has %d documents after %d, and %d URIs are read", len(again), len(found), n)
	}
	if n := memory.Used(); n != 0 {
		t.Errorf("%d bytes are held after it", n)
	}
	few := NewMetadata(chain, nil, Gateways{}, limit.NewMemory(1<<20))
	if found, inTime := few.Read(from(t, "192.0.2.1"), "eip155:1", tokens[:1]); inTime || len(found) > 0 {
		t.Errorf("with little memory: %v %t", found, inTime)
	}
}

// backlog makes fetches that wait for slots which are never released before ctx ends, and returns when all were added.
func backlog(ctx context.Context, s *slots, by []turn) (left *sync.WaitGroup) {
	left = new(sync.WaitGroup)
	for _, t := range by {
		left.Go(func() {
			if _, release, err := s.acquire(ctx, newParty(t), place{}); err == nil {
				<-ctx.Done()
				release()
			}
		})
	}
	for reached := 0; reached < len(by); runtime.Gosched() {
		s.mu.Lock()
		reached = len(s.held) + len(s.waiting)
		s.mu.Unlock()
	}
	return left
}

func TestOneNetworkTakesNoSlotOfAnother(t *testing.T) {
	var projects, networks []turn
	for n := range 64 {
		projects = append(projects, turn{caller: limit.CallerOf(fmt.Sprint(n), "198.51.100.7")})
		networks = append(networks, turn{caller: limit.CallerOf("p", fmt.Sprintf("2001:db8:0:%x::1", n<<8))})
	}
	for name, attack := range map[string][]turn{"projects of an address": projects, "networks of a /48": networks} {
		for _, total := range []int{parallelRequests, parallelDocuments} {
			s := newSlots(total, slotsPerListing)
			ctx, leave := context.WithCancel(t.Context())
			left := backlog(ctx, s, attack)
			patient, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			_, release, err := s.acquire(patient, newParty(turn{caller: limit.CallerOf("p", "192.0.2.1")}), place{})
			if err != nil {
				t.Fatalf("%s take all %d slots", name, total)
			}
			release()
			cancel()
			leave()
			left.Wait()
		}
	}
}

func TestAmongEqualsTheCallerServedLongestAgoIsNext(t *testing.T) {
	s := newSlots(1, slotsPerListing)
	attacker, honest := turn{caller: limit.CallerOf("p", "198.51.100.7")}, turn{caller: limit.CallerOf("p", "192.0.2.1")}
	_, release, err := s.acquire(t.Context(), newParty(attacker), place{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	left := backlog(ctx, s, slices.Repeat([]turn{attacker}, 20))
	got := make(chan error, 1)
	go func() {
		patient, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, release, err := s.acquire(patient, newParty(honest), place{})
		if err == nil {
			release()
		}
		got <- err
	}()
	for reached := 0; reached < 22; runtime.Gosched() {
		s.mu.Lock()
		reached = len(s.held) + len(s.waiting)
		s.mu.Unlock()
	}
	release()
	if err := <-got; err != nil {
		t.Error("a caller without a turn waits for the backlog of another")
	}
	leave()
	left.Wait()
}

func TestAFetchThatWaitsRunsInTheTurnOfACallerThatJoinsIt(t *testing.T) {
	h := &hosts{}
	m := NewMetadata(nil, h, Gateways{}, nil)
	ctx, leave := context.WithCancel(from(t, "198.51.100.7"))
	by := turnOf(ctx)
	var attack sync.WaitGroup
	list := func(token asset.Token, uri string) { attack.Go(func() { _, _ = m.document(ctx, by, token, uri) }) }
	waiting := func(held, waiting int) {
		for {
			m.documents.slots.mu.Lock()
			reached := len(m.documents.slots.held) == held && len(m.documents.slots.waiting) == waiting
			m.documents.slots.mu.Unlock()
			if reached {
				return
			}
			runtime.Gosched()
		}
	}
	for n := range slotsPerListing {
		list(numbered(1, n), fmt.Sprintf("https://slow.example%d/", n))
	}
	for h.fetched.Load() < slotsPerListing {
		runtime.Gosched()
	}
	list(numbered(2, 1), "https://fine.example/1")
	waiting(slotsPerListing, 1)
	other, cancel := context.WithTimeout(from(t, "192.0.2.1"), 10*time.Second)
	defer cancel()
	if d, err := m.document(other, turnOf(other), numbered(2, 1), "https://fine.example/1"); err != nil || d == nil || d.Name != "fine" {
		t.Errorf("the token that another caller waits for: %v, %v", d, err)
	}
	if n := h.fetched.Load(); n != slotsPerListing+1 {
		t.Errorf("%d fetches", n)
	}
	leave()
	attack.Wait()
	h.left.Wait()
}

func TestAFetchThatWasRefusedToAnotherCallerIsRepeated(t *testing.T) {
	s := newFlights[string]()
	first, second := turn{caller: limit.CallerOf("p", "198.51.100.7")}, turn{caller: limit.CallerOf("p", "192.0.2.1")}
	joined := make(chan struct{})
	work := func(_ context.Context, of *party) (string, error) {
		if of.isOf(second) {
			return "done", nil
		}
		<-joined
		return "", errBusy
	}
	var both sync.WaitGroup
	s.join(t.Context(), "key", first, work)
	both.Go(func() {
		if got, err := s.do(t.Context(), "key", second, work); err != nil || got != "done" {
			t.Errorf("the second caller: %q, %v", got, err)
		}
	})
	for {
		s.mu.Lock()
		reached := s.runs["key"].waiting == 2
		s.mu.Unlock()
		if reached {
			break
		}
		runtime.Gosched()
	}
	close(joined)
	both.Wait()
}

// hosts is a fetcher whose hosts that begin with "slow" hang.
type hosts struct {
	fetched atomic.Int64
	// timeout ends fetches at once as if they took too long.
	timeout bool
	left    sync.WaitGroup
}

func (h *hosts) Get(ctx context.Context, address string, _ fetch.Want) ([]byte, error) {
	h.left.Add(1)
	defer h.left.Done()
	h.fetched.Add(1)
	if !strings.Contains(address, "slow") {
		return []byte(`{"name":"fine"}`), nil
	}
	if h.timeout {
		return nil, context.DeadlineExceeded
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestAListingOfASlowHostHoldsNoSlotOfAnotherCaller(t *testing.T) {
	h := &hosts{}
	m := NewMetadata(nil, h, Gateways{Gateways: metadata.Gateways{IPFS: "https://slow-gateway.example/"}}, nil)
	ctx, leave := context.WithCancel(from(t, "192.0.2.1"))
	var attack sync.WaitGroup
	for listing := range 10 {
		by := turnOf(ctx)
		for n := range 40 {
			uri := []string{fmt.Sprintf("https://slow.example/%d", n), fmt.Sprintf("https://x.slow-%d.example%d/", n, n), fmt.Sprintf("ipfs://Qm%d", n)}[n%3]
			attack.Go(func() { _, _ = m.document(ctx, by, numbered(byte(listing), n), uri) })
		}
	}
	for _, address := range []string{"192.0.2.2", "192.0.2.3", "192.0.2.4"} {
		other := from(t, address)
		d, err := m.document(other, turnOf(other), numbered(100, int(address[len(address)-1])), "https://fine.example/1")
		if err != nil || d == nil || d.Name != "fine" {
			t.Errorf("another caller's token: %v, %v", d, err)
		}
	}
	leave()
	attack.Wait()
	// Flights end when no caller waits.
	h.left.Wait()
}

func TestHostsThatHangRest(t *testing.T) {
	h := &hosts{timeout: true}
	m := NewMetadata(nil, h, Gateways{Gateways: metadata.Gateways{IPFS: "https://slow-gateway.example/"}}, nil)
	for n := range 50 {
		d, err := m.document(t.Context(), turn{}, numbered(1, n), fmt.Sprintf("https://%d.slow.example/", n))
		if d != nil || err != nil {
			t.Errorf("%v, %v", d, err)
		}
	}
	if n := h.fetched.Load(); n != restAfter {
		t.Errorf("a host that hangs is asked %d times", n)
	}
	// What a gateway does not find in time is not its fault.
	for n := range 50 {
		_, _ = m.document(t.Context(), turn{}, numbered(2, n), fmt.Sprintf("ipfs://Qm%d", n))
	}
	if n := h.fetched.Load(); n != restAfter+50 {
		t.Errorf("a gateway is asked %d times", n-restAfter)
	}
	for n := range 2 * restAfter {
		path := "https://fine.org/"
		if n%restAfter > 0 {
			path += "slow"
		}
		_, _ = m.document(t.Context(), turn{}, numbered(3, n), path)
	}
	if n := h.fetched.Load(); n != restAfter+50+2*restAfter {
		t.Errorf("a host that answers now and then is asked %d times", n-restAfter-50)
	}
}

// late is a fetcher whose fetches hang until ctx ends, if no host answers; by then the clock is 3 s later.
type late struct {
	now     time.Time
	answers bool
	fetched int
	began   chan struct{}
}

func (l *late) Get(ctx context.Context, _ string, _ fetch.Want) ([]byte, error) {
	l.fetched++
	if l.answers {
		return []byte(`{"name":"fine"}`), nil
	}
	l.now = l.now.Add(3 * time.Second)
	close(l.began)
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestASourceThatHangsRestsForItsCallerOnly(t *testing.T) {
	l := &late{now: time.Unix(1_700_000_000, 0)}
	m := NewMetadata(nil, l, Gateways{}, nil)
	m.flights.linger = 0
	m.documents.resting.now = func() time.Time { return l.now }
	n := 0
	// read reads a document, and ends with the listing if it hangs.
	read := func(address, uri string) (fetched bool) {
		t.Helper()
		ctx, cancel := context.WithCancel(from(t, address))
		defer cancel()
		n++
		before := l.fetched
		l.began = make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = m.document(ctx, turnOf(ctx), numbered(1, n), uri)
		}()
		select {
		case <-l.began:
		case <-done:
		}
		cancel()
		<-done
		for {
			m.documents.slots.mu.Lock()
			left := len(m.documents.slots.held) == 0
			m.documents.slots.mu.Unlock()
			if left {
				return l.fetched > before
			}
			runtime.Gosched()
		}
	}
	const attacker, honest = "198.51.100.7", "192.0.2.1"
	for range restAfter {
		if !read(attacker, "https://api.hangs.example/1") {
			t.Fatal("a source rests too soon")
		}
	}
	if read(attacker, "https://www.hangs.example/2") {
		t.Error("a source that hung in listings does not rest")
	}
	if !read(honest, "https://api.hangs.example/1") {
		t.Error("a source rests because of another caller")
	}
	l.now = l.now.Add(probeEvery)
	if !read(attacker, "https://api.hangs.example/1") || read(attacker, "https://api.hangs.example/1") {
		t.Error("a source that rests is not asked once")
	}
	l.now, l.answers = l.now.Add(probeEvery), true
	if !read(attacker, "https://api.hangs.example/1") || !read(attacker, "https://api.hangs.example/2") {
		t.Error("a source that answers again still rests")
	}
	l.answers = false
	for _, gateway := range []string{"https://ipfs.example/ipfs/%s/1", "https://mine.pinata.example/ipns/%s/1", "https://%s.ipfs.link.example/1"} {
		for range restAfter {
			read(honest, fmt.Sprintf(gateway, "QmDead"))
		}
		if read(honest, fmt.Sprintf(gateway, "QmDead")) || !read(honest, fmt.Sprintf(gateway, "QmOther")) {
			t.Errorf("%s: not one content id rests", gateway)
		}
	}
}

func TestInlineDocumentsTakeASlotToo(t *testing.T) {
	m := NewMetadata(nil, nil, Gateways{}, nil)
	m.documents.patience = time.Millisecond
	m.documents.slots.total = 1
	_, release, err := m.documents.slots.acquire(t.Context(), newParty(turn{}), place{})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := m.document(t.Context(), turn{}, numbered(1, 1), `data:,{"name":"x"}`); err == nil {
		t.Errorf("without a slot: %v", d)
	}
	release()
	m.documents.patience = slotTimeout
	if d, err := m.document(t.Context(), turn{}, numbered(1, 1), `data:,{"name":"x"}`); err != nil || d.Name != "x" {
		t.Errorf("with a slot: %v, %v", d, err)
	}
}

func TestSlotsGoByTurnsOfCallers(t *testing.T) {
	s := newSlots(4, 2)
	who := func(n byte) turn { return turn{caller: limit.CallerOf("p", fmt.Sprintf("192.0.2.%d", n))} }
	free := func(by turn, at place) func() {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s.mu.Lock()
		may := len(s.held) < s.total && s.mayHold(by, at)
		s.mu.Unlock()
		if !may {
			return nil
		}
		_, release, err := s.acquire(t.Context(), newParty(by), at)
		if err != nil {
			t.Fatal(err, ctx.Err())
		}
		return release
	}
	// One caller holds as many as are left free.
	first := []func(){free(who(1), place{}), free(who(1), place{})}
	if first[0] == nil || first[1] == nil || free(who(1), place{}) != nil {
		t.Fatal("the first caller does not hold two")
	}
	second := free(who(2), place{})
	if second == nil || free(who(2), place{}) != nil {
		t.Error("the second caller does not hold one")
	}
	last := free(who(3), place{})
	if last == nil {
		t.Fatal("the third caller holds none")
	}
	// The next free slot is for the caller that has the fewest, in whatever order they came.
	order := make(chan byte, 2)
	var waiting sync.WaitGroup
	for i, n := range []byte{1, 4} {
		waiting.Go(func() {
			_, release, err := s.acquire(t.Context(), newParty(who(n)), place{})
			if err != nil {
				t.Error(err)
				return
			}
			order <- n
			release()
		})
		for {
			s.mu.Lock()
			reached := len(s.waiting) == i+1
			s.mu.Unlock()
			if reached {
				break
			}
			runtime.Gosched()
		}
	}
	last()
	if n := <-order; n != 4 {
		t.Errorf("caller %d is first", n)
	}
	first[0]()
	waiting.Wait()
}
