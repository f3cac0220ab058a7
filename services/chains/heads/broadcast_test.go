package heads

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"

	"github.com/hawser-dev/hawser/services/chains/rpc"
)

// forks is a source whose chain a test extends and reorgs. Every block has one log, of one of two contracts by its number.
type forks struct {
	blocks map[string]block
	// failing is how many of the next reads fail.
	failing int
}

func (f *forks) read() error {
	if f.failing > 0 {
		f.failing--
		return errors.New("no node")
	}
	return nil
}

func (f *forks) block(_ context.Context, hash string) (block, error) {
	b, ok := f.blocks[hash]
	if !ok {
		return block{}, errors.New("unknown block")
	}
	return b, f.read()
}

func (f *forks) logs(_ context.Context, b block) ([]logEntry, error) {
	entry, err := parseLog(fmt.Appendf(nil, `{"address":"0x%040d","topics":["0x%064X"],"blockHash":"%s"}`, b.Number%2, 0xaa, b.Hash))
	if err != nil {
		return nil, err
	}
	return []logEntry{entry}, f.read()
}

// on adds a block on top of another.
func (f *forks) on(parent rpc.Head) rpc.Head {
	h := rpc.Head{Number: parent.Number + 1, Hash: fmt.Sprintf("%d-%d", parent.Number+1, len(f.blocks)), ParentHash: parent.Hash}
	f.blocks[h.Hash] = block{Head: h, header: []byte(h.Hash)}
	return h
}

// received removes and returns the queued messages of a subscription.
func received(s *Subscription) (messages []string) {
	for len(s.messages) > 0 {
		messages = append(messages, string(<-s.messages))
	}
	return messages
}

// TestSubscriptionsReproduceTheChain extends and reorgs a chain while reads fail and heads are missed, and compares what subscribers can
// reconstruct with the chain itself.
func TestSubscriptionsReproduceTheChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := &forks{blocks: map[string]block{}}
		genesis := source.on(rpc.Head{Number: 99, Hash: "99"})
		chain := []rpc.Head{genesis}
		f := newBroadcast(source)
		headers, logs := f.subscribe(genesis, nil), f.subscribe(genesis, matching([]int{1}, []int{0xaa}))
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			back := rapid.IntRange(0, min(6, len(chain)-1)).Draw(t, "back")
			chain = chain[:len(chain)-back]
			for range rapid.IntRange(back, back+4).Draw(t, "forward") {
				chain = append(chain, source.on(chain[len(chain)-1]))
			}
			source.failing = rapid.IntRange(0, 3).Draw(t, "failing")
			_ = f.advance(t.Context(), chain[len(chain)-1])
		}
		source.failing = 0
		if err := f.advance(t.Context(), chain[len(chain)-1]); err != nil {
			t.Fatal(err)
		}

		var blocks, wantBlocks, wantLogs []string
		for _, hash := range received(headers) {
			b := source.blocks[hash]
			// A new block replaces those at its height and above.
			blocks = slices.DeleteFunc(blocks, func(known string) bool { return source.blocks[known].Number >= b.Number })
			if n := len(blocks); n > 0 && blocks[n-1] != b.ParentHash {
				t.Fatalf("%s came after %s, not after its parent %s", hash, blocks[n-1], b.ParentHash)
			}
			blocks = append(blocks, hash)
		}
		for _, h := range chain[1:] {
			wantBlocks = append(wantBlocks, h.Hash)
			if h.Number%2 == 1 {
				wantLogs = append(wantLogs, fmt.Sprintf(`{"address":"0x%040d","topics":["0x%064X"],"blockHash":"%s"}`, 1, 0xaa, h.Hash))
			}
		}
		if !slices.Equal(blocks, wantBlocks) {
			t.Errorf("received blocks %v of %v", blocks, wantBlocks)
		}
		var known []string
		for _, log := range received(logs) {
			gone := slices.IndexFunc(known, func(k string) bool {
				entry, _ := parseLog([]byte(k))
				entry.raw = []byte(k)
				return string(entry.removed()) == log
			})
			switch {
			case gone >= 0 && gone != len(known)-1:
				t.Fatalf("%s was removed before a later log", log)
			case gone >= 0:
				known = known[:gone]
			case slices.Contains(known, log):
				t.Fatalf("%s was sent twice", log)
			default:
				known = append(known, log)
			}
		}
		if !slices.Equal(known, wantLogs) {
			t.Errorf("received logs %v of %v", known, wantLogs)
		}
	})
}

