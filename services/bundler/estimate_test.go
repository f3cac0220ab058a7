package bundler

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/evm/calldata"
	"github.com/hawser-dev/hawser/services/evm/userop"
)

// deployed returns an operation that deploys an account, which accepts every operation and writes one slot in each call.
func (w *world) deployed(salt byte) *userop.Operation {
	w.t.Helper()
	// SSTORE(CALLDATASIZE, 1) RETURN 32 zeros; the init code returns these 14 bytes.
	code := common.FromHex("6d60013655600060005260206000f3600052600e6012f3")
	factory, s := w.network().Factory, [32]byte{salt}
	o := &userop.Operation{
		Sender: crypto.CreateAddress2(factory, s, crypto.Keccak256(code)), Factory: factory.Bytes(),
		FactoryData: calldata.Parse("deploy(bytes,bytes32)").Write(code, s), CallData: []byte{1, 2, 3, 4}, Signature: make([]byte, 65),
	}
	price, err := w.executor.Load().Price(w.t.Context(), local)
	if err != nil {
		w.t.Fatal(err)
	}
	o.MaxFeePerGas.SetFromBig(new(big.Int).Mul(price.Max, big.NewInt(2)))
	o.MaxPriorityFeePerGas.SetFromBig(price.Tip)
	deposit := calldata.Parse("depositTo(address)").Write(o.Sender)
	payer := newKey(w.t).Address()
	fund(w.t, w.chain, payer)
	w.chain.Call(w.t, "anvil_impersonateAccount", payer)
	w.chain.Send(w.t, map[string]any{"from": payer, "to": userop.EntryPoint07, "value": "0xb1a2bc2ec50000", "data": hexutil.Bytes(deposit)})
	return o
}

func TestEveryPartOfAnOperationIsMeasuredOnNodesThatCannotSimulate(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := person{w: w}
	want := *p.estimated(w.deployed(1))
	w.lacks = "eth_simulateV1"
	o := p.estimated(w.deployed(2))
	for name, pair := range map[string][2]uint64{
		"callGasLimit":         {o.CallGasLimit.Uint64(), want.CallGasLimit.Uint64()},
		"verificationGasLimit": {o.VerificationGasLimit.Uint64(), want.VerificationGasLimit.Uint64()},
	} {
		if pair[0] < pair[1]*9/10 || pair[0] > pair[1]*11/10 {
			t.Errorf("%s is %d, with eth_simulateV1 %d", name, pair[0], pair[1])
		}
	}
	if r := w.receipt(w.send(o)); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}

	// The simulation refuses the same operations.
	refused := w.deployed(2)
	if r := w.call("eth_estimateUserOperationGas", refused, userop.EntryPoint07); r.Error == nil || r.Error.Message != "the factory of the user operation reverted" {
		t.Errorf("a factory that fails: %+v", r.Error)
	}
	delegated := w.newPerson()
	signed := delegated.sign(delegated.estimated(delegated.delegate(delegated.operation(receiver, 3))))
	if r := w.receipt(w.send(signed)); !r.Success {
		t.Errorf("an account that pays the EntryPoint itself: %+v", r)
	}
}
