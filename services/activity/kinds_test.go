package activity

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	activityv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/activity/v1"
	"github.com/hawser-dev/hawser/services/activity/node"
)

const zero = "0x0000000000000000000000000000000000000000"

// emitters are contracts that emit one log, by the number of its topics. The calldata starts with the topics; the rest
// is the data of the log.
var emitters = map[int]string{
	3: "0x606036036060600037604035602035600035606036036000a300",
	4: "0x608036036080600037606035604035602035600035608036036000a400",
}

// install places a contract that emits logs with that many topics at a new address, and returns it.
func (w *world) install(tb testing.TB, topics int) string {
	tb.Helper()
	address := w.fresh(tb)
	w.chain.Call(tb, "anvil_setCode", address, emitters[topics])
	return address
}

// words returns calldata without a selector.
func words(list ...any) string {
	data := "0x"
	for _, w := range list {
		data += hexWord(w)
	}
	return data
}

// line describes a transfer: direction, quantity, symbol or NFT.
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

	me := w.fresh(t)
	followed.request(t, me, "")
	kinds := []struct {
		behaviour string
		// tx is a transaction of the account me.
		tx   func(me string) map[string]any
		want string
	}{
		{"a native transfer", func(string) map[string]any { return map[string]any{"to": other, "value": "0x1"} }, "send, out 0.000000000000000001 ETH"},
		{"a native transfer to the account itself", func(me string) map[string]any { return map[string]any{"to": me, "value": "0x1"} }, "send, self 0.000000000000000001 ETH"},
		{"a call that transfers nothing", func(string) map[string]any { return map[string]any{"to": other, "data": "0x01"} }, "execute, out 0.000000000000000000 ETH"},
		{"a mint", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.Transfer, zero, me, 5)}
		}, "mint, in 5 "},
		{"an unlimited approval", func(string) map[string]any {
			return map[string]any{"to": usd, "data": callData("approve(address,uint256)", other, all)}
		}, "approve, out 115792089237316195423570985008687907853269984665640564039457584007913129.639935 tUSD"},
		{"an approval of all NFTs", func(me string) map[string]any {
			return map[string]any{"to": three, "data": words(node.ApprovalForAll, me, other, 1)}
		}, "approve, out 1 erc721#"},
		{"tokens for native tokens", func(me string) map[string]any {
			return map[string]any{"to": three, "value": "0x2", "data": words(node.Transfer, other, me, 5)}
		}, "trade, out 0.000000000000000002 ETH, in 5 "},
		{"an NFT minted for native tokens", func(me string) map[string]any {
			return map[string]any{"to": four, "value": "0x2", "data": words(node.Transfer, zero, me, 77)}
		}, "mint, out 0.000000000000000002 ETH, in 1 erc721#77"},
		{"an NFT that is sent", func(me string) map[string]any {
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
		{"a batch with a wrong length transfers nothing", func(me string) map[string]any {
			return map[string]any{"to": four, "data": words(node.TransferBatch, me, me, other, 64, 160, all, 1, 2, 2, 10, all)}
		}, "execute, out 0.000000000000000000 ETH"},
		{"a contract", func(string) map[string]any { return map[string]any{"data": "0x00"} }, "deploy, out 0.000000000000000000 ETH"},
		{"a transfer that failed", func(string) map[string]any {
			return map[string]any{"to": usd, "gas": "0x186a0", "data": callData("transfer(address,uint256)", other, all)}
		}, "send failed, out 0.000000000000000000 ETH"},
		{"a call that failed", func(string) map[string]any {
			return map[string]any{"to": usd, "gas": "0x186a0", "data": "0x12345678"}
		}, "execute failed, out 0.000000000000000000 ETH"},
	}
	hashes := make([]string, len(kinds))
	for i, tt := range kinds {
		tx := tt.tx(me)
		tx["from"] = me
		hashes[i] = w.send(t, tx)
		followed.head(t)
	}
	res := w.request(t, me, "")
	if len(res.GetData()) != len(kinds) {
		t.Fatalf("%d rows of %d transactions", len(res.GetData()), len(kinds))
	}
	for i, tt := range kinds {
		t.Run(tt.behaviour, func(t *testing.T) {
			row := res.GetData()[len(kinds)-1-i]
			if got := lines(row); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if row.GetMetadata().GetHash() != hashes[i] || row.GetMetadata().GetSentFrom() != me || row.GetMetadata().Fee == nil {
				t.Errorf("%v", row.GetMetadata())
			}
			eventually(t, "the followed row is the same", func() bool {
				rows := followed.request(t, me, "").GetData()
				return len(rows) == len(kinds) && proto.Equal(rows[len(kinds)-1-i], row)
			})
		})
	}
}

func TestQuantitiesAreExactForAllDecimals(t *testing.T) {
	w := open(t)
	me := w.fresh(t)
	wants := []struct{ symbol, line string }{
		{"WIDE", "in 0.000000000000000000000000000000000007 WIDE"},
		{"HUGE", "in 340282366920938463463.374607431768211456 HUGE"},
		{"WHOLE", "in 7 WHOLE"},
		{"tUSDT", "in 0.000007 tUSDT"},
	}
	for _, want := range wants {
		amount := big.NewInt(7)
		if want.symbol == "HUGE" {
			amount.Lsh(big.NewInt(1), 128)
		}
		data := callData("transfer(address,uint256)", me, amount)
		w.send(t, map[string]any{"from": w.devnet.Accounts[0].Address, "to": w.chain.Token(t, want.symbol).Address, "data": data})
	}
	rows := w.request(t, me, "").GetData()
	if len(rows) != len(wants) {
		t.Fatalf("%d rows", len(rows))
	}
	for i, want := range wants {
		row, token := rows[len(rows)-1-i], w.chain.Token(t, want.symbol)
		if got := line(row.GetTransfers()[0]); got != want.line {
			t.Errorf("got %s, want %s", got, want.line)
		}
		info := row.GetTransfers()[0].GetFungibleInfo()
		if info.GetAddress() != w.chain.CAIP2+":"+token.Address || info.GetName() != token.Name || row.GetMetadata().Fee != nil {
			t.Errorf("%v", info)
		}
	}
}

func TestZeroUnitTransfersOfOtherSendersAreLeftOut(t *testing.T) {
	w := open(t)
	three, me, sender := w.install(t, 3), w.fresh(t), w.fresh(t)
	w.send(t, map[string]any{"from": sender, "to": three, "data": words(node.Transfer, me, sender, 0)})
	if res := w.request(t, me, ""); len(res.GetData()) != 0 {
		t.Errorf("%v", res.GetData())
	}
	w.send(t, map[string]any{"from": me, "to": three, "data": words(node.Transfer, me, sender, 0)})
	w.head(t)
	eventually(t, "the account's own transaction", func() bool { return len(w.request(t, me, "").GetData()) == 1 })
	if got := lines(w.newest(t, me)); got != "send, out 0 " {
		t.Error(got)
	}
}
