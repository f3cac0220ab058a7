package activity

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/evm"
)

const zero = "0x0000000000000000000000000000000000000000"

// tellers are contracts that tell one log, by how many topics it has: call data begins with the topics, the rest is the log's data.
var tellers = map[int]string{
	3: "0x606036036060600037604035602035600035606036036000a300",
	4: "0x608036036080600037606035604035602035600035608036036000a400",
}

// install puts a contract that tells logs with so many topics where nothing was, and returns its address.
func (w *world) install(tb testing.TB, topics int) string {
	tb.Helper()
	address := w.fresh(tb)
	w.chain.Call(tb, "anvil_setCode", address, tellers[topics])
	return address
}

// words are call data without a function.
func words(list ...any) string {
	data := "0x"
	for _, w := range list {
		data += hexWord(w)
	}
	return data
}

// line is a transfer in a few words: direction, quantity, symbol or NFT.
func line(t *activityv1.Transfer) string {
	what := t.GetFungibleInfo().GetSymbol()
	if nft := t.GetNftInfo(); nft != nil {
		what = nft.GetStandard() + "#" + nft.GetTokenId()
	}
	return fmt.Sprintf("%s %s %s", t.GetDirection(), t.GetQuantity().GetNumeric(), what)
}

func lines(t *activityv1.Transaction) string {
	list := []string{t.GetMetadata().GetOperationType()}
	if t.GetMetadata().GetStatus() != "confirmed" {
		list[0] += " " + t.GetMetadata().GetStatus()
	}
	for _, transfer := range t.GetTransfers() {
		list = append(list, line(transfer))
	}
	return strings.Join(list, ", ")
}

func TestEveryKindOfTransactionIsOneRow(t *testing.T) {
	w, followed := open(t), open(t)
	three, four := w.install(t, 3), w.install(t, 4)
	other := w.fresh(t)
	usd := w.chain.Token(t, "tUSD").Address
	all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))

	for _, tt := range []struct {
		behaviour string
		// tx of the account me.
		tx   func(me string) map[string]any
		want string
	}{
		{"a native transfer", func(string) map[string]any { return map[string]any{"to": other, "value": "0x1"} }, "send, out 0.000000000000000001 ETH"},
		{"a native transfer to oneself", func(me string) map[string]any { return map[string]any{"to": me, "value": "0x1"} }, "send, self 0.000000000000000001 ETH"},
		{"a call that moves nothing", func(string) map[string]any { return map[string]any{"to": other, "data": "0x01"} }, "execute, out 0.000000000000000000 ETH"},
		{"a mint", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.Transfer, zero, me, 5)}
		}, "mint, in 5 "},
		{"an approval without end", func(string) map[string]any {
			return map[string]any{"to": usd, "data": callData("approve(address,uint256)", other, all)}
		}, "approve, out 115792089237316195423570985008687907853269984665640564039457584007913129.639935 tUSD"},
		{"an approval of all NFTs", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.ApprovalForAll, me, other, 1)}
		}, "approve, out 1 erc721#"},
		{"tokens for native currency", func(me string) map[string]any {
			return map[string]any{"to": three, "value": "0x2", "data": words(node.Transfer, other, me, 5)}
		}, "trade, out 0.000000000000000002 ETH, in 5 "},
		{"an NFT made for native currency", func(me string) map[string]any {
			return map[string]any{"to": four, "value": "0x2", "data": words(node.Transfer, zero, me, 77)}
		}, "mint, out 0.000000000000000002 ETH, in 1 erc721#77"},
		{"an NFT that is given away", func(me string) map[string]any {
			return map[string]any{"to": four, "data": words(node.Transfer, me, other, all)}
		}, "send, out 1 erc721#" + all.String()},
		{"tokens burnt", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.Transfer, me, zero, 9)}
		}, "burn, out 9 "},
		{"a single ERC-1155 transfer", func(me string) map[string]any {
			return map[string]any{"to": four, "data": words(node.TransferSingle, other, other, me, 3, 40)}
		}, "receive, in 40 erc1155#3"},
		{"a batch of ERC-1155 transfers", func(me string) map[string]any {
			return map[string]any{"to": four, "data": words(node.TransferBatch, me, me, other, 64, 160, 2, 1, 2, 2, 10, all)}
		}, "send, out 10 erc1155#1, out " + all.String() + " erc1155#2"},
		{"a batch that lies about its length moves nothing", func(me string) map[string]any {
			return map[string]any{"to": four, "data": words(node.TransferBatch, me, me, other, 64, 160, all, 1, 2, 2, 10, all)}
		}, "execute, out 0.000000000000000000 ETH"},
		{"a contract", func(string) map[string]any { return map[string]any{"data": "0x00"} }, "deploy, out 0.000000000000000000 ETH"},
		{"a transfer that failed", func(string) map[string]any {
			return map[string]any{"to": usd, "gas": "0x186a0", "data": callData("transfer(address,uint256)", other, all)}
		}, "send failed, out 0.000000000000000000 ETH"},
		{"a call that failed", func(string) map[string]any {
			return map[string]any{"to": usd, "gas": "0x186a0", "data": "0x12345678"}
		}, "execute failed, out 0.000000000000000000 ETH"},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			me := w.fresh(t)
			followed.ask(t, me, "")
			tx := tt.tx(me)
			tx["from"] = me
			hash := w.send(t, tx)
			followed.head(t)
			res := w.ask(t, me, "")
			if len(res.GetData()) != 1 {
				t.Fatalf("%d rows", len(res.GetData()))
			}
			row := res.GetData()[0]
			if got := lines(row); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if row.GetMetadata().GetHash() != hash || row.GetMetadata().GetSentFrom() != me || row.GetMetadata().Fee == nil {
				t.Errorf("%v", row.GetMetadata())
			}
			eventually(t, "it is followed to the same row", func() bool {
				rows := followed.ask(t, me, "").GetData()
				return len(rows) == 1 && proto.Equal(rows[0], row)
			})
		})
	}
}

