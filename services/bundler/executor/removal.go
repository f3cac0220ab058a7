package executor

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/bundler/fees"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// removalAttempts is how often one authorization is sent: its nonce stays the current one of an account whose transaction no block included.
const removalAttempts = 3

// Budget reports whether the sums of a day, in wei, are within the limits of the sponsor: what was paid for the project, and for the account.
type Budget func(project, account *big.Int) bool

// IsRemoval reports whether the record is not of a user operation, but of an authorization that ends the delegation of an account (EIP-7702). Its Operation
// has only the account, the authorization, the fees, and the gas of the transaction as PreVerificationGas.
func (r Record) IsRemoval() bool { return r.EntryPoint == evm.Address{} }

// Remove sends an account's authorization for the zero address in a transaction that the executor pays for, and returns its hash. It fails with a [*Refusal] if
// the authorization would have no effect, a limit is reached, or the sponsor's budget is used up. While it is pending, or after it had its effect, the same
// authorization is not sent again.
func (e *Executor) Remove(ctx context.Context, project string, c Chain, from evm.Address, a userop.Authorization, budget Budget) (common.Hash, error) {
	if err := checkAuthorization(c, from, a); err != nil {
		return common.Hash{}, err
	}
	hash, isSent, err := e.findRemoval(ctx, c.ChainID, from, a)
	if err != nil || isSent {
		return hash, err
	}
	price, err := e.Price(ctx, c.ChainID)
	if err != nil {
		return hash, err
	}
	o := &userop.Operation{Sender: from, Authorization: &a}
	o.MaxFeePerGas.SetFromBig(price.Max)
	o.MaxPriorityFeePerGas.SetFromBig(price.Tip)
	ready, err := e.checkRemoval(ctx, c, o, true)
	if err != nil {
		return hash, err
	}
	record := Record{
		ChainID: c.ChainID, Hash: hash, Project: project, Operation: o, State: Sent, Received: e.clock.Now(), MaxLoss: ready.loss, MaxFee: ready.maxFee,
	}
	sent, err := e.store.InsertRemoval(ctx, record, c.limits(e.options.Limits), budget, ready.key.Address(), ready.nonce, e.signer(record, c.Number, ready.key, ready.fee))
	if errors.Is(err, ErrKnown) {
		return hash, nil
	}
	if err := e.refusalOfStore(ctx, c.ChainID, err); err != nil {
		return hash, err
	}
	return hash, e.sendFirst(ctx, record, sent)
}

// checkAuthorization checks that an account signed an authorization that ends its delegation on the chain, and on no other one.
func checkAuthorization(c Chain, from evm.Address, a userop.Authorization) error {
	switch {
	case a.Address != common.Address{}:
		return refuse(CodeInvalid, "the authorization is not for the zero address")
	case a.ChainID.IsZero() || a.ChainID.ToBig().Cmp(c.Number) != 0:
		return refuse(CodeInvalid, "the authorization is not for this chain")
	case a.Check(from, c.Number) != nil:
		return refuse(CodeSignature, "the account did not sign the authorization")
	}
	return nil
}

// findRemoval returns the hash of an authorization and whether it was sent. One that was dropped gets another hash.
func (e *Executor) findRemoval(ctx context.Context, chainID string, from evm.Address, a userop.Authorization) (hash common.Hash, isSent bool, err error) {
	signed := a.SetCode()
	digest := signed.SigHash()
	for attempt := range byte(removalAttempts) {
		// The signature keeps others from computing the hash before it is sent.
		hash = crypto.Keccak256Hash([]byte("removal"), from[:], digest[:], common.LeftPadBytes(a.R.Bytes(), 32), common.LeftPadBytes(a.S.Bytes(), 32), []byte{signed.V, attempt})
		known, err := e.store.Find(ctx, chainID, hash)
		switch {
		case errors.Is(err, ErrUnknown):
			return hash, false, nil
		case err != nil:
			return hash, false, err
		case known.State != Dropped:
			return hash, true, nil
		}
	}
	return hash, false, refuse(CodeRejected, "the authorization was sent before and had no effect")
}

