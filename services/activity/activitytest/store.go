// Package activitytest tests implementations of index.Store.
package activitytest

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Chain is the chain of the headers and rows that this package makes.
const Chain = "eip155:31337"

// WholeBlocks is the longest window that the tested stores read whole, in blocks.
const WholeBlocks = 5_000

// many is more accounts than a test has.
const many = 100

// Noon is the time of the tests.
var Noon = time.UnixMilli(1_700_000_000_000).UTC()

var (
	alice = index.Account{ChainID: Chain, Address: evm.MustAddress("0x00000000000000000000000000000000000a11ce")}
	bob   = index.Account{ChainID: Chain, Address: evm.MustAddress("0x0000000000000000000000000000000000000b0b")}
	token = evm.MustAddress("0x00000000000000000000000000000000000000aa")
)

// RunStore tests a store. open returns an empty one.
func RunStore(t *testing.T, open func(t *testing.T) index.Store) {
	for _, test := range []struct {
		behaviour string
		run       func(*testing.T, index.Store)
	}{
		{"an account is tracked once, and earlier blocks are a window", tracksAccounts},
		{"rows are returned as they were stored, newest first, page by page", storesRows},
		{"orphaned blocks take their rows, contracts and windows along", orphansBlocks},
		{"blocks that an account missed while it was not followed are a window", addsMissedBlocks},
		{"two processes know the same followed accounts, and neither adds blocks that were read for others", sharesFollowed},
		{"rows of an account that was dropped are left out", leavesOutDropped},
		{"after a jump, the gap is a window", jumps},
		{"after a jump down, nothing of the blocks beyond is left, and the chain grows on", jumpsDown},
		{"a jump drops the data from a block on that is older than the recent ones", jumpsFromAnOlderBlock},
		{"a long window is read by its logs, and progress says so", shortensWindows},
		{"a window shrinks when it is filled, once", fillsWindows},
		{"a window that cannot be read is deferred, and counts as unreadable after a while", defersWindows},
		{"callers take turns, and each has its accounts read in the order of their first requests", takesTurns},
		{"an account is read in the turns of the caller that waits for the fewest", movesToTheLessBusyCaller},
		{"blocks are read for all accounts with a window over them", sharesWindows},
		{"an event that names many accounts is split", splitsEvents},
		{"unused accounts are dropped with all their data", forgets},
		{"watched accounts are followed first, then those with the latest requests", prefersWatched},
		{"an account that waits for room is followed once another one is not", followsWhenThereIsRoom},
		{"of too many accounts, the unwatched one with the oldest request is dropped", dropsUnused},
		{"tokens are saved once", savesTokens},
		{"contracts are listed by their last transfer, the last first", listsTouched},
		{"a transaction may bring many tokens, and one of them as several standards", listsManyTouched},
		{"approvals are listed by their latest event, the last first", listsApproved},
		{"the largest numbers of approvals are kept", listsHugeApprovals},
		{"an approval of an unlisted contract needs a transaction of the account", listsApprovedByTheAccount},
		{"an approval of an unlisted contract is listed if the account brought its tokens", listsApprovedOfTokensThatTheAccountBrought},
		{"orphaned blocks take their approvals along, and what they changed holds again", orphansApprovals},
		{"an unused account is dropped with its approvals", forgetsApprovals},
		{"of a row that is read once more, only the approvals are new", readsBlocksOnceMore},
	} {
		t.Run(test.behaviour, func(t *testing.T) { test.run(t, open(t)) })
	}
}

func tracksAccounts(t *testing.T, s index.Store) {
	if err := s.Track(t.Context(), request(alice, Noon), many, Noon); !errors.Is(err, index.ErrStale) {
		t.Errorf("a chain without blocks: %v", err)
	}
	if tracked, err := s.Requested(t.Context(), request(alice, Noon)); tracked || err != nil {
		t.Errorf("tracked %t, %v", tracked, err)
	}
	begin(t, s, 7)
	for range 2 {
		must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	}
	if tracked, err := s.Requested(t.Context(), request(alice, Noon.Add(2*time.Minute))); !tracked || err != nil {
		t.Errorf("tracked %t, %v", tracked, err)
	}
	window(t, s, index.Window{Account: alice, Low: 0, High: 7, Whole: true})
	progress(t, s, alice, index.Progress{From: 8, Native: 8, Reading: true})
	if f := follow(t, s, Noon.Add(time.Minute), many); !slices.Equal(f.Accounts, []evm.Address{alice.Address}) {
		t.Errorf("requested after noon: %v", f.Accounts)
	}
	if f := follow(t, s, Noon.Add(time.Hour), many); len(f.Accounts) != 0 {
		t.Errorf("requested later: %v", f.Accounts)
	}
	if chains, err := s.ChainsOf(t.Context(), alice.Address); err != nil || !reflect.DeepEqual(chains, []string{Chain}) {
		t.Errorf("on %v, %v", chains, err)
	}
	if chains, err := s.Chains(t.Context(), Noon.Add(time.Hour)); err != nil || len(chains) != 0 {
		t.Errorf("active %v, %v", chains, err)
	}
}

