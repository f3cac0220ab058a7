package bundler

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/proxy"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

var depositTo = calldata.Parse("depositTo(address)")

// deposit pays an ether to the EntryPoint for an account or a paymaster.
func (w *world) deposit(of evm.Address) {
	w.t.Helper()
	payer := newKey(w.t).Address()
	w.chain.Call(w.t, "anvil_setBalance", payer, "0x1bc16d674ec80000")
	w.chain.Call(w.t, "anvil_impersonateAccount", payer)
	w.chain.Send(w.t, map[string]any{"from": payer, "to": userop.EntryPoint07, "value": "0xde0b6b3a7640000", "data": hexutil.Bytes(depositTo.Write(of))})
}

// accepting returns an operation of a contract that accepts every operation, with a deposit.
func (w *world) accepting(sender evm.Address, code string) *userop.Operation {
	w.t.Helper()
	w.chain.Call(w.t, "anvil_setCode", sender, hexutil.Bytes(common.FromHex(code)))
	w.deposit(sender)
	price, err := w.executor.Load().Price(w.t.Context(), local)
	if err != nil {
		w.t.Fatal(err)
	}
	o := &userop.Operation{Sender: sender, Signature: make([]byte, 65)}
	o.VerificationGasLimit, o.CallGasLimit, o.PreVerificationGas = userop.NewQuantity(900_000), userop.NewQuantity(10_000), userop.NewQuantity(100_000)
	o.MaxFeePerGas.SetFromBig(price.Max)
	o.MaxPriorityFeePerGas.SetFromBig(price.Tip)
	return o
}

const (
	// returnsZero is code that returns 0 for every call, and checksGasPrice returns 0 only if the gas price is 0.
	returnsZero    = "60205ff3"
	checksGasPrice = "3a156009575b6005565b60205ff3"
)

func TestOnlyKnownCodeValidatesOperations(t *testing.T) {
	w := newWorld(t, open(t), nil)
	n := w.network()
	sender := evm.MustAddress("0x00000000000000000000000000000000DeaDBe02")

	w.wantRefusal(w.accepting(sender, returnsZero), executor.CodeRejected, "code that this bundler does not run")
	w.wantRefusal(w.accepting(sender, checksGasPrice), executor.CodeRejected, "code that this bundler does not run")
	// Its implementation is a known one, but its own code is not that of a proxy.
	w.chain.Call(t, "anvil_setStorageAt", sender, proxy.ImplementationSlot, common.BytesToHash(n.Hybrid.Bytes()))
	w.wantRefusal(w.accepting(sender, returnsZero), executor.CodeRejected, "code that this bundler does not run")
	w.chain.Call(t, "anvil_setStorageAt", sender, proxy.ImplementationSlot, common.Hash{})

	other := evm.MustAddress("0x00000000000000000000000000000000DeaDBe03")
	w.chain.Call(t, "anvil_setCode", other, hexutil.Bytes(common.FromHex(returnsZero)))
	delegated := hexutil.Encode(types.AddressToDelegation(other))
	w.wantRefusal(w.accepting(sender, delegated), executor.CodeRejected, "delegates to code")

	p := w.newPerson()
	o := p.estimated(p.delegate(p.operation(receiver, 1)))
	authorization, err := p.key.SignAuthorization(types.SetCodeAuthorization{ChainID: o.Authorization.ChainID.Int, Address: other})
	if err != nil {
		t.Fatal(err)
	}
	o.Authorization = &userop.Authorization{
		ChainID: o.Authorization.ChainID, Address: other, YParity: userop.NewQuantity(uint64(authorization.V)), R: userop.Quantity{Int: authorization.R}, S: userop.Quantity{Int: authorization.S},
	}
	w.wantRefusal(p.sign(o), executor.CodeRejected, "delegates to code")

	// The factory deploys any code: here one that does not validate anything.
	creation, salt := common.FromHex("6360205ff35f526004601cf3"), [32]byte{1}
	o = w.accepting(crypto.CreateAddress2(n.Factory, salt, crypto.Keccak256(creation)), "")
	o.Factory, o.FactoryData = n.Factory.Bytes(), calldata.Parse("deploy(bytes,bytes32)").Write(creation, salt)
	w.wantRefusal(o, executor.CodeRejected, "the factory deploys code")
	o.Factory = other.Bytes()
	w.wantRefusal(o, executor.CodeRejected, "the factory deploys code")

	p = w.newPerson()
	o = p.estimated(p.delegate(p.operation(receiver, 1)))
	o.Paymaster, o.PaymasterVerificationGasLimit = other.Bytes(), userop.NewQuantity(100_000)
	w.wantRefusal(p.sign(o), executor.CodePaymaster, "the paymaster is not one of this bundler")
}

