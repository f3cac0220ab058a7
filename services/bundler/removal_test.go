package bundler

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	"github.com/hawser-dev/hawser/services/bundler/calls"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/fees"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// newDelegated returns an account without funds that delegates to code.
func (w *world) newDelegated() person {
	w.t.Helper()
	p := person{w, newKey(w.t)}
	p.runs(w.network().Delegate)
	return p
}

// runs sets the code that an account delegates to.
func (p person) runs(code evm.Address) {
	p.w.t.Helper()
	p.w.chain.Call(p.w.t, "anvil_setCode", p.key.Address(), hexutil.Bytes(types.AddressToDelegation(code)))
	p.w.chain.Call(p.w.t, "evm_mine")
}

// delegates reports whether the account delegates.
func (p person) delegates() bool {
	p.w.t.Helper()
	var code hexutil.Bytes
	if err := json.Unmarshal(p.w.chain.Call(p.w.t, "eth_getCode", p.key.Address(), "latest"), &code); err != nil {
		p.w.t.Fatal(err)
	}
	_, delegates := types.ParseDelegation(code)
	return delegates
}

// authorization returns a signed authorization for an address on a chain.
func (p person) authorization(to evm.Address, chainID *big.Int, nonce uint64) userop.Authorization {
	p.w.t.Helper()
	a, err := p.key.SignAuthorization(types.SetCodeAuthorization{ChainID: *uint256.MustFromBig(chainID), Address: to, Nonce: nonce})
	if err != nil {
		p.w.t.Fatal(err)
	}
	return userop.Authorization{
		ChainID: userop.Quantity{Int: a.ChainID}, Address: a.Address, Nonce: userop.NewQuantity(a.Nonce), YParity: userop.NewQuantity(uint64(a.V)),
		R: userop.Quantity{Int: a.R}, S: userop.Quantity{Int: a.S},
	}
}

// ends returns the authorization that ends the account's delegation with a nonce.
func (p person) ends(nonce uint64) userop.Authorization {
	return p.authorization(evm.Address{}, p.w.network().Number, nonce)
}

func (p person) remove(a userop.Authorization) (common.Hash, error) {
	return p.w.endpoint.Remove(p.w.t.Context(), project, local, p.key.Address(), a)
}

// mustRemove ends the delegation, and returns the hash before it is in a block.
func (p person) mustRemove(nonce uint64) common.Hash {
	p.w.t.Helper()
	hash, err := p.remove(p.ends(nonce))
	if err != nil {
		p.w.t.Fatal(err)
	}
	return hash
}

// wantNoRemoval fails the test if an authorization is not refused.
func (p person) wantNoRemoval(a userop.Authorization, code int, message string) {
	p.w.t.Helper()
	_, err := p.remove(a)
	refused, ok := errors.AsType[*executor.Refusal](err)
	if !ok || refused.Code != code || !strings.Contains(refused.Message, message) {
		p.w.t.Errorf("the answer is %v, want %d %s", err, code, message)
	}
}

// settled works until a removal is no longer sent, and returns it.
func (w *world) settled(hash common.Hash) (found executor.Open) {
	w.t.Helper()
	w.eventually("the removal is settled", func() bool {
		w.step()
		var err error
		if found, err = w.store.Find(w.t.Context(), local, hash); err != nil {
			w.t.Fatal(err)
		}
		return found.State != executor.Sent
	})
	return found
}

// transactions returns how many transactions of the executors are in blocks.
func (w *world) transactions() (sum uint64) {
	w.t.Helper()
	for _, text := range w.cfg.Executors {
		key, err := account.ParseKey(text)
		if err != nil {
			w.t.Fatal(err)
		}
		var n hexutil.Uint64
		if err := json.Unmarshal(w.chain.Call(w.t, "eth_getTransactionCount", key.Address(), "latest"), &n); err != nil {
			w.t.Fatal(err)
		}
		sum += uint64(n)
	}
	return sum
}

