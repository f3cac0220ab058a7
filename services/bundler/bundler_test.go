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

	"github.com/hawser-dev/hawser/services/bundler/endpoint"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

var receiver = evm.MustAddress("0x00000000000000000000000000000000000000A1")

func TestAnOperationWithAnAuthorizationIsIncluded(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db, nil)
		p := w.newPerson()
		before := w.balance(receiver)
		hash := w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1000)))))
		r := w.receipt(hash)
		if !r.Success || r.Sender != p.key.Address() || r.Hash != hash {
			t.Errorf("the receipt is %+v", r)
		}
		if moved := new(big.Int).Sub(w.balance(receiver), before); moved.Int64() != 1000 {
			t.Errorf("%s wei arrived, want 1000", moved)
		}
		var code hexutil.Bytes
		if err := json.Unmarshal(w.chain.Call(t, "eth_getCode", p.key.Address(), "latest"), &code); err != nil {
			t.Fatal(err)
		}
		if delegate, ok := types.ParseDelegation(code); !ok || delegate != w.network().Delegate {
			t.Errorf("the code of the account is %s", code)
		}

		second := p.operation(receiver, 7)
		second.Nonce = userop.NewQuantity(1)
		if r := w.receipt(w.send(p.sign(p.estimated(second)))); !r.Success {
			t.Errorf("the second operation's receipt is %+v", r)
		}
	})
}

func TestHashesAreThoseOfTheEntryPoints(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	o := p.operation(receiver, 1)
	o.Paymaster, o.PaymasterData = w.network().Paymaster.Bytes(), []byte{1, 2, 3}
	o.PaymasterVerificationGasLimit, o.Nonce = userop.NewQuantity(5), userop.NewQuantity(1<<40)
	delegating := *o
	delegating.Factory, delegating.FactoryData = []byte{0x77, 0x02}, []byte{9}
	p.delegate(&delegating)
	for entryPoint, o := range map[evm.Address]*userop.Operation{userop.EntryPoint07: o, userop.EntryPoint08: &delegating} {
		if entryPoint == userop.EntryPoint08 {
			// The EntryPoint reads the code of the account.
			w.chain.Call(t, "anvil_setCode", o.Sender, hexutil.Bytes(types.AddressToDelegation(o.Authorization.Address)))
		}
		// getUserOpHash has the same argument as handleOps, without the list and the beneficiary.
		data := calldata.Parse("getUserOpHash((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes))").Write([]any{
			o.Sender, o.Nonce.ToBig(), o.InitCode(), []byte(o.CallData), o.GasLimits(), o.PreVerificationGas.ToBig(), o.GasFees(), o.PaymasterAndData(),
			[]byte(o.Signature),
		})
		var want common.Hash
		if err := json.Unmarshal(w.chain.Call(t, "eth_call", map[string]any{"to": entryPoint, "data": hexutil.Bytes(data)}, "latest"), &want); err != nil {
			t.Fatal(err)
		}
		if got := o.Hash(entryPoint, w.network().Number); got != want {
			t.Errorf("the hash for %s is %s, want %s", entryPoint, got, want)
		}
	}
}

func TestThePaymasterPaysForAnAccountWithoutFunds(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := person{w, newKey(t)}
	o := p.delegate(p.operation(receiver, 0))
	w.sponsor(p, o)
	r := w.receipt(w.send(p.sign(o)))
	if !r.Success || r.Paymaster != w.network().Paymaster {
		t.Errorf("the receipt is %+v", r)
	}
	if w.balance(p.key.Address()).Sign() != 0 {
		t.Error("the account has funds")
	}

	second := p.operation(receiver, 0)
	second.Nonce = userop.NewQuantity(1)
	second.Paymaster, second.PaymasterData = o.Paymaster, o.PaymasterData
	second.PaymasterVerificationGasLimit, second.PaymasterPostOpGasLimit = o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit
	second.CallGasLimit, second.VerificationGasLimit, second.PreVerificationGas = o.CallGasLimit, o.VerificationGasLimit, o.PreVerificationGas
	w.wantRefusal(p.sign(second), executor.CodeSignature, "AA34")
}