func TestListedCodeValidatesOperations(t *testing.T) {
	sender := evm.MustAddress("0x00000000000000000000000000000000DeaDBe04")
	hash := crypto.Keccak256Hash(common.FromHex(returnsZero)).Hex()
	w := newWorld(t, open(t), func(c *Config) { c.Chains[local] = Chain{TrustedCode: []string{hash}} })
	if r := w.receipt(w.send(w.accepting(sender, returnsZero))); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
}

func TestTheGasOfValidationIsBounded(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	o := p.estimated(p.delegate(p.operation(receiver, 1)))
	o.VerificationGasLimit = userop.NewQuantity(1_000_001)
	w.wantRefusal(p.sign(o), executor.CodeInvalid, "over 1000000 together")
}

// failing sends an operation whose account has no funds when it is executed, and works until it is dropped.
func (w *world) failing(o *userop.Operation) {
	w.t.Helper()
	w.withhold.Store(true)
	hash := w.send(o)
	w.chain.Call(w.t, "anvil_setBalance", o.Sender, "0x0")
	w.withhold.Store(false)
	w.clock.Pass(3 * time.Second)
	w.eventuallyFails(hash)
}

// waitFor moves the clock to the start of the next period, so that a test is within one.
func (w *world) waitFor(period time.Duration) {
	now := w.clock.Now()
	w.clock.Pass(now.Truncate(period).Add(period).Sub(now))
}

func TestLossesOfAnHourAreBounded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, nil)
		w.waitFor(time.Hour)
		operation := func() *userop.Operation {
			p := w.newPerson()
			return p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))
		}
		loss := func(o *userop.Operation) *big.Int {
			found, err := w.store.Find(t.Context(), local, o.Hash(userop.EntryPoint07, w.network().Number))
			if err != nil {
				t.Fatal(err)
			}
			return found.MaxLoss
		}
		included, failed := operation(), operation()
		w.receipt(w.send(included))
		w.step()
		executors := w.executorBalance()
		w.failing(failed)
		lost := new(big.Int).Sub(executors, w.executorBalance())
		if lost.Sign() <= 0 || lost.Cmp(loss(failed)) != 0 || lost.Cmp(loss(included)) > 0 {
			t.Fatalf("the executor lost %s; %s is stored, and %s was reserved", lost, loss(failed), loss(included))
		}
		most := new(big.Int).Add(lost, scaled(loss(included), 2, 1))
		w.cfg.Limits.ProjectLossPerHour = most.String()
		if err := w.openExecutor(t.Context()); err != nil {
			t.Fatal(err)
		}
		refused := false
		for range 60 {
			// One that is included is not lost.
			o := operation()
			if r := w.call("eth_sendUserOperation", o, userop.EntryPoint07); r.Error != nil {
				w.wantRefusal(o, executor.CodeLimited, "could cost this bundler its limit")
				refused = true
				break
			}
			w.receipt(o.Hash(userop.EntryPoint07, w.network().Number))
			w.step()
			before := w.executorBalance()
			w.failing(operation())
			lost.Add(lost, before.Sub(before, w.executorBalance()))
		}
		if !refused || lost.Cmp(most) > 0 {
			t.Errorf("refused: %t, after a loss of %s of at most %s", refused, lost, most)
		}
		w.clock.Pass(time.Hour)
		w.receipt(w.send(operation()))
	})
}

func scaled(n *big.Int, times, by int64) *big.Int {
	product := new(big.Int).Mul(n, big.NewInt(times))
	return product.Div(product, big.NewInt(by))
}

// executorBalance returns the balance of all executors.
func (w *world) executorBalance() *big.Int {
	w.t.Helper()
	total := new(big.Int)
	for _, text := range w.cfg.Executors {
		key, err := account.ParseKey(text)
		if err != nil {
			w.t.Fatal(err)
		}
		total.Add(total, w.balance(key.Address()))
	}
	return total
}

