package classifier

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/activity/calls"
	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

var (
	me, other, third = evm.Address{1}, evm.Address{2}, evm.Address{3}
	token            = evm.Address{9}
)

func topic(a evm.Address) node.Hash { return common.BytesToHash(a[:]) }

func transferLog(contract, from, to evm.Address, units int64) node.Log {
	return node.Log{Contract: contract, Topics: []node.Hash{node.Transfer, topic(from), topic(to)}, Data: common.LeftPadBytes(big.NewInt(units).Bytes(), 32)}
}

func resultLog(sender, paymaster evm.Address, succeeded bool, cost int) node.Log {
	return node.Log{
		Contract: userop.EntryPoint07, Topics: []node.Hash{node.UserOperation, {}, topic(sender), topic(paymaster)},
		Data: calldata.Types("(uint256,bool,uint256,uint256)").Write(0, succeeded, cost, 1),
	}
}

var began = node.Log{Contract: userop.EntryPoint07, Topics: []node.Hash{userop.BeforeExecution}}

func sent(from, to evm.Address, value int64, logs ...node.Log) node.Found {
	return node.Found{
		Transaction: node.Transaction{From: from, To: &to, Value: big.NewInt(value)},
		Receipt:     node.Receipt{Succeeded: true, Fee: big.NewInt(100), Logs: logs},
	}
}

func withInner(f node.Found, list ...node.Inner) node.Found {
	f.Inner = list
	return f
}

func inner(from, to evm.Address, value int64, confirmed bool) node.Inner {
	return node.Inner{Transfer: calls.Transfer{From: from, To: to, Value: big.NewInt(value)}, Confirmed: confirmed}
}

func TestInnerTransfersAreOfTheAccountsThatMadeThem(t *testing.T) {
	bundle := func(logs ...node.Log) node.Found { return sent(other, userop.EntryPoint07, 0, logs...) }
	chain := nativeLogs
	for _, tt := range []struct {
		behaviour string
		found     node.Found
		want      string
	}{
		{"a value that the chain's log states too", sent(me, other, 5, transferLog(chain, me, other, 5)), "send from me fee 100: out 5"},
		{"a value to the sender itself has no log", sent(me, me, 5, transferLog(chain, other, third, 1)), "send from me fee 100: self 5"},
		{"a contract pays out", sent(other, third, 0, transferLog(chain, third, me, 4)), "receive from other: in 4"},
		{"a refund is subtracted", sent(me, third, 10, transferLog(chain, me, third, 10), transferLog(chain, other, me, 3)), "send from me fee 100: out 7"},
		{"a larger payment is the rest", sent(me, third, 2, transferLog(chain, me, third, 2), transferLog(chain, third, me, 3)), "receive from me fee 100: in 1"},
		{"all comes back", sent(me, third, 2, transferLog(chain, me, third, 2), transferLog(chain, third, me, 2)), "execute from me fee 100: out 0"},
		{"a log of a native transfer of another form", sent(me, third, 2, node.Log{Contract: chain, Topics: []node.Hash{node.Transfer, topic(me), topic(other)}}), "send from me fee 100: out 2"},
		{"logs of the chain are complete", withInner(sent(other, third, 0, transferLog(chain, other, third, 1)), inner(other, me, 9, true)), "no row"},
		{"calldata of another account", withInner(bundle(), inner(third, me, 9, false)), "no row"},
		{"calldata that a balance confirms", withInner(bundle(), inner(third, me, 9, true)), "receive from other: in 9"},
		{"an own operation", withInner(bundle(began, resultLog(me, evm.Address{}, true, 7)), inner(me, third, 9, false)), "send from me fee 7: out 9"},
		{"an own operation that a paymaster paid", withInner(bundle(began, resultLog(me, third, true, 7)), inner(me, third, 9, false)), "send from me: out 9"},
		{"an own operation that moves nothing", bundle(began, resultLog(me, evm.Address{}, true, 7)), "execute from me fee 7: out 0"},
		{"a prefund is not a transfer", bundle(transferLog(chain, me, userop.EntryPoint07, 50), began, transferLog(chain, me, third, 9), resultLog(me, evm.Address{}, true, 7)), "send from me fee 7: out 9"},
		{"a failed operation", bundle(began, resultLog(me, evm.Address{}, false, 7)), "execute failed from me fee 7: out 0"},
		{"two operations, one of which failed", withInner(bundle(began, resultLog(me, evm.Address{}, false, 7), resultLog(me, evm.Address{}, true, 6)), inner(me, third, 9, false)), "send from me fee 13: out 9"},
		{"tokens that the own operation moved", bundle(began, transferLog(token, me, third, 3), resultLog(me, evm.Address{}, true, 7)), "send from me fee 7: out 3"},
		{"tokens that an operation of another account claims to move", bundle(began, transferLog(token, me, third, 3), resultLog(third, evm.Address{}, true, 7), resultLog(me, evm.Address{}, true, 7)), "send from other fee 7: out 3"},
		{"tokens that a validation claims to move", bundle(transferLog(token, me, third, 3), began, resultLog(me, evm.Address{}, true, 7)), "send from other fee 7: out 3"},
		{"the event of another contract", sent(other, third, 0, node.Log{Contract: token, Topics: resultLog(me, third, true, 1).Topics, Data: resultLog(me, third, true, 1).Data}), "no row"},
		{"an event without data", sent(other, third, 0, node.Log{Contract: userop.EntryPoint07, Topics: resultLog(me, third, true, 1).Topics}), "no row"},
	} {
		t.Run(tt.behaviour, func(t *testing.T) {
			if got := describe(t, tt.found); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// describe returns the row of the account me.
func describe(t *testing.T, f node.Found) string {
	t.Helper()
	rows := rowsOf(t, []node.Found{f}, "eip155:1", []evm.Address{me})
	if len(rows) != 1 {
		return "no row"
	}
	r := rows[0]
	var b strings.Builder
	b.WriteString(string(r.Operation))
	if r.Failed {
		b.WriteString(" failed")
	}
	fmt.Fprintf(&b, " from %s", map[evm.Address]string{me: "me", other: "other"}[r.From])
	if r.Fee != nil {
		fmt.Fprintf(&b, " fee %s", r.Fee)
	}
	b.WriteString(":")
	for _, m := range r.Transfers {
		fmt.Fprintf(&b, " %s %s", m.Direction, m.Units)
	}
	return b.String()
}
