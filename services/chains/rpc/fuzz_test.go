package rpc

import (
	"encoding/json"
	"fmt"
	"testing"
)

// FuzzLogFilter checks that an accepted filter is bounded, that its parts cover its blocks once and in order, and that
// it is equal after it was encoded and parsed again.
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
		filter, refusal := ParseLogFilter(params)
		if refusal != nil || filter.CheckSpan(height) != nil {
			return
		}
		again, refusal := ParseLogFilter(filter.params())
		if refusal != nil || string(again.params()) != string(filter.params()) {
			t.Fatalf("%s was written as %s", params, filter.params())
		}
		if filter.BlockHash != "" || filter.From.Tag != "" || filter.To.NumberAt(height) < filter.From.Number {
			return
		}
		parts := filter.Parts(height)
		if len(parts) > LogParts {
			t.Fatalf("%s has %d parts", params, len(parts))
		}
		next := filter.From.Number
		for _, part := range parts {
			last := part.To.NumberAt(height)
			if part.From.Number != next || last < next || last-next >= LogBlocks {
				t.Fatalf("%s has the part %v to %v, after %d", params, part.From, part.To, next)
			}
			if last > next {
				if halves := part.Halves(height); halves[0].To.Number+1 != halves[1].From.Number || halves[0].From != part.From || halves[1].To != part.To {
					t.Fatalf("the halves of %v are %v", part, halves)
				}
			}
			next = last + 1
		}
		if next != filter.To.NumberAt(height)+1 {
			t.Fatalf("the parts of %s end before %d", params, next)
		}
	})
}

// FuzzBlock checks that a block parameter selects a block in at most one way.
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
		block := parseBlock(param)
		if block.exact && block.hashed || !block.exact && block.number != 0 {
			t.Fatalf("%s is %+v", param, block)
		}
		if number, ok := ParseQuantity(Quantity(block.number)); !ok || number != block.number {
			t.Fatalf("%d is written as %s", block.number, Quantity(block.number))
		}
	})
}

func FuzzHead(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(`{"result":{"number":"0x1","hash":"0x%064d","parentHash":"0x%064d","timestamp":"0x2"}}`, 1, 0)))
	f.Add([]byte(`{"result":{}}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		if h, err := ParseHead(answer); err == nil && len(h.Hash) != 66 {
			t.Errorf("a head without a hash: %+v", h)
		}
	})
}
