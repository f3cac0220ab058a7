package access

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	accessv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/access/v1"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// delegatedAccount returns the data of a token account with a delegate.
func delegatedAccount(mint, owner string, units uint64, delegate *svm.Address, delegated uint64) []byte {
	data := make([]byte, 165)
	m, o := svm.MustAddress(mint), svm.MustAddress(owner)
	copy(data, m[:])
	copy(data[32:], o[:])
	binary.LittleEndian.PutUint64(data[64:], units)
	if delegate != nil {
		data[72] = 1
		copy(data[76:], delegate[:])
	}
	data[108] = 1
	binary.LittleEndian.PutUint64(data[121:], delegated)
	return data
}

func TestDelegatesOfTokenAccountsAreListed(t *testing.T) {
	solana := devnettest.StartSolana(t)
	w := &world{devnet: (&devnettest.Devnet{Raw: []byte("{}")}).With(solana), clock: &clocktest.Ahead{}, prices: priceList{}}
	w.nodes = &nodes{devnet: w.devnet}
	w.serve(t, storetest.Open(t, storetest.SQLite(t)))
	owner := svm.Derive(svm.StakeProgram, []byte("owner")).String()
	usd := solana.Token(t, "tUSD")
	w.prices[solana.CAIP2+":"+usd.Address] = 1
	key, program := svm.MustAddress(solana.Accounts[0].Address), svm.Derive(svm.StakeProgram, []byte("delegate"))
	account := func(n byte) string { return svm.Address{9, n}.String() }
	for n, data := range [][]byte{
		delegatedAccount(usd.Address, owner, 5_000_000, &key, 7_000_000), delegatedAccount(usd.Address, owner, 9_000_000, &program, 1<<63),
		delegatedAccount(usd.Address, owner, 1, nil, 0), delegatedAccount(usd.Address, owner, 1, &key, 0),
	} {
		solana.SetAccount(t, account(byte(n)), svm.TokenProgram.String(), data)
	}
	res, err := w.ListApprovals(t.Context(), &accessv1.ListApprovalsRequest{Address: owner, ChainId: solana.CAIP2})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range res.GetApprovals() {
		got = append(got, strings.ReplaceAll(fmt.Sprint(a.GetKind(), " ", a.GetToken().GetSymbol(), " ", a.GetTokenAccount(), " ", a.GetSpender().GetAddress(), " ", a.GetAllowance(),
			" ", a.GetAtRisk(), " ", a.GetValue(), " unlimited ", a.GetUnlimited(), " key ", a.GetSpender().GetHasNoCode()), solana.CAIP2+":", ""))
	}
	want := []string{
		fmt.Sprintf("delegate tUSD %s %s 9223372036854775808 9000000 9 unlimited true key false", account(1), program),
		fmt.Sprintf("delegate tUSD %s %s 7000000 5000000 5 unlimited false key true", account(0), key),
	}
	if !slices.Equal(got, want) || res.GetFromBlock() != "" || res.GetBackfilling() || res.GetTruncated() {
		t.Errorf("got\n%s\nwant\n%s\n%v", strings.Join(got, "\n"), strings.Join(want, "\n"), res)
	}
	res, err = w.ListApprovals(t.Context(), &accessv1.ListApprovalsRequest{Address: owner, ChainId: solana.CAIP2, Currency: "eur"})
	if err != nil || len(res.GetApprovals()) != 2 || res.GetApprovals()[0].GetValue() != 4.5 || res.GetApprovals()[1].GetValue() != 2.5 {
		t.Errorf("in euros: %v, %v", res, err)
	}
	w.nodes.down.Store(true)
	_, err = w.ListApprovals(t.Context(), &accessv1.ListApprovalsRequest{Address: owner, ChainId: solana.CAIP2})
	if f := fault.From(err); fault.ReasonName(f.Reason) != "CHAIN_UNAVAILABLE" {
		t.Errorf("without a node: %v", err)
	}
}