func storesRows(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	rows := []index.Row{row(alice, 2, 0, 'a'), row(alice, 2, 1, 'a'), row(alice, 3, 0, 'a')}
	rows[0].Failed, rows[0].To, rows[0].Fee = true, nil, nil
	rows[1].Transfers[0].Units = new(big.Int).Lsh(big.NewInt(1), 255)
	rows[2].Transfers = append(rows[2].Transfers, index.Transfer{
		Asset:     index.Asset{Standard: index.ERC1155, Contract: token, TokenID: "115792089237316195423570985008687907853269984665640564039457584007913129639935"},
		Direction: index.Self, From: alice.Address, To: alice.Address, Units: big.NewInt(3),
	})
	extend(t, s, header(1, 'a'), headers(2, 3, 'a'), rows)

	want := []index.Row{rows[2], rows[1], rows[0]}
	var got []index.Row
	var after *index.Place
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
		t.Errorf("another account's: %v, %v", page, err)
	}
}

func orphansBlocks(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	extend(t, s, header(1, 'a'), headers(2, 4, 'a'), []index.Row{row(alice, 2, 0, 'a'), row(alice, 3, 0, 'a'), row(alice, 4, 0, 'a')})
	extend(t, s, header(2, 'a'), headers(3, 3, 'b'), []index.Row{row(alice, 3, 0, 'b')})

	page, err := s.Page(t.Context(), alice.Address, "", nil, 10)
	if err != nil || len(page) != 2 || page[0].BlockHash != header(3, 'b').Hash || page[1].BlockHash != header(2, 'a').Hash {
		t.Errorf("%v, %v", page, err)
	}
	recent, err := s.RecentBlocks(t.Context(), Chain)
	if err != nil || recent[0] != header(3, 'b') || recent[1] != header(2, 'a') {
		t.Errorf("recent blocks %v, %v", recent, err)
	}
	err = s.Extend(t.Context(), index.Extension{ChainID: Chain, Ancestor: header(4, 'a'), Headers: headers(5, 5, 'a'), Following: followed(t, s).Version})
	if !errors.Is(err, index.ErrStale) {
		t.Errorf("extended an orphan: %v", err)
	}
	touched, err := s.Touched(t.Context(), alice)
	if err != nil || len(touched) != 1 {
		t.Errorf("contracts %v, %v", touched, err)
	}
	must(t, s.Extend(t.Context(), index.Extension{ChainID: Chain, Ancestor: header(0, 'a')}))
	if touched, err := s.Touched(t.Context(), alice); err != nil || len(touched) != 0 {
		t.Errorf("contracts of orphans: %v, %v", touched, err)
	}
	window(t, s, index.Window{Account: alice, Low: 0, High: 0, Whole: true})
}

func addsMissedBlocks(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	must(t, s.Fill(t.Context(), index.Filling{Window: index.Window{Account: alice, High: 1, Whole: true}}))
	must(t, s.Track(t.Context(), request(bob, Noon.Add(time.Hour)), many, Noon))
	later := Noon.Add(time.Minute)
	f := follow(t, s, later, many)
	for n := uint64(2); n <= 3; n++ {
		must(t, s.Extend(t.Context(), index.Extension{ChainID: Chain, Ancestor: header(n-1, 'a'), Headers: headers(n, n, 'a'), Following: f.Version}))
	}
	progress(t, s, alice, index.Progress{From: 4, Native: 4, Reading: true})
	progress(t, s, bob, index.Progress{From: 2, Native: 2, Reading: true})
	if tracked, err := s.Requested(t.Context(), request(alice, later)); !tracked || err != nil {
		t.Fatalf("tracked %t, %v", tracked, err)
	}
	f, err := s.Follow(t.Context(), Chain, later, many, f)
	if err != nil || !slices.Equal(f.Accounts, []evm.Address{bob.Address, alice.Address}) {
		t.Errorf("%v are followed, %v", f.Accounts, err)
	}
	window(t, s, index.Window{Account: alice, Low: 2, High: 3, Whole: true})
	progress(t, s, alice, index.Progress{From: 4, Native: 4, Reading: true})

	// What it missed of a branch that was orphaned since is read from the fork on.
	must(t, s.Fill(t.Context(), index.Filling{Window: index.Window{Account: alice, Low: 2, High: 3, Whole: true}, Low: 2}))
	f = follow(t, s, Noon.Add(30*time.Minute), many)
	must(t, s.Extend(t.Context(), index.Extension{ChainID: Chain, Ancestor: header(2, 'a'), Headers: headers(3, 5, 'b'), Following: f.Version}))
	window(t, s, index.Window{Account: alice, Low: 3, High: 5, Whole: true})
}

