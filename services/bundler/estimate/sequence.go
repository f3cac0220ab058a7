package estimate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// transactionGas is what eth_simulateV1 adds to the execution gas of each part.
	transactionGas = 21_000
	word           = 32
)

// caller is the account that runs a sequence.
var caller = evm.MustAddress("0x000000000000000000000000000000000000CA11")

// sequence runs the parts in sequence in one eth_call, for nodes without eth_simulateV1. A state override replaces the
// EntryPoint's code by a program, so that the account sees its calls come from the EntryPoint.
func sequence(ctx context.Context, node chainclient.Transport, entryPoint evm.Address, parts []part, overrides map[string]map[string]any) (map[string]uint64, error) {
	overrides = maps.Clone(overrides)
	overrides[entryPoint.String()] = maps.Clone(overrides[entryPoint.String()])
	code, err := program(parts)
	if err != nil {
		return nil, err
	}
	overrides[entryPoint.String()]["code"] = hexutil.Bytes(code)
	call := map[string]any{"from": caller, "to": entryPoint, "gas": hexutil.Uint64(measuredGas * uint64(len(parts)))}
	results, err := node.Batch(ctx, chainclient.Call{Method: "eth_call", Params: []any{call, "latest", overrides}})
	if err != nil {
		return nil, err
	}
	out, err := results[0].Bytes()
	if err != nil {
		return nil, err
	}
	if len(out) < word {
		return nil, chainclient.ErrAnswer
	}
	if failed := new(big.Int).SetBytes(out[:word]); failed.Sign() > 0 {
		if !failed.IsUint64() || failed.Uint64() > uint64(len(parts)) {
			return nil, chainclient.ErrAnswer
		}
		return nil, reverted(parts[failed.Uint64()-1].name, out[word:])
	}
	if len(out) != word*(1+len(parts)) {
		return nil, errors.Join(chainclient.ErrAnswer, errors.New("the gas of a part is missing"))
	}
	used := map[string]uint64{}
	for i, p := range parts {
		used[p.name] = binary.BigEndian.Uint64(out[word*(i+2)-8:]) + transactionGas
	}
	return used, nil
}

// program returns code that calls each part. It returns 0 and the gas that each part used, or the number of the first
// part that failed and its revert data. Calls by other contracts, such as an account that pays the EntryPoint, do
// nothing.
func program(parts []part) ([]byte, error) {
	variables := []string{"failed"}
	for i := range parts {
		variables = append(variables, fmt.Sprint("used", i))
	}
	variables = append(variables, "before")
	var source, failures strings.Builder
	var data []byte
	source.WriteString("CALLER ORIGIN EQ @start JUMPI STOP start:\n")
	for i, p := range parts {
		size, memory := fmt.Sprintf("0x%06x", len(p.data)), fmt.Sprintf("0x%04x", word*len(variables))
		fmt.Fprintf(&source, "%s @end 0x%06x ADD %s CODECOPY GAS =before\n", size, len(data), memory)
		fmt.Fprintf(&source, "0x00 0x00 %s %s 0x00 0x%x GAS CALL ISZERO @fail%d JUMPI GAS $before SUB =used%d\n", size, memory, p.to.Bytes(), i, i)
		fmt.Fprintf(&failures, "fail%d: RETURNDATASIZE 0x00 0x20 RETURNDATACOPY 0x%02x =failed RETURNDATASIZE 0x20 ADD 0x00 RETURN\n", i, i+1)
		data = append(data, p.data...)
	}
	fmt.Fprintf(&source, "0x00 =failed 0x%04x 0x00 RETURN\n%s", word*(1+len(parts)), failures.String())
	code, err := evm.Assemble(source.String(), variables)
	return append(code, data...), err
}