func TestAnOperationThatOffersMoreReservesNoMore(t *testing.T) {
	w := newWorld(t, open(t), nil)
	w.withhold.Store(true)
	reserved := func(times int64) *big.Int {
		p := w.newPerson()
		w.chain.Call(t, "anvil_setBalance", p.key.Address(), "0x56bc75e2d63100000")
		o := p.estimated(p.delegate(p.operation(receiver, 1)))
		o.MaxFeePerGas.SetFromBig(new(big.Int).Mul(o.MaxFeePerGas.ToBig(), big.NewInt(times)))
		found, err := w.store.Find(t.Context(), local, w.send(p.sign(o)))
		if err != nil {
			t.Fatal(err)
		}
		return found.MaxLoss
	}
	if ten, thousand := reserved(10), reserved(1_000); thousand.Cmp(new(big.Int).Mul(ten, big.NewInt(2))) > 0 {
		t.Errorf("%s is reserved for ten times the fee, and %s for a thousand", ten, thousand)
	}
}

func TestParallelOperationsOfAnAccountStayWithinItsLimit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, func(c *Config) { c.Limits.AccountPerHour = 3 })
		var mu sync.Mutex
		var all sync.WaitGroup
		accepted := 0
		for _, o := range w.newPerson().operations(receiver, 12) {
			all.Go(func() {
				if r := w.call("eth_sendUserOperation", o, userop.EntryPoint07); r.Error == nil {
					mu.Lock()
					defer mu.Unlock()
					accepted++
				}
			})
		}
		all.Wait()
		if accepted != 3 {
			t.Errorf("%d operations were accepted, want 3", accepted)
		}
	})
}

func TestAnOperationThatAnotherBundlerExecutesDoesNotCountAgainstItsAccount(t *testing.T) {
	w := newWorld(t, open(t), func(c *Config) { c.Limits.DroppedPerHour = 1 })
	p := w.newPerson()
	w.withhold.Store(true)
	o := p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))
	hash := w.send(o)
	found, err := w.store.Find(t.Context(), local, hash)
	if err != nil {
		t.Fatal(err)
	}
	other := newKey(t)
	fund(t, w.chain, other.Address())
	w.chain.Call(t, "anvil_setCode", o.Sender, hexutil.Bytes(types.AddressToDelegation(w.network().Delegate)))
	w.chain.Call(t, "anvil_impersonateAccount", other.Address())
	w.chain.Send(t, map[string]any{"from": other.Address(), "to": userop.EntryPoint07, "data": hexutil.Bytes(o.HandleOps(other.Address())), "gas": "0x1e8480"})
	w.withhold.Store(false)
	w.mine(found.Transactions[0].Raw) // reverts
	w.eventuallyFails(hash)
	next := p.operation(receiver, 2)
	next.Nonce = userop.NewQuantity(1)
	if r := w.receipt(w.send(p.sign(p.estimated(next)))); !r.Success {
		t.Errorf("the next operation's receipt is %+v", r)
	}
}

func TestAnOperationThatIsTooLargeForATransactionIsRefused(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	o := p.delegate(p.operation(receiver, 1))
	o.CallData = append(o.CallData, make([]byte, 130_000)...)
	o.CallGasLimit, o.VerificationGasLimit, o.PreVerificationGas = userop.NewQuantity(100_000), userop.NewQuantity(500_000), userop.NewQuantity(2_000_000)
	w.wantRefusal(p.sign(o), executor.CodeInvalid, "nodes take at most")
}

func TestReceiptsThatNodesDoNotReturnTogetherAreReadOneByOne(t *testing.T) {
	w := newWorld(t, open(t), nil)
	var hashes []common.Hash
	for range 3 {
		p := w.newPerson()
		hashes = append(hashes, w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))))
	}
	for _, hash := range hashes {
		w.receipt(hash)
	}
	w.isFull.Store(true)
	w.step()
	for _, hash := range hashes {
		if found, err := w.store.Find(t.Context(), local, hash); err != nil || found.State != executor.Included {
			t.Errorf("the state of %s is %d, %v", hash, found.State, err)
		}
	}
}

func TestAnOperationThatNoBlockWouldIncludeIsRefused(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	o := p.estimated(p.delegate(p.operation(receiver, 1)))
	o.MaxPriorityFeePerGas = userop.Quantity{}
	w.wantRefusal(p.sign(o), executor.CodeInvalid, "a priority fee of 0 wei")
}

