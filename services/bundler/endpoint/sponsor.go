package endpoint

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/bundler/estimate"
	"github.com/hawser-dev/hawser/services/bundler/executor"
	"github.com/hawser-dev/hawser/services/bundler/paymaster"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

// sponsored returns the operation of a request that the paymaster may sponsor, and the paymaster's contract.
func (e *Endpoint) sponsored(ctx context.Context, r request) (executor.Target, *userop.Operation, evm.Address, error) {
	t, o, err := e.operation(ctx, r)
	if err != nil {
		return t, nil, evm.Address{}, err
	}
	n, err := e.Network(ctx, r.chainID)
	if err != nil {
		return t, nil, evm.Address{}, err
	}
	if n.FeesErr != nil {
		return t, nil, evm.Address{}, &executor.Refusal{Code: executor.CodePaymaster, Message: "the paymaster does not pay on this network: " + n.FeesErr.Error()}
	}
	if !e.Paymaster.Pays(r.project) || n.Paymaster == (evm.Address{}) || t.EntryPoint != userop.EntryPoint07 {
		return t, nil, evm.Address{}, &executor.Refusal{Code: executor.CodePaymaster, Message: paymaster.ErrRefused.Error()}
	}
	return t, o, n.Paymaster, nil
}

// PaymasterFields are the members of a user operation that a paymaster fills in.
type PaymasterFields struct {
	Paymaster       evm.Address        `json:"paymaster"`
	Data            hexutil.Bytes      `json:"paymasterData"`
	VerificationGas hexutil.Uint64     `json:"paymasterVerificationGasLimit"`
	PostOpGas       hexutil.Uint64     `json:"paymasterPostOpGasLimit"`
	Sponsor         *paymaster.Sponsor `json:"sponsor,omitempty"`
	IsFinal         *bool              `json:"isFinal,omitempty"`
}

func (e *Endpoint) paymasterStubData(ctx context.Context, r request) (any, error) {
	_, _, contract, err := e.sponsored(ctx, r)
	if err != nil {
		return nil, err
	}
	f := PaymasterFields{Paymaster: contract, Data: e.Paymaster.StubData(), VerificationGas: paymaster.VerificationGas, PostOpGas: paymaster.PostOpGas}
	final := false
	f.IsFinal = &final
	if s := e.Paymaster.Sponsor(); s.Name != "" {
		f.Sponsor = &s
	}
	return f, nil
}

// paymasterData signs for an operation whose gas and fees are not above what this bundler would charge.
func (e *Endpoint) paymasterData(ctx context.Context, r request) (any, error) {
	t, o, contract, err := e.sponsored(ctx, r)
	if err != nil {
		return nil, err
	}
	if o.Authorization != nil {
		if err := o.Authorization.Check(o.Sender, t.Number); err != nil {
			return nil, invalid("%s", err)
		}
	}
	gas, err := e.measureSponsored(ctx, t, o, contract)
	if err != nil {
		return nil, err
	}
	if err := checkGas(o, gas); err != nil {
		return nil, err
	}
	return e.sign(ctx, r, t, contract, o)
}

// sponsorUserOperation estimates the gas of an operation and signs for it.
func (e *Endpoint) sponsorUserOperation(ctx context.Context, r request) (any, error) {
	t, o, contract, err := e.sponsored(ctx, r)
	if err != nil {
		return nil, err
	}
	gas, err := e.measureSponsored(ctx, t, o, contract)
	if err != nil {
		return nil, err
	}
	o.PreVerificationGas, o.VerificationGasLimit = userop.NewQuantity(uint64(gas.PreVerification)), userop.NewQuantity(uint64(gas.Verification))
	o.CallGasLimit = userop.NewQuantity(uint64(gas.Call))
	fields, err := e.sign(ctx, r, t, contract, o)
	if err != nil {
		return nil, err
	}
	return struct {
		PaymasterFields
		PreVerification hexutil.Uint64 `json:"preVerificationGas"`
		Verification    hexutil.Uint64 `json:"verificationGasLimit"`
		Call            hexutil.Uint64 `json:"callGasLimit"`
	}{fields, gas.PreVerification, gas.Verification, gas.Call}, nil
}

