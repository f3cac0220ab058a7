package revert_test

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/revert"
)

func TestTheReasonOfARevert(t *testing.T) {
	errorString := calldata.Parse("Error(string)")
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"text", "Blacklistable: account is blacklisted", errorString.Write("Blacklistable: account is blacklisted")},
		{"text that hides the direction of writing", "a b", errorString.Write("a\u202e\x00 \n b")},
		{"a panic", "arithmetic underflow or overflow", calldata.Parse("Panic(uint256)").Write(0x11)},
		{"a known custom error", "ERC20InvalidReceiver", calldata.Parse("ERC20InvalidReceiver(address)").Write(common.Address{})},
		{"an unknown custom error", "", calldata.Parse("Unheard(uint256)").Write(1)},
		{"no data", "", nil},
		{"less than a selector", "", []byte{8, 0xc3, 0x79}},
		{"text that is cut off", "", errorString.Write("cut off")[:40]},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := revert.Reason(c.data, 80); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTheReasonOfARevertIsBounded(t *testing.T) {
	data := calldata.Parse("Error(string)").Write(strings.Repeat("long ", 10_000))
	if got := revert.Reason(data, 80); len([]rune(got)) > 80 || !strings.HasSuffix(got, "…") {
		t.Errorf("got %q", got)
	}
}