func sharesFollowed(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	first, second := followed(t, s), followed(t, s)
	must(t, s.Track(t.Context(), request(bob, Noon.Add(time.Hour)), many, Noon))
	e := index.Extension{ChainID: Chain, Ancestor: header(1, 'a'), Headers: headers(2, 2, 'a'), Following: first.Version}
	if err := s.Extend(t.Context(), e); !errors.Is(err, index.ErrStale) {
		t.Errorf("blocks that were not read for all followed accounts: %v", err)
	}
	var err error
	if first, err = s.Follow(t.Context(), Chain, Noon.Add(time.Minute), many, first); err != nil || !slices.Equal(first.Accounts, []evm.Address{bob.Address}) {
		t.Errorf("%v are followed, %v", first.Accounts, err)
	}
	if second, err = s.Follow(t.Context(), Chain, Noon.Add(time.Minute), many, second); err != nil || !reflect.DeepEqual(first.Accounts, second.Accounts) || first.Version != second.Version {
		t.Errorf("%+v and %+v, %v", first, second, err)
	}
	e.Following = second.Version
	must(t, s.Extend(t.Context(), e))
}

func leavesOutDropped(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	must(t, s.Track(t.Context(), request(bob, Noon.Add(time.Hour)), many, Noon))
	f := followed(t, s)
	must(t, s.Forget(t.Context(), Noon.Add(time.Minute)))
	rows := []index.Row{row(alice, 2, 0, 'a'), row(bob, 2, 0, 'a')}
	must(t, s.Extend(t.Context(), index.Extension{ChainID: Chain, Ancestor: header(1, 'a'), Headers: headers(2, 2, 'a'), Following: f.Version, Rows: rows}))
	for account, want := range map[index.Account]int{alice: 0, bob: 1} {
		if page, err := s.Page(t.Context(), account.Address, "", nil, 10); err != nil || len(page) != want {
			t.Errorf("%s has %d rows, %v", account.Address, len(page), err)
		}
	}
}

func jumps(t *testing.T, s index.Store) {
	begin(t, s, 5)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	must(t, s.Fill(t.Context(), index.Filling{Window: index.Window{Account: alice, High: 5, Whole: true}}))
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 1, headers(900, 903, 'a')))
	// A reorg may have orphaned the recent blocks since, so all blocks after the oldest one are read again.
	window(t, s, index.Window{Account: alice, Low: 1, High: 903, Whole: true})
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 901, headers(90_000, 90_003, 'a')))
	progress(t, s, alice, index.Progress{From: 90_004, Native: 90_004, Reading: true})
	if recent, err := s.RecentBlocks(t.Context(), Chain); err != nil || len(recent) != 4 {
		t.Errorf("recent blocks %v, %v", recent, err)
	}
}

func jumpsDown(t *testing.T, s index.Store) {
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 40, headers(40, 50, 'a')))
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	must(t, s.Fill(t.Context(), index.Filling{Window: index.Window{Account: alice, High: 50, Whole: true}, Rows: []index.Row{row(alice, 20, 0, 'a')}}))
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 41, headers(100, 103, 'a')))
	followed(t, s)
	gap := index.Window{Account: alice, Low: 41, High: 103, Whole: true}
	must(t, s.Fill(t.Context(), index.Filling{Window: gap, Low: 60, Rows: []index.Row{row(alice, 90, 0, 'a')}}))

	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 41, headers(30, 40, 'b')))
	page, err := s.Page(t.Context(), alice.Address, Chain, nil, 10)
	if err != nil || len(page) != 1 || page[0].Block != 20 {
		t.Errorf("rows of blocks that the chain no longer has: %v, %v", page, err)
	}
	window(t, s, index.Window{Account: alice, Low: 30, High: 40, Whole: true})
	extend(t, s, header(40, 'b'), headers(41, 41, 'b'), nil)
	window(t, s, index.Window{Account: alice, Low: 30, High: 40, Whole: true})

	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 31, headers(0, 3, 'c')))
	if page, err := s.Page(t.Context(), alice.Address, Chain, nil, 10); err != nil || len(page) != 0 {
		t.Errorf("rows of a chain that began again: %v, %v", page, err)
	}
	window(t, s, index.Window{Account: alice, Low: 0, High: 3, Whole: true})
}

