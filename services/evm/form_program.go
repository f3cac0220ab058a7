package evm

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// programTargets is how many contracts one run of the program is asked about: public nodes begin to run out of gas at about 500.
const programTargets = 460

// seat is where the program is put for the length of one call; nobody holds the key of this address.
var seat = MustAddress("0x4861777365725265616465720000000000000001")

// stateOverride runs the program at an address whose code is replaced for one eth_call.
type stateOverride struct{}

func (stateOverride) name() string { return "state override" }
func (stateOverride) limit() int   { return programTargets }

func (stateOverride) ask(ctx context.Context, send Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	input := encodeInput(nil, queries)
	code := map[string]map[string]string{seat.String(): {"code": overrideCode}}
	raw, err := call(ctx, send, "eth_call", map[string]string{"to": seat.String(), "data": encodeHex(input)}, block, code)
	if err != nil {
		return nil, time.Time{}, err
	}
	out, err := decodeHex(raw)
	if err != nil {
		return nil, time.Time{}, err
	}
	return decodeOutput(queries, out)
}

var overrideCode = encodeHex(overrideProgram)

// initCode runs the program as the creation of a contract that reverts with the output.
type initCode struct{}

func (initCode) name() string { return "init code" }
func (initCode) limit() int   { return programTargets }

func (initCode) ask(ctx context.Context, send Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	code := encodeInput(initProgram, queries)
	_, err := call(ctx, send, "eth_call", map[string]string{"data": encodeHex(code)}, block)
	if err == nil {
		return nil, time.Time{}, errOutput
	}
	var node *nodeError
	if !errors.As(err, &node) {
		return nil, time.Time{}, err
	}
	out, ok := revertData(node.Data)
	if !ok {
		return nil, time.Time{}, err
	}
	return decodeOutput(queries, out)
}

// revertData finds what the call reverted with: most nodes give it as hex, some behind a word, some one object deeper.
func revertData(raw json.RawMessage) ([]byte, bool) {
	var deeper struct {
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &deeper) == nil && deeper.Data != nil {
		raw = deeper.Data
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return nil, false
	}
	text = strings.TrimPrefix(text, "Reverted ")
	out, err := decodeHex(json.RawMessage(`"` + text + `"`))
	return out, err == nil
}
