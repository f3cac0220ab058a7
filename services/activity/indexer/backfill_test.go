package indexer

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/hawser-dev/hawser/services/activity/calls"
	"github.com/hawser-dev/hawser/services/activity/classifier"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// swapped is a chain with one transaction, by which an account swaps a token for native ones that only whole blocks show.
type swapped struct {
	blocks
	at      uint64
	account evm.Address
}

func (s swapped) found(whole bool) []node.Found {
	pool, header := evm.Address{9}, numberedHeader(s.at)
	topic := func(a evm.Address) (h node.Hash) { copy(h[12:], a[:]); return h }
	f := node.Found{
		Header:      header,
		Transaction: node.Transaction{Hash: node.Hash{1}, From: s.account, To: &pool, Value: new(big.Int)},
		Receipt: node.Receipt{Block: header.Hash, Succeeded: true, Fee: big.NewInt(1), Logs: []node.Log{
			{Contract: evm.Address{8}, Topics: []node.Hash{node.Transfer, topic(s.account), topic(pool)}, Data: append(make([]byte, 31), 7)},
		}},
	}
	if whole {
		f.Inner = []node.Inner{{Transfer: calls.Transfer{From: pool, To: s.account, Value: big.NewInt(5)}, Confirmed: true}}
	}
	return []node.Found{f}
}

func (s swapped) Logged(_ context.Context, _ string, from, to uint64, accounts []evm.Address, _ []node.Hash) ([]node.Found, error) {
	if s.at < from || s.at > to || !slices.Contains(accounts, s.account) {
		return nil, nil
	}
	return s.found(false), nil
}

func (s swapped) Blocks(context.Context, string, uint64, uint64, []evm.Address) ([]node.Header, []node.Found, error) {
	return nil, nil, nil
}

// noContracts knows no tokens.
type noContracts struct{}

func (noContracts) Describe(context.Context, string, []evm.Address) ([]index.Token, error) {
	return nil, nil
}

