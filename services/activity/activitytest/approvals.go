package activitytest

import (
	"fmt"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

var (
	router = evm.MustAddress("0x00000000000000000000000000000000000000bb")
	market = evm.MustAddress("0x00000000000000000000000000000000000000cc")
)

// approving returns a transaction that the account sent, and that gave or took back approvals.
func approving(a index.Account, block, position uint64, branch byte, approvals ...index.Approval) index.Row {
	r := row(a, block, position, branch)
	r.Operation, r.From, r.Transfers[0].Direction = index.Approve, a.Address, index.Out
	for i := range approvals {
		approvals[i].Position = uint64(i)
	}
	r.Approvals = approvals
	return r
}

// allowance returns the event of an allowance of token.
func allowance(spender evm.Address, units int64) index.Approval {
	return index.Approval{Kind: index.AllowanceApproval, Contract: token, Spender: spender, Units: big.NewInt(units)}
}

func nft(spender evm.Address, id string, units int64) index.Approval {
	return index.Approval{Kind: index.NFTApproval, Contract: market, Spender: spender, TokenID: id, Units: big.NewInt(units)}
}

func of(kind index.ApprovalKind, a index.Approval) index.Approval {
	a.Kind = kind
	return a
}

// approved checks what is listed for an account: the kind, the spender, the token id and the amount of each approval.
func approved(t *testing.T, s index.Store, a index.Account, want ...string) {
	t.Helper()
	list, more, err := s.Approved(t.Context(), a, nil, many)
	got := []string{}
	for _, e := range list {
		got = append(got, fmt.Sprintf("%s %x %s %s", e.Kind, e.Spender[19], e.TokenID, e.Units))
	}
	if err != nil || more || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("approvals %q %t, %v; want %q", got, more, err, want)
	}
}

func listsApproved(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	rows := []index.Row{
		approving(alice, 2, 0, 'a', allowance(router, 5), allowance(market, 7), of(index.Permit2Approval, allowance(router, 6))),
		approving(alice, 2, 1, 'a', nft(router, "1", 1), nft(router, "2", 1), of(index.OperatorApproval, nft(router, "", 1))),
		approving(alice, 3, 0, 'a', allowance(router, 8), allowance(market, 9), allowance(market, 0), nft(market, "1", 1), nft(evm.Address{}, "2", 0)),
	}
	extend(t, s, header(1, 'a'), headers(2, 3, 'a'), rows)
	approved(t, s, alice, "nft cc 1 1", "erc20 bb  8", "operator bb  1", "permit2 bb  6")
	approved(t, s, bob)
	approved(t, s, index.Account{ChainID: "eip155:1", Address: alice.Address})

	list, more, err := s.Approved(t.Context(), alice, nil, 1)
	want := index.Approved{Approval: rows[2].Approvals[3], Place: rows[2].Place, Hash: rows[2].Hash}
	if err != nil || !more || len(list) != 1 || !reflect.DeepEqual(list[0], want) {
		t.Errorf("the last one: %+v %t, %v; want %+v", list, more, err, want)
	}
}

func listsHugeApprovals(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	huge := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	rows := []index.Row{approving(alice, 2, 0, 'a', allowance(router, 1), nft(router, huge.String(), 1))}
	rows[0].Approvals[0].Units = huge
	extend(t, s, header(1, 'a'), headers(2, 2, 'a'), rows)
	approved(t, s, alice, fmt.Sprintf("nft bb %s 1", huge), fmt.Sprintf("erc20 bb  %s", huge))
}

// Events of an unlisted contract in transactions of others are no reason to list an approval.
func listsApprovedByTheAccount(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	foreign := approving(alice, 2, 0, 'a', allowance(router, 5))
	foreign.From = router
	extend(t, s, header(1, 'a'), headers(2, 2, 'a'), []index.Row{foreign})
	approved(t, s, alice)
	if list, _, err := s.Approved(t.Context(), alice, []evm.Address{market, token}, many); err != nil || len(list) != 1 {
		t.Errorf("of a listed token: %v, %v", list, err)
	}
	// Approvals of a contract that the account approved a spender of itself change while they are used.
	foreign = approving(alice, 4, 0, 'a', allowance(router, 3))
	foreign.From = router
	extend(t, s, header(2, 'a'), headers(3, 4, 'a'), []index.Row{approving(alice, 3, 0, 'a', allowance(router, 4)), foreign})
	approved(t, s, alice, "erc20 bb  3")
}