// sponsor fills in the gas and the paymaster of an operation, as a client of ERC-7677 does.
func (w *world) sponsor(p person, o *userop.Operation) {
	w.t.Helper()
	n := hexutil.EncodeBig(w.network().Number)
	var f endpoint.PaymasterFields
	w.mustCall(&f, "pm_getPaymasterStubData", o, userop.EntryPoint07, n, map[string]any{})
	set := func() {
		o.Paymaster, o.PaymasterData = f.Paymaster.Bytes(), userop.Data(f.Data)
		o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit = userop.NewQuantity(uint64(f.VerificationGas)), userop.NewQuantity(uint64(f.PostOpGas))
	}
	set()
	p.estimated(o)
	w.mustCall(&f, "pm_getPaymasterData", o, userop.EntryPoint07, n, map[string]any{})
	set()
}

func TestThePaymasterRefusesOtherProjectsAndAmountsOverItsLimits(t *testing.T) {
	other := newWorld(t, open(t), func(c *Config) { c.Paymaster.Projects = []string{"ffffffffffffffffffffffffffffffff"} })
	p := person{other, newKey(t)}
	o := p.delegate(p.operation(receiver, 0))
	for _, method := range []string{"pm_getPaymasterStubData", "pm_getPaymasterData", "pm_sponsorUserOperation"} {
		if r := other.call(method, o, userop.EntryPoint07, "0x7a69", nil); r.Error == nil || r.Error.Code != executor.CodePaymaster {
			t.Errorf("%s answers %s", method, r.Result)
		}
	}

	limited := newWorld(t, open(t), func(c *Config) { c.Paymaster.AccountPerDay = "1" })
	p = person{limited, newKey(t)}
	o = p.delegate(p.operation(receiver, 0))
	if r := limited.call("pm_sponsorUserOperation", o, userop.EntryPoint07, nil); r.Error == nil || r.Error.Code != executor.CodePaymaster {
		t.Errorf("over the limit: %s", r.Result)
	}
}

func TestSponsorUserOperationReturnsAllThatIsSigned(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := person{w, newKey(t)}
	o := p.delegate(p.operation(receiver, 0))
	var f struct {
		endpoint.PaymasterFields
		PreVerification hexutil.Uint64 `json:"preVerificationGas"`
		Verification    hexutil.Uint64 `json:"verificationGasLimit"`
		Call            hexutil.Uint64 `json:"callGasLimit"`
	}
	w.mustCall(&f, "pm_sponsorUserOperation", o, userop.EntryPoint07, nil)
	o.Paymaster, o.PaymasterData = f.Paymaster.Bytes(), userop.Data(f.Data)
	o.PaymasterVerificationGasLimit, o.PaymasterPostOpGasLimit = userop.NewQuantity(uint64(f.VerificationGas)), userop.NewQuantity(uint64(f.PostOpGas))
	o.PreVerificationGas, o.VerificationGasLimit = userop.NewQuantity(uint64(f.PreVerification)), userop.NewQuantity(uint64(f.Verification))
	o.CallGasLimit = userop.NewQuantity(uint64(f.Call))
	if r := w.receipt(w.send(p.sign(o))); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
}

func (w *world) wantRefusal(o *userop.Operation, code int, message string) {
	w.t.Helper()
	r := w.call("eth_sendUserOperation", o, userop.EntryPoint07)
	if r.Error == nil || r.Error.Code != code || !strings.Contains(r.Error.Message, message) {
		w.t.Errorf("the answer is %s %+v, want %d %s", r.Result, r.Error, code, message)
	}
}

func TestOperationsThatWouldFailAreRefused(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	w.receipt(w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))))
	next := func(change func(*userop.Operation)) *userop.Operation {
		o := p.operation(receiver, 1)
		o.Nonce = userop.NewQuantity(1)
		p.estimated(o)
		change(o)
		return p.sign(o)
	}
	w.wantRefusal(next(func(o *userop.Operation) { o.VerificationGasLimit = userop.NewQuantity(1000) }), executor.CodeRejected, "AA2")
	w.wantRefusal(next(func(o *userop.Operation) { o.MaxFeePerGas = userop.NewQuantity(1e17) }), executor.CodeRejected, "AA21")
	w.wantRefusal(next(func(o *userop.Operation) {
		o.MaxFeePerGas, o.MaxPriorityFeePerGas = userop.Quantity{}, userop.Quantity{}
	}), executor.CodeInvalid, "base fee")
	w.wantRefusal(next(func(o *userop.Operation) { o.PreVerificationGas = userop.NewQuantity(1) }), executor.CodeInvalid, "preVerificationGas")
	w.wantRefusal(next(func(o *userop.Operation) { o.CallGasLimit = userop.NewQuantity(1 << 30) }), executor.CodeInvalid, "gas limits")
	w.wantRefusal(next(func(o *userop.Operation) { o.Nonce = userop.NewQuantity(0) }), executor.CodeRejected, "AA25")
	stolen := next(func(*userop.Operation) {})
	w.wantRefusal(person{w, newKey(t)}.sign(stolen), executor.CodeSignature, "AA24")
}

