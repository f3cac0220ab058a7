// Package activitytest says what every store of activity must do.
package activitytest

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

// Chain is the chain of the headers and rows that this package makes.
const Chain = "eip155:31337"

// WholeBlocks is how long a window may be that the stores to test read whole.
const WholeBlocks = 5_000

// many is more accounts than a test has.
const many = 100

// Noon is when the tests take place.
var Noon = time.UnixMilli(1_700_000_000_000).UTC()

var (
	alice = activity.Account{ChainID: Chain, Address: evm.MustAddress("0x00000000000000000000000000000000000a11ce")}
	bob   = activity.Account{ChainID: Chain, Address: evm.MustAddress("0x0000000000000000000000000000000000000b0b")}
	token = evm.MustAddress("0x00000000000000000000000000000000000000aa")
)

// RunStore holds stores to their promises; open returns an empty one.
func RunStore(t *testing.T, open func(t *testing.T) activity.Store) {
	for _, test := range []struct {
		behaviour string
		run       func(*testing.T, activity.Store)
	}{
		{"an account is seen once, and what is before it is left to a window", seesAccounts},
		{"rows come back as they were kept, newest first, page by page", keepsRows},
		{"orphaned blocks take their rows, arrivals and windows along", orphansBlocks},
		{"blocks that were not read for an account are left to a window", leavesBlocks},
		{"after a jump, the gap is left to windows", jumps},
		{"a long window is read by its logs, and says so", shortensWindows},
		{"a window sinks as it is filled, once", fillsWindows},
		{"a window that cannot be read rests, and counts as unreadable after a while", restsWindows},
		{"accounts that nobody asks for go, and all that is theirs", forgets},
		{"those that are watched are followed before others, and then those asked for last", prefersWatched},
		{"where too many are kept, the one goes that nobody watches and nobody asked for longest", keepsSoMany},
		{"contracts are described once", learns},
		{"arrivals are listed by contract, the last first", listsArrivals},
	} {
		t.Run(test.behaviour, func(t *testing.T) { test.run(t, open(t)) })
	}
}

func seesAccounts(t *testing.T, s activity.Store) {
	if err := s.See(t.Context(), alice, many, Noon, Noon); !errors.Is(err, activity.ErrStale) {
		t.Errorf("a chain without a trail: %v", err)
	}
	if seen, err := s.Asked(t.Context(), alice, false, Noon); seen || err != nil {
		t.Errorf("seen %t, %v", seen, err)
	}
	begin(t, s, 7)
	for range 2 {
		must(t, s.See(t.Context(), alice, many, Noon, Noon))
	}
	if seen, err := s.Asked(t.Context(), alice, false, Noon.Add(2*time.Minute)); !seen || err != nil {
		t.Errorf("seen %t, %v", seen, err)
	}
	window(t, s, activity.Window{Account: alice, Low: 0, High: 7, Whole: true})
	progress(t, s, alice, activity.Progress{From: 8, Native: 8, Reading: true})
	list, err := s.Accounts(t.Context(), Chain, Noon.Add(time.Minute), many)
	if err != nil || len(list) != 1 || list[0] != alice.Address {
		t.Errorf("asked for after noon: %v, %v", list, err)
	}
	if list, err := s.Accounts(t.Context(), Chain, Noon.Add(time.Hour), many); err != nil || len(list) != 0 {
		t.Errorf("asked for later: %v, %v", list, err)
	}
	if chains, err := s.ChainsOf(t.Context(), alice.Address); err != nil || !reflect.DeepEqual(chains, []string{Chain}) {
		t.Errorf("on %v, %v", chains, err)
	}
	if chains, err := s.Chains(t.Context(), Noon.Add(time.Hour)); err != nil || len(chains) != 0 {
		t.Errorf("active %v, %v", chains, err)
	}
}

