package evm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
)

// output returns the output of the program for answers.
func output(answers ...Answer) []byte {
	b := append(word(len(answers)), word(1_700_000_000)...)
	for _, a := range answers {
		head := uint32(len(a.Data))
		if a.OK {
			head |= 1 << 31
		}
		b = append(binary.BigEndian.AppendUint32(b, head), a.Data...)
	}
	return b
}

func TestTheOutputOfTheProgramIsDecoded(t *testing.T) {
	queries := []Query{TokenBalances(Address{}, make([]Address, 2))}
	answers, at, err := decodeOutput(queries, output(Answer{OK: true, Data: word(7)}, Answer{}))
	if err != nil || len(answers) != 2 || !answers[0].OK || answers[1].OK || !at.Equal(time.Unix(1_700_000_000, 0)) {
		t.Fatalf("got %+v %v %v", answers, at, err)
	}
}

func TestInvalidOutputOfTheProgramIsRefused(t *testing.T) {
	queries := []Query{TokenBalances(Address{}, make([]Address, 2))}
	good := output(Answer{OK: true, Data: word(7)}, Answer{OK: true, Data: word(8)})
	cases := map[string][]byte{
		"nothing":                       {},
		"a single balance":              word(7),
		"no answers":                    output(),
		"an answer too many":            output(Answer{}, Answer{}, Answer{}),
		"an answer longer than allowed": output(Answer{OK: true, Data: make([]byte, 33)}, Answer{}),
		"a byte too many":               append(append([]byte{}, good...), 0),
		"a count that overflows":        append([]byte{0x80}, good[1:]...),
	}
	for cut := range len(good) {
		cases[fmt.Sprintf("only the first %d bytes", cut)] = good[:cut]
	}
	for name, out := range cases {
		if answers, _, err := decodeOutput(queries, out); err == nil {
			t.Errorf("%s: got %+v, want an error", name, answers)
		}
	}
}

func TestInvalidResponsesAreErrors(t *testing.T) {
	bodies := map[string]string{
		"nothing":              ``,
		"HTML":                 `<html>rate limited</html>`,
		"an empty object":      `{}`,
		"no result":            `{"jsonrpc":"2.0","id":0}`,
		"null":                 `{"jsonrpc":"2.0","id":0,"result":null}`,
		"0x":                   `{"jsonrpc":"2.0","id":0,"result":"0x"}`,
		"a word":               `{"jsonrpc":"2.0","id":0,"result":"0x` + strings.Repeat("0", 63) + `7"}`,
		"odd digits":           `{"jsonrpc":"2.0","id":0,"result":"0x123"}`,
		"no digits":            `{"jsonrpc":"2.0","id":0,"result":"0xzz"}`,
		"a number":             `{"jsonrpc":"2.0","id":0,"result":7}`,
		"an error":             `{"jsonrpc":"2.0","id":0,"error":{"code":-32005,"message":"limit exceeded"}}`,
		"an error with data":   `{"jsonrpc":"2.0","id":0,"error":{"code":3,"message":"execution reverted","data":"0x08c379a0"}}`,
		"an empty batch":       `[]`,
		"a batch without ids":  `[{"result":"0x1"},{"result":"0x1"}]`,
		"a batch of one id":    `[{"id":0,"result":{"timestamp":"0x1"}},{"id":0,"result":"0x1"}]`,
		"a batch out of range": `[{"id":0,"result":{"timestamp":"0x1"}},{"id":9,"result":"0x1"}]`,
		"a failing balance":    `[{"id":0,"result":{"timestamp":"0x1"}},{"id":1,"error":{"code":-32000,"message":"header not found"}}]`,
		"a balance too wide":   `[{"id":0,"result":{"timestamp":"0x1"}},{"id":1,"result":"0x1` + strings.Repeat("0", 64) + `"}]`,
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			r := NewReader(func(string) chainclient.Transport {
				return func(context.Context, []byte) ([]byte, error) { return []byte(body), nil }
			})
			if reading, err := r.Read(t.Context(), "eip155:1", []Query{NativeBalance(Address{1})}); err == nil {
				t.Errorf("got %+v, want an error", reading)
			}
		})
	}
}

