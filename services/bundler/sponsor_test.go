package bundler

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/bundler/endpoint"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// wantUnsponsored requests the paymaster's signature, and fails the test if it does not refuse.
func (w *world) wantUnsponsored(o *userop.Operation, code int, message string) {
	w.t.Helper()
	r := w.call("pm_getPaymasterData", o, userop.EntryPoint07, hexutil.EncodeBig(w.network().Number), map[string]any{})
	if r.Error == nil || r.Error.Code != code || !strings.Contains(r.Error.Message, message) {
		w.t.Errorf("the answer is %s %+v, want %d %s", r.Result, r.Error, code, message)
	}
}

func TestThePaymasterSignsOnlyForWhatThisBundlerWouldCharge(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := person{w, newKey(t)}
	// estimated returns an operation with the gas that a client sets before it asks for the signature.
	estimated := func(change func(o *userop.Operation)) *userop.Operation {
		o := p.delegate(p.operation(receiver, 0))
		var f endpoint.PaymasterFields
		w.mustCall(&f, "pm_getPaymasterStubData", o, userop.EntryPoint07, "0x7a69", map[string]any{})
		o.Paymaster, o.PaymasterData = f.Paymaster.Bytes(), userop.Data(f.Data)
		p.estimated(o)
		change(o)
		return o
	}
	times := func(q userop.Quantity, n int64) (product userop.Quantity) {
		product.SetFromBig(new(big.Int).Mul(q.ToBig(), big.NewInt(n)))
		return product
	}
	w.wantUnsponsored(estimated(func(o *userop.Operation) { o.PreVerificationGas = userop.NewQuantity(27_949_561_643) }), executor.CodePaymaster, "preVerificationGas above")
	w.wantUnsponsored(estimated(func(o *userop.Operation) { o.PreVerificationGas = times(o.PreVerificationGas, 2) }), executor.CodePaymaster, "preVerificationGas above")
	w.wantUnsponsored(estimated(func(o *userop.Operation) { o.VerificationGasLimit = times(o.VerificationGasLimit, 4) }), executor.CodePaymaster, "verificationGasLimit above")
	w.wantUnsponsored(estimated(func(o *userop.Operation) { o.CallGasLimit = times(o.CallGasLimit, 2) }), executor.CodePaymaster, "callGasLimit above")
	w.wantUnsponsored(estimated(func(o *userop.Operation) { o.MaxFeePerGas = times(o.MaxFeePerGas, 3) }), executor.CodePaymaster, "maxFeePerGas above")
	w.wantUnsponsored(estimated(func(o *userop.Operation) { o.MaxPriorityFeePerGas = times(o.MaxPriorityFeePerGas, 9) }), executor.CodePaymaster, "maxPriorityFeePerGas above")

	o := p.delegate(p.operation(receiver, 0))
	o.MaxFeePerGas = times(o.MaxFeePerGas, 3)
	if r := w.call("pm_sponsorUserOperation", o, userop.EntryPoint07, nil); r.Error == nil || !strings.Contains(r.Error.Message, "maxFeePerGas above") {
		t.Errorf("a sponsored operation with a high fee: %s %+v", r.Result, r.Error)
	}
}

func TestThePaymasterDoesNotPayForCodeOfOthers(t *testing.T) {
	w := newWorld(t, open(t), nil)
	o := w.accepting(evm.MustAddress("0x00000000000000000000000000000000DeaDBee0"), returnsZero)
	w.wantUnsponsored(o, executor.CodeRejected, "code that this bundler does not run")
}

// budget returns a world whose paymaster pays for about n operations of the project a day.
func budget(t *testing.T, db *store.DB, n int64) *world {
	t.Helper()
	w := newWorld(t, db, nil)
	w.waitFor(24 * time.Hour)
	p := person{w, newKey(t)}
	o := p.delegate(p.operation(receiver, 0))
	w.sponsor(p, o)
	cost := o.MaxCost()
	limited := newWorld(t, db, func(c *Config) {
		c.Paymaster.ProjectPerDay = cost.Add(cost.Mul(cost, big.NewInt(2*n+1)), big.NewInt(1)).Rsh(cost, 1).String()
	})
	limited.waitFor(24 * time.Hour)
	return limited
}

func TestWhatIsNotSentIsGivenBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := budget(t, db, 2)
		sponsored := func() *userop.Operation {
			p := person{w, newKey(t)}
			o := p.delegate(p.operation(receiver, 0))
			w.sponsor(p, o)
			return p.sign(o)
		}
		refused := func() bool {
			p := person{w, newKey(t)}
			return w.call("pm_sponsorUserOperation", p.delegate(p.operation(receiver, 0)), userop.EntryPoint07, nil).Error != nil
		}
		giveBack := func() {
			t.Helper()
			if err := w.endpoint.Paymaster.GiveBack(t.Context(), w.atItsTime, local); err != nil {
				t.Fatal(err)
			}
		}
		// The signature of the first world counts, so one is left of two.
		sponsored()
		if !refused() {
			t.Fatal("the budget of the day is not bounded")
		}
		giveBack()
		if !refused() {
			t.Error("a signature that is still valid was given back")
		}
		w.clock.Pass(13 * time.Minute)
		giveBack()
		if r := w.receipt(w.send(sponsored())); !r.Success {
			t.Errorf("the receipt is %+v", r)
		}
		executed := sponsored()
		other := newKey(t)
		fund(t, w.chain, other.Address())
		w.chain.Call(t, "anvil_setCode", executed.Sender, hexutil.Bytes(append([]byte{0xef, 1, 0}, executed.Authorization.Address.Bytes()...)))
		w.chain.Call(t, "anvil_impersonateAccount", other.Address())
		w.chain.Send(t, map[string]any{"from": other.Address(), "to": userop.EntryPoint07, "data": hexutil.Bytes(executed.HandleOps(other.Address())), "gas": "0x1e8480"})
		w.clock.Pass(13 * time.Minute)
		giveBack()
		if !refused() {
			t.Error("operations that were sent, or executed by others, were given back")
		}
		w.clock.Pass(24 * time.Hour)
		sponsored()
	})
}

var timestamp = regexp.MustCompile(`"timestamp":"0x[0-9a-f]+"`)

// atItsTime is the node of the local chain, whose newest block has the time of the world's clock.
func (w *world) atItsTime(ctx context.Context, body []byte) ([]byte, error) {
	answer, err := w.deps.Chain.Transport(local)(ctx, body)
	return timestamp.ReplaceAll(answer, fmt.Appendf(nil, `"timestamp":"0x%x"`, w.clock.Now().Unix())), err
}

func TestTheDearestOfSeveralSignaturesForANonceCounts(t *testing.T) {
	w := budget(t, open(t), 2)
	p, q := person{w, newKey(t)}, person{w, newKey(t)}
	dear := p.delegate(p.operation(receiver, 0))
	w.sponsor(p, dear)
	// Others for the same nonce count nothing more, and give nothing back.
	for range 5 {
		cheap := p.delegate(p.operation(receiver, 0))
		cheap.MaxFeePerGas.SetFromBig(scaled(cheap.MaxFeePerGas.ToBig(), 1, 3))
		w.sponsor(p, cheap)
	}
	sponsored := func() bool {
		return w.call("pm_sponsorUserOperation", q.delegate(q.operation(receiver, 0)), userop.EntryPoint07, nil).Error == nil
	}
	if sponsored() {
		t.Error("a cheaper signature gave the budget back")
	}
	if r := w.receipt(w.send(p.sign(dear))); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}
	w.clock.Pass(13 * time.Minute)
	if err := w.endpoint.Paymaster.GiveBack(t.Context(), w.atItsTime, local); err != nil {
		t.Fatal(err)
	}
	// The signature of another account, which made the budget, was given back; that of the operation that was sent was not.
	if !sponsored() {
		t.Error("what was not sent is not given back")
	}
	if list, err := w.store.ExpiredSponsorships(t.Context(), local, w.clock.Now(), 10); err != nil || len(list) != 0 {
		t.Errorf("%d signatures are open after they were settled, %v", len(list), err)
	}
}