func keepsRows(t *testing.T, s activity.Store) {
	begin(t, s, 1)
	must(t, s.See(t.Context(), alice, many, Noon, Noon))
	rows := []activity.Row{row(alice, 2, 0, 'a'), row(alice, 2, 1, 'a'), row(alice, 3, 0, 'a')}
	rows[0].Failed, rows[0].To, rows[0].Fee = true, nil, nil
	rows[1].Transfers[0].Units = new(big.Int).Lsh(big.NewInt(1), 255)
	rows[2].Transfers = append(rows[2].Transfers, activity.Transfer{
		Asset:     activity.Asset{Standard: activity.ERC1155, Contract: token, TokenID: "115792089237316195423570985008687907853269984665640564039457584007913129639935"},
		Direction: activity.Self, From: alice.Address, To: alice.Address, Units: big.NewInt(3),
	})
	extend(t, s, header(1, 'a'), headers(2, 3, 'a'), rows, alice)

	want := []activity.Row{rows[2], rows[1], rows[0]}
	var got []activity.Row
	var after *activity.Place
	for range want {
		page, err := s.Page(t.Context(), alice.Address, Chain, after, 1)
		if err != nil || len(page) != 1 {
			t.Fatalf("%v, %v", page, err)
		}
		got, after = append(got, page[0]), &page[0].Place
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if page, err := s.Page(t.Context(), alice.Address, "", after, 10); err != nil || len(page) != 0 {
		t.Errorf("after the last: %v, %v", page, err)
	}
	if page, err := s.Page(t.Context(), bob.Address, "", nil, 10); err != nil || len(page) != 0 {
		t.Errorf("somebody else's: %v, %v", page, err)
	}
}

func orphansBlocks(t *testing.T, s activity.Store) {
	begin(t, s, 1)
	must(t, s.See(t.Context(), alice, many, Noon, Noon))
	extend(t, s, header(1, 'a'), headers(2, 4, 'a'), []activity.Row{row(alice, 2, 0, 'a'), row(alice, 3, 0, 'a'), row(alice, 4, 0, 'a')}, alice)
	extend(t, s, header(2, 'a'), headers(3, 3, 'b'), []activity.Row{row(alice, 3, 0, 'b')}, alice)

	page, err := s.Page(t.Context(), alice.Address, "", nil, 10)
	if err != nil || len(page) != 2 || page[0].BlockHash != header(3, 'b').Hash || page[1].BlockHash != header(2, 'a').Hash {
		t.Errorf("%v, %v", page, err)
	}
	trail, err := s.Trail(t.Context(), Chain)
	if err != nil || trail[0] != header(3, 'b') || trail[1] != header(2, 'a') {
		t.Errorf("trail %v, %v", trail, err)
	}
	err = s.Extend(t.Context(), activity.Extension{ChainID: Chain, Ancestor: header(4, 'a'), Headers: headers(5, 5, 'a')})
	if !errors.Is(err, activity.ErrStale) {
		t.Errorf("extended an orphan: %v", err)
	}
	arrived, err := s.Arrivals(t.Context(), alice)
	if err != nil || len(arrived) != 1 {
		t.Errorf("arrivals %v, %v", arrived, err)
	}
	must(t, s.Extend(t.Context(), activity.Extension{ChainID: Chain, Ancestor: header(0, 'a'), Accounts: []evm.Address{alice.Address}}))
	if arrived, err := s.Arrivals(t.Context(), alice); err != nil || len(arrived) != 0 {
		t.Errorf("arrivals of orphans: %v, %v", arrived, err)
	}
	window(t, s, activity.Window{Account: alice, Low: 0, High: 0, Whole: true})
}

func leavesBlocks(t *testing.T, s activity.Store) {
	begin(t, s, 1)
	must(t, s.See(t.Context(), alice, many, Noon, Noon))
	must(t, s.Fill(t.Context(), activity.Filling{Window: activity.Window{Account: alice, High: 1, Whole: true}}))
	must(t, s.See(t.Context(), bob, many, Noon, Noon))
	extend(t, s, header(1, 'a'), headers(2, 2, 'a'), nil, bob)
	extend(t, s, header(2, 'a'), headers(3, 3, 'a'), nil, bob)
	window(t, s, activity.Window{Account: alice, Low: 2, High: 3, Whole: true})
	progress(t, s, alice, activity.Progress{From: 4, Native: 4, Reading: true})
	progress(t, s, bob, activity.Progress{From: 2, Native: 2, Reading: true})
}

func jumps(t *testing.T, s activity.Store) {
	begin(t, s, 5)
	must(t, s.See(t.Context(), alice, many, Noon, Noon))
	must(t, s.Fill(t.Context(), activity.Filling{Window: activity.Window{Account: alice, High: 5, Whole: true}}))
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, headers(900, 903, 'a')))
	// The blocks of the old trail may have been orphaned meanwhile: all after its oldest are read again.
	window(t, s, activity.Window{Account: alice, Low: 1, High: 903, Whole: true})
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, headers(90_000, 90_003, 'a')))
	progress(t, s, alice, activity.Progress{From: 90_004, Native: 90_004, Reading: true})
	if trail, err := s.Trail(t.Context(), Chain); err != nil || len(trail) != 4 {
		t.Errorf("trail %v, %v", trail, err)
	}
}

