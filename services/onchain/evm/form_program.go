package evm

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
)

// programTargets is how many contracts one run of the program calls. Public nodes run out of gas at about 500.
const programTargets = 460

// programAddress is the address that has the program as its code during one call.
var programAddress = MustAddress("0x4861777365725265616465720000000000000001")

// stateOverride runs the program at an address whose code is replaced during one eth_call.
type stateOverride struct{}

func (stateOverride) name() string { return "state override" }
func (stateOverride) limit() int   { return programTargets }

func (stateOverride) send(ctx context.Context, t chainclient.Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	input := encodeInput(nil, queries)
	code := map[string]map[string]string{programAddress.String(): {"code": overrideCode}}
	raw, err := t.Call(ctx, "eth_call", map[string]string{"to": programAddress.String(), "data": hexutil.Encode(input)}, block, code)
	if err != nil {
		return nil, time.Time{}, err
	}
	out, err := chainclient.DecodeBytes(raw)
	if err != nil {
		return nil, time.Time{}, err
	}
	return decodeOutput(queries, out)
}

var overrideCode = hexutil.Encode(overrideProgram)

// initCode runs the program as the init code of a contract. It reverts with the output.
type initCode struct{}

func (initCode) name() string { return "init code" }
func (initCode) limit() int   { return programTargets }

func (initCode) send(ctx context.Context, t chainclient.Transport, block string, queries []Query) ([]Answer, time.Time, error) {
	code := encodeInput(initProgram, queries)
	_, err := t.Call(ctx, "eth_call", map[string]string{"data": hexutil.Encode(code)}, block)
	if err == nil {
		return nil, time.Time{}, errOutput
	}
	var node *chainclient.NodeError
	if !errors.As(err, &node) {
		return nil, time.Time{}, err
	}
	out, ok := node.RevertData()
	if !ok {
		return nil, time.Time{}, err
	}
	return decodeOutput(queries, out)
}