func jumpsFromAnOlderBlock(t *testing.T, s index.Store) {
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 40, headers(40, 50, 'a')))
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	rows := []index.Row{row(alice, 20, 0, 'a'), row(alice, 30, 0, 'a')}
	must(t, s.Fill(t.Context(), index.Filling{Window: index.Window{Account: alice, High: 50, Whole: true}, Rows: rows}))
	for upTo, want := range map[uint64]uint64{50: 30, 30: 30, 29: 20, 19: 0} {
		number, at, found, err := s.LastRow(t.Context(), Chain, upTo)
		if err != nil || found != (want > 0) || number != want || found && at != hash(want, 'a') {
			t.Errorf("the last row up to block %d is at %d %s %t, %v", upTo, number, at, found, err)
		}
	}
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 25, headers(50, 60, 'b')))
	page, err := s.Page(t.Context(), alice.Address, Chain, nil, 10)
	if err != nil || len(page) != 1 || page[0].Block != 20 {
		t.Errorf("rows from the block on: %v, %v", page, err)
	}
	window(t, s, index.Window{Account: alice, Low: 25, High: 60, Whole: true})
}

func shortensWindows(t *testing.T, s index.Store) {
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 2_000_000, headers(2_000_000, 2_000_001, 'a')))
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	w := index.Window{Account: alice, High: 2_000_001}
	window(t, s, w)
	must(t, s.Fill(t.Context(), index.Filling{Window: w, Low: 1_000}))
	progress(t, s, alice, index.Progress{From: 1_000, Native: 2_000_002, Reading: true})
	w.High = 999
	must(t, s.Fill(t.Context(), index.Filling{Window: w}))
	progress(t, s, alice, index.Progress{From: 0, Native: 2_000_002})
}

func fillsWindows(t *testing.T, s index.Store) {
	begin(t, s, 9)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	w := index.Window{Account: alice, High: 9, Whole: true}
	orphan := index.Filling{Window: w, Low: 5, Rows: []index.Row{row(alice, 8, 0, 'b')}}
	if err := s.Fill(t.Context(), orphan); !errors.Is(err, index.ErrStale) {
		t.Errorf("a block that is not a recent one: %v", err)
	}
	f := index.Filling{Window: w, Low: 5, Rows: []index.Row{row(alice, 8, 0, 'a')}}
	must(t, s.Fill(t.Context(), f))
	if err := s.Fill(t.Context(), f); !errors.Is(err, index.ErrStale) {
		t.Errorf("filled twice: %v", err)
	}
	window(t, s, index.Window{Account: alice, High: 4, Whole: true})
	progress(t, s, alice, index.Progress{From: 5, Native: 5, Reading: true})
	if page, err := s.Page(t.Context(), alice.Address, "", nil, 10); err != nil || len(page) != 1 {
		t.Errorf("%v, %v", page, err)
	}
}

func defersWindows(t *testing.T, s index.Store) {
	begin(t, s, 3)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	w := index.Window{Account: alice, High: 3, Whole: true}
	for range 20 {
		progress(t, s, alice, index.Progress{From: 4, Native: 4, Reading: true})
		must(t, s.Defer(t.Context(), w, Noon.Add(time.Minute)))
	}
	progress(t, s, alice, index.Progress{From: 4, Native: 4})
	if _, ok := nextWindow(t, s, Noon, Noon); ok {
		t.Error("it is not deferred")
	}
	if next, ok := nextWindow(t, s, Noon, Noon.Add(time.Minute)); !ok || next.Failures != 20 {
		t.Errorf("%+v %t", next, ok)
	}
	if _, ok := nextWindow(t, s, Noon.Add(time.Second), Noon.Add(time.Minute)); ok {
		t.Error("its account is not active")
	}
}

