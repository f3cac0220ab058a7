package bundler

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/estimate"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/fees"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

func setCode(t *testing.T, w *world, at evm.Address, code []byte) {
	t.Helper()
	w.chain.Call(t, "anvil_setCode", at, hexutil.Bytes(code))
}

// returning returns the code of a contract that returns three words, the first of which is n.
func returning(n *big.Int) []byte {
	code := append([]byte{0x7f}, common.LeftPadBytes(n.Bytes(), 32)...) // PUSH32 n
	return append(code, 0x60, 0, 0x52, 0x60, 96, 0x60, 0, 0xf3)         // MSTORE(0, n) RETURN(0, 96)
}

// answering returns the code of a contract that returns n for one function, and reverts for others.
func answering(signature string, n *big.Int) []byte {
	selector := calldata.Parse(signature).Selector()
	code := append([]byte{0x5f, 0x35, 0x60, 0xe0, 0x1c, 0x63}, selector[:]...)                 // the selector of the call
	return append(append(code, 0x14, 0x60, 17, 0x57, 0x5f, 0x5f, 0xfd, 0x5b), returning(n)...) // EQ JUMPI(17) REVERT JUMPDEST
}

func TestPreVerificationGasPaysForWhatARollupCharges(t *testing.T) {
	const gas = 1_000_000
	nodeInterface := evm.MustAddress("0x00000000000000000000000000000000000000C8")
	wei := func(price *big.Int) *big.Int { return new(big.Int).Mul(big.NewInt(gas), price) }
	for name, c := range map[string]struct {
		model fees.Model
		set   func(t *testing.T, w *world, price *big.Int)
	}{
		"data, on the OP stack before it had a fee for the operator": {fees.OPStack, func(t *testing.T, w *world, price *big.Int) {
			setCode(t, w, fees.GasPriceOracle, answering("getL1Fee(bytes)", wei(price)))
		}},
		"data and the operator, on the OP stack": {fees.OPStack, func(t *testing.T, w *world, price *big.Int) {
			setCode(t, w, fees.GasPriceOracle, returning(new(big.Int).Rsh(wei(price), 1)))
		}},
		"data, on Scroll": {fees.Scroll, func(t *testing.T, w *world, price *big.Int) {
			setCode(t, w, fees.L1GasPriceOracle, answering("getL1Fee(bytes)", wei(price)))
		}},
		"data, on Arbitrum": {fees.Arbitrum, func(t *testing.T, w *world, _ *big.Int) {
			setCode(t, w, fees.ArbSys, []byte{0xfe})
			setCode(t, w, nodeInterface, returning(big.NewInt(gas)))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			plain := newWorld(t, open(t), nil)
			defer func() {
				for _, at := range []evm.Address{fees.GasPriceOracle, fees.L1GasPriceOracle, fees.ArbSys, nodeInterface} {
					setCode(t, plain, at, nil)
				}
			}()
			p := plain.newPerson()
			unsigned := p.delegate(p.operation(receiver, 1))
			// The price per unit is the maximum that the operation pays, whatever the base fee.
			unsigned.MaxPriorityFeePerGas = unsigned.MaxFeePerGas
			before := *p.estimated(unsigned)
			c.set(t, plain, before.MaxFeePerGas.ToBig())

			w := newWorld(t, open(t), func(cfg *Config) { cfg.Chains[local] = Chain{FeeModel: string(c.model)} })
			p.w = w
			short := before
			r := w.call("eth_sendUserOperation", p.sign(&short), userop.EntryPoint07)
			if r.Error == nil || r.Error.Code != executor.CodeInvalid || !strings.Contains(r.Error.Message, "1000000 is for data on L1") {
				t.Fatalf("an operation that does not pay for its data: %+v", r.Error)
			}
			var measured estimate.Gas
			w.mustCall(&measured, "eth_estimateUserOperationGas", &before, userop.EntryPoint07)
			if more := uint64(measured.PreVerification) - before.PreVerificationGas.Uint64(); more < gas*5/4 || more > gas*5/4+100 {
				t.Errorf("the estimate has %d gas for data on L1, want %d", more, gas*5/4)
			}
			if r := w.receipt(w.send(p.sign(p.estimated(&before)))); !r.Success {
				t.Errorf("the receipt is %+v", r)
			}
		})
	}
}

func TestANetworkWhoseChargesAreUnknownIsNotServed(t *testing.T) {
	plain := newWorld(t, open(t), nil)
	p := plain.newPerson()
	o := p.sign(p.estimated(p.delegate(p.operation(receiver, 1))))
	// The contract of a rollup, on a network that is known to charge for gas only.
	setCode(t, plain, fees.GasPriceOracle, returning(big.NewInt(1)))
	defer setCode(t, plain, fees.GasPriceOracle, nil)
	w := newWorld(t, open(t), nil)
	w.wantRefusal(o, executor.CodeRejected, "what the network charges for a transaction is not known")
	if c := chainProto(local, w.network(), w.network().FeesErr == nil, true); c.GetEntryPoint() != "" {
		t.Errorf("the chain is offered with the EntryPoint %s", c.GetEntryPoint())
	}
	unknown := DefaultConfig()
	unknown.Chains, unknown.Executors = map[string]Chain{"eip155:59144": {}}, []string{newKey(t).Hex()}
	if faults := unknown.Check(); len(faults) != 1 || !strings.Contains(faults[0].Error(), "fee_model") {
		t.Errorf("the configuration has the faults %v", faults)
	}
	unknown.Chains["eip155:59144"] = Chain{FeeModel: "gas"}
	if faults := unknown.Check(); len(faults) != 0 {
		t.Errorf("a configured model: %v", faults)
	}
}

func TestNumbersOfAForkAreConfigured(t *testing.T) {
	known, err := fees.Of("eip155:1", "", fees.Gas{})
	if err != nil {
		t.Fatal(err)
	}
	next, err := fees.Of("eip155:1", "", fees.Gas{FloorOtherByte: 60})
	if err != nil {
		t.Fatal(err)
	}
	o := &userop.Operation{CallData: make([]byte, 10_000)}
	for i := range o.CallData {
		o.CallData[i] = 1
	}
	if got, was := next.Gas.PreVerification(o), known.Gas.PreVerification(o); got <= was || next.Gas.ZeroByte != known.Gas.ZeroByte {
		t.Errorf("the least preVerificationGas is %d with a higher floor, and %d without", got, was)
	}
}