// checkRemoval checks that an authorization has an effect at the newest block, and selects a key that can pay for its transaction. The first check also sets its
// gas, and refuses an account that has a transaction in the pool of the nodes: later ones would see the executor's own.
func (e *Executor) checkRemoval(ctx context.Context, c Chain, o *userop.Operation, isFirst bool) (ready, error) {
	keys := e.inTurn()
	calls := []chainclient.Call{
		chainclient.LatestBlock(), {Method: "eth_maxPriorityFeePerGas"}, {Method: "eth_getCode", Params: []any{o.Sender, "latest"}},
		{Method: "eth_getTransactionCount", Params: []any{o.Sender, "latest"}}, {Method: "eth_getTransactionCount", Params: []any{o.Sender, "pending"}},
	}
	data := len(calls)
	calls = append(calls, c.Fees.Model.RemovalCalls(c.Number, o, c.Fees.Gas.Removal())...)
	balances := len(calls)
	results, err := e.connect(c.ChainID).Batch(ctx, append(calls, balancesOf(keys)...)...)
	if err != nil {
		return ready{}, err
	}
	if err := checkEffect(o, results[2], results[3]); err != nil {
		return ready{}, err
	}
	if isFirst {
		if err := checkNoneWaits(o, results[4]); err != nil {
			return ready{}, err
		}
	}
	var newest header
	if err := results[0].Decode(&newest); err != nil {
		return ready{}, err
	}
	tip, err := results[1].Quantity()
	if err != nil {
		return ready{}, err
	}
	base := nextBaseFee(newest.BaseFee.OrZero())
	if err := checkFee(o, base, tip, new(big.Int).SetUint64(c.Fees.LeastTip)); err != nil {
		return ready{}, err
	}
	price := fees.Price(o, newest.BaseFee.OrZero())
	charge, err := c.Fees.Model.Charge(results[data:balances], price)
	if err != nil {
		return ready{}, err
	}
	if isFirst {
		o.PreVerificationGas = userop.NewQuantity(c.Fees.Gas.Removal() + c.Fees.Model.GasOf(charge))
	}
	fee := firstFee(o, base, tip)
	maxFee := mostFee(o, fee)
	cost := new(big.Int).Mul(o.PreVerificationGas.ToBig(), maxFee)
	cost.Add(cost, scale(new(big.Int).Mul(new(big.Int).SetUint64(charge), price), 5, 4))
	r, err := selectKey(keys, results[balances:], cost)
	r.fee, r.maxFee, r.loss = fee, maxFee, cost
	return r, err
}

// checkEffect checks that an account delegates, and that the nonce of its authorization is the current one.
func checkEffect(o *userop.Operation, code, count chainclient.Result) error {
	raw, err := code.Bytes()
	if err != nil {
		return err
	}
	if _, delegates := types.ParseDelegation(raw); !delegates {
		return refuse(CodeRejected, "the account delegates to no code")
	}
	sent, err := count.Quantity()
	if err != nil {
		return err
	}
	if sent.Cmp(o.Authorization.Nonce.ToBig()) != 0 {
		return refuse(CodeInvalid, "the nonce of the authorization is not that of the account, %s", sent)
	}
	return nil
}

// checkNoneWaits checks that no node has a transaction of the account that would use the nonce of its authorization.
func checkNoneWaits(o *userop.Operation, pending chainclient.Result) error {
	next, err := pending.Quantity()
	if err != nil {
		return err
	}
	if next.Cmp(o.Authorization.Nonce.ToBig()) > 0 {
		return refuse(CodeRejected, "a transaction of the account is pending")
	}
	return nil
}

// signRemoval signs the transaction of a removal. It is sent to the executor itself, where no code runs: code of the account would, if the authorization is
// invalid by then.
func signRemoval(o *userop.Operation, chainID *big.Int, key account.Key, fee Fee, nonce uint64) (*types.Transaction, error) {
	return key.SignSetCode(&types.SetCodeTx{
		ChainID: uint256.MustFromBig(chainID), Nonce: nonce, GasTipCap: uint256.MustFromBig(fee.Tip), GasFeeCap: uint256.MustFromBig(fee.Max),
		Gas: o.PreVerificationGas.Uint64(), To: key.Address(), AuthList: []types.SetCodeAuthorization{o.Authorization.SetCode()},
	})
}

// tookEffect reports whether a removal took effect by a transaction that is in a block. A transaction whose authorization is invalid is included like any other.
func (e *Executor) tookEffect(ctx context.Context, o Open, t Transaction, block uint64) (bool, error) {
	switch {
	case t.isEmpty() || o.State == Dropped:
		return false, nil
	case o.State != Sent && o.Block == block:
		return true, nil
	}
	code := func(at any) chainclient.Call {
		return chainclient.Call{Method: "eth_getCode", Params: []any{o.Operation.Sender, at}}
	}
	results, err := e.connect(o.ChainID).Batch(ctx, code(hexutil.Uint64(block)), code("latest"))
	if err != nil {
		return false, err
	}
	raw, err := results[0].Bytes()
	if _, isOld := errors.AsType[*chainclient.NodeError](err); isOld {
		raw, err = results[1].Bytes() // nodes keep the states of the newest blocks only
	}
	_, delegates := types.ParseDelegation(raw)
	return err == nil && !delegates, err
}