func TestAnAccountWithoutFundsEndsItsDelegation(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, nil)
		p := w.newDelegated()
		ctx := caller.NewIncomingContext(t.Context(), caller.Caller{Project: project})
		a := p.ends(0)
		request := &bundlerv1.RemoveDelegationRequest{ChainId: local, Account: p.key.Address().String(), Authorization: &bundlerv1.Authorization{
			ChainId: a.ChainID.Hex(), Address: evm.Address{}.String(), Nonce: a.Nonce.Hex(), YParity: a.YParity.Hex(), R: a.R.Hex(), S: a.S.Hex(),
		}}
		var id string
		for range 3 { // the same authorization again has no further effect
			sent, err := w.RemoveDelegation(ctx, request)
			if err != nil || id != "" && sent.GetId() != id {
				t.Fatalf("%v, %v", sent, err)
			}
			id = sent.GetId()
		}
		w.settled(common.HexToHash(id))
		if p.delegates() || w.balance(p.key.Address()).Sign() != 0 || w.transactions() != 1 {
			t.Errorf("the account delegates: %t, after %d transactions", p.delegates(), w.transactions())
		}
		status, err := w.GetCalls(ctx, &bundlerv1.GetCallsRequest{Account: p.key.Address().String(), Id: id})
		if err != nil || status.GetStatus() != calls.StatusConfirmed || len(status.GetReceipts()) != 1 || status.GetUserOperationHash() != "" {
			t.Errorf("the status is %v, %v", status, err)
		}
		if _, err := w.RemoveDelegation(ctx, request); err != nil {
			t.Errorf("the same authorization after its effect: %v", err)
		}
		if r := w.call("eth_getUserOperationReceipt", id); string(r.Result) != "null" {
			t.Errorf("a removal has the receipt of a user operation: %s", r.Result)
		}
	})
}

func TestAuthorizationsWithoutEffectAreRefused(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p, other := w.newDelegated(), w.newDelegated()
	number := w.network().Number
	p.wantNoRemoval(other.ends(0), executor.CodeSignature, "did not sign")
	p.wantNoRemoval(p.authorization(w.network().Delegate, number, 0), executor.CodeInvalid, "not for the zero address")
	p.wantNoRemoval(p.authorization(evm.Address{}, new(big.Int), 0), executor.CodeInvalid, "not for this chain")
	p.wantNoRemoval(p.authorization(evm.Address{}, big.NewInt(1), 0), executor.CodeInvalid, "not for this chain")
	p.wantNoRemoval(p.ends(1), executor.CodeInvalid, "not that of the account")
	plain := person{w, newKey(t)}
	plain.wantNoRemoval(plain.ends(0), executor.CodeRejected, "delegates to no code")
	// Its lower half of the curve's order is the only accepted form of a signature (EIP-2).
	high := p.ends(0)
	order, _ := new(big.Int).SetString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)
	high.S.SetFromBig(order.Sub(order, high.S.ToBig()))
	high.YParity = userop.NewQuantity(1 - high.YParity.Uint64())
	p.wantNoRemoval(high, executor.CodeSignature, "did not sign")
	if n := w.transactions(); n != 0 {
		t.Errorf("%d transactions were sent", n)
	}
}

func TestTheSameAuthorizationIsSentOnceByManyRequests(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, nil)
		p := w.newDelegated()
		a := p.ends(0)
		w.withhold.Store(true)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, err := p.remove(a); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		w.withhold.Store(false)
		w.clock.Pass(3 * time.Second)
		w.settled(p.mustRemove(0))
		if n := w.transactions(); n != 1 || p.delegates() {
			t.Errorf("%d transactions were sent", n)
		}
	})
}

func TestOneTransactionOfAnAccountIsPendingAtATime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, nil)
		p, q := w.newDelegated(), w.newDelegated()
		fund(t, w.chain, p.key.Address())
		fund(t, w.chain, q.key.Address())
		w.withhold.Store(true)
		w.send(p.sign(p.estimated(p.operation(receiver, 1))))
		p.wantNoRemoval(p.ends(0), executor.CodeRejected, "is pending")
		o := q.sign(q.estimated(q.operation(receiver, 1)))
		q.mustRemove(0)
		w.wantRefusal(o, executor.CodeRejected, "is pending")
	})
}

func TestATransactionOfTheAccountThatWaitsKeepsARemovalFromBeingSent(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newDelegated()
	fund(t, w.chain, p.key.Address())
	w.chain.Call(t, "evm_mine")
	w.chain.Call(t, "evm_setAutomine", false)
	defer w.chain.Call(t, "evm_setAutomine", true)
	w.chain.Call(t, "eth_sendRawTransaction", w.transfer(p.key, receiver, 0))
	p.wantNoRemoval(p.ends(0), executor.CodeRejected, "a transaction of the account is pending")
}

func TestTheSponsorPaysForItsProjectsAndNetworksOnly(t *testing.T) {
	sponsors := func(change func(*Config)) (*world, bool) {
		w := newWorld(t, open(t), change)
		ctx := caller.NewIncomingContext(t.Context(), caller.Caller{Project: project})
		chains, err := w.ListAccountChains(ctx, &bundlerv1.ListAccountChainsRequest{})
		if err != nil || len(chains.GetChains()) != 1 {
			t.Fatalf("%v, %v", chains, err)
		}
		return w, chains.GetChains()[0].GetRemoval()
	}
	if _, does := sponsors(nil); !does {
		t.Error("the sponsor of all projects does not pay")
	}
	for name, change := range map[string]func(*Config){
		"of another project":                  func(c *Config) { c.Paymaster.Projects = []string{strings.Repeat("f", 32)} },
		"without a signer":                    func(c *Config) { c.Paymaster.Signer = "" },
		"where another bundler is configured": func(c *Config) { c.Chains[local] = Chain{URL: "http://127.0.0.1:1"} },
	} {
		w, does := sponsors(change)
		if does {
			t.Errorf("a sponsor %s pays", name)
		}
		p := w.newDelegated()
		p.wantNoRemoval(p.ends(0), executor.CodePaymaster, "does not pay")
	}
}

