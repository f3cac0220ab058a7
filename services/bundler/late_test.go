package bundler

import (
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/bundler/calls"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
)

// transfer returns a signed transfer of one wei, with the gas price of the local chains.
func (w *world) transfer(key account.Key, to evm.Address, nonce uint64) hexutil.Bytes {
	w.t.Helper()
	signed, err := key.SignTransaction(&types.DynamicFeeTx{
		ChainID: w.network().Number, Nonce: nonce, GasTipCap: big.NewInt(1e9), GasFeeCap: big.NewInt(1e11), Gas: 21_000, To: &to, Value: big.NewInt(1),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		w.t.Fatal(err)
	}
	return raw
}

// eventuallyFails works until an operation counts as failed.
func (w *world) eventuallyFails(hash common.Hash) {
	w.t.Helper()
	w.eventually("the operation counts as failed", func() bool {
		w.step()
		_, failed, err := w.endpoint.FindReceipt(w.t.Context(), local, hash)
		if err != nil {
			w.t.Fatal(err)
		}
		return failed
	})
}

// mine sends a transaction and waits until it is in a block.
func (w *world) mine(raw hexutil.Bytes) {
	w.t.Helper()
	var hash common.Hash
	if err := json.Unmarshal(w.chain.Call(w.t, "eth_sendRawTransaction", raw), &hash); err != nil {
		w.t.Fatal(err)
	}
	w.eventually("the transaction is in a block", func() bool { return string(w.chain.Call(w.t, "eth_getTransactionReceipt", hash)) != "null" })
}

func TestAnIncludedOperationStaysIncludedIfAnotherTransactionOfItReverts(t *testing.T) {
	key := newKey(t)
	w := newWorld(t, open(t), nil)
	fund(t, w.chain, key.Address())
	p := w.newPerson()
	o := p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))
	hash := w.send(o)
	w.receipt(hash)
	entryPoint := w.network().EntryPoints[0]
	signed, err := key.SignTransaction(&types.DynamicFeeTx{
		ChainID: w.network().Number, GasTipCap: big.NewInt(1e9), GasFeeCap: big.NewInt(1e11), Gas: 1_000_000, To: &entryPoint, Data: o.HandleOps(key.Address()),
	})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	w.mine(raw)
	now := w.clock.Now()
	if err := w.store.Replace(t.Context(), executor.Transaction{
		ChainID: local, Hash: signed.Hash(), Operation: hash, Executor: key.Address(), Raw: raw, Fee: executor.Fee{Max: big.NewInt(1), Tip: big.NewInt(1)}, Signed: now, Sent: now,
	}); err != nil {
		t.Fatal(err)
	}
	w.step()
	if found, err := w.store.Find(t.Context(), local, hash); err != nil || found.State != executor.Included {
		t.Errorf("its state is %d, %v", found.State, err)
	}
}
func TestAnOperationOfARemovedExecutorIsSentAgain(t *testing.T) {
	db := open(t)
	before, after := newWorld(t, db, nil), newWorld(t, db, nil)
	before.withhold.Store(true)
	p := before.newPerson()
	hash := before.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	after.clock.Pass(3 * time.Second)
	after.step()
	if r := after.receipt(hash); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
}

func TestAnOperationOfARemovedExecutorEnds(t *testing.T) {
	db := open(t)
	before, after := newWorld(t, db, nil), newWorld(t, db, func(c *Config) { c.Limits.DroppedPerHour = 1 })
	before.withhold.Store(true)
	after.withhold.Store(true)
	p := before.newPerson()
	hash := before.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	after.clock.Pass(31 * time.Minute)
	after.step()
	if _, failed, err := after.endpoint.FindReceipt(t.Context(), local, hash); err != nil || !failed {
		t.Errorf("it did not end: %v", err)
	}
	// Its end is not the account's fault, and does not count toward DroppedPerHour.
	after.withhold.Store(false)
	next := person{after, p.key}
	if r := after.receipt(after.send(next.sign(next.estimated(next.delegate(next.operation(receiver, 2)))))); !r.Success {
		t.Errorf("the next operation's receipt is %+v", r)
	}
}

// The nonce of an operation that was dropped while its executor was removed is used by nothing.
func TestAnOperationDoesNotWaitForANonceThatNoOperationHas(t *testing.T) {
	db, key := open(t), newKey(t)
	has := func(c *Config) { c.Executors = []string{key.Hex()} }
	before, without, again := newWorld(t, db, has), newWorld(t, db, nil), newWorld(t, db, has)
	fund(t, before.chain, key.Address())
	before.withhold.Store(true)
	p, q := before.newPerson(), before.newPerson()
	before.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	before.clock.Pass(20 * time.Minute)
	waits := before.send(q.sign(q.estimated(q.delegate(q.operation(receiver, 1)))))
	without.withhold.Store(true)
	without.clock.Pass(31 * time.Minute)
	without.step()
	again.clock.Pass(31 * time.Minute)
	again.eventually("the operation is included", func() bool {
		again.clock.Pass(3 * time.Second)
		// It fails if a transaction that it replaces is mined meanwhile, and is repeated.
		_ = again.executor.Load().Step(t.Context(), again.localChain())
		return string(again.call("eth_getUserOperationReceipt", waits).Result) != "null"
	})
}