func TestQuantitiesAreExactWhateverTheDecimals(t *testing.T) {
	w := open(t)
	for symbol, want := range map[string]string{
		"WIDE":  "in 0.000000000000000000000000000000000007 WIDE",
		"HUGE":  "in 340282366920938463463.374607431768211456 HUGE",
		"WHOLE": "in 7 WHOLE",
		"tUSDT": "in 0.000007 tUSDT",
	} {
		amount := big.NewInt(7)
		if symbol == "HUGE" {
			amount.Lsh(big.NewInt(1), 128)
		}
		me := w.fresh(t)
		token := w.chain.Token(t, symbol)
		w.send(t, map[string]any{"from": w.devnet.Accounts[0].Address, "to": token.Address, "data": callData("transfer(address,uint256)", me, amount)})
		row := w.newest(t, me)
		if got := line(row.GetTransfers()[0]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		info := row.GetTransfers()[0].GetFungibleInfo()
		if info.GetAddress() != w.chain.CAIP2+":"+token.Address || info.GetName() != token.Name || row.GetMetadata().Fee != nil {
			t.Errorf("%v", info)
		}
	}
}

func TestZeroTokensThatAStrangerTellsInTheAccountsNameAreLeftOut(t *testing.T) {
	w := open(t)
	three, me, stranger := w.install(t, 3), w.fresh(t), w.fresh(t)
	w.send(t, map[string]any{"from": stranger, "to": three, "data": words(node.Transfer, me, stranger, 0)})
	if res := w.ask(t, me, ""); len(res.GetData()) != 0 {
		t.Errorf("%v", res.GetData())
	}
	w.send(t, map[string]any{"from": me, "to": three, "data": words(node.Transfer, me, stranger, 0)})
	w.head(t)
	eventually(t, "the account's own", func() bool { return len(w.ask(t, me, "").GetData()) == 1 })
	if got := lines(w.newest(t, me)); got != "send, out 0 " {
		t.Error(got)
	}
}

func TestMovesOfHostileLogs(t *testing.T) {
	long := make([]byte, 64)
	long[31] = 0xff
	for behaviour, l := range map[string]node.Log{
		"no topics":                    {},
		"a transfer without an amount": {Topics: []node.Hash{node.Transfer, {}, {}}},
		"two topics":                   {Topics: []node.Hash{node.Transfer, {}}, Data: long},
		"a single without data":        {Topics: []node.Hash{node.TransferSingle, {}, {}, {}}, Data: long[:32]},
		"a batch without data":         {Topics: []node.Hash{node.TransferBatch, {}, {}, {}}},
		"a batch that points outside":  {Topics: []node.Hash{node.TransferBatch, {}, {}, {}}, Data: long},
		"another event":                {Topics: []node.Hash{{1}, {}, {}}, Data: long},
	} {
		t.Run(behaviour, func(t *testing.T) {
			if moves := movesOf(l); len(moves) != 0 {
				t.Errorf("%v", moves)
			}
			if a, ok := allowanceOf(l); ok {
				t.Errorf("%v", a)
			}
		})
	}
}

func FuzzMoves(f *testing.F) {
	f.Add([]byte{}, 4, true)
	f.Add(make([]byte, 256), 4, true)
	f.Fuzz(func(t *testing.T, data []byte, topics int, batch bool) {
		l := node.Log{Data: data, Topics: make([]node.Hash, max(1, topics%5)), Contract: evm.Address{1}}
		l.Topics[0] = node.TransferSingle
		if batch {
			l.Topics[0] = node.TransferBatch
		}
		for _, m := range movesOf(l) {
			if m.units == nil || m.units.Sign() < 0 || m.TokenID == "" {
				t.Errorf("%+v", m)
			}
		}
	})
}
