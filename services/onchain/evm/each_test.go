package evm

import (
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

func TestCallsAreAnsweredSeparatelyAndCompletely(t *testing.T) {
	chain := devnettest.Start(t).Chain(t, "eip155:31337")
	long := MustAddress(chain.Contracts["ANCHOR"])
	reverts := MustAddress(chain.Contracts["REVERTS"])
	first := append(Selector("tokenURI(uint256)"), append(make([]byte, 31), 1)...)
	answers, err := CallEach(t.Context(), chain.Forward, []Call{
		{To: reverts, Data: append(Selector("balanceOf(address)"), Word(long)...)},
		{To: long, Data: first},
		{To: MustAddress("0x00000000000000000000000000000000000000ee"), Data: first},
	})
	if err != nil {
		t.Fatal(err)
	}
	if answers[0].OK || answers[0].Bytes() != nil {
		t.Errorf("a call that reverts: got %v", answers[0])
	}
	if uri := string(answers[1].Bytes()); !strings.HasPrefix(uri, "data:application/json;base64,") || len(uri) < 512 {
		t.Errorf("a long text: got %d bytes", len(uri))
	}
	if !answers[2].OK || answers[2].Bytes() != nil {
		t.Errorf("an account without code: got %v", answers[2])
	}
}
