package payout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/caip"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// draft returns the transaction without its nonce, and the next nonce of the treasury on the chain. It fails with [errUnpayable] if the chain
// would refuse the transaction.
func (p *Payer) draft(ctx context.Context, c checkout.Checkout) (t *types.DynamicFeeTx, taken uint64, err error) {
	id, err := caip.ParseChain(c.Terms.ChainID)
	if err != nil {
		return t, 0, err
	}
	number, ok := new(big.Int).SetString(id.Reference, 10)
	if !ok || !number.IsUint64() {
		return t, 0, fmt.Errorf("%w: the chain has no number", errUnpayable)
	}
	to, value, data, err := transfer(c)
	if err != nil {
		return t, 0, err
	}
	t = &types.DynamicFeeTx{ChainID: number, GasTipCap: Tip, To: &to, Value: value, Data: data}
	from := p.Key.Address().String()
	call := map[string]string{"from": from, "to": t.To.String(), "value": hexQuantity(t.Value), "data": hexutil.Encode(t.Data)}
	results, err := p.Connect(c.Terms.ChainID).Batch(ctx,
		chainclient.Call{Method: "eth_getTransactionCount", Params: []any{from, "latest"}},
		chainclient.Call{Method: "eth_getBalance", Params: []any{from, "latest"}},
		chainclient.Call{Method: "eth_feeHistory", Params: []any{"0x1", "latest", []int{}}},
		chainclient.Call{Method: "eth_estimateGas", Params: []any{call, "latest"}},
	)
	if err != nil {
		return t, 0, err
	}
	count, countErr := results[0].Quantity()
	balance, balanceErr := results[1].Quantity()
	baseFee, feeErr := readBaseFee(results[2])
	if err := errors.Join(countErr, balanceErr, feeErr); err != nil {
		return t, 0, err
	}
	t.GasFeeCap = new(big.Int).Add(new(big.Int).Mul(baseFee, big.NewInt(feeMargin)), Tip)
	if balance.Cmp(t.Value) <= 0 {
		return t, 0, fmt.Errorf("%w: the treasury holds too little to send", errUnpayable)
	}
	if _, reverted := results[3].Executed(); reverted {
		return t, 0, fmt.Errorf("%w: the transfer reverts", errUnpayable)
	}
	gas, err := results[3].Quantity()
	if err != nil {
		return t, 0, err
	}
	// The gas of a transfer may change a little until it is in a block.
	t.Gas = gas.Uint64() + gas.Uint64()/4
	if most := new(big.Int).Mul(t.GasFeeCap, new(big.Int).SetUint64(t.Gas)); balance.Cmp(most.Add(most, t.Value)) < 0 {
		return t, 0, fmt.Errorf("%w: the treasury cannot pay for the gas", errUnpayable)
	}
	return t, count.Uint64(), nil
}

// transfer returns the fields of the transaction: a transfer of native currency, or a call of transfer (ERC-20).
func transfer(c checkout.Checkout) (to evm.Address, value *big.Int, data []byte, err error) {
	recipient, err := evm.ParseAddress(c.Wallet)
	if err != nil {
		return to, nil, nil, fmt.Errorf("%w: %w", errUnpayable, err)
	}
	units := checkout.BaseUnits(c.Terms.Purchase, c.Terms.Decimals)
	if c.Terms.Contract == "" {
		return recipient, units, nil, nil
	}
	if to, err = evm.ParseAddress(c.Terms.Contract); err != nil {
		return to, nil, nil, fmt.Errorf("%w: %w", errUnpayable, err)
	}
	data = append(evm.Selector("transfer(address,uint256)"), evm.Word(recipient)...)
	return to, new(big.Int), append(data, units.FillBytes(make([]byte, 32))...), nil
}

// submit sends the transaction and checks for its receipt at once, because development chains mine transactions on
// arrival. A refusal is not final, because the node may already have the transaction.
func (p *Payer) submit(ctx context.Context, known sqlstore.Payout) (outcome, error) {
	results, err := p.Connect(known.ChainID).Batch(ctx, chainclient.Call{Method: "eth_sendRawTransaction", Params: []any{known.Raw}})
	if err != nil {
		return pending, err
	}
	if refusal := results[0].Err(); refusal != nil {
		p.Log.Debug("node refused payout", "hash", known.Hash, "error", refusal)
	}
	status, _, err := p.look(ctx, known)
	return status, err
}

// outcome is the state of a transaction on chain.
type outcome int

const (
	pending outcome = iota
	mined
	reverted
	// pruned means that nodes cannot tell any more.
	pruned
)