// As after a permit, which another account sends.
func listsApprovedOfTokensThatTheAccountBrought(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	foreign, sent, bought := approving(alice, 2, 0, 'a', allowance(router, 5)), row(alice, 2, 1, 'a'), row(alice, 3, 0, 'a')
	foreign.From, sent.From, bought.From = router, router, alice.Address
	extend(t, s, header(1, 'a'), headers(2, 2, 'a'), []index.Row{foreign, sent})
	approved(t, s, alice)
	extend(t, s, header(2, 'a'), headers(3, 3, 'a'), []index.Row{bought})
	approved(t, s, alice, "erc20 bb  5")
	extend(t, s, header(2, 'a'), headers(3, 3, 'b'), nil)
	approved(t, s, alice)
}

func orphansApprovals(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	extend(t, s, header(1, 'a'), headers(2, 3, 'a'), []index.Row{
		approving(alice, 2, 0, 'a', allowance(router, 2)), approving(alice, 3, 0, 'a', allowance(router, 0), allowance(market, 3)),
	})
	approved(t, s, alice, "erc20 cc  3")
	extend(t, s, header(2, 'a'), headers(3, 4, 'b'), []index.Row{approving(alice, 4, 0, 'b', allowance(market, 4))})
	approved(t, s, alice, "erc20 cc  4", "erc20 bb  2")
	must(t, s.Jump(t.Context(), Chain, node.Hash{}, 2, headers(2, 2, 'c')))
	approved(t, s, alice)

	followed(t, s)
	w := index.Window{Account: alice, High: 2, Whole: true}
	must(t, s.Fill(t.Context(), index.Filling{Window: w, Low: 2, Rows: []index.Row{approving(alice, 2, 0, 'c', allowance(router, 5))}}))
	w.High = 1
	must(t, s.Fill(t.Context(), index.Filling{Window: w, Rows: []index.Row{approving(alice, 1, 0, 'a', allowance(router, 0), allowance(market, 6))}}))
	approved(t, s, alice, "erc20 bb  5", "erc20 cc  6")

	must(t, s.Jump(t.Context(), Chain, node.Hash{1}, 0, headers(0, 2, 'd')))
	must(t, s.Jump(t.Context(), Chain, node.Hash{2}, 0, headers(0, 2, 'e')))
	approved(t, s, alice)
}

func forgetsApprovals(t *testing.T, s index.Store) {
	begin(t, s, 1)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	must(t, s.Track(t.Context(), request(bob, Noon.Add(time.Hour)), many, Noon))
	rows := []index.Row{approving(alice, 2, 0, 'a', allowance(router, 1)), approving(bob, 2, 1, 'a', allowance(router, 2))}
	extend(t, s, header(1, 'a'), headers(2, 2, 'a'), rows)
	must(t, s.Forget(t.Context(), Noon.Add(time.Minute)))
	approved(t, s, alice)
	approved(t, s, bob, "erc20 bb  2")
}

func readsBlocksOnceMore(t *testing.T, s index.Store) {
	begin(t, s, 3)
	must(t, s.Track(t.Context(), request(alice, Noon), many, Noon))
	whole := row(alice, 2, 0, 'a')
	must(t, s.Fill(t.Context(), index.Filling{Window: index.Window{Account: alice, High: 3, Whole: true}, Low: 2, Rows: []index.Row{whole}}))
	again := approving(alice, 2, 0, 'a', allowance(router, 1))
	must(t, s.Fill(t.Context(), index.Filling{Window: index.Window{Account: alice, High: 1, Whole: true}, Rows: []index.Row{again}}))
	approved(t, s, alice, "erc20 bb  1")
	page, err := s.Page(t.Context(), alice.Address, Chain, nil, 10)
	if err != nil || len(page) != 1 || page[0].Operation != whole.Operation {
		t.Errorf("%v, %v", page, err)
	}
}