func forgets(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	must(t, s.Track(t.Context(), request(bob, Noon.Add(time.Hour)), many, Noon))
	extend(t, s, header(1, 'a'), headers(2, 2, 'a'), []index.Row{row(alice, 2, 0, 'a'), row(bob, 2, 0, 'a')})
	must(t, s.Forget(t.Context(), Noon.Add(time.Minute)))
	for account, want := range map[index.Account]int{alice: 0, bob: 1} {
		page, err := s.Page(t.Context(), account.Address, "", nil, 10)
		touched, err2 := s.Touched(t.Context(), account)
		_, tracked, err3 := s.Progress(t.Context(), account)
		if errors.Join(err, err2, err3) != nil || len(page) != want || len(touched) != want || tracked != (want == 1) {
			t.Errorf("%s: %v, %v, %t, %v", account.Address, page, touched, tracked, errors.Join(err, err2, err3))
		}
	}
	for n := range 2 * many {
		must(t, s.Track(t.Context(), request(numbered(n), Noon), 3*many, Noon))
	}
	must(t, s.Forget(t.Context(), Noon.Add(2*time.Hour)))
	if recent, err := s.RecentBlocks(t.Context(), Chain); err != nil || len(recent) != 0 {
		t.Errorf("blocks of a chain without accounts: %v, %v", recent, err)
	}
}

func savesTokens(t *testing.T, s index.Store) {
	want := index.Token{Contract: token, Name: "Ünïcödé 🚢 'quoted'", Symbol: "T", Decimals: 255}
	must(t, s.SaveTokens(t.Context(), Chain, []index.Token{want}))
	must(t, s.SaveTokens(t.Context(), Chain, []index.Token{{Contract: token, Name: "Another"}}))
	got, err := s.Tokens(t.Context(), Chain, []evm.Address{token, alice.Address})
	if err != nil || len(got) != 1 || got[token] != want {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := s.Tokens(t.Context(), "eip155:1", []evm.Address{token}); err != nil || len(got) != 0 {
		t.Errorf("on another chain: %v, %v", got, err)
	}
	// One block may name more contracts than a statement has arguments.
	contracts := []evm.Address{token}
	for n := range 70_000 {
		contracts = append(contracts, evm.Address{1, byte(n >> 16), byte(n >> 8), byte(n)})
	}
	if got, err := s.Tokens(t.Context(), Chain, contracts); err != nil || len(got) != 1 || got[token] != want {
		t.Errorf("of many contracts: %v, %v", got, err)
	}
}

func listsManyTouched(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	r := row(alice, 1, 0, 'a')
	r.Transfers = nil
	const tokens = 256
	for n := range tokens {
		for _, standard := range []index.Standard{index.ERC721, index.ERC1155, index.ERC721} {
			asset := index.Asset{Standard: standard, Contract: token, TokenID: strconv.Itoa(n)}
			r.Transfers = append(r.Transfers, index.Transfer{Asset: asset, Direction: index.In, From: bob.Address, To: alice.Address, Units: big.NewInt(1)})
		}
	}
	must(t, s.Fill(t.Context(), index.Filling{Window: index.Window{Account: alice, High: 1, Whole: true}, Rows: []index.Row{r}}))
	got, err := s.Touched(t.Context(), alice)
	if err != nil || len(got) != 1 || got[0].Standard != index.ERC721 || len(got[0].TokenIDs) != tokens {
		t.Errorf("%v, %v", got, err)
	}
}

func listsTouched(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	nft := func(r index.Row, id string) index.Row {
		r.Transfers[0].Asset = index.Asset{Standard: index.ERC721, Contract: alice.Address, TokenID: id}
		return r
	}
	given, approved := row(alice, 5, 0, 'a'), row(alice, 6, 0, 'a')
	given.Transfers[0].Contract, given.Transfers[0].Direction = bob.Address, index.Out
	approved.Operation, approved.Transfers[0].Contract = index.Approve, bob.Address
	rows := []index.Row{nft(row(alice, 2, 0, 'a'), "1"), row(alice, 3, 0, 'a'), nft(row(alice, 4, 0, 'a'), "2"), given, approved}
	extend(t, s, header(1, 'a'), headers(2, 6, 'a'), rows)
	want := []index.Touched{{Contract: alice.Address, Standard: index.ERC721, TokenIDs: []string{"2", "1"}}, {Contract: token, Standard: index.ERC20}}
	if got, err := s.Touched(t.Context(), alice); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// begin gives the chain the recent blocks from 0 to tip.
func begin(t *testing.T, s index.Store, tip uint64) {
	t.Helper()
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 0, headers(0, tip, 'a')))
}

