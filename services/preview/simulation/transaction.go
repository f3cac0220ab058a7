package simulation

import (
	"math"
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// leastGas is the least gas limit with which calls are run that could use more.
const leastGas = 100_000

// affordable returns the gas limit of each call that the account's balance pays for, with a quarter left for other fees.
func (r Request) affordable(c conditions) uint64 {
	if r.Atomic {
		return math.MaxUint64 // another account pays
	}
	left := new(big.Int).Set(r.Balance)
	for _, of := range r.Calls {
		left.Sub(left, of.Value)
	}
	price := new(big.Int).Mul(c.maxFee, big.NewInt(int64(len(r.Calls))))
	if left.Sign() <= 0 || price.Sign() == 0 {
		return 0
	}
	left.Quo(left, price)
	if !left.IsUint64() {
		return math.MaxUint64
	}
	return left.Uint64() / 4 * 3
}

// transaction is one transaction of a simulation.
type transaction struct {
	from  evm.Address
	to    *evm.Address
	value *big.Int
	data  []byte
	gas   uint64
}

// count returns the number of transactions.
func (r Request) count() int {
	if r.Atomic {
		return 1
	}
	return len(r.Calls)
}

// transactions returns one transaction for each call, or one of another sender for all of them.
func (r Request) transactions(c conditions, sender evm.Address) (list []transaction) {
	if r.Atomic {
		return []transaction{{sender, &r.Account, new(big.Int), packed(r.Calls), r.Calls[0].limit(c)}}
	}
	for _, of := range r.Calls {
		list = append(list, transaction{r.Account, of.To, of.Value, of.Data, of.limit(c)})
	}
	return list
}

// call returns the JSON-RPC call that simulates the request under conditions.
func (r Request) call(c conditions, f form) chainclient.Call {
	reader, sender := anyone(), anyone()
	var list []any
	for _, w := range r.Watched {
		if w.Before == nil {
			list = append(list, read(c, reader, w.Token, balanceOf.Write(r.Account)))
		}
	}
	reserved, paid := new(big.Int), new(big.Int)
	for _, t := range r.transactions(c, sender) {
		call := map[string]any{"from": t.from, "value": (*hexutil.Big)(t.value), "input": hexutil.Bytes(t.data)}
		if t.to != nil {
			call["to"] = *t.to
		}
		c.pay(call, t.gas)
		paid.Add(paid, t.value)
		reserved.Add(reserved, new(big.Int).Mul(c.maxFee, new(big.Int).SetUint64(t.gas)))
		list = append(list, call)
	}
	for _, w := range r.Watched {
		list = append(list, read(c, reader, w.Token, balanceOf.Write(r.Account)))
	}
	for _, a := range r.Allowances {
		list = append(list, read(c, reader, a.Token, allowance.Write(r.Account, a.Spender)))
	}
	rich := map[string]any{"balance": (*hexutil.Big)(new(big.Int).Lsh(big.NewInt(1), 120))}
	overrides := map[string]any{reader.String(): rich}
	if r.Atomic {
		overrides[sender.String()] = rich
		r.runBatches(overrides, sender)
	} else {
		r.change(overrides, reserved, paid)
	}
	// Some nodes run calls that they do not validate with a base fee of 0.
	return chainclient.Call{Method: "eth_simulateV1", Params: []any{map[string]any{
		"blockStateCalls": []any{map[string]any{"blockOverrides": c.overrides(f.takesRoot), "stateOverrides": overrides, "calls": list}},
		"traceTransfers":  true, "validation": f.validates,
	}, "latest"}}
}

// anyone returns an address that no contract knows.
func anyone() evm.Address { return evm.Address(random().Bytes()[:len(evm.Address{})]) }

// readGas is the gas limit of a call that only reads: proxies of large tokens need about 40,000.
const readGas = 300_000

// read returns a call that only reads. Its sender is an address that no contract knows, which can pay.
func read(c conditions, reader, token evm.Address, data []byte) map[string]any {
	call := map[string]any{"from": reader, "to": token, "input": hexutil.Bytes(data)}
	c.pay(call, readGas)
	return call
}

// dataFee is more than rollups take for the data of a transaction, in wei.
var dataFee = big.NewInt(1e16)

// change adds the changes of the account: its code, and its balance if only the fees make it short.
// Who pays for gas differs, and the gas limits are larger than what is used.
func (r Request) change(overrides map[string]any, reserved, paid *big.Int) {
	account := map[string]any{}
	if r.Delegate != nil {
		account["code"] = hexutil.Bytes(types.AddressToDelegation(*r.Delegate))
	}
	if r.Balance.Cmp(new(big.Int).Add(reserved, paid)) < 0 {
		account["balance"] = (*hexutil.Big)(new(big.Int).Add(r.Balance, new(big.Int).Add(reserved, dataFee)))
	}
	if len(account) > 0 {
		overrides[r.Account.String()] = account
	}
}