func TestAnOperationOfARemovedExecutorWhoseNonceIsUsedGetsAnotherExecutor(t *testing.T) {
	db, key := open(t), newKey(t)
	before, after := newWorld(t, db, func(c *Config) { c.Executors = []string{key.Hex()} }), newWorld(t, db, nil)
	fund(t, before.chain, key.Address())
	before.withhold.Store(true)
	p := before.newPerson()
	hash := before.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	after.mine(after.transfer(key, receiver, 0))
	after.clock.Pass(2 * time.Minute)
	after.step()
	if r := after.receipt(hash); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
}

func TestTheFeeOfATransactionIsNotRaisedWithoutEnd(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	w.withhold.Store(true)
	o := p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))
	hash := w.send(o)
	for range 100 {
		w.clock.Pass(31 * time.Second)
		w.step()
	}
	found, err := w.store.Find(t.Context(), local, hash)
	if err != nil {
		t.Fatal(err)
	}
	last := found.Transactions[len(found.Transactions)-1]
	if most := new(big.Int).Mul(o.MaxFeePerGas.ToBig(), big.NewInt(20)); last.Fee.Max.Cmp(most) > 0 || len(found.Transactions) > 25 {
		t.Errorf("%d transactions, and a fee of %s instead of %s", len(found.Transactions), last.Fee.Max, o.MaxFeePerGas.Dec())
	}
	w.withhold.Store(false)
	w.clock.Pass(31 * time.Second)
	w.eventuallyFails(hash)
}

func TestALateTransactionIsRaisedToThePriceOfTheChain(t *testing.T) {
	w := newWorld(t, open(t), nil)
	setBaseFee := func(n *big.Int) {
		w.chain.Call(t, "anvil_setNextBlockBaseFeePerGas", (*hexutil.Big)(n))
		w.chain.Call(t, "anvil_mine", "0x1")
	}
	// The chain is that of the other tests as well.
	defer setBaseFee(big.NewInt(1e9))
	p := w.newPerson()
	w.withhold.Store(true)
	hash := w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	late := func(times int) executor.Fee {
		for range times {
			w.clock.Pass(31 * time.Second)
			w.step()
		}
		return w.lastFee(hash)
	}
	raised := late(15)
	if again := late(1); again.Max.Cmp(raised.Max) != 0 {
		t.Errorf("raised from %s to %s", raised.Max, again.Max)
	}
	base := new(big.Int).Mul(raised.Max, big.NewInt(3))
	setBaseFee(base)
	// The first replacement is empty, because the operation pays less than the base fee.
	for range 2 {
		if raised = late(1); raised.Max.Cmp(base) < 0 {
			t.Errorf("the fee is %s, and the base fee %s", raised.Max, base)
		}
	}
}

func TestAReorgSendsAnOperationAgainThatWasIncludedLate(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	w.withhold.Store(true)
	hash := w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	for range 20 {
		w.clock.Pass(time.Minute)
		w.step()
	}
	revert := w.chain.Snapshot(t)
	w.withhold.Store(false)
	w.clock.Pass(time.Minute)
	w.step()
	w.receipt(hash)
	w.step()
	revert(t)
	w.clock.Pass(time.Minute)
	w.step()
	if r := w.receipt(hash); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
}

func TestTransactionsThatWaitForAnEarlierNonceFailAfterATime(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	b := calls.Batch{Project: project, Account: p.key.Address(), ChainID: local, Transactions: []hexutil.Bytes{w.transfer(p.key, receiver, 1)}}
	b, err := w.calls.SendTransactions(t.Context(), b, w.network().Number)
	if err != nil {
		t.Fatal(err)
	}
	want := func(code uint32) {
		t.Helper()
		if s, err := w.calls.Status(t.Context(), project, b.Account, b.ID); err != nil || s.Code != code {
			t.Errorf("the status is %d, %v, want %d", s.Code, err, code)
		}
	}
	w.clock.Pass(2 * time.Hour)
	want(calls.StatusPending)
	w.clock.Pass(2 * time.Hour)
	want(calls.StatusFailed)
	// A node may have kept them.
	w.mine(w.transfer(p.key, receiver, 0))
	w.eventually("they count as confirmed", func() bool {
		s, err := w.calls.Status(t.Context(), project, b.Account, b.ID)
		return err == nil && s.Code == calls.StatusConfirmed
	})
}
