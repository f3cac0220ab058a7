package activity

import (
	"math/big"
	"strings"
	"testing"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/index"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/tokens"
)

// oneList is the same list for every chain.
type oneList []tokens.Token

func (l oneList) On(string) []tokens.Token { return l }

func (l oneList) Find(_ string, address evm.Address) (tokens.Token, bool) {
	for _, t := range l {
		if t.Address == address {
			return t, true
		}
	}
	return tokens.Token{}, false
}

// withSpam returns the history of an account, including spam.
func (w *world) withSpam(tb testing.TB, address string) []*activityv1.Transaction {
	tb.Helper()
	w.request(tb, address, "")
	res, err := w.GetHistory(tb.Context(), &activityv1.GetHistoryRequest{Address: address, ChainId: w.chain.CAIP2, IncludeSpam: true})
	if err != nil {
		tb.Fatal(err)
	}
	return res.GetData()
}

// marked describes a row with its spam marks.
func marked(t *activityv1.Transaction) string {
	line := lines(t)
	if t.GetSpam() {
		line = "spam: " + line
	}
	for _, transfer := range t.GetTransfers() {
		if transfer.GetSpam() {
			line += ", claimed by " + strings.TrimPrefix(transfer.GetFungibleInfo().GetAddress()+transfer.GetNftInfo().GetAddress(), "eip155:31337:")
		}
	}
	return line
}

func TestTransfersThatOnlyATokenClaimsAreSpam(t *testing.T) {
	w := open(t)
	three, four := w.install(t, 3), w.install(t, 4)
	sender, twin := w.fresh(t), w.fresh(t)
	usd := w.chain.Token(t, "tUSD").Address
	me := w.fresh(t)
	claims := []struct {
		behaviour string
		tx        func(me string) map[string]any
		want      string
	}{
		{"a token claims that the account sent it", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.Transfer, me, twin, 5000)}
		}, "spam: execute, out 5000 , claimed by " + three},
		{"a token claims that the account received it", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.Transfer, twin, me, 5000)}
		}, "spam: execute, in 5000 , claimed by " + three},
		{"a token claims that the account burnt it", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.Transfer, me, zero, 5000)}
		}, "spam: execute, out 5000 , claimed by " + three},
		{"a token claims that it was minted to the account", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.Transfer, zero, me, 5000)}
		}, "spam: execute, in 5000 , claimed by " + three},
		{"a token claims that the account approved it", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.Approval, me, twin, 5000)}
		}, "spam: execute, out 5000 , claimed by " + three},
		{"an NFT claims that the account sent it", func(me string) map[string]any {
			return map[string]any{"to": four, "data": words(node.Transfer, me, twin, 7)}
		}, "spam: execute, out 1 erc721#7, claimed by " + four},
		{"an NFT from another account", func(me string) map[string]any {
			return map[string]any{"to": four, "data": words(node.Transfer, twin, me, 7)}
		}, "receive, in 1 erc721#7"},
		{"native tokens", func(me string) map[string]any {
			return map[string]any{"to": me, "value": "0x1"}
		}, "receive, in 0.000000000000000001 ETH"},
	}
	for _, tt := range claims {
		tx := tt.tx(me)
		tx["from"] = sender
		w.send(t, tx)
	}
	rows := w.withSpam(t, me)
	if len(rows) != len(claims) {
		t.Fatalf("%d rows of %d transactions", len(rows), len(claims))
	}
	shown := 0
	for i, tt := range claims {
		t.Run(tt.behaviour, func(t *testing.T) {
			row := rows[len(rows)-1-i]
			if got := marked(row); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !row.GetSpam() {
				shown++
			}
		})
	}
	if res := w.request(t, me, ""); len(res.GetData()) != shown {
		t.Errorf("without spam: %v", res.GetData())
	}
	t.Run("a listed token from another account", func(t *testing.T) {
		me := w.fresh(t)
		w.send(t, map[string]any{"from": w.devnet.Accounts[0].Address, "to": usd, "data": callData("transfer(address,uint256)", me, 7)})
		if got := lines(w.newest(t, me)); got != "receive, in 0.000007 tUSD" {
			t.Error(got)
		}
	})
}

