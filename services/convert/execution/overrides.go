package execution

import (
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// override replaces an account's state during one eth_call.
type override struct {
	Code      string            `json:"code,omitempty"`
	Balance   string            `json:"balance,omitempty"`
	StateDiff map[string]string `json:"stateDiff,omitempty"`
}

// overrides holds state overrides by address.
type overrides map[string]override

// with returns a copy with another override of one account.
func (o overrides) with(account evm.Address, changed override) overrides {
	all := make(overrides, len(o)+1)
	for a, known := range o {
		all[a] = known
	}
	all[account.String()] = changed
	return all
}

// slot is one word of a contract's storage.
type slot [wordSize]byte

func (s slot) String() string { return "0x" + hex.EncodeToString(s[:]) }

func wordHex(n *uint256.Int) string { return fmt.Sprintf("0x%064x", n.ToBig()) }

// transaction is the argument of eth_call and eth_estimateGas.
type transaction struct {
	From  string `json:"from,omitempty"`
	To    string `json:"to"`
	Data  string `json:"data,omitempty"`
	Value string `json:"value,omitempty"`
}

func (c Call) from(sender evm.Address) transaction {
	return transaction{From: sender.String(), To: c.To.String(), Data: hexutil.Encode(c.Data), Value: c.Value.Hex()}
}

// blockTag returns the JSON-RPC form of a block number; 0 is the newest block.
func blockTag(number uint64) string {
	if number == 0 {
		return "latest"
	}
	return fmt.Sprintf("%#x", number)
}

// blockOverride replaces the block's fields during one eth_call.
type blockOverride struct {
	Time string `json:"time"`
}

// minedAt returns the call in a block with another time. Some nodes refuse such calls.
func minedAt(q chainclient.Call, at time.Time) chainclient.Call {
	q.Params = append(slices.Clone(q.Params), blockOverride{fmt.Sprintf("%#x", at.Unix())})
	return q
}

// callAt returns an eth_call of a transaction at a block with state overrides.
func callAt(tx transaction, block uint64, o overrides) chainclient.Call {
	q := chainclient.Call{Method: "eth_call", Params: []any{tx, blockTag(block)}}
	if len(o) > 0 {
		q.Params = append(q.Params, o)
	}
	return q
}