func shortensWindows(t *testing.T, s activity.Store) {
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, headers(2_000_000, 2_000_001, 'a')))
	must(t, s.See(t.Context(), alice, many, Noon, Noon))
	w := activity.Window{Account: alice, High: 2_000_001}
	window(t, s, w)
	must(t, s.Fill(t.Context(), activity.Filling{Window: w, Low: 1_000}))
	progress(t, s, alice, activity.Progress{From: 1_000, Native: 2_000_002, Reading: true})
	w.High = 999
	must(t, s.Fill(t.Context(), activity.Filling{Window: w}))
	progress(t, s, alice, activity.Progress{From: 0, Native: 2_000_002})
}

func fillsWindows(t *testing.T, s activity.Store) {
	begin(t, s, 9)
	must(t, s.See(t.Context(), alice, many, Noon, Noon))
	w := activity.Window{Account: alice, High: 9, Whole: true}
	orphan := activity.Filling{Window: w, Low: 5, Rows: []activity.Row{row(alice, 8, 0, 'b')}}
	if err := s.Fill(t.Context(), orphan); !errors.Is(err, activity.ErrStale) {
		t.Errorf("a block that is not the trail's: %v", err)
	}
	f := activity.Filling{Window: w, Low: 5, Rows: []activity.Row{row(alice, 8, 0, 'a')}}
	must(t, s.Fill(t.Context(), f))
	if err := s.Fill(t.Context(), f); !errors.Is(err, activity.ErrStale) {
		t.Errorf("filled twice: %v", err)
	}
	window(t, s, activity.Window{Account: alice, High: 4, Whole: true})
	progress(t, s, alice, activity.Progress{From: 5, Native: 5, Reading: true})
	if page, err := s.Page(t.Context(), alice.Address, "", nil, 10); err != nil || len(page) != 1 {
		t.Errorf("%v, %v", page, err)
	}
}

func restsWindows(t *testing.T, s activity.Store) {
	begin(t, s, 3)
	must(t, s.See(t.Context(), alice, many, Noon, Noon))
	w := activity.Window{Account: alice, High: 3, Whole: true}
	for range 20 {
		progress(t, s, alice, activity.Progress{From: 4, Native: 4, Reading: true})
		must(t, s.Rest(t.Context(), w, Noon.Add(time.Minute)))
	}
	progress(t, s, alice, activity.Progress{From: 4, Native: 4})
	if _, ok, err := s.NextWindow(t.Context(), Chain, Noon, Noon); ok || err != nil {
		t.Errorf("it does not rest: %t, %v", ok, err)
	}
	next, ok, err := s.NextWindow(t.Context(), Chain, Noon, Noon.Add(time.Minute))
	if !ok || err != nil || next.Failures != 20 {
		t.Errorf("%+v %t, %v", next, ok, err)
	}
	if _, ok, err := s.NextWindow(t.Context(), Chain, Noon.Add(time.Second), Noon.Add(time.Minute)); ok || err != nil {
		t.Errorf("nobody asks for it: %t, %v", ok, err)
	}
}