func TestAuthorizationsForEveryChainOrOfOthersAreRefused(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p, other := w.newPerson(), w.newPerson()
	o := p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))

	everywhere := *o
	a, err := p.key.SignAuthorization(types.SetCodeAuthorization{Address: w.network().Delegate})
	if err != nil {
		t.Fatal(err)
	}
	everywhere.Authorization = &userop.Authorization{
		Address: a.Address, YParity: userop.NewQuantity(uint64(a.V)), R: userop.Quantity{Int: a.R}, S: userop.Quantity{Int: a.S},
	}
	w.wantRefusal(&everywhere, executor.CodeInvalid, "not for this chain")

	foreign := *o
	foreign.Authorization = other.delegate(other.operation(receiver, 1)).Authorization
	w.wantRefusal(&foreign, executor.CodeInvalid, "not signed by the account")

	late := *o
	a, err = p.key.SignAuthorization(types.SetCodeAuthorization{ChainID: *uint256.NewInt(31337), Address: w.network().Delegate, Nonce: 3})
	if err != nil {
		t.Fatal(err)
	}
	late.Authorization = &userop.Authorization{
		ChainID: userop.NewQuantity(31337), Address: a.Address, Nonce: userop.NewQuantity(3), YParity: userop.NewQuantity(uint64(a.V)),
		R: userop.Quantity{Int: a.R}, S: userop.Quantity{Int: a.S},
	}
	w.wantRefusal(&late, executor.CodeInvalid, "nonce of the authorization")
}

func TestTheSameOperationIsSentOnce(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	o := p.sign(p.estimated(p.delegate(p.operation(receiver, 3))))
	before := w.balance(receiver)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { w.call("eth_sendUserOperation", o, userop.EntryPoint07) })
	}
	all.Wait()
	w.receipt(w.send(o))
	w.step()
	w.send(o)
	if moved := new(big.Int).Sub(w.balance(receiver), before); moved.Int64() != 3 {
		t.Errorf("%s wei arrived, want 3", moved)
	}
}

func TestLimitsOfAProjectAndAnAccount(t *testing.T) {
	w := newWorld(t, open(t), func(c *Config) { c.Limits.AccountPerHour, c.Limits.ProjectPerHour = 1, 2 })
	p, q, r := w.newPerson(), w.newPerson(), w.newPerson()
	w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	o := p.operation(receiver, 1)
	o.Nonce = userop.NewQuantity(1)
	w.wantRefusal(p.sign(p.estimated(o)), executor.CodeLimited, "the account reached")
	w.send(q.sign(q.estimated(q.delegate(q.operation(receiver, 1)))))
	w.wantRefusal(r.sign(r.estimated(r.delegate(r.operation(receiver, 1)))), executor.CodeLimited, "the project reached")
}

func TestAnotherOperationWithAPendingNonceIsRefused(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	w.withhold.Store(true)
	w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	w.wantRefusal(p.sign(p.estimated(p.delegate(p.operation(receiver, 2)))), executor.CodeRejected, "AA25")
}

func TestMethodsAndEntryPointsThatAreUnknown(t *testing.T) {
	w := newWorld(t, open(t), nil)
	if r := w.call("eth_supportedEntryPoints"); !strings.Contains(strings.ToLower(string(r.Result)), strings.ToLower(userop.EntryPoint07.Hex())) {
		t.Errorf("the EntryPoints are %s", r.Result)
	}
	if r := w.call("eth_chainId"); string(r.Result) != `"0x7a69"` {
		t.Errorf("the chain is %s", r.Result)
	}
	if r := w.call("eth_getUserOperationReceipt", common.Hash{1}); r.Error != nil || string(r.Result) != "null" {
		t.Errorf("the receipt of an unknown operation is %s", r.Result)
	}
	if r := w.call("eth_sendUserOperation", map[string]any{"sender": receiver}, receiver); r.Error == nil || r.Error.Code != executor.CodeInvalid {
		t.Errorf("another EntryPoint: %s", r.Result)
	}
	_, err := w.endpoint.Answer(t.Context(), project, local, "", []byte(`{"jsonrpc":"2.0","id":1,"method":"debug_bundler_clearState","params":[]}`))
	if !errors.Is(err, endpoint.ErrMethod) {
		t.Errorf("another method: %v", err)
	}
}