// look reads the receipt, and reports whether the nonce is used.
func (p *Payer) look(ctx context.Context, known sqlstore.Payout) (o outcome, used bool, err error) {
	results, err := p.Connect(known.ChainID).Batch(ctx,
		chainclient.Call{Method: "eth_getTransactionCount", Params: []any{p.Key.Address().String(), "latest"}},
		chainclient.Call{Method: "eth_getTransactionReceipt", Params: []any{known.Hash}},
	)
	if err != nil {
		return pending, false, err
	}
	count, countErr := results[0].Quantity()
	raw, receiptErr := results[1].JSON()
	if err := errors.Join(countErr, receiptErr); err != nil {
		return pending, false, err
	}
	var receipt *struct {
		Transaction string `json:"transactionHash"`
		Status      string `json:"status"`
	}
	if err := json.Unmarshal(raw, &receipt); err != nil {
		return pending, false, fmt.Errorf("receipt: %w", err)
	}
	switch {
	case receipt == nil:
		return pending, count.Cmp(new(big.Int).SetUint64(known.Nonce)) > 0, nil
	case !strings.EqualFold(receipt.Transaction, known.Hash):
		return pending, false, fmt.Errorf("receipt of another transaction than %s", known.Hash)
	case receipt.Status == "0x1":
		return mined, true, nil
	case receipt.Status == "0x0":
		return reverted, true, nil
	}
	return pending, false, fmt.Errorf("receipt of %s without a status", known.Hash)
}

// transactionOfNonce returns the hash of the transaction that used the nonce of a payout. It finds the block by the treasury's transaction count:
// back from the newest block in steps that double, because most nodes have only the states of the last blocks, then by binary search.
func (p *Payer) transactionOfNonce(ctx context.Context, known sqlstore.Payout) (hash string, err error) {
	from := p.Key.Address().String()
	results, err := p.Connect(known.ChainID).Batch(ctx, chainclient.Call{Method: "eth_blockNumber", Params: []any{}})
	if err != nil {
		return "", err
	}
	newest, err := results[0].Quantity()
	if err != nil {
		return "", err
	}
	before, after := uint64(0), newest.Uint64()
	for back := uint64(1); back <= after; back *= 2 {
		used, err := p.usedAt(ctx, known, after-back)
		if err != nil {
			return "", err
		}
		if !used {
			before = after - back + 1
			break
		}
		after -= back
	}
	for before < after {
		middle := before + (after-before)/2
		used, err := p.usedAt(ctx, known, middle)
		switch {
		case err != nil:
			return "", err
		case used:
			after = middle
		default:
			before = middle + 1
		}
	}
	results, err = p.Connect(known.ChainID).Batch(ctx, chainclient.Call{Method: "eth_getBlockByNumber", Params: []any{hexNumber(after), true}})
	if err != nil {
		return "", err
	}
	raw, err := results[0].JSON()
	if err != nil {
		return "", err
	}
	var block struct {
		Transactions []struct{ Hash, From, Nonce string }
	}
	if err := json.Unmarshal(raw, &block); err != nil {
		return "", fmt.Errorf("block: %w", err)
	}
	for _, t := range block.Transactions {
		if strings.EqualFold(t.From, from) && t.Nonce == hexNumber(known.Nonce) {
			return t.Hash, nil
		}
	}
	return "", fmt.Errorf("block %d does not hold it", after)
}

// usedAt reports whether the treasury had used the nonce of a payout at the end of a block.
func (p *Payer) usedAt(ctx context.Context, known sqlstore.Payout, block uint64) (bool, error) {
	results, err := p.Connect(known.ChainID).Batch(ctx,
		chainclient.Call{Method: "eth_getTransactionCount", Params: []any{p.Key.Address().String(), hexNumber(block)}})
	if err != nil {
		return false, err
	}
	count, err := results[0].Quantity()
	if err != nil {
		return false, err
	}
	return count.Cmp(new(big.Int).SetUint64(known.Nonce)) > 0, nil
}

func hexNumber(n uint64) string { return hexQuantity(new(big.Int).SetUint64(n)) }

// genesis returns the hash of a chain's first block.
func (p *Payer) genesis(ctx context.Context, chainID string) (string, error) {
	results, err := p.Connect(chainID).Batch(ctx, chainclient.Call{Method: "eth_getBlockByNumber", Params: []any{"0x0", false}})
	if err != nil {
		return "", err
	}
	raw, err := results[0].JSON()
	if err != nil {
		return "", err
	}
	var block struct {
		Hash string `json:"hash"`
	}
	if err := json.Unmarshal(raw, &block); err != nil || len(block.Hash) != 66 {
		return "", errors.New("the chain has no first block")
	}
	return block.Hash, nil
}

// readBaseFee returns the base fee of the next block, in wei: the last entry of the history.
func readBaseFee(r chainclient.Result) (*big.Int, error) {
	raw, err := r.JSON()
	if err != nil {
		return nil, err
	}
	var history struct {
		BaseFeePerGas []string `json:"baseFeePerGas"`
	}
	if err := json.Unmarshal(raw, &history); err != nil || len(history.BaseFeePerGas) == 0 {
		return nil, errors.New("the chain has no base fee")
	}
	last := history.BaseFeePerGas[len(history.BaseFeePerGas)-1]
	fee, ok := new(big.Int).SetString(strings.TrimPrefix(last, "0x"), 16)
	if !ok {
		return nil, errors.New("the chain has no base fee")
	}
	return fee, nil
}

func hexQuantity(n *big.Int) string { return "0x" + n.Text(16) }
