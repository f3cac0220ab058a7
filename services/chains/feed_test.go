package chains

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// forks is a source whose chain a test grows and takes back. Every block has one log, of a contract that its number tells.
type forks struct {
	blocks map[string]block
	// failing is how many reads from now on fail.
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
	entry, err := parseLog(fmt.Appendf(nil, `{"address":"0x%040d","topics":["0x%064X"],"blockHash":"%s"}`, b.number%2, 0xaa, b.hash))
	if err != nil {
		return nil, err
	}
	return []logEntry{entry}, f.read()
}

// on makes a block on another.
func (f *forks) on(parent head) head {
	h := head{number: parent.number + 1, hash: fmt.Sprintf("%d-%d", parent.number+1, len(f.blocks)), parentHash: parent.hash}
	f.blocks[h.hash] = block{head: h, header: []byte(h.hash)}
	return h
}

// heard empties a listener.
func heard(l *listener) (messages []string) {
	for len(l.messages) > 0 {
		messages = append(messages, string(<-l.messages))
	}
	return messages
}

// TestAListenerKnowsTheChain lets a chain grow and take blocks back, lets reads fail and heads be missed, and holds what each listener makes
// of what it heard against the chain itself.
func TestAListenerKnowsTheChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := &forks{blocks: map[string]block{}}
		genesis := source.on(head{number: 99, hash: "99"})
		chain := []head{genesis}
		f := newFeed(source)
		heads, logs := f.join(genesis, nil), f.join(genesis, matching([]int{1}, []int{0xaa}))
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
		for _, hash := range heard(heads) {
			b := source.blocks[hash]
			// A new block takes the place of those at its height and above.
			blocks = slices.DeleteFunc(blocks, func(known string) bool { return source.blocks[known].number >= b.number })
			if n := len(blocks); n > 0 && blocks[n-1] != b.parentHash {
				t.Fatalf("%s follows on %s, not on its parent %s", hash, blocks[n-1], b.parentHash)
			}
			blocks = append(blocks, hash)
		}
		for _, h := range chain[1:] {
			wantBlocks = append(wantBlocks, h.hash)
			if h.number%2 == 1 {
				wantLogs = append(wantLogs, fmt.Sprintf(`{"address":"0x%040d","topics":["0x%064X"],"blockHash":"%s"}`, 1, 0xaa, h.hash))
			}
		}
		if !slices.Equal(blocks, wantBlocks) {
			t.Errorf("heard blocks %v of %v", blocks, wantBlocks)
		}
		var known []string
		for _, log := range heard(logs) {
			gone := slices.IndexFunc(known, func(k string) bool {
				entry, _ := parseLog([]byte(k))
				entry.raw = []byte(k)
				return string(entry.removed()) == log
			})
			switch {
			case gone >= 0 && gone != len(known)-1:
				t.Fatalf("%s was taken back before what came after it", log)
			case gone >= 0:
				known = known[:gone]
			case slices.Contains(known, log):
				t.Fatalf("%s was told twice", log)
			default:
				known = append(known, log)
			}
		}
		if !slices.Equal(known, wantLogs) {
			t.Errorf("heard logs %v of %v", known, wantLogs)
		}
	})
}

func TestAListenerWhoDoesNotReadIsLetGo(t *testing.T) {
	source := &forks{blocks: map[string]block{}}
	at := source.on(head{})
	f := newFeed(source)
	slow, quick := f.join(at, nil), f.join(at, nil)
	for range listenerQueue + 1 {
		at = source.on(at)
		if err := f.advance(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		heard(quick)
	}
	select {
	case <-slow.ended:
		if !errors.Is(slow.reason, errSlow) {
			t.Errorf("it ended because %v", slow.reason)
		}
	default:
		t.Error("it was kept")
	}
	select {
	case <-quick.ended:
		t.Error("the one who reads was let go too")
	default:
	}
}

func TestAGapTooWideEndsListening(t *testing.T) {
	source := &forks{blocks: map[string]block{}}
	at := source.on(head{})
	f := newFeed(source)
	l := f.join(at, nil)
	for range feedGap + 1 {
		at = source.on(at)
	}
	if err := f.advance(t.Context(), at); !errors.Is(err, errGap) {
		t.Errorf("advanced with %v", err)
	}
	<-l.ended
	if len(l.messages) > 0 || f.isHeard() {
		t.Error("a part of it was told")
	}
}

func TestNothingIsReadWhileNobodyListens(t *testing.T) {
	source := &forks{blocks: map[string]block{}, failing: 1}
	at := source.on(head{})
	f := newFeed(source)
	f.leave(f.join(at, nil))
	if err := f.advance(t.Context(), source.on(at)); err != nil || source.failing != 1 {
		t.Errorf("a block was read: %v", err)
	}
}

// matching is a filter for small numbers.
func matching(addresses []int, topics ...[]int) *logMatch {
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
	m, err := newLogMatch(texts(20, addresses), places)
	if err != nil {
		panic(err)
	}
	return m
}

func TestLogsMatchAsInEthGetLogs(t *testing.T) {
	log := logEntry{address: logAddress{19: 0xa}, topics: []logTopic{{31: 1}, {31: 2}}}
	for name, c := range map[string]struct {
		match *logMatch
		want  bool
	}{
		"anything":                 {matching(nil), true},
		"its address":              {matching([]int{0xb, 0xa}), true},
		"another address":          {matching([]int{0xb}), false},
		"its first topic":          {matching(nil, []int{1}), true},
		"any first, its second":    {matching(nil, nil, []int{3, 2}), true},
		"its second as the first":  {matching(nil, []int{2}), false},
		"a topic more than it has": {matching(nil, nil, nil, nil), false},
	} {
		if got := c.match.matches(log); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAFilterNamesNoMoreThanThatOfEthGetLogs(t *testing.T) {
	for name, c := range map[string]struct {
		addresses []string
		topics    [][]string
	}{
		"too many addresses":    {addresses: make([]string, logAlternatives+1)},
		"too many topics":       {topics: make([][]string, logTopics+1)},
		"too many alternatives": {topics: [][]string{make([]string, logAlternatives+1)}},
		"no address":            {addresses: []string{"0xa"}},
		"no topic":              {topics: [][]string{{"0xzz"}}},
	} {
		if _, err := newLogMatch(c.addresses, c.topics); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