func TestRemovalsStayWithinTheBudgetOfTheDay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		first := newWorld(t, db, nil)
		first.waitFor(24 * time.Hour)
		p := first.newDelegated()
		cost := first.settled(p.mustRemove(0))
		most := new(big.Int).Mul(reservedFor(cost), big.NewInt(3))
		w := newWorld(t, db, func(c *Config) { c.Paymaster.AccountPerDay = most.String() })
		w.waitFor(24 * time.Hour)
		q := w.newDelegated()
		before := w.executorBalance()
		ended := uint64(0)
		for ; ended < 20; ended++ { // a cycle of the account: delegate, end it
			q.runs(w.network().Delegate)
			hash, err := q.remove(q.ends(ended))
			if err != nil {
				break
			}
			w.settled(hash)
		}
		spent := before.Sub(before, w.executorBalance())
		if ended == 0 || ended == 20 || spent.Cmp(most) > 0 {
			t.Errorf("%d delegations were ended for %s wei of %s", ended, spent, most)
		}
		q.wantNoRemoval(q.ends(ended), executor.CodePaymaster, "does not pay")
		w.clock.Pass(24 * time.Hour)
		w.settled(q.mustRemove(ended))
	})
}

// reservedFor returns what a removal could cost at most: the gas of its transaction at the highest fee.
func reservedFor(o executor.Open) *big.Int {
	return new(big.Int).Mul(o.Operation.PreVerificationGas.ToBig(), o.MaxFee)
}