func TestAnUnreachableNodeIsTriedOnce(t *testing.T) {
	down := errors.New("connection refused")
	requests := 0
	r := NewReader(func(string) chainclient.Transport {
		return func(context.Context, []byte) ([]byte, error) { requests++; return nil, down }
	})
	_, err := r.Read(t.Context(), "eip155:1", []Query{NativeBalance(Address{1})})
	if !errors.Is(err, down) || requests != 1 {
		t.Errorf("got %v after %d requests, want %v after 1", err, requests, down)
	}
}

func TestAddressesAreParsedInAnyCase(t *testing.T) {
	const want = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" // an example of ERC-55
	for _, text := range []string{want, strings.ToLower(want), "0x" + strings.ToUpper(want[2:])} {
		if a, err := ParseAddress(text); err != nil || a.String() != want {
			t.Errorf("%s: got %s %v", text, a, err)
		}
	}
	for _, bad := range []string{"", "0x", "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", want + "0", want[:41], "0xgAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", " " + want} {
		if a, err := ParseAddress(bad); err == nil {
			t.Errorf("%q: got %s, want an error", bad, a)
		}
	}
}

func TestTextRemovesCharactersThatCannotBeShown(t *testing.T) {
	encoded := func(s string) []byte {
		b := append(word(32), word(len(s))...)
		return append(b, append([]byte(s), make([]byte, 32)...)...)
	}
	cases := map[string]struct {
		data []byte
		want string
	}{
		"a string":                 {encoded("USDC"), "USDC"},
		"a right-to-left override": {encoded("USD\u202eC\x00\x07"), "USDC"},
		"invalid UTF-8":            {encoded("US\xffDC"), "USDC"},
		"other scripts":            {encoded("₮ether"), "₮ether"},
		"a cut string":             {append(word(32), word(4)...), ""},
		"an offset far away":       {append(word(1<<40), word(4)...), ""},
		"a length far too big":     {append(word(32), word(1<<40)...), ""},
		"nothing":                  {nil, ""},
	}
	for name, c := range cases {
		if got := (Answer{OK: true, Data: c.data}).Text(); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestTheAssemblerRefusesUnknownTokens(t *testing.T) {
	for _, source := range []string{"FOO", "@nowhere JUMP", "$nothing", "0x", "0x1"} {
		if code, err := Assemble(source, nil); err == nil {
			t.Errorf("%s: got %x, want an error", source, code)
		}
	}
	if strings.Contains(string(overrideProgram[:20]), "\x5f") {
		t.Error("the program must not use PUSH0, which old forks do not have")
	}
}

func FuzzParseAddress(f *testing.F) {
	f.Add("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddress(s)
		if err == nil && !strings.EqualFold(a.String(), s) {
			t.Errorf("%q became %s", s, a)
		}
	})
}

func FuzzDecodeOutput(f *testing.F) {
	f.Add(output(Answer{OK: true, Data: word(7)}, Answer{}), uint8(2))
	f.Fuzz(func(t *testing.T, out []byte, targets uint8) {
		queries := []Query{TokenBalances(Address{}, make([]Address, targets))}
		answers, _, err := decodeOutput(queries, out)
		if err == nil && (len(answers) == 0 || len(answers) > int(targets)) {
			t.Errorf("%d answers to %d targets", len(answers), targets)
		}
	})
}

func FuzzDecodeAggregate(f *testing.F) {
	f.Add(append(append(word(32), word(3)...), make([]byte, 640)...))
	f.Fuzz(func(t *testing.T, out []byte) {
		queries := []Query{TokenBalances(Address{}, make([]Address, 2))}
		answers, _, err := multicall{}.decode(queries, out)
		if err == nil && len(answers) != 2 {
			t.Errorf("%d answers to 2 targets", len(answers))
		}
	})
}

func FuzzResponses(f *testing.F) {
	f.Add([]byte(`[{"id":0,"result":{"timestamp":"0x1"}},{"id":1,"result":"0x1"}]`))
	f.Add([]byte(`{"id":0,"error":{"code":3,"message":"execution reverted","data":"0x00"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		node := func(context.Context, []byte) ([]byte, error) { return body, nil }
		for _, form := range allForms() {
			answers, _, err := form.send(t.Context(), node, newest, []Query{NativeBalance(Address{1})})
			if err == nil && (len(answers) != 1 || len(answers[0].Data) != wordSize) {
				t.Errorf("%s: got %+v", form.name(), answers)
			}
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add(append(word(32), word(4)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := (Answer{OK: true, Data: data}).Text()
		if strings.ContainsAny(text, "\x00\n\u202e") {
			t.Errorf("%x became %q", data, text)
		}
	})
}