// randomOperations is how many random operations a test sends.
var randomOperations = flag.Int("operations", 1_000, "random operations that TestNoOperationCostsItsExecutor sends")

// TestNoOperationCostsItsExecutor sends random operations. What an executor is paid for each is never less than what its transaction cost.
func TestNoOperationCostsItsExecutor(t *testing.T) {
	const people = 8
	count := *randomOperations
	if testing.Short() {
		count = 160
	}
	w := newWorld(t, open(t), nil)
	var all sync.WaitGroup
	for i := range people {
		random := rand.New(rand.NewPCG(7, uint64(i)))
		p := w.newPerson()
		w.chain.Call(t, "anvil_setCode", p.key.Address(), hexutil.Bytes(types.AddressToDelegation(w.network().Delegate)))
		w.chain.Call(t, "anvil_setBalance", p.key.Address(), "0x56bc75e2d63100000")
		all.Go(func() {
			for n := range count / people {
				if n%20 == 0 {
					w.step() // ends the reservations of what is included
				}
				if err := p.sendRandom(random, n%20 == 0); err != nil {
					t.Errorf("operation %d of person %d: %v", n, i, err)
					return
				}
			}
		})
	}
	all.Wait()
}

// sendRandom sends a random operation, of a new person if it is to have an authorization, and compares what it paid with what its transaction cost.
func (p person) sendRandom(random *rand.Rand, delegates bool) error {
	w := p.w
	if delegates {
		p = w.newPerson()
	}
	// The node calls contracts on the state of a block, which has what was set before it.
	w.chain.Call(w.t, "evm_mine")
	o := p.operation(receiver, random.Int64N(3))
	if delegates {
		p.delegate(o)
	}
	// Data behind the arguments of execute, which the account ignores: bytes that cost most, that cost least, or both.
	filler := [][]byte{{0xff}, {0}, {0, 0xff}}[random.IntN(3)]
	size := random.IntN(200)
	if random.IntN(4) == 0 {
		size = random.IntN(40_000)
	}
	o.CallData = append(o.CallData, bytes.Repeat(filler, size)...)
	if !delegates {
		o.Nonce.SetFromBig(new(big.Int).Lsh(big.NewInt(random.Int64()), 64))
	}
	p.estimated(o)
	switch random.IntN(3) {
	case 0:
		o.MaxFeePerGas.SetFromBig(new(big.Int).Rsh(o.MaxFeePerGas.ToBig(), 1))
	case 1:
		o.MaxPriorityFeePerGas.SetFromBig(new(big.Int).Mul(o.MaxPriorityFeePerGas.ToBig(), big.NewInt(1+random.Int64N(50))))
	}
	if random.IntN(6) == 0 {
		o.CallGasLimit = userop.NewQuantity(random.Uint64N(30_000)) // the execution fails
	}
	p.sign(o)
	gas := w.localChain().Fees.Gas
	for random.IntN(2) == 0 || o.PreVerificationGas.Uint64() < gas.PreVerification(o) {
		// As little as is accepted.
		o.PreVerificationGas = userop.NewQuantity(gas.PreVerification(o))
		p.sign(o)
	}
	r := w.call("eth_sendUserOperation", o, userop.EntryPoint07)
	if r.Error != nil {
		return fmt.Errorf("refused: %s; %d bytes of data, gas %s %s %s, fee %s %s, authorization %t", r.Error.Message, len(o.CallData), o.PreVerificationGas.Dec(),
			o.VerificationGasLimit.Dec(), o.CallGasLimit.Dec(), o.MaxFeePerGas.Dec(), o.MaxPriorityFeePerGas.Dec(), delegates)
	}
	var hash common.Hash
	if err := json.Unmarshal(r.Result, &hash); err != nil {
		return err
	}
	done := w.receipt(hash)
	var receipt struct{ GasUsed, EffectiveGasPrice hexutil.Big }
	if err := json.Unmarshal(done.Receipt, &receipt); err != nil {
		return err
	}
	spent := new(big.Int).Mul(receipt.GasUsed.ToInt(), receipt.EffectiveGasPrice.ToInt())
	if paid := done.GasCost.ToInt(); paid.Cmp(spent) < 0 {
		return fmt.Errorf("its transaction cost %s wei and it paid %s; %d bytes of data, authorization %t, success %t", spent, paid, len(o.CallData), delegates, done.Success)
	}
	return nil
}