func TestManyAccountsDoNotPassTheBudgetOfTheirProject(t *testing.T) {
	w := newWorld(t, open(t), nil)
	w.waitFor(24 * time.Hour)
	w.withhold.Store(true)
	p := w.newDelegated()
	found, err := w.store.Find(t.Context(), local, p.mustRemove(0))
	if err != nil {
		t.Fatal(err)
	}
	most := new(big.Int).Mul(reservedFor(found), big.NewInt(6))
	limited := newWorld(t, open(t), func(c *Config) { c.Paymaster.ProjectPerDay = most.String() })
	limited.waitFor(24 * time.Hour)
	limited.withhold.Store(true)
	people := make([]person, 12)
	for i := range people {
		people[i] = limited.newDelegated()
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	reserved := new(big.Int)
	for _, p := range people {
		a := p.ends(0)
		all.Go(func() {
			hash, err := p.remove(a)
			if err != nil {
				return
			}
			found, err := limited.store.Find(t.Context(), local, hash)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			reserved.Add(reserved, found.MaxLoss)
		})
	}
	all.Wait()
	if reserved.Sign() == 0 || reserved.Cmp(most) > 0 {
		t.Errorf("%s wei are reserved, of at most %s", reserved, most)
	}
}

func TestPendingRemovalsCountAsLosses(t *testing.T) {
	w := newWorld(t, open(t), func(c *Config) { c.Limits.ProjectLossPerHour = "1" })
	p := w.newDelegated()
	p.wantNoRemoval(p.ends(0), executor.CodeLimited, "could cost this bundler its limit")
}

// burns is code that runs until it has no gas.
const burns = "5b600056"

func TestAnAuthorizationThatBecomesInvalidCostsNoMoreThanItsGas(t *testing.T) {
	w := newWorld(t, open(t), func(c *Config) { c.Limits.DroppedPerHour = 1 })
	code := evm.MustAddress("0x00000000000000000000000000000000DeaDBe07")
	w.chain.Call(t, "anvil_setCode", code, hexutil.Bytes(common.FromHex(burns)))
	p := w.newDelegated()
	p.runs(code)
	before := w.executorBalance()
	w.withhold.Store(true)
	hash := p.mustRemove(0)
	sent, err := w.store.Find(t.Context(), local, hash)
	if err != nil {
		t.Fatal(err)
	}
	w.chain.Call(t, "anvil_setNonce", p.key.Address(), "0x1")
	w.withhold.Store(false)
	w.mine(sent.Transactions[0].Raw)
	found := w.settled(hash)
	lost := before.Sub(before, w.executorBalance())
	if found.State != executor.Dropped || found.MaxLoss.Cmp(lost) != 0 || lost.Cmp(sent.MaxLoss) > 0 || !p.delegates() {
		t.Errorf("the state is %d; the executor lost %s, of which %s are counted and %s were reserved", found.State, lost, found.MaxLoss, sent.MaxLoss)
	}
	receipt, failed, err := w.endpoint.FindReceipt(t.Context(), local, hash)
	if err != nil || failed || receipt == nil || receipt.Success || receipt.GasUsed > 46_000 {
		t.Errorf("the receipt is %+v, %t, %v", receipt, failed, err)
	}
	p.wantNoRemoval(p.ends(1), executor.CodeLimited, "failed in the last hour")
}

func TestARemovalThatBecomesInvalidIsReplacedByAnEmptyTransaction(t *testing.T) {
	w := newWorld(t, open(t), func(c *Config) { c.Executors = c.Executors[:1] })
	p, q := w.newDelegated(), w.newDelegated()
	w.withhold.Store(true)
	hash := p.mustRemove(0)
	w.withhold.Store(false)
	w.chain.Call(t, "anvil_setNonce", p.key.Address(), "0x1")
	w.chain.Call(t, "evm_mine")
	w.clock.Pass(31 * time.Second)
	w.eventuallyFails(hash)
	// The nonce of the executor is free for others, and the account may try again.
	w.settled(q.mustRemove(0))
	w.settled(p.mustRemove(1))
	if p.delegates() || q.delegates() {
		t.Error("an account delegates")
	}
}

func TestAnAuthorizationThatNoBlockIncludedIsSentAgainAFewTimes(t *testing.T) {
	w := newWorld(t, open(t), func(c *Config) { c.Executors, c.Limits.DroppedPerHour = c.Executors[:1], 0 })
	p := w.newDelegated()
	before := map[common.Hash]bool{}
	for range 3 {
		w.withhold.Store(true)
		hash := p.mustRemove(0)
		w.clock.Pass(31 * time.Minute)
		w.step() // an empty transaction
		w.withhold.Store(false)
		w.clock.Pass(3 * time.Second)
		w.eventuallyFails(hash)
		before[hash] = true
	}
	if len(before) != 3 {
		t.Errorf("%d attempts have hashes of their own", len(before))
	}
	p.wantNoRemoval(p.ends(0), executor.CodeRejected, "sent before and had no effect")
}

func TestARemovalByOthersIsASuccess(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newDelegated()
	w.withhold.Store(true)
	hash := p.mustRemove(0)
	sent, err := w.store.Find(t.Context(), local, hash)
	if err != nil {
		t.Fatal(err)
	}
	w.chain.Call(t, "anvil_setCode", p.key.Address(), "0x")
	w.chain.Call(t, "anvil_setNonce", p.key.Address(), "0x1")
	w.withhold.Store(false)
	w.mine(sent.Transactions[0].Raw)
	if found := w.settled(hash); found.State != executor.Included {
		t.Errorf("the state is %d", found.State)
	}
}

func TestAReorgSendsARemovalAgain(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newDelegated()
	revert := w.chain.Snapshot(t)
	hash := p.mustRemove(0)
	w.settled(hash)
	revert(t)
	w.clock.Pass(3 * time.Second)
	w.step()
	w.settled(hash)
	if p.delegates() {
		t.Error("the account delegates")
	}
}

func TestARemovalReservesWhatARollupCharges(t *testing.T) {
	plain := newWorld(t, open(t), nil)
	nodeInterface := evm.MustAddress("0x00000000000000000000000000000000000000C8")
	remove := func(model fees.Model) executor.Open {
		w := newWorld(t, open(t), func(c *Config) { c.Chains[local] = Chain{FeeModel: string(model)} })
		w.withhold.Store(true)
		found, err := w.store.Find(t.Context(), local, w.newDelegated().mustRemove(0))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	defer func() {
		for _, at := range []evm.Address{fees.GasPriceOracle, fees.ArbSys, nodeInterface} {
			setCode(t, plain, at, nil)
		}
	}()
	charge := big.NewInt(1e15)
	setCode(t, plain, fees.GasPriceOracle, returning(charge))
	if found := remove(fees.OPStack); found.MaxLoss.Cmp(new(big.Int).Add(reservedFor(found), scaled(charge, 2, 1))) < 0 {
		t.Errorf("%s wei are reserved", found.MaxLoss)
	}
	setCode(t, plain, fees.GasPriceOracle, nil)
	setCode(t, plain, fees.ArbSys, []byte{0xfe})
	setCode(t, plain, nodeInterface, returning(big.NewInt(1_000_000)))
	if gas := remove(fees.Arbitrum).Operation.PreVerificationGas.Uint64(); gas < 1_000_000 {
		t.Errorf("the transaction has %d gas", gas)
	}
}
