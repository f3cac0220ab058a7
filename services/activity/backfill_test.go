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
)

func TestALongChainIsReadByItsLogsInRangesThatItsNodesAccept(t *testing.T) {
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
	if first := w.requestOnce(t, me, ""); !first.GetCoverage().GetBackfilling() && len(first.GetData()) == 0 {
		t.Errorf("an empty history that claims to be complete: %v", first)
	}
	res := w.request(t, me, "")
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

func TestAnArchiveListsNativeTransfers(t *testing.T) {
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
	res := w.request(t, me, "")
	if len(res.GetData()) != 1 || res.GetData()[0].GetMetadata().GetHash() != hash || lines(res.GetData()[0]) != "receive, in 0.000000000000000005 ETH" {
		t.Errorf("%v", res.GetData())
	}
	if res.GetCoverage().GetNativeFromBlock()[w.chain.CAIP2] != "0" {
		t.Errorf("%v", res.GetCoverage())
	}
}

// logRange returns how many blocks the widest log query of a body covers.
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