func TestBundlersOfCallersAreRefusedUnlessTheirHostIsListed(t *testing.T) {
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_supportedEntryPoints","params":[]}`)
	off := newWorld(t, open(t), nil)
	on := newWorld(t, open(t), func(c *Config) { c.BundlerHosts = []string{"bundler.example"} })
	for _, w := range []*world{off, on} {
		for _, address := range []string{"http://bundler.example", "https://127.0.0.1", "https://localhost", "https://bundler.example.evil", "https://169.254.169.254/", "nonsense"} {
			if _, err := w.endpoint.Answer(t.Context(), project, local, address, body); err == nil || !strings.Contains(err.Error(), "not allowed") {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
}

func TestALostTransactionIsSentAgain(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	w.withhold.Store(true)
	hash := w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	w.withhold.Store(false)
	w.step()
	if r := w.call("eth_getUserOperationReceipt", hash); string(r.Result) != "null" {
		t.Fatalf("sent again at once: %s", r.Result)
	}
	w.clock.Pass(3 * time.Second)
	w.step()
	if r := w.receipt(hash); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
}

func TestALateTransactionIsReplacedAtAHigherFee(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	w.withhold.Store(true)
	o := p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))
	hash := w.send(o)
	first := w.lastFee(hash)
	w.withhold.Store(false)
	w.clock.Pass(31 * time.Second)
	w.step()
	r := w.receipt(hash)
	var in struct{ TransactionHash common.Hash }
	if err := json.Unmarshal(r.Receipt, &in); err != nil {
		t.Fatal(err)
	}
	var tx struct{ MaxFeePerGas, Nonce hexutil.Big }
	if err := json.Unmarshal(w.chain.Call(t, "eth_getTransactionByHash", in.TransactionHash), &tx); err != nil {
		t.Fatal(err)
	}
	if fee := tx.MaxFeePerGas.ToInt(); fee.Cmp(first.Max) <= 0 || fee.Cmp(o.MaxFeePerGas.ToBig()) > 0 || tx.Nonce.ToInt().Sign() != 0 {
		t.Errorf("the replacement has nonce %s and fee %s; the first one's is %s, and the operation's %s", &tx.Nonce, fee, first.Max, o.MaxFeePerGas.Dec())
	}
}

// lastFee returns the fee of the last transaction of an operation.
func (w *world) lastFee(hash common.Hash) executor.Fee {
	w.t.Helper()
	found, err := w.store.Find(w.t.Context(), local, hash)
	if err != nil {
		w.t.Fatal(err)
	}
	return found.Transactions[len(found.Transactions)-1].Fee
}

func TestAnOperationThatBecomesInvalidIsReplacedByAnEmptyTransaction(t *testing.T) {
	w := newWorld(t, open(t), func(c *Config) { c.Executors, c.Limits.DroppedPerHour = c.Executors[:1], 1 })
	p, q := w.newPerson(), w.newPerson()
	w.withhold.Store(true)
	hash := w.send(p.sign(p.estimated(p.delegate(p.operation(receiver, 1)))))
	w.withhold.Store(false)
	w.chain.Call(t, "anvil_setBalance", p.key.Address(), "0x0")
	w.clock.Pass(31 * time.Second)
	w.eventuallyFails(hash)
	// The nonce of the executor is free for other operations, and the account is refused.
	if r := w.receipt(w.send(q.sign(q.estimated(q.delegate(q.operation(receiver, 1)))))); !r.Success {
		t.Errorf("the next operation's receipt is %+v", r)
	}
	fund(t, w.chain, p.key.Address())
	w.wantRefusal(p.sign(p.estimated(p.delegate(p.operation(receiver, 2)))), executor.CodeLimited, "failed in the last hour")
}

func TestAReorgSendsAnOperationAgain(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	o := p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))
	revert := w.chain.Snapshot(t)
	hash := w.send(o)
	w.receipt(hash)
	w.step()
	revert(t)
	w.clock.Pass(3 * time.Second)
	w.step()
	if r := w.receipt(hash); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
}
