package executor

import (
	"context"
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
)

// Fee is what a unit of gas may cost, in wei.
type Fee struct{ Max, Tip *big.Int }

// feeOf returns the most that an operation pays for a unit of gas. A transaction that pays more costs its executor the difference.
func feeOf(o *userop.Operation) Fee {
	fee := Fee{Max: o.MaxFeePerGas.ToBig(), Tip: o.MaxPriorityFeePerGas.ToBig()}
	if fee.Tip.Cmp(fee.Max) > 0 {
		fee.Tip = fee.Max
	}
	return fee
}

// nextBaseFee returns the highest base fee of the block after one with a base fee (EIP-1559).
func nextBaseFee(base *big.Int) *big.Int { return scale(base, 9, 8) }

// checkFee checks that an operation pays what the next block costs: its base fee, and half of what the network suggests for priority at least, because
// an operation that no block includes costs an executor an empty transaction.
func checkFee(o *userop.Operation, base, tip, leastTip *big.Int) error {
	fee := feeOf(o)
	if fee.Max.Cmp(base) < 0 {
		return refuse(CodeInvalid, "maxFeePerGas is below the base fee of the next block, %s wei", base)
	}
	paid := new(big.Int).Sub(fee.Max, base)
	if paid.Cmp(fee.Tip) > 0 {
		paid = fee.Tip
	}
	least := new(big.Int).Rsh(tip, 1)
	if least.Cmp(leastTip) < 0 {
		least = leastTip
	}
	if paid.Cmp(least) < 0 {
		return refuse(CodeInvalid, "the operation pays a priority fee of %s wei, which is below %s", paid, least)
	}
	return nil
}

// firstFee returns what the first transaction of an operation pays: enough for some blocks, so that it can be raised within what the operation pays.
func firstFee(o *userop.Operation, base, tip *big.Int) Fee {
	most := feeOf(o)
	return Fee{Max: new(big.Int).Add(scale(base, 4, 3), tip), Tip: tip}.atMost(most)
}

// mostFee bounds what an executor pays for the gas of an operation. With it, an operation that offers more than the network costs cannot reserve
// more of the budget for losses.
func mostFee(o *userop.Operation, first Fee) *big.Int {
	most := new(big.Int).Lsh(first.Max, 2)
	if offered := feeOf(o).Max; offered.Cmp(most) < 0 {
		return offered
	}
	return most
}

// bump returns a fee that nodes accept for a replacement, and that is not below the base fee.
func bump(fee Fee, base *big.Int) Fee {
	raise := func(n *big.Int) *big.Int {
		more := scale(n, 9, 8)
		return more.Add(more, big.NewInt(1))
	}
	next := Fee{Max: raise(fee.Max), Tip: raise(fee.Tip)}
	if twice := new(big.Int).Mul(base, big.NewInt(2)); next.Max.Cmp(twice) < 0 {
		next.Max = twice
	}
	if next.Tip.Cmp(next.Max) > 0 {
		next.Max = next.Tip
	}
	return next
}

// raised returns a fee for a replacement within what the operation pays and what was reserved for its loss, and false if there is none.
func raised(o Open, last Fee, base *big.Int) (Fee, bool) {
	fee := bump(last, new(big.Int))
	if enough := new(big.Int).Add(nextBaseFee(base), fee.Tip); fee.Max.Cmp(enough) < 0 {
		fee.Max = enough
	}
	most := feeOf(o.Operation).atMost(Fee{Max: reservedFee(o), Tip: fee.Tip})
	return fee, most.covers(fee)
}

// reservedFee returns what a unit of gas may cost so that a failure costs no more than was reserved for it, in wei. Operations that were stored
// before losses were reserved have no bound but their own.
func reservedFee(o Open) *big.Int {
	if o.MaxFee.Sign() == 0 {
		return feeOf(o.Operation).Max
	}
	return o.MaxFee
}

// covers reports whether a fee is not below another one.
func (f Fee) covers(other Fee) bool { return f.Max.Cmp(other.Max) >= 0 && f.Tip.Cmp(other.Tip) >= 0 }

// atLeast returns the fee, with each part raised to that of another one.
func (f Fee) atLeast(other Fee) Fee {
	if f.Max.Cmp(other.Max) < 0 {
		f.Max = other.Max
	}
	if f.Tip.Cmp(other.Tip) < 0 {
		f.Tip = other.Tip
	}
	return f
}

// atMost returns the fee, with each part lowered to that of another one.
func (f Fee) atMost(other Fee) Fee {
	if f.Max.Cmp(other.Max) > 0 {
		f.Max = other.Max
	}
	if f.Tip.Cmp(other.Tip) > 0 {
		f.Tip = other.Tip
	}
	return f
}

// scale returns n * times / by.
func scale(n *big.Int, times, by int64) *big.Int {
	more := new(big.Int).Mul(n, big.NewInt(times))
	return more.Div(more, big.NewInt(by))
}

// Price returns what an operation should offer for a unit of gas at the newest block.
func (e *Executor) Price(ctx context.Context, chainID string) (Fee, error) {
	return Suggest(ctx, e.connect(chainID))
}

// Suggest returns what an operation should offer for a unit of gas at the newest block of a node. It is more than the network suggests, so that a
// transaction can be raised.
func Suggest(ctx context.Context, node chainclient.Transport) (Fee, error) {
	results, err := node.Batch(ctx, chainclient.LatestBlock(), chainclient.Call{Method: "eth_maxPriorityFeePerGas"})
	if err != nil {
		return Fee{}, err
	}
	var newest header
	if err := results[0].Decode(&newest); err != nil {
		return Fee{}, err
	}
	tip, err := results[1].Quantity()
	if err != nil {
		return Fee{}, err
	}
	tip = scale(tip, 4, 3)
	most := new(big.Int).Mul(newest.BaseFee.OrZero(), big.NewInt(2))
	return Fee{Max: most.Add(most, tip), Tip: tip}, nil
}
