package bundler

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/onchain/evm/proxy"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

var initialize = calldata.Parse("initialize(address,string[],uint256[],uint256[])")

// deployed returns an operation that deploys a HybridDeleGator of the person, which pays one wei to the receiver.
func (p person) deployed(salt byte) *userop.Operation {
	w := p.w
	w.t.Helper()
	n, s := w.network(), [32]byte{salt}
	code := proxy.Creation(n.Hybrid, initialize.Write(p.key.Address(), []string{}, []*big.Int{}, []*big.Int{}))
	o := p.operation(receiver, 1)
	o.Sender, o.Factory = crypto.CreateAddress2(n.Factory, s, crypto.Keccak256(code)), n.Factory.Bytes()
	o.FactoryData = calldata.Parse("deploy(bytes,bytes32)").Write(code, s)
	fund(w.t, w.chain, o.Sender)
	return o
}

func TestEveryPartOfAnOperationIsMeasuredOnNodesThatCannotSimulate(t *testing.T) {
	w := newWorld(t, open(t), nil)
	p := w.newPerson()
	want := *p.estimated(p.deployed(1))
	w.lacks = "eth_simulateV1"
	o := p.estimated(p.deployed(2))
	for name, pair := range map[string][2]uint64{
		"callGasLimit":         {o.CallGasLimit.Uint64(), want.CallGasLimit.Uint64()},
		"verificationGasLimit": {o.VerificationGasLimit.Uint64(), want.VerificationGasLimit.Uint64()},
	} {
		// In one transaction later parts find what earlier ones have read, and pay less for it, as they do in a block.
		if pair[0] < pair[1]*7/10 || pair[0] > pair[1]*11/10 {
			t.Errorf("%s is %d, with eth_simulateV1 %d", name, pair[0], pair[1])
		}
	}
	if r := w.receipt(w.send(p.signAs(o, "HybridDeleGator"))); !r.Success {
		t.Errorf("the receipt is %+v", r)
	}

	// The simulation refuses the same operations.
	refused := p.deployed(2)
	if r := w.call("eth_estimateUserOperationGas", refused, userop.EntryPoint07); r.Error == nil || r.Error.Message != "the factory of the user operation reverted" {
		t.Errorf("a factory that fails: %+v", r.Error)
	}
	delegated := w.newPerson()
	signed := delegated.sign(delegated.estimated(delegated.delegate(delegated.operation(receiver, 3))))
	if r := w.receipt(w.send(signed)); !r.Success {
		t.Errorf("an account that pays the EntryPoint itself: %+v", r)
	}
}
