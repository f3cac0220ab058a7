package execution

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// FuzzDecodeProgram decodes arbitrary answers of a node as the program's output.
func FuzzDecodeProgram(f *testing.F) {
	f.Add(1, bytes.Repeat([]byte{0}, 72))
	f.Add(1, append(bytes.Repeat([]byte{0xff}, 64), 0x80, 0, 0, 1, 0, 0, 0, 9, 7))
	f.Add(2, bytes.Repeat([]byte{0xff}, 100))
	f.Fuzz(func(t *testing.T, calls int, out []byte) {
		c, err := decodeProgram(calls, out)
		if err == nil && len(c.calls) != calls {
			t.Errorf("%d calls were made of %d", len(c.calls), calls)
		}
		for _, made := range c.calls {
			if strings.ContainsFunc(reason(made.answer), func(r rune) bool { return r < ' ' }) {
				t.Errorf("%q is not for people", reason(made.answer))
			}
		}
	})
}

// FuzzParsePermit parses arbitrary permits.
func FuzzParsePermit(f *testing.F) {
	f.Add("0x" + strings.Repeat("1b", shortPermit))
	f.Add("0x" + strings.Repeat("1c", longPermit))
	f.Add("0x" + strings.Repeat("1b", singlePermit))
	f.Add("0xzz")
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ParsePermit(text); err == nil && (p.V < 27 || p.V > 28 || p.Value == nil || p.Deadline == nil) {
			t.Errorf("%q: %+v", text, p)
		}
	})
}

// TestNoAnswerOfANodePanics answers every call with impossible values.
func TestNoAnswerOfANodePanics(t *testing.T) {
	all := uint256.NewInt(0).SetAllOne()
	a, b := evm.Address{19: 1}, evm.Address{19: 2}
	trial := Trial{
		Sender: a, Recipient: a, Sold: b, Bought: evm.Native, Amount: all, Expected: all,
		Approvals: []Approval{{Spender: b, Amount: all}}, Calls: []Call{{To: b, Data: []byte{1}, Value: all}, {To: b, Value: all}},
		Transfers: []Transfer{{Token: b, To: a, Amount: all}},
	}
	words := strings.Repeat("f", 64)
	for _, answer := range []string{
		`null`, `"0x"`, `"0x1"`, `{}`, `[]`, `7`, `"0x` + words + `"`, `"0x` + words + words + `"`, `"0x` + words + words + `ffffffffffffffff"`,
		`"0x` + words + words + strings.Repeat("8000000000000000", 3) + `"`, `"0x` + strings.Repeat("0", 128) + strings.Repeat("80000000ffffffff", 3) + `"`,
		`{"accessList":[{"address":"0x00","storageKeys":["0x","","0xzz",null]}]}`, `{"accessList":[{"storageKeys":["0x` + words + words + `"]}]}`,
		`{"baseFeePerGas":[null],"gasUsedRatio":[null],"reward":[[null]]}`, `{"baseFeePerGas":["0x1"],"gasUsedRatio":[1],"reward":[[],["0x1"]]}`,
	} {
		connect := func(string) chainclient.Transport { return lying(answer) }
		for _, sold := range []evm.Address{b, evm.Native} {
			trial.Sold = sold
			for _, chainID := range []string{"eip155:1", "eip155:324"} {
				if outcome, err := NewSimulator(connect).Try(t.Context(), chainID, trial); err == nil && outcome.Confirmed {
					t.Errorf("%s: a swap was confirmed: %+v", answer, outcome)
				}
			}
		}
		_, _ = NewAllowances(connect).Approve(t.Context(), "eip155:1", b, a, b, all)
		_, _ = NewPermits(connect).TypedData(t.Context(), "eip155:1", b, a, b, all, trial.Mined)
		_, _ = NewGasPrices(connect).On(t.Context(), "eip155:1")
		_, _ = NewGasPrices(connect).DataFee(t.Context(), "eip155:10", trial.Calls)
		_, _ = NewGasPrices(connect).DataFee(t.Context(), "eip155:42161", trial.Calls)
	}
}

// lying answers every call with the same result.
func lying(answer string) chainclient.Transport {
	return func(_ context.Context, body []byte) ([]byte, error) {
		var requested []struct{ ID int }
		if json.Unmarshal(body, &requested) != nil {
			return []byte(`{"jsonrpc":"2.0","id":0,"result":` + answer + `}`), nil
		}
		answers := make([]string, len(requested))
		for i, q := range requested {
			answers[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, q.ID, answer)
		}
		return []byte("[" + strings.Join(answers, ",") + "]"), nil
	}
}
