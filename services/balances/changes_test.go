package balances

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// newestBlock returns the number of the newest block of the watched chain.
func (w world) newestBlock(t *testing.T) uint64 {
	t.Helper()
	var text string
	if err := json.Unmarshal(w.chain.Call(t, "eth_blockNumber"), &text); err != nil {
		t.Fatal(err)
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// strangers returns addresses that hold nothing.
func strangers(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("0x%040x", 0x5000_0000+i))
	}
	return list
}

func TestChangesOfManyAccountsAreFound(t *testing.T) {
	// Up to 500 accounts are found by filters, more in all logs of transfers.
	for _, count := range []int{20, 300, 600} {
		t.Run(strconv.Itoa(count), func(t *testing.T) {
			w := open(t)
			defer w.chain.Snapshot(t)(t)
			sender, token := w.devnet.Accounts[0].Address, w.chain.Token(t, "tUSD").Address
			accounts := append(strangers(count), sender)
			receiver, rich := count/2, count-1
			from := w.newestBlock(t) + 1
			w.chain.Call(t, "anvil_setBalance", accounts[rich], "0xde0b6b3a7640001")
			w.chain.Send(t, map[string]any{
				"from": sender, "to": token,
				"data": "0xa9059cbb" + strings.Repeat("0", 24) + strings.TrimPrefix(accounts[receiver], "0x") + fmt.Sprintf("%064x", 7),
			})
			res, err := w.FindChanges(t.Context(), &balancesv1.FindChangesRequest{ChainId: watchedChain, Addresses: accounts, FromBlock: from, ToBlock: w.newestBlock(t)})
			if err != nil {
				t.Fatal(err)
			}
			if want := []uint32{uint32(receiver), uint32(count)}; !slices.Equal(res.GetNamed(), want) {
				t.Errorf("logs name the accounts %v, want the receiver and the sender, %v", res.GetNamed(), want)
			}
			if len(res.GetNatives()) != len(accounts) {
				t.Fatalf("%d native balances of %d accounts", len(res.GetNatives()), len(accounts))
			}
			if got := new(big.Int).SetBytes(res.GetNatives()[rich]); got.String() != "1000000000000000001" {
				t.Errorf("a native balance of %s wei", got)
			}
			if got := res.GetNatives()[0]; len(got) != 0 {
				t.Errorf("an account without native tokens has %x wei", got)
			}
		})
	}
}

func TestChangesThatCannotBeFoundAreErrors(t *testing.T) {
	w := open(t)
	newest := w.newestBlock(t)
	good := func(change func(*balancesv1.FindChangesRequest)) *balancesv1.FindChangesRequest {
		r := &balancesv1.FindChangesRequest{ChainId: watchedChain, Addresses: strangers(1), FromBlock: newest, ToBlock: newest}
		change(r)
		return r
	}
	for behaviour, c := range map[string]struct {
		request *balancesv1.FindChangesRequest
		reason  faultv1.Reason
	}{
		"blocks in reverse":       {good(func(r *balancesv1.FindChangesRequest) { r.FromBlock++ }), faultv1.Reason_REASON_PARAMETER_INVALID},
		"too many blocks":         {good(func(r *balancesv1.FindChangesRequest) { r.ToBlock += mostBlocks }), faultv1.Reason_REASON_PARAMETER_INVALID},
		"an invalid address":      {good(func(r *balancesv1.FindChangesRequest) { r.Addresses = []string{"0x12"} }), faultv1.Reason_REASON_ADDRESS_INVALID},
		"a chain without a node":  {good(func(r *balancesv1.FindChangesRequest) { r.ChainId = "eip155:1" }), faultv1.Reason_REASON_CHAIN_UNAVAILABLE},
		"a block that is not yet": {good(func(r *balancesv1.FindChangesRequest) { r.ToBlock++ }), faultv1.Reason_REASON_CHAIN_UNAVAILABLE},
	} {
		t.Run(behaviour, func(t *testing.T) {
			if _, err := w.FindChanges(t.Context(), c.request); fault.From(err).Reason != c.reason {
				t.Errorf("%v, want %v", err, c.reason)
			}
		})
	}
}