func TestALogReadForAnotherAccountKeepsWhatAWholeBlockShowed(t *testing.T) {
	const chainID = "eip155:1"
	alice, bob := evm.Address{1: 1}, evm.Address{1: 2}
	s := swapped{at: 20_010, account: alice}
	// Windows longer than those that are read whole are read by their logs.
	i, c, _ := backfill(t, 20_000, func(c *Config) { c.Blocks, c.Contracts, c.WholeBlocks = s, noContracts{}, 100 })
	i.trackFor(t, "alice", alice)
	if _, err := i.fill(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	rows, err := classifier.Rows(t.Context(), s.found(true), chainID, []evm.Address{alice})
	if err != nil {
		t.Fatal(err)
	}
	if err := i.updateFollowed(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	followed := index.Extension{ChainID: chainID, Ancestor: numberedHeader(20_000), Rows: rows, Following: c.following.Version}
	for n := followed.Ancestor.Number + 1; n <= 20_020; n++ {
		h := numberedHeader(n)
		h.Parent = numberedHeader(n - 1).Hash
		followed.Headers = append(followed.Headers, h)
	}
	if err := i.Store.Extend(t.Context(), followed); err != nil {
		t.Fatal(err)
	}
	i.trackFor(t, "bob", bob)
	c.turns.reset()
	for range 4 {
		if _, err := i.fill(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := i.Store.Page(t.Context(), alice, chainID, nil, 10)
	if err != nil || len(kept) != 1 || len(kept[0].Transfers) != 2 {
		t.Errorf("the swap is %+v, %v; want its two transfers", kept, err)
	}
}

func TestTracesOfOldBlocksAreCharged(t *testing.T) {
	i, c, q := backfill(t, 4_999, func(c *Config) {
		c.CallsPerCaller, c.Traces = 1_000, func(string) bool { return true }
	})
	i.trackFor(t, "greedy", evm.Address{1})
	i.fillAll(t, c)
	if n := len(q.read); n < 450 || n > 650 {
		t.Errorf("%d blocks are read and traced with 1,000 calls", n)
	}
}

func TestAReadWithoutBytesForItsAnswerIsNoFailure(t *testing.T) {
	i, c, q := backfill(t, 499)
	q.full = 3
	a, b := evm.Address{1}, evm.Address{2}
	i.trackFor(t, "", a, b)
	for range q.full {
		// It waits until bytes are given back.
		if more, err := i.fill(t.Context(), c); more || err != nil {
			t.Errorf("more %t, %v", more, err)
		}
	}
	windows, err := i.Store.NextWindows(t.Context(), "eip155:1", i.activeSince(), i.Clock.Now())
	if err != nil || len(windows) != 2 || windows[0].Failures > 0 || len(c.turns.groups) > 0 {
		t.Errorf("windows %+v, groups %v, %v", windows, c.turns.groups, err)
	}
	i.fillAll(t, c)
	if left := i.unread(t, a) + i.unread(t, b); left > 0 {
		t.Errorf("%d blocks are unread", left)
	}
}

// spam is a chain each of whose blocks has a log that names an account, but moves nothing.
type spam struct {
	blocks
	account evm.Address
	read    *int
}

func (s spam) Logged(_ context.Context, _ string, from, to uint64, _ []evm.Address, _ []node.Hash) (found []node.Found, _ error) {
	for n := from; n <= to; n++ {
		*s.read++
		h, topic := numberedHeader(n), node.Hash{}
		copy(topic[12:], s.account[:])
		found = append(found, node.Found{
			Header: h, Transaction: node.Transaction{Hash: h.Hash, From: evm.Address{7}, To: &evm.Address{8}, Value: new(big.Int)},
			Receipt: node.Receipt{Block: h.Hash, Succeeded: true, Fee: big.NewInt(1), Logs: []node.Log{{Contract: evm.Address{8}, Topics: []node.Hash{{1}, topic}}}},
		})
	}
	return found, nil
}

func (spam) Blocks(context.Context, string, uint64, uint64, []evm.Address) ([]node.Header, []node.Found, error) {
	return nil, nil, nil
}

func TestTransactionsThatAreReadForNothingAreCharged(t *testing.T) {
	read := 0
	spammed := evm.Address{1}
	i, c, _ := backfill(t, 200_000, func(c *Config) {
		c.Blocks, c.Contracts, c.WholeBlocks, c.CallsPerCaller = spam{account: spammed, read: &read}, noContracts{}, 1, 10_000
	})
	i.trackFor(t, "greedy", spammed)
	i.fillAll(t, c)
	// Three calls for each: the second read takes the last of them.
	if read < 1_000 || read > 3*firstLogSpan {
		t.Errorf("%d transactions are read with 10,000 calls", read)
	}
}

// failing are contracts of which those of the third call are not described at first.
type failing struct {
	calls int
	asked map[evm.Address]int
}

func (f *failing) Describe(_ context.Context, _ string, contracts []evm.Address) (tokens []index.Token, _ error) {
	if f.calls++; f.calls == 3 {
		return nil, errors.New("out of time")
	}
	if len(contracts) > 1_000 {
		return nil, errors.New("too many contracts")
	}
	for _, c := range contracts {
		f.asked[c]++
		tokens = append(tokens, index.Token{Contract: c})
	}
	return tokens, nil
}

func TestContractsAreDescribedInParts(t *testing.T) {
	const contracts = 1_100
	token := func(n int) (a evm.Address) { binary.BigEndian.PutUint64(a[:], uint64(n)); return a }
	var rows []index.Row
	for n := range contracts {
		rows = append(rows, index.Row{Detail: index.Detail{Transfers: []index.Transfer{{Asset: index.Asset{Standard: index.ERC20, Contract: token(n)}}}}})
	}
	f := &failing{asked: map[evm.Address]int{}}
	i, _, _ := backfill(t, 100, func(c *Config) { c.Contracts = f })
	if err := i.describe(t.Context(), "eip155:1", rows); err == nil {
		t.Error("a failure is no error")
	}
	if err := i.describe(t.Context(), "eip155:1", rows); err != nil {
		t.Error(err)
	}
	if most := slices.Max(slices.Collect(maps.Values(f.asked))); len(f.asked) != contracts || most != 1 {
		t.Errorf("%d of %d contracts are described, up to %d times", len(f.asked), contracts, most)
	}
}