func TestAFeeThatNoBlockIncludesIsNotSponsored(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := person{w, newKey(t)}
	o := p.delegate(p.operation(receiver, 0))
	o.MaxFeePerGas, o.MaxPriorityFeePerGas = userop.Quantity{}, userop.Quantity{}
	if r := w.call("pm_sponsorUserOperation", o, userop.EntryPoint07, nil); r.Error == nil || !strings.Contains(r.Error.Message, "no block includes") {
		t.Errorf("the answer is %s %+v", r.Result, r.Error)
	}
}

func TestACallerHoldsABoundedNumberOfSignatures(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	w.chain.Call(t, "anvil_setCode", p.key.Address(), hexutil.Bytes(types.AddressToDelegation(w.network().Delegate)))
	held := 0
	for ; held < 100; held++ {
		o := p.operation(receiver, 0)
		o.Nonce.SetFromBig(new(big.Int).Lsh(big.NewInt(int64(held+1)), 64))
		if r := w.call("pm_sponsorUserOperation", o, userop.EntryPoint07, nil); r.Error != nil {
			break
		}
	}
	if held != 30 {
		t.Errorf("the caller holds %d signatures, want 30", held)
	}
}

func TestAPaymasterNeedsLimits(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Paymaster.Signer = signerKey
	var keys []string
	for _, f := range cfg.Check() {
		keys = append(keys, f.Key)
	}
	for _, key := range []string{"paymaster.project_wei_per_day", "paymaster.account_wei_per_day", "paymaster.projects"} {
		if !strings.Contains(strings.Join(keys, " "), key) {
			t.Errorf("%s is no fault: %v", key, keys)
		}
	}
	if p, err := paymaster.New(cfg.Paymaster, nil, nil); err != nil || p.Pays(project) {
		t.Errorf("a paymaster without projects pays: %v", err)
	}
}

func TestTheBundlerOfAVendorIsNotOpenToEveryone(t *testing.T) {
	var got atomic.Int64
	vendor := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		got.Add(1)
		_, _ = rw.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":"0x0101010101010101010101010101010101010101010101010101010101010101"}`))
	}))
	defer vendor.Close()
	serve := func(forward bool) *world {
		return newWorld(t, open(t), func(c *Config) {
			c.Chains[local] = Chain{URL: vendor.URL, ForwardPaymaster: forward}
			c.Paymaster.Projects = nil
			c.Limits.AccountPerHour, c.Limits.ProjectPerHour = 2, 3
		})
	}
	w := serve(false)
	o := func(sender byte) map[string]any {
		return map[string]any{"sender": common.Address{sender}, "nonce": "0x0"}
	}
	for _, c := range []struct {
		sender byte
		want   int
	}{{1, 0}, {1, 0}, {1, executor.CodeLimited}, {2, 0}, {3, executor.CodeLimited}} {
		r := w.call("eth_sendUserOperation", o(c.sender), userop.EntryPoint07)
		if code := codeOf(r); code != c.want {
			t.Errorf("an operation of account %d: %d, want %d", c.sender, code, c.want)
		}
	}
	if n := got.Load(); n != 3 {
		t.Errorf("the vendor got %d operations, want 3", n)
	}
	if code := codeOf(w.call("pm_sponsorUserOperation", o(1), userop.EntryPoint07)); code != executor.CodePaymaster {
		t.Errorf("the vendor's paymaster: %d", code)
	}
	if code := codeOf(serve(true).call("pm_sponsorUserOperation", o(1), userop.EntryPoint07)); code != 0 {
		t.Errorf("the vendor's paymaster, which is configured: %d", code)
	}
}

// codeOf returns the code of an error, and 0 for a result.
func codeOf(r reply) int {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}
