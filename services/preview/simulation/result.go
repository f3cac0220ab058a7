package simulation

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/revert"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

// reasonLimit bounds the reason of a revert, in characters.
const reasonLimit = 200

// read returns the result of a simulation. A node's refusal is that of a call that the account cannot pay for, or [ErrUnsupported].
func (r Request) read(answer chainclient.Result, c conditions) (Result, error) {
	raw, err := answer.JSON()
	if failed, ok := errors.AsType[*chainclient.NodeError](err); ok {
		if strings.Contains(strings.ToLower(failed.Message), "insufficient") {
			return unpaid(), nil
		}
		return Result{}, errors.Join(ErrUnsupported, err)
	}
	if err != nil {
		return Result{}, err
	}
	return r.parse(raw, c)
}

// simulated is the result of one call.
type simulated struct {
	Status chainclient.Uint64    `json:"status"`
	Gas    chainclient.Uint64    `json:"gasUsed"`
	Return chainclient.Bytes     `json:"returnData"`
	Logs   []chainclient.LogJSON `json:"logs"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func (r Request) parse(raw json.RawMessage, c conditions) (found Result, err error) {
	var blocks []struct {
		Calls []simulated `json:"calls"`
	}
	// Nodes put empty blocks before a block whose number is not the next one.
	if err := json.Unmarshal(raw, &blocks); err != nil || len(blocks) == 0 {
		return found, errors.Join(ErrUnsupported, chainclient.ErrAnswer, err)
	}
	all := blocks[len(blocks)-1].Calls
	unread, count := 0, r.count()
	for _, w := range r.Watched {
		if w.Before == nil {
			unread++
		}
	}
	if len(all) != unread+count+len(r.Watched)+len(r.Allowances) {
		return found, errors.Join(ErrUnsupported, chainclient.ErrAnswer)
	}
	before, calls, rest := all[:unread], all[unread:unread+count], all[unread+count:]
	for i, call := range calls {
		found.Gas, found.Used = found.Gas+uint64(call.Gas), append(found.Used, uint64(call.Gas))
		if call.Status == 1 {
			found.Logs = append(found.Logs, call.Logs...)
			continue
		}
		reason := revert.Reason(call.Return, reasonLimit)
		if reason == "" && call.Error != nil {
			reason = plaintext.Text(call.Error.Message, reasonLimit)
		}
		// A contract that another one calls gets 63 of 64 parts of the gas, so that the other one has some left.
		isOut := uint64(call.Gas) >= r.Calls[i].limit(c)/10*9
		return Result{Reverts: true, Reason: reason, Gas: found.Gas, OutOfGas: isOut}, nil
	}
	found.Moved, found.Allowed = map[evm.Address]*big.Int{}, map[Allowance]*big.Int{}
	for i, w := range r.Watched {
		was, ok := w.Before, true
		if was == nil {
			was, ok = before[0].word()
			before = before[1:]
		}
		if is, isRead := rest[i].word(); ok && isRead {
			found.Moved[w.Token] = is.Sub(is, was)
		}
	}
	for i, a := range r.Allowances {
		if amount, ok := rest[len(r.Watched)+i].word(); ok {
			found.Allowed[a] = amount
		}
	}
	return found, nil
}

// word returns the amount that a call returned.
func (s simulated) word() (*big.Int, bool) {
	const word = 32
	if s.Status != 1 || len(s.Return) != word {
		return nil, false
	}
	return new(big.Int).SetBytes(s.Return), true
}
