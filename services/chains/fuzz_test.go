package chains

import (
	"encoding/json"
	"errors"
	"testing"
)

// FuzzLogFilter holds that a filter which is taken is bounded, that its parts cover its blocks once and in order, and that what is written of it
// anew reads as the same filter.
func FuzzLogFilter(f *testing.F) {
	for _, params := range []string{
		`[{"fromBlock":"0x0","toBlock":"0x30d3f"}]`, `[{"fromBlock":"earliest","toBlock":"safe","address":["0xa",null],"topics":[null,["0x1","0x2"],"0x3"]}]`, `[{}]`, `[]`, `null`,
		`[{"blockHash":"0x00000000000000000000000000000000000000000000000000000000000000ab"}]`, `[{"fromBlock":"0xffffffffffffffff","toBlock":"finalized"}]`, `[{"FromBlock":"0x1"}]`,
		`[{"fromBlock":"0xfffffffffffffff0","toBlock":"0xffffffffffffffff"}]`, `[{"topics":[[[]]]}]`, `[{"fromBlock":"pending","toBlock":null}]`,
	} {
		f.Add([]byte(params), uint64(1_000_000))
	}
	f.Fuzz(func(t *testing.T, params []byte, height uint64) {
		if !json.Valid(params) {
			return
		}
		filter, refusal := parseLogFilter(params)
		if refusal != nil || filter.checkSpan(height) != nil {
			return
		}
		again, refusal := parseLogFilter(filter.params())
		if refusal != nil || string(again.params()) != string(filter.params()) {
			t.Fatalf("%s was written anew as %s", params, filter.params())
		}
		if filter.blockHash != "" || filter.from.tag != "" || filter.to.or(height) < filter.from.number {
			return
		}
		parts := filter.parts(height)
		if len(parts) > logSpans {
			t.Fatalf("%s has %d parts", params, len(parts))
		}
		next := filter.from.number
		for _, part := range parts {
			last := part.to.or(height)
			if part.from.number != next || last < next || last-next >= logBlocks {
				t.Fatalf("%s has the part %v to %v, after %d", params, part.from, part.to, next)
			}
			if last > next {
				if halves := part.halves(height); halves[0].to.number+1 != halves[1].from.number || halves[0].from != part.from || halves[1].to != part.to {
					t.Fatalf("the halves of %v are %v", part, halves)
				}
			}
			next = last + 1
		}
		if next != filter.to.or(height)+1 {
			t.Fatalf("the parts of %s end before %d", params, next)
		}
	})
}

// FuzzBlock holds that a block parameter names a block in one way at most.
func FuzzBlock(f *testing.F) {
	for _, param := range []string{
		`"latest"`, `"0x1b4"`, `"0x"`, `"0xffffffffffffffffff"`, `{"blockNumber":"0x1"}`, `{"blockHash":"0xab","requireCanonical":true}`, `{"BlockNumber":"0x1"}`, `[]`, `7`, `null`, `"earliest"`,
	} {
		f.Add([]byte(param))
	}
	f.Fuzz(func(t *testing.T, param []byte) {
		if !json.Valid(param) {
			return
		}
		block := readBlock(param)
		if block.exact && block.hashed || !block.exact && block.number != 0 {
			t.Fatalf("%s is %+v", param, block)
		}
		if number, ok := parseQuantity(quantity(block.number)); !ok || number != block.number {
			t.Fatalf("%d is written as %s", block.number, quantity(block.number))
		}
	})
}

// FuzzRequest holds that whatever a caller sends is answered in JSON-RPC or not at all, and reaches a node in one form only.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xa","latest"]}`, `[{"id":1,"method":"eth_gasPrice"},{"method":"eth_gasPrice"},{"id":1,"method":"eth_getLogs","params":[{}]}]`,
		`{"id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"0x7000"}]}`, `{"id":1,"method":"eth_sendRawTransaction","params":["0x02"]}`, `{"id":1,"ID":2,"method":"eth_call"}`,
		`{"id":1,"method":"eth_getBlockByNumber","params":[{"blockHash":"0xab"},true]}`, `{"id":1,"method":"eth_getTransactionReceipt","params":["0xab"]}`, `[]`, `[[]]`, ``,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		node := answering(func(askedOfNode) string { return "null" })
		d := doorOf(script{"look": says(200, blockAt(30_000)), "a": func(sent string) (int, string, error) {
			if !json.Valid([]byte(sent)) {
				t.Errorf("a node was sent %q", sent)
			}
			return node(sent)
		}}, "a")
		defer d.pool.looks.end()
		got, err := d.answer(t.Context(), body)
		if err != nil && !errors.Is(err, errNoNode) {
			t.Fatalf("%q ended with %v", body, err)
		}
		if err == nil && got != nil && !json.Valid(got) {
			t.Errorf("%q was answered with %q", body, got)
		}
	})
}
