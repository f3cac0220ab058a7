package activity

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestALongChainIsReadByItsLogsWhateverRangeItsNodesAnswer(t *testing.T) {
	w := open(t, func(c *Config) { c.WholeBlocks = 200 })
	w.chain = w.devnet.Chain(t, "eip155:31338")
	me := w.fresh(t)
	usd := w.chain.Token(t, "tUSD").Address
	hash := w.send(t, map[string]any{"from": w.devnet.Accounts[0].Address, "to": usd, "data": callData("transfer(address,uint256)", me, 1)})
	w.send(t, map[string]any{"from": w.devnet.Accounts[0].Address, "to": me, "value": "0x1"})
	w.chain.Call(t, "anvil_mine", "0x3e8")
	var refused atomic.Int64
	w.nodes.refuse = func(body []byte) bool {
		if logRange(body) <= 70 {
			return false
		}
		refused.Add(1)
		return true
	}
	if first := w.look(t, me, ""); !first.GetCoverage().GetBackfilling() && len(first.GetData()) == 0 {
		t.Errorf("an empty history that says it is whole: %v", first)
	}
	res := w.ask(t, me, "")
	if len(res.GetData()) != 1 || res.GetData()[0].GetMetadata().GetHash() != hash {
		t.Errorf("%v", res.GetData())
	}
	native, err := strconv.ParseUint(res.GetCoverage().GetNativeFromBlock()[w.chain.CAIP2], 10, 64)
	if err != nil || native < 1_000 || res.GetCoverage().GetFromBlock()[w.chain.CAIP2] != "0" {
		t.Errorf("%v", res.GetCoverage())
	}
	if refused.Load() == 0 {
		t.Error("no range was too wide for the node")
	}
}

func TestAnArchiveSaysWhereNativeTransfersAre(t *testing.T) {
	w := open(t)
	me, from := w.fresh(t), w.devnet.Accounts[0].Address
	hash := w.send(t, map[string]any{"from": from, "to": me, "value": "0x5"})
	w.chain.Call(t, "anvil_mine", "0x12c")
	archive := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		var mined struct{ BlockNumber string }
		_ = json.Unmarshal(w.chain.Call(t, "eth_getTransactionReceipt", hash), &mined)
		n, _ := strconv.ParseUint(strings.TrimPrefix(mined.BlockNumber, "0x"), 16, 64)
		first, _ := strconv.ParseUint(r.URL.Query().Get("startblock"), 10, 64)
		last, _ := strconv.ParseUint(r.URL.Query().Get("endblock"), 10, 64)
		if n < first || n > last || !strings.EqualFold(r.URL.Query().Get("address"), me) {
			_, _ = out.Write([]byte(`{"status":"0","message":"No transactions found","result":[]}`))
			return
		}
		_, _ = fmt.Fprintf(out, `{"status":"1","message":"OK","result":[{"hash":"%s"}]}`, hash)
	}))
	t.Cleanup(archive.Close)
	w.stop()
	w.config.Archives, w.config.WholeBlocks = map[string]string{w.chain.CAIP2: archive.URL}, 100
	w.start(t)
	res := w.ask(t, me, "")
	if len(res.GetData()) != 1 || res.GetData()[0].GetMetadata().GetHash() != hash || lines(res.GetData()[0]) != "receive, in 0.000000000000000005 ETH" {
		t.Errorf("%v", res.GetData())
	}
	if res.GetCoverage().GetNativeFromBlock()[w.chain.CAIP2] != "0" {
		t.Errorf("%v", res.GetCoverage())
	}
}

// logRange is how many blocks the widest log query of a body asks about.
func logRange(body []byte) (widest uint64) {
	var calls []struct {
		Method string            `json:"method"`
		Params []json.RawMessage `json:"params"`
	}
	if json.Unmarshal(body, &calls) != nil {
		return 0
	}
	for _, c := range calls {
		var filter struct{ FromBlock, ToBlock string }
		if c.Method != "eth_getLogs" || json.Unmarshal(c.Params[0], &filter) != nil || filter.ToBlock == "" {
			continue
		}
		from, _ := strconv.ParseUint(strings.TrimPrefix(filter.FromBlock, "0x"), 16, 64)
		to, _ := strconv.ParseUint(strings.TrimPrefix(filter.ToBlock, "0x"), 16, 64)
		widest = max(widest, to-from+1)
	}
	return widest
}

func TestTheReachFindsWhatNodesAnswer(t *testing.T) {
	r := reach{whole: wholeReach, logs: firstReach}
	for range 20 {
		r.shrink(false)
	}
	if r.logs != 1 || r.whole != wholeReach {
		t.Errorf("after many failures: %+v", r)
	}
	for range 100 {
		r.grow(false)
		r.grow(true)
	}
	if r.logs != longestReach || r.whole != wholeReach {
		t.Errorf("after many answers: %+v", r)
	}
}

func TestFailuresGetLongerRests(t *testing.T) {
	var whole time.Duration
	for n := range patience - 1 {
		if n > 0 && pauseAfter(n) < pauseAfter(n-1) {
			t.Errorf("shorter after %d failures", n)
		}
		whole += pauseAfter(n)
	}
	if pauseAfter(0) != firstPause || pauseAfter(patience-1) != longRest || whole > 5*time.Minute {
		t.Errorf("%s at first, %s at last, %s in between", pauseAfter(0), pauseAfter(patience-1), whole)
	}
}
