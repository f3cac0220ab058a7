package grant

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const contract = "0x6666666666666666666666666666666666666666"

var now = time.Unix(1_800_000_000, 0)

// parseCall parses a permission to call f, whose ABI has inputs, with rules for its arguments.
func parseCall(inputs, args string) (Grant, error) {
	data := fmt.Sprintf(`{"address":%q,"abi":[{"type":"function","name":"f","inputs":%s}],"functions":[{"functionName":"f","args":%s}]}`, contract, inputs, args)
	return Parse(uint32(now.Unix())+60, []Item{{ContractCall, json.RawMessage(data)}}, nil, now)
}

func TestSelectorsAreOfTheCanonicalSignature(t *testing.T) {
	for inputs, want := range map[string]string{
		`[]`: selector("f()"),
		`[{"type":"address"},{"type":"uint256"}]`: selector("f(address,uint256)"),
		`[{"type":"tuple[2][]","components":[{"type":"bytes4"},{"type":"tuple","components":[{"type":"bool[]"}]}]}]`: selector("f((bytes4,(bool[]))[2][])"),
	} {
		g, err := parseCall(inputs, "[]")
		if err != nil || hex.EncodeToString(g.Functions[0].Selector[:]) != want {
			t.Errorf("%s: %v, %v", inputs, g, err)
		}
	}
}

func selector(signature string) string {
	return hex.EncodeToString(crypto.Keccak256([]byte(signature))[:4])
}

// The rule is for the uint256 that follows each type.
func TestTheOffsetOfARuleIsThatOfTheHead(t *testing.T) {
	for before, want := range map[string]int{
		`{"type":"uint8"}`:       36,
		`{"type":"uint8[3]"}`:    4 + 3*32,
		`{"type":"uint8[3][2]"}`: 4 + 6*32,
		`{"type":"uint8[]"}`:     36,
		`{"type":"uint8[][2]"}`:  36,
		`{"type":"string[2]"}`:   36,
		`{"type":"tuple[2]","components":[{"type":"bool"},{"type":"bytes4[3]"}]}`: 4 + 8*32,
		`{"type":"tuple","components":[{"type":"bool"},{"type":"bytes"}]}`:        36,
		`{"type":"uint8[2047]"}`: 4 + 2047*32,
	} {
		g, err := parseCall(`[`+before+`,{"type":"uint256"}]`, `[null,{"operator":"EQUAL","value":"0x1"}]`)
		if err != nil || g.Functions[0].Rules[0].Offset != want {
			t.Errorf("%s: %v, %v", before, g, err)
		}
	}
}

func TestInputsThatNoContractHasAreRefused(t *testing.T) {
	deep := `{"type":"bool"}`
	for range 6 {
		deep = `{"type":"tuple","components":[` + deep + `]}`
	}
	for name, inputs := range map[string]string{
		"a long array":     `[{"type":"uint256[9223372036854775807]"}]`,
		"an empty array":   `[{"type":"uint256[0]"}]`,
		"many dimensions":  `[{"type":"uint256[1][1][1][1][1]"}]`,
		"deep tuples":      `[` + deep + `]`,
		"many parameters":  `[` + strings.Repeat(`{"type":"bool"},`, 64) + `{"type":"bool"}]`,
		"an empty tuple":   `[{"type":"tuple"}]`,
		"a number of 7":    `[{"type":"uint7"}]`,
		"bytes33":          `[{"type":"bytes33"}]`,
		"another type":     `[{"type":"fixed128x18"}]`,
		"a type in a type": `[{"type":"address,address"}]`,
		"no list":          `7`,
	} {
		if _, err := parseCall(inputs, "[]"); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	far := `[{"type":"tuple[9999][9999]","components":[{"type":"uint8[9999][9999][9999][9999]"}]},{"type":"uint8"}]`
	if _, err := parseCall(far, `[null,{"operator":"EQUAL","value":"0x1"}]`); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a rule far behind: %v", err)
	}
	if _, err := parseCall(far, "[]"); err != nil {
		t.Errorf("without the rule: %v", err)
	}
}

func TestAFunctionIsNamedByItsSignature(t *testing.T) {
	abi := []described{
		{Type: "function", Name: "f", Inputs: json.RawMessage(`[{"type":"address"},{"type":"uint256"}]`)}, {Type: "function", Name: "f"},
		{Type: "function", Name: "g", Inputs: json.RawMessage(`"unread"`)},
	}
	if inputs, _, err := findFunction(abi, "f(address,uint256)"); err != nil || len(inputs) != 2 {
		t.Errorf("%v, %v", inputs, err)
	}
	for _, name := range []string{"f", "f(bool)", "h", "", "f\n"} {
		if _, _, err := findFunction(abi, name); !errors.Is(err, ErrMalformed) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func FuzzFunctionsOfAnyABI(f *testing.F) {
	f.Add(`[{"type":"uint8[2]"},{"type":"uint256"}]`, `[null,{"operator":"EQUAL","value":"0x7"}]`, []byte("\x00\x01"))
	f.Add(`[{"type":"uint256[9223372036854775807]"},{"type":"uint256"}]`, `[null,{"operator":"LESS_THAN","value":"0x7"}]`, bytes.Repeat([]byte{1}, 100))
	f.Add(`[{"type":"tuple[99][]","components":[{"type":"bytes3"}]}]`, `[]`, []byte{})
	f.Fuzz(func(t *testing.T, inputs, args string, arguments []byte) {
		g, err := parseCall(inputs, args)
		if err != nil {
			return
		}
		for _, function := range g.Functions {
			for _, r := range function.Rules {
				if r.Offset < 4 || r.Offset > maxOffset || r.Offset%wordSize != 4 {
					t.Fatalf("the offset is %d", r.Offset)
				}
			}
			_, _ = g.Allow(delegation.Call{To: evm.MustAddress(contract), Value: new(big.Int), Data: append(function.Selector[:], arguments...)})
		}
	})
}
