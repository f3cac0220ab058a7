package bundler

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/estimate"
	"github.com/hawser-dev/hawser/services/bundler/rollup"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/evm/userop"
)

func setCode(t *testing.T, w *world, at evm.Address, code []byte) {
	t.Helper()
	w.chain.Call(t, "anvil_setCode", at, hexutil.Bytes(code))
}

// returning returns the code of a contract that returns three words for every call, the first of which is n.
func returning(n *big.Int) []byte {
	code := append([]byte{0x7f}, common.LeftPadBytes(n.Bytes(), 32)...) // PUSH32 n
	return append(code, 0x60, 0, 0x52, 0x60, 96, 0x60, 0, 0xf3)         // MSTORE(0, n) RETURN(0, 96)
}

func TestPreVerificationGasPaysForDataOnL1(t *testing.T) {
	nodeInterface := evm.MustAddress("0x00000000000000000000000000000000000000C8")
	for name, set := range map[string]func(t *testing.T, w *world, gas int64, price *big.Int){
		"OP stack": func(t *testing.T, w *world, gas int64, price *big.Int) {
			setCode(t, w, rollup.GasPriceOracle, returning(new(big.Int).Mul(big.NewInt(gas), price)))
		},
		"Arbitrum": func(t *testing.T, w *world, gas int64, _ *big.Int) {
			setCode(t, w, rollup.ArbSys, []byte{0xfe})
			setCode(t, w, nodeInterface, returning(big.NewInt(gas)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			const gas = 1_000_000
			plain := newWorld(t, open(t), nil)
			defer func() {
				for _, at := range []evm.Address{rollup.GasPriceOracle, rollup.ArbSys, nodeInterface} {
					setCode(t, plain, at, nil)
				}
			}()
			p := plain.newPerson()
			unsigned := p.delegate(p.operation(receiver, 1))
			// The price per unit is the maximum that the operation pays, whatever the base fee.
			unsigned.MaxPriorityFeePerGas = unsigned.MaxFeePerGas
			before := *p.estimated(unsigned)
			set(t, plain, gas, before.MaxFeePerGas.ToBig())

			w := newWorld(t, open(t), nil)
			p.w = w
			short := before
			r := w.call("eth_sendUserOperation", p.sign(&short), userop.EntryPoint07)
			if r.Error == nil || r.Error.Code != -32602 || !strings.Contains(r.Error.Message, "1000000 is for data on L1") {
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