func forgets(t *testing.T, s activity.Store) {
	begin(t, s, 1)
	must(t, s.See(t.Context(), alice, many, Noon, Noon))
	must(t, s.See(t.Context(), bob, many, Noon, Noon.Add(time.Hour)))
	extend(t, s, header(1, 'a'), headers(2, 2, 'a'), []activity.Row{row(alice, 2, 0, 'a'), row(bob, 2, 0, 'a')}, alice, bob)
	must(t, s.Forget(t.Context(), Noon.Add(time.Minute)))
	for account, want := range map[activity.Account]int{alice: 0, bob: 1} {
		page, err := s.Page(t.Context(), account.Address, "", nil, 10)
		arrived, err2 := s.Arrivals(t.Context(), account)
		_, seen, err3 := s.Progress(t.Context(), account)
		if errors.Join(err, err2, err3) != nil || len(page) != want || len(arrived) != want || seen != (want == 1) {
			t.Errorf("%s: %v, %v, %t, %v", account.Address, page, arrived, seen, errors.Join(err, err2, err3))
		}
	}
	must(t, s.Forget(t.Context(), Noon.Add(2*time.Hour)))
	if trail, err := s.Trail(t.Context(), Chain); err != nil || len(trail) != 0 {
		t.Errorf("the trail of nobody: %v, %v", trail, err)
	}
}

func learns(t *testing.T, s activity.Store) {
	want := activity.Token{Contract: token, Name: "Ünïcödé 🚢 'quoted'", Symbol: "T", Decimals: 255}
	must(t, s.Learn(t.Context(), Chain, []activity.Token{want}))
	must(t, s.Learn(t.Context(), Chain, []activity.Token{{Contract: token, Name: "Another"}}))
	got, err := s.Tokens(t.Context(), Chain, []evm.Address{token, alice.Address})
	if err != nil || len(got) != 1 || got[token] != want {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := s.Tokens(t.Context(), "eip155:1", []evm.Address{token}); err != nil || len(got) != 0 {
		t.Errorf("on another chain: %v, %v", got, err)
	}
}

func listsArrivals(t *testing.T, s activity.Store) {
	begin(t, s, 1)
	must(t, s.See(t.Context(), alice, many, Noon, Noon))
	nft := func(r activity.Row, id string) activity.Row {
		r.Transfers[0].Asset = activity.Asset{Standard: activity.ERC721, Contract: alice.Address, TokenID: id}
		return r
	}
	given, approved := row(alice, 5, 0, 'a'), row(alice, 6, 0, 'a')
	given.Transfers[0].Contract, given.Transfers[0].Direction = bob.Address, activity.Out
	approved.Operation, approved.Transfers[0].Contract = activity.Approve, bob.Address
	rows := []activity.Row{nft(row(alice, 2, 0, 'a'), "1"), row(alice, 3, 0, 'a'), nft(row(alice, 4, 0, 'a'), "2"), given, approved}
	extend(t, s, header(1, 'a'), headers(2, 6, 'a'), rows, alice)
	want := []activity.Arrival{{Contract: alice.Address, Standard: activity.ERC721, TokenIDs: []string{"2", "1"}}, {Contract: token, Standard: activity.ERC20}}
	if got, err := s.Arrivals(t.Context(), alice); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// begin gives the chain a trail from block 0 to tip.
func begin(t *testing.T, s activity.Store, tip uint64) {
	t.Helper()
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, headers(0, tip, 'a')))
}

func extend(t *testing.T, s activity.Store, ancestor node.Header, added []node.Header, rows []activity.Row, accounts ...activity.Account) {
	t.Helper()
	e := activity.Extension{ChainID: Chain, Ancestor: ancestor, Headers: added, Rows: rows}
	for _, a := range accounts {
		e.Accounts = append(e.Accounts, a.Address)
	}
	must(t, s.Extend(t.Context(), e))
}

