package minimum

import (
	"math/big"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

const (
	// orderParameters are those of an order of Seaport: the offered items are the third one.
	orderParameters = "(address,address,(uint8,address,uint256,uint256,uint256)[],(uint8,address,uint256,uint256,uint256,address)[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256)"
	seaportNative   = 0
	seaportERC20    = 1
)

// seaport returns the functions that fulfil an order of Seaport, whose offered items go to the caller.
func seaport() []function {
	return []function{
		{calldata.Parse("fulfillOrder((" + orderParameters + ",bytes),bytes32)"), func(r *reader, v calldata.Value) {
			r.offers(v.At(0).At(0).At(2), r.account, big.NewInt(1), big.NewInt(1))
		}},
		{calldata.Parse("fulfillAdvancedOrder((" + orderParameters + ",uint120,uint120,bytes,bytes),(uint256,uint8,uint256,uint256,bytes32[])[],bytes32,address)"), func(r *reader, v calldata.Value) {
			order, to := v.At(0), v.At(3).Address()
			if to == (evm.Address{}) {
				to = r.account
			}
			r.offers(order.At(0).At(2), to, order.At(1).Int(), order.At(2).Int())
		}},
	}
}

// offers adds a fraction of the offered items. Of amounts that change over time the smaller one counts.
func (r *reader) offers(items calldata.Value, to evm.Address, numerator, denominator *big.Int) {
	if denominator.Sign() == 0 {
		return
	}
	for i := range items.Len() {
		item := items.At(i)
		token, least := item.At(1).Address(), item.At(3).Int()
		if end := item.At(4).Int(); end.Cmp(least) < 0 {
			least = end
		}
		switch item.At(0).Int().Int64() {
		case seaportNative:
			token = evm.Native
		case seaportERC20:
		default:
			continue
		}
		part := new(big.Int).Mul(least, numerator)
		r.add(token, to, part.Quo(part, denominator))
	}
}