// measureSponsored checks that this bundler runs the code of an operation, and measures its gas with the paymaster.
func (e *Endpoint) measureSponsored(ctx context.Context, t executor.Target, o *userop.Operation, contract evm.Address) (estimate.Gas, error) {
	paid := *o
	paid.Paymaster, paid.PaymasterData = contract.Bytes(), e.Paymaster.StubData()
	results, err := e.Connect(t.ChainID).Batch(ctx, t.Accepted.Calls(o.Sender)...)
	if err != nil {
		return estimate.Gas{}, err
	}
	if err := t.Accepted.Check(&paid, results); err != nil {
		return estimate.Gas{}, err
	}
	return e.Estimate(ctx, t, &paid)
}

// signatureGas is what an account may use for signatures that the measurement does not have.
const signatureGas = 100_000

// checkGas checks that the gas of an operation is not far above a measurement. What is above it would be paid to whoever bundles the operation.
func checkGas(o *userop.Operation, measured estimate.Gas) error {
	for _, bound := range []struct {
		name     string
		value    userop.Quantity
		measured hexutil.Uint64
		percent  int64
	}{
		{"preVerificationGas", o.PreVerificationGas, measured.PreVerification, 110},
		// A dummy signature is refused before all of it is verified. What validation does not use is not paid for.
		{"verificationGasLimit", o.VerificationGasLimit, measured.Verification + signatureGas, 150},
		{"callGasLimit", o.CallGasLimit, measured.Call, 150},
	} {
		most := new(big.Int).SetUint64(uint64(bound.measured))
		most.Mul(most, big.NewInt(bound.percent)).Div(most, big.NewInt(100))
		if bound.value.ToBig().Cmp(most) > 0 {
			return tooMuch(bound.name, most)
		}
	}
	return nil
}

// checkFees checks that the fees of an operation are near what this bundler suggests: at most twice for a unit of gas, and an eighth more for priority,
// which whoever bundles the operation keeps; and at least a third, because what no block includes only holds the budget.
func (e *Endpoint) checkFees(ctx context.Context, t executor.Target, o *userop.Operation) error {
	price, err := executor.Suggest(ctx, e.Connect(t.ChainID))
	if err != nil {
		return err
	}
	part := func(n *big.Int, times, by int64) *big.Int {
		product := new(big.Int).Mul(n, big.NewInt(times))
		return product.Div(product, big.NewInt(by))
	}
	maxFee, tip := o.MaxFeePerGas.ToBig(), o.MaxPriorityFeePerGas.ToBig()
	switch mostFee, mostTip := part(price.Max, 2, 1), part(price.Tip, 9, 8); {
	case maxFee.Cmp(mostFee) > 0:
		return tooMuch("maxFeePerGas", mostFee)
	case tip.Cmp(mostTip) > 0:
		return tooMuch("maxPriorityFeePerGas", mostTip)
	case maxFee.Cmp(part(price.Max, 1, 3)) < 0 || tip.Cmp(part(price.Tip, 1, 3)) < 0:
		return &executor.Refusal{Code: executor.CodePaymaster, Message: "the paymaster does not pay for a fee that no block includes"}
	}
	return nil
}

func tooMuch(member string, most *big.Int) error {
	return &executor.Refusal{Code: executor.CodePaymaster, Message: "the paymaster does not pay for " + member + " above " + most.String()}
}

func (e *Endpoint) sign(ctx context.Context, r request, t executor.Target, contract evm.Address, o *userop.Operation) (PaymasterFields, error) {
	if err := e.checkFees(ctx, t, o); err != nil {
		return PaymasterFields{}, err
	}
	who := caller.Caller{Project: r.project, Address: caller.From(ctx).Address}
	data, err := e.Paymaster.Data(ctx, who, t.ChainID, t.Number, contract, o)
	if errors.Is(err, paymaster.ErrRefused) {
		err = &executor.Refusal{Code: executor.CodePaymaster, Message: paymaster.ErrRefused.Error()}
	}
	return PaymasterFields{Paymaster: contract, Data: data, VerificationGas: paymaster.VerificationGas, PostOpGas: paymaster.PostOpGas}, err
}