func window(t *testing.T, s activity.Store, want activity.Window) {
	t.Helper()
	got, ok, err := s.NextWindow(t.Context(), want.Account.ChainID, Noon.Add(-time.Hour), Noon)
	if err != nil || !ok || got != want {
		t.Errorf("next window %+v %t, %v; want %+v", got, ok, err, want)
	}
}

func progress(t *testing.T, s activity.Store, a activity.Account, want activity.Progress) {
	t.Helper()
	got, seen, err := s.Progress(t.Context(), a)
	if err != nil || !seen || got != want {
		t.Errorf("progress %+v %t, %v; want %+v", got, seen, err, want)
	}
}

// headers are the blocks from one to another of a branch.
func headers(from, to uint64, branch byte) (list []node.Header) {
	for n := from; n <= to; n++ {
		list = append(list, header(n, branch))
	}
	return list
}

func header(n uint64, branch byte) node.Header {
	h := node.Header{Number: n, Hash: hash(n, branch), Time: Noon.Unix() + int64(n)}
	if n > 0 {
		h.Parent = hash(n-1, branch)
	}
	return h
}

func hash(n uint64, branch byte) (h node.Hash) {
	copy(h[:], fmt.Sprintf("%c%020d", branch, n))
	return h
}

// row is a transaction that brought the account a token.
func row(a activity.Account, block, index uint64, branch byte) activity.Row {
	to := a.Address
	h := header(block, branch)
	return activity.Row{
		Account:   a,
		Place:     activity.Place{Time: h.Time, ChainID: a.ChainID, Block: block, Index: index},
		Hash:      hash(1_000*block+index, branch),
		BlockHash: h.Hash,
		Detail: activity.Detail{
			Operation: activity.Receive, From: token, To: &to, Nonce: 7, Fee: big.NewInt(21_000),
			Transfers: []activity.Transfer{{
				Asset: activity.Asset{Standard: activity.ERC20, Contract: token}, Direction: activity.In, From: token, To: to, Units: big.NewInt(5),
			}},
		},
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func numbered(n int) activity.Account {
	return activity.Account{ChainID: Chain, Address: evm.Address{18: byte(n >> 8), 19: byte(n)}}
}

func prefersWatched(t *testing.T, s activity.Store) {
	begin(t, s, 1)
	for n := range 5 {
		must(t, s.See(t.Context(), numbered(n), many, Noon, Noon.Add(time.Duration(n)*time.Minute)))
	}
	if seen, err := s.Asked(t.Context(), numbered(1), true, Noon.Add(10*time.Second)); !seen || err != nil {
		t.Fatalf("seen %t, %v", seen, err)
	}
	want := []evm.Address{numbered(1).Address, numbered(4).Address, numbered(3).Address}
	if got, err := s.Accounts(t.Context(), Chain, Noon, 3); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func keepsSoMany(t *testing.T, s activity.Store) {
	const most = 5
	begin(t, s, 1)
	must(t, s.See(t.Context(), alice, most, Noon, Noon))
	if _, err := s.Asked(t.Context(), alice, true, Noon); err != nil {
		t.Fatal(err)
	}
	for n := range 50 {
		must(t, s.See(t.Context(), numbered(n), most, Noon, Noon.Add(time.Duration(n+1)*time.Second)))
		if got, err := s.Accounts(t.Context(), Chain, Noon, many); err != nil || len(got) > most {
			t.Fatalf("%d are kept, %v", len(got), err)
		}
	}
	for _, a := range []activity.Account{alice, numbered(49), numbered(46)} {
		if _, seen, err := s.Progress(t.Context(), a); !seen || err != nil {
			t.Errorf("%s is gone: %v", a.Address, err)
		}
	}
	for n := range 46 {
		if _, seen, err := s.Progress(t.Context(), numbered(n)); seen || err != nil {
			t.Errorf("%d is kept: %v", n, err)
		}
	}
}