// follow makes accounts followed as a process does that knows none.
func follow(t *testing.T, s index.Store, since time.Time, most int) index.Following {
	t.Helper()
	f, err := s.Follow(t.Context(), Chain, since, most, index.Following{})
	must(t, err)
	return f
}

// followed makes all accounts of a test followed.
func followed(t *testing.T, s index.Store) index.Following {
	t.Helper()
	return follow(t, s, Noon.Add(-time.Hour), 1<<16)
}

// extend adds blocks that were read for all accounts of a test.
func extend(t *testing.T, s index.Store, ancestor node.Header, added []node.Header, rows []index.Row) {
	t.Helper()
	must(t, s.Extend(t.Context(), index.Extension{ChainID: Chain, Ancestor: ancestor, Headers: added, Following: followed(t, s).Version, Rows: rows}))
}

// request returns a request for an account by the suite itself.
func request(a index.Account, at time.Time) index.Request { return index.Request{Account: a, At: at} }

// watch returns a request of a page that watches an account.
func watch(a index.Account, at time.Time) index.Request {
	return index.Request{Account: a, Watched: true, At: at}
}

// by returns a request of a caller for an account.
func by(caller string, a index.Account, at time.Time) index.Request {
	return index.Request{Account: a, Caller: caller, At: at}
}

// nextWindow returns the window to read next; false if there is none.
func nextWindow(t *testing.T, s index.Store, since, now time.Time) (index.Window, bool) {
	t.Helper()
	list, err := s.NextWindows(t.Context(), Chain, since, now)
	must(t, err)
	if len(list) == 0 {
		return index.Window{}, false
	}
	return list[0], true
}

// window checks that a window is among those to read next, once the accounts are followed.
func window(t *testing.T, s index.Store, want index.Window) {
	t.Helper()
	followed(t, s)
	list, err := s.NextWindows(t.Context(), want.Account.ChainID, Noon.Add(-time.Hour), Noon)
	if err != nil || !slices.Contains(list, want) {
		t.Errorf("next windows %+v, %v; want %+v", list, err, want)
	}
}

func progress(t *testing.T, s index.Store, a index.Account, want index.Progress) {
	t.Helper()
	got, tracked, err := s.Progress(t.Context(), a)
	if err != nil || !tracked || got != want {
		t.Errorf("progress %+v %t, %v; want %+v", got, tracked, err, want)
	}
}

// headers returns the blocks of a branch, from and to included.
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