func TestASubscriptionThatIsNotReadEnds(t *testing.T) {
	source := &forks{blocks: map[string]block{}}
	at := source.on(rpc.Head{})
	f := newBroadcast(source)
	slow, quick := f.subscribe(at, nil), f.subscribe(at, nil)
	for range queueLength + 1 {
		at = source.on(at)
		if err := f.advance(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		received(quick)
	}
	select {
	case <-slow.ended:
		if !errors.Is(slow.reason, ErrSlow) {
			t.Errorf("it ended with %v", slow.reason)
		}
	default:
		t.Error("it did not end")
	}
	select {
	case <-quick.ended:
		t.Error("the subscription that is read ended too")
	default:
	}
}

func TestSubscriptionsEndWhenTooManyBlocksWereMissed(t *testing.T) {
	source := &forks{blocks: map[string]block{}}
	at := source.on(rpc.Head{})
	f := newBroadcast(source)
	s := f.subscribe(at, nil)
	for range maxGap + 1 {
		at = source.on(at)
	}
	if err := f.advance(t.Context(), at); !errors.Is(err, errGap) {
		t.Errorf("advanced with %v", err)
	}
	<-s.ended
	if len(s.messages) > 0 || f.hasSubscribers() {
		t.Error("some blocks were sent")
	}
}

func TestNoBlockIsReadWithoutSubscribers(t *testing.T) {
	source := &forks{blocks: map[string]block{}, failing: 1}
	at := source.on(rpc.Head{})
	f := newBroadcast(source)
	f.unsubscribe(f.subscribe(at, nil))
	if err := f.advance(t.Context(), source.on(at)); err != nil || source.failing != 1 {
		t.Errorf("a block was read: %v", err)
	}
}

// matching returns a matcher for addresses and topics given as small numbers.
func matching(addresses []int, topics ...[]int) *LogMatcher {
	texts := func(size int, numbers []int) (list []string) {
		for _, n := range numbers {
			list = append(list, fmt.Sprintf("0x%0*x", 2*size, n))
		}
		return list
	}
	var places [][]string
	for _, alternatives := range topics {
		places = append(places, texts(32, alternatives))
	}
	m, err := NewLogMatcher(texts(20, addresses), places)
	if err != nil {
		panic(err)
	}
	return m
}

func TestLogsMatchAsInEthGetLogs(t *testing.T) {
	log := logEntry{address: common.Address{19: 0xa}, topics: []common.Hash{{31: 1}, {31: 2}}}
	for name, c := range map[string]struct {
		matcher *LogMatcher
		want    bool
	}{
		"anything":                 {matching(nil), true},
		"its address":              {matching([]int{0xb, 0xa}), true},
		"another address":          {matching([]int{0xb}), false},
		"its first topic":          {matching(nil, []int{1}), true},
		"any first, its second":    {matching(nil, nil, []int{3, 2}), true},
		"its second as the first":  {matching(nil, []int{2}), false},
		"a topic more than it has": {matching(nil, nil, nil, nil), false},
	} {
		if got := c.matcher.matches(log); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAMatcherHasTheLimitsOfEthGetLogs(t *testing.T) {
	for name, c := range map[string]struct {
		addresses []string
		topics    [][]string
	}{
		"too many addresses":    {addresses: make([]string, rpc.LogAlternatives+1)},
		"too many topics":       {topics: make([][]string, rpc.LogTopics+1)},
		"too many alternatives": {topics: [][]string{make([]string, rpc.LogAlternatives+1)}},
		"no address":            {addresses: []string{"0xa"}},
		"no topic":              {topics: [][]string{{"0xzz"}}},
	} {
		if _, err := NewLogMatcher(c.addresses, c.topics); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// large is a source whose blocks have one log of a MiB, or too many.
type large struct {
	*forks
	tooMany bool
}

func (l large) logs(ctx context.Context, b block) ([]logEntry, error) {
	if l.tooMany {
		return nil, errTooManyLogs
	}
	list, err := l.forks.logs(ctx, b)
	list[0].raw = append(list[0].raw, make([]byte, 1<<20)...)
	return list, err
}

func TestTheBytesOfLogsAreBounded(t *testing.T) {
	source := large{forks: &forks{blocks: map[string]block{}}}
	at := source.on(rpc.Head{})
	f := newBroadcast(source)
	slow, quick := f.subscribe(at, &LogMatcher{}), f.subscribe(at, &LogMatcher{})
	for range window {
		at = source.on(at)
		if err := f.advance(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		received(quick)
	}
	queued, kept := 0, 0
	for len(slow.messages) > 0 {
		queued += len(<-slow.messages)
	}
	for _, b := range f.sent {
		for _, log := range b.logs {
			kept += len(log.raw)
		}
	}
	if queued > 8<<20 || !errors.Is(slow.reason, ErrSlow) || quick.reason != nil {
		t.Errorf("%d bytes waited for a subscriber, which ended with %v; the other one with %v", queued, slow.reason, quick.reason)
	}
	if kept > 16<<20 || len(f.sent) == 0 {
		t.Errorf("%d bytes of %d blocks are kept", kept, len(f.sent))
	}
}

func TestABlockWithTooManyLogsEndsSubscriptionsToLogsOnly(t *testing.T) {
	source := large{forks: &forks{blocks: map[string]block{}}, tooMany: true}
	at := source.on(rpc.Head{})
	f := newBroadcast(source)
	headers, logs := f.subscribe(at, nil), f.subscribe(at, &LogMatcher{})
	if err := f.advance(t.Context(), source.on(at)); err != nil || len(received(headers)) != 1 {
		t.Errorf("the block was not sent: %v", err)
	}
	if !errors.Is(logs.reason, errTooManyLogs) || headers.reason != nil {
		t.Errorf("logs ended with %v, blocks with %v", logs.reason, headers.reason)
	}
}
