package prices

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

func TestNamedTokensDoNotSwitchOffThePoolsOfHeldOnes(t *testing.T) {
	w := clocktest.StoppedAt(time.Unix(1_000_000, 0))
	b := newPoolTable(map[string]exchanges{"eip155:1": {anchors: []Unit{{evm.Address{9}, 6}}, v2: map[uint32][]evm.Address{3000: {{8}}}}}, w)
	search := func(n int, held bool) PoolSearch {
		var a evm.Address
		binary.BigEndian.PutUint64(a[:], uint64(n+1))
		w.Pass(time.Millisecond)
		return b.search("eip155:1", []Unit{{a, 18}}, held)
	}
	kept := search(0, true).tokens[0].Token
	for n := range maxPoolTokens + 5_000 {
		search(n+1, false)
	}
	if len(b.tokens) > maxPoolTokens {
		t.Errorf("%d tokens are kept", len(b.tokens))
	}
	if b.tokens[Asset{"eip155:1", kept}] == nil {
		t.Error("the token that an account holds is dropped")
	}
	if s := search(maxPoolTokens+6_000, true); len(s.tokens) != 1 {
		t.Error("a new token is refused")
	}
}