// row returns a transaction by which the account received a token.
func row(a index.Account, block, position uint64, branch byte) index.Row {
	to := a.Address
	h := header(block, branch)
	return index.Row{
		Account:   a,
		Place:     index.Place{Time: h.Time, ChainID: a.ChainID, Block: block, Index: position},
		Hash:      hash(1_000*block+position, branch),
		BlockHash: h.Hash,
		Detail: index.Detail{
			Operation: index.Receive, From: token, To: &to, Nonce: 7, Fee: big.NewInt(21_000),
			Transfers: []index.Transfer{{
				Asset: index.Asset{Standard: index.ERC20, Contract: token}, Direction: index.In, From: token, To: to, Units: big.NewInt(5),
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

func numbered(n int) index.Account {
	return index.Account{ChainID: Chain, Address: evm.Address{18: byte(n >> 8), 19: byte(n)}}
}

func prefersWatched(t *testing.T, s index.Store) {
	begin(t, s, 1)
	for n := range 5 {
		must(t, s.Track(t.Context(), request(numbered(n), Noon.Add(time.Duration(n)*time.Minute)), many, Noon))
	}
	if tracked, err := s.Requested(t.Context(), watch(numbered(1), Noon.Add(10*time.Second))); !tracked || err != nil {
		t.Fatalf("tracked %t, %v", tracked, err)
	}
	want := []evm.Address{numbered(1).Address, numbered(3).Address, numbered(4).Address}
	if f := follow(t, s, Noon, 3); !slices.Equal(f.Accounts, want) {
		t.Errorf("%v; want %v", f.Accounts, want)
	}
	// The next choice is a minute later.
	if _, err := s.Requested(t.Context(), watch(numbered(2), Noon.Add(5*time.Minute))); err != nil {
		t.Fatal(err)
	}
	f, err := s.Follow(t.Context(), Chain, Noon.Add(time.Second), 3, follow(t, s, Noon, 3))
	must(t, err)
	f, err = s.Follow(t.Context(), Chain, Noon.Add(time.Minute), 3, f)
	must(t, err)
	if want := []evm.Address{numbered(2).Address, numbered(3).Address, numbered(4).Address}; !slices.Equal(f.Accounts, want) {
		t.Errorf("%v; want %v", f.Accounts, want)
	}
}

func followsWhenThereIsRoom(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	f := follow(t, s, Noon, 1)
	must(t, s.Track(t.Context(), request(bob, Noon), many, Noon))
	for range 2 {
		var err error
		f, err = s.Follow(t.Context(), Chain, Noon, 1, f)
		must(t, err)
	}
	if len(f.Accounts) != 1 {
		t.Fatalf("%v are followed", f.Accounts)
	}
	waits := bob
	if f.Accounts.Has(bob.Address) {
		waits = alice
	}
	// It has no room, and is read nevertheless.
	must(t, s.Extend(t.Context(), index.Extension{ChainID: Chain, Ancestor: header(1, 'a'), Headers: headers(2, 3, 'a'), Following: f.Version}))
	for _, after := range []time.Duration{0, time.Hour} {
		f.Waited = Noon.Add(-after)
		var err error
		f, err = s.Follow(t.Context(), Chain, Noon, 1, f)
		must(t, err)
	}
	list, err := s.NextWindows(t.Context(), Chain, Noon, Noon)
	if want := (index.Window{Account: waits, High: 3, Whole: true}); err != nil || !slices.Contains(list, want) || len(f.Accounts) != 1 {
		t.Errorf("next windows %+v, %v; want %+v", list, err, want)
	}
	if _, err := s.Requested(t.Context(), request(waits, Noon.Add(time.Hour))); err != nil {
		t.Fatal(err)
	}
	f, err = s.Follow(t.Context(), Chain, Noon.Add(time.Hour), 1, f)
	must(t, err)
	if !slices.Equal(f.Accounts, []evm.Address{waits.Address}) {
		t.Errorf("%v is followed, want %s", f.Accounts, waits.Address)
	}
}

func dropsUnused(t *testing.T, s index.Store) {
	const most = 5
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), most, Noon))
	if _, err := s.Requested(t.Context(), watch(alice, Noon)); err != nil {
		t.Fatal(err)
	}
	for n := range 50 {
		must(t, s.Track(t.Context(), request(numbered(n), Noon.Add(time.Duration(n+1)*time.Second)), most, Noon))
		if f := follow(t, s, Noon, many); len(f.Accounts) > most {
			t.Fatalf("%d are kept", len(f.Accounts))
		}
	}
	for _, a := range []index.Account{alice, numbered(49), numbered(46)} {
		if _, tracked, err := s.Progress(t.Context(), a); !tracked || err != nil {
			t.Errorf("%s is gone: %v", a.Address, err)
		}
	}
	for n := range 46 {
		if _, tracked, err := s.Progress(t.Context(), numbered(n)); tracked || err != nil {
			t.Errorf("%d is kept: %v", n, err)
		}
	}
}

func takesTurns(t *testing.T, s index.Store) {
	begin(t, s, 9_999)
	victim := numbered(0)
	must(t, s.Track(t.Context(), by("victim", victim, Noon), many, Noon))
	// Another caller asks for a new account at every fifth read.
	reads, others := map[index.Account]int{}, 0
	for n := range 60 {
		if n%5 == 0 {
			others++
			must(t, s.Track(t.Context(), by("other", numbered(others), Noon.Add(time.Duration(n)*time.Second)), many, Noon))
		}
		list, err := s.NextWindows(t.Context(), Chain, Noon, Noon)
		must(t, err)
		// The callers' first windows come first; this is the turn of one of them.
		callers := map[string]bool{}
		for _, w := range list[:2] {
			callers[w.Caller] = true
		}
		if len(callers) != 2 {
			t.Fatalf("the first windows are of %v", callers)
		}
		for _, w := range list[:2] {
			reads[w.Account]++
			must(t, s.Fill(t.Context(), index.Filling{Window: w, Low: w.High - 95}))
		}
	}
	if reads[victim] != 60 {
		t.Errorf("%d of 60 reads are for the first account", reads[victim])
	}
	// Each account is begun at once, and then the first one is read up to its end.
	if reads[numbered(1)] != 60-others+1 {
		t.Errorf("reads of the other caller: %v", reads)
	}
	watched := numbered(others)
	_, err := s.Requested(t.Context(), index.Request{Account: watched, Caller: "other", Watched: true, At: Noon.Add(2 * time.Minute)})
	must(t, err)
	list, err := s.NextWindows(t.Context(), Chain, Noon, Noon)
	must(t, err)
	if !slices.ContainsFunc(list[:2], func(w index.Window) bool { return w.Account == watched }) || len(list) > 5 {
		t.Errorf("the account of an open page is not first: %v", list)
	}
}

func movesToTheLessBusyCaller(t *testing.T, s index.Store) {
	begin(t, s, 9)
	for n := range 5 {
		must(t, s.Track(t.Context(), by("greedy", numbered(n), Noon), many, Noon))
	}
	caller := func() string {
		list, err := s.NextWindows(t.Context(), Chain, Noon, Noon)
		must(t, err)
		for _, w := range list {
			if w.Account == numbered(0) {
				return w.Caller
			}
		}
		return "none"
	}
	for _, step := range []struct {
		by    string
		waits bool
		want  string
	}{{"spent", true, "greedy"}, {"owner", false, "owner"}, {"greedy", false, "owner"}, {"fresh", false, "owner"}} {
		r := by(step.by, numbered(0), Noon)
		r.Waits = step.waits
		_, err := s.Requested(t.Context(), r)
		must(t, err)
		if got := caller(); got != step.want {
			t.Errorf("after a request of %s it is read in the turns of %s, want %s", step.by, got, step.want)
		}
	}
}

func sharesWindows(t *testing.T, s index.Store) {
	begin(t, s, 9)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	extend(t, s, header(9, 'a'), headers(10, 12, 'a'), nil)
	must(t, s.Track(t.Context(), request(bob, Noon.Add(time.Second)), many, Noon))
	w := index.Window{Account: alice, High: 9, Whole: true}
	window(t, s, w)
	shared, err := s.SharedWindows(t.Context(), w, 5, many, Noon)
	if want := []index.Window{{Account: bob, High: 12, Whole: true}}; err != nil || !reflect.DeepEqual(shared, want) {
		t.Fatalf("%+v, %v; want %+v", shared, err, want)
	}
	if none, err := s.SharedWindows(t.Context(), index.Window{Account: alice, High: 9}, 5, many, Noon); err != nil || len(none) != 0 {
		t.Errorf("windows that are read in another way: %+v, %v", none, err)
	}
	f := index.Filling{Window: w, Shared: shared, Low: 5, Rows: []index.Row{row(alice, 8, 0, 'a'), row(bob, 8, 0, 'a')}}
	must(t, s.Fill(t.Context(), f))
	if err := s.Fill(t.Context(), f); !errors.Is(err, index.ErrStale) {
		t.Errorf("filled twice: %v", err)
	}
	progress(t, s, alice, index.Progress{From: 5, Native: 5, Reading: true})
	progress(t, s, bob, index.Progress{From: 13, Native: 13, Reading: true})
	page, err := s.Page(t.Context(), bob.Address, Chain, nil, 10)
	if err != nil || len(page) != 1 {
		t.Errorf("%v, %v", page, err)
	}
	// What is left of bob's blocks is before and after those that were read.
	for _, left := range []index.Window{{Account: bob, Low: 10, High: 12, Whole: true}, {Account: bob, High: 4, Whole: true}} {
		rest, err := s.SharedWindows(t.Context(), index.Window{Account: alice, High: left.High, Whole: true}, left.Low, many, Noon)
		if err != nil || !slices.Contains(rest, left) {
			t.Errorf("%+v, %v; want %+v", rest, err, left)
		}
		must(t, s.Fill(t.Context(), index.Filling{Window: left, Low: left.Low}))
	}
	progress(t, s, bob, index.Progress{})
}

func splitsEvents(t *testing.T, s index.Store) {
	begin(t, s, 1)
	var rows []index.Row
	for n := range 4_100 {
		a := numbered(n)
		must(t, s.Track(t.Context(), request(a, Noon), 1<<16, Noon))
		r := row(a, 2, uint64(n), 'a')
		r.Transfers[0].Direction = index.Out
		rows = append(rows, r)
	}
	extend(t, s, header(1, 'a'), headers(2, 2, 'a'), rows)
}