// A listed token that the account received together with a claim does not make a trade.
func TestClaimsDoNotMakeATrade(t *testing.T) {
	const chain = "eip155:1"
	me, other := evm.Address{9}, evm.Address{8}
	listed, claiming := evm.Address{1}, evm.Address{2}
	p := Page{Names: wellKnown{}, Tokens: map[tokenKey]index.Token{{chain, listed}: {Symbol: "USDC", Listed: true}, {chain, claiming}: {Symbol: "USDC"}}}
	move := func(contract evm.Address, d index.Direction, units int64) index.Transfer {
		from, to := me, other
		if d == index.In {
			from, to = other, me
		}
		return index.Transfer{Asset: index.Asset{Standard: index.ERC20, Contract: contract}, Direction: d, From: from, To: to, Units: big.NewInt(units)}
	}
	row := func(from evm.Address, list ...index.Transfer) index.Row {
		return index.Row{Account: index.Account{ChainID: chain, Address: me}, Place: index.Place{ChainID: chain}, Detail: index.Detail{Operation: index.Trade, From: from, Transfers: list}}
	}
	e := p.entry(row(other, move(claiming, index.Out, 5000), move(listed, index.In, 1)))
	if e.Spam || e.Operation != index.Receive || e.Claims != 1 || e.Transfers[0].Contract != listed {
		t.Errorf("%+v", e)
	}
	if bare, ok := e.withoutSpam(); !ok || len(bare.Transfers) != 1 || bare.Transfers[0].Contract != listed {
		t.Errorf("%+v", bare)
	}
	if e := p.entry(row(other, move(claiming, index.In, 5000), move(listed, index.Out, 0))); !e.Spam || e.Operation != index.Execute {
		t.Errorf("zero units of a listed token confirm a claim: %+v", e)
	}
	if e := p.entry(row(me, move(claiming, index.Out, 5000), move(listed, index.In, 1))); e.Spam || e.Operation != index.Trade || e.Claims != 0 {
		t.Errorf("the account's own: %+v", e)
	}
}

func TestATokenThatLooksLikeAListedOneHasAWarning(t *testing.T) {
	lists := oneList{{Address: evm.Address{1}, Name: "USD Coin", Symbol: "USDC", Icon: "https://icons.example/usdc.png"}}
	known := map[evm.Address]index.Token{
		{1}: {Name: "Upgraded", Symbol: "NEW", Decimals: 6}, {2}: {Name: "Dollar", Symbol: "UЅDС"}, {3}: {Name: "Usd coin", Symbol: "X"},
		{4}: {Name: "Claim at https://x.example", Symbol: "Y"}, {5}: {Name: "Honest", Symbol: "HON"}, {6}: {Name: "Eth", Symbol: "ЕТН"},
	}
	got := compareWithLists(lists, "eip155:1", index.Token{Name: "Ether", Symbol: "ETH"}, known)
	if u := got[evm.Address{1}]; u.Name != "USD Coin" || u.Symbol != "USDC" || u.Decimals != 6 || !u.Listed || u.Icon == "" || u.Warning != "" {
		t.Errorf("listed: %+v", u)
	}
	for address, want := range map[evm.Address]string{{2}: "look_alike", {3}: "look_alike", {4}: "link", {5}: "", {6}: "look_alike"} {
		if u := got[address]; u.Warning != want || u.Listed {
			t.Errorf("%+v, want %q", u, want)
		}
	}
}

func TestSpamDoesNotDisplaceRows(t *testing.T) {
	w := open(t)
	three, me, sender := w.install(t, 3), w.fresh(t), w.fresh(t)
	first := w.send(t, map[string]any{"from": sender, "to": me, "value": "0x1"})
	w.chain.Call(t, "evm_setAutomine", false)
	for range pageSize + 5 {
		w.chain.Call(t, "eth_sendTransaction", map[string]any{"from": sender, "to": three, "gas": "0x20000", "data": words(node.Transfer, me, sender, 5)})
	}
	w.chain.Call(t, "evm_setAutomine", true)
	w.chain.Call(t, "evm_mine")
	last := w.send(t, map[string]any{"from": sender, "to": me, "value": "0x2"})
	res := w.request(t, me, "")
	if len(res.GetData()) != 2 || res.GetData()[0].GetMetadata().GetHash() != last || res.GetData()[1].GetMetadata().GetHash() != first || res.Next != nil {
		t.Errorf("%d rows, next %v", len(res.GetData()), res.Next)
	}
	if rows := w.withSpam(t, me); len(rows) != pageSize+7 {
		t.Errorf("%d rows with spam", len(rows))
	}
}
