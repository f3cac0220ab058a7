package simulation

import (
	"crypto/rand"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Head is the newest block of a chain, as far as the next one follows from it.
type Head struct {
	Number, Time      uint64
	GasLimit, GasUsed uint64
	// BaseFee is in wei per gas; nil on a chain without base fees.
	BaseFee      *big.Int
	FeeRecipient evm.Address
	// HasBlobs reports whether the chain has blobs (EIP-4844), and HasBeaconRoot whether contracts see the roots of another chain (EIP-4788).
	HasBlobs, HasBeaconRoot bool
	// Before is the time of the block before; 0 if it is not known.
	Before uint64
}

// ReadHead decodes the result of [chainclient.LatestBlock].
func ReadHead(r chainclient.Result) (Head, error) {
	var h *struct {
		Number       chainclient.Uint64 `json:"number"`
		Time         chainclient.Uint64 `json:"timestamp"`
		GasLimit     chainclient.Uint64 `json:"gasLimit"`
		GasUsed      chainclient.Uint64 `json:"gasUsed"`
		BaseFee      chainclient.Amount `json:"baseFeePerGas"`
		FeeRecipient evm.Address        `json:"miner"`
		ExcessBlobs  chainclient.Amount `json:"excessBlobGas"`
		BeaconRoot   *common.Hash       `json:"parentBeaconBlockRoot"`
	}
	if err := r.Decode(&h); err != nil {
		return Head{}, err
	}
	if h == nil || h.GasLimit == 0 {
		return Head{}, fmt.Errorf("%w: no newest block", chainclient.ErrAnswer)
	}
	return Head{
		Number: uint64(h.Number), Time: uint64(h.Time), GasLimit: uint64(h.GasLimit), GasUsed: uint64(h.GasUsed),
		BaseFee: h.BaseFee.Int, FeeRecipient: h.FeeRecipient, HasBlobs: h.ExcessBlobs.Int != nil, HasBeaconRoot: h.BeaconRoot != nil,
	}, nil
}

// nextBaseFee returns the base fee of the next block (EIP-1559); nil on a chain without base fees.
func (h Head) nextBaseFee() *big.Int {
	if h.BaseFee == nil {
		return nil
	}
	const elasticity, denominator = 2, 8
	target := new(big.Int).SetUint64(max(h.GasLimit/elasticity, 1))
	change := new(big.Int).Sub(new(big.Int).SetUint64(h.GasUsed), target)
	change.Mul(change, h.BaseFee).Quo(change, target).Quo(change, big.NewInt(denominator))
	next := change.Add(h.BaseFee, change)
	if next.Sign() <= 0 {
		return big.NewInt(1)
	}
	return next
}

// Fees are what a transaction pays for each gas, in wei. Nil fields follow from the newest block.
type Fees struct{ Max, Priority *big.Int }

// leastPriority is the least priority fee that is assumed, in wei per gas: no gas price of a transaction is 0.
var leastPriority = big.NewInt(1_000_000)

// conditions are what a contract can see of the block and the transaction in which it runs.
type conditions struct {
	number, time uint64
	feeRecipient evm.Address
	prevRandao   common.Hash
	// beaconRoot is nil where contracts see none, and where nodes do not take it.
	beaconRoot *common.Hash
	// baseFee is nil on a chain without base fees, and blobFee where it is that of the chain.
	baseFee, blobFee, maxFee, priority *big.Int
	// gas is the gas limit of a call that names none.
	gas uint64
}

const (
	// slot is how long after the newest block the next one is at least where no usual time is known, in seconds, and longestStep is the longest usual time.
	slot        = 12
	longestStep = 60
	// later is how much later the second run is, in seconds: an odd number. Offers that expire sooner are rare.
	later = 37
	// gasCap is the largest gas limit of a transaction (EIP-7825).
	gasCap = 1 << 24
)

// nextTime returns the time of the next block, which follows the newest one as that followed the one before. A chain that makes blocks when it has transactions, or whose
// newest block is old, has no usual time: the next block is at the time now then.
func (h Head) nextTime(now uint64) uint64 {
	const few, least = 10, 15
	if step := h.Time - h.Before; h.Before > 0 && h.Before <= h.Time && step <= longestStep && now <= h.Time+max(few*step, least) {
		return h.Time + max(step, 1)
	}
	return max(h.Time+slot, now)
}

// next returns the conditions of the next block at a time, in seconds since 1970.
func (h Head) next(now uint64, fees Fees, calls int) conditions {
	c := conditions{number: h.Number + 1, time: h.nextTime(now), feeRecipient: h.FeeRecipient, prevRandao: random(), baseFee: h.nextBaseFee()}
	if h.HasBeaconRoot {
		root := random()
		c.beaconRoot = &root
	}
	part := uint64(2)
	if calls > 1 {
		part = 4
	}
	c.gas = min(gasCap, h.GasLimit/part)
	c.price(fees)
	return c
}

// another returns conditions of which each differs from the first ones. Of random values every bit does.
func (h Head) another(first conditions, fees Fees) conditions {
	c := conditions{number: first.number + 1, time: first.time + later, gas: first.gas - first.gas/4}
	if h.HasBlobs {
		// The usual fee is 1.
		c.blobFee = new(big.Int).SetBytes(random().Bytes()[:4])
		c.blobFee.SetBit(c.blobFee, 0, 0)
	}
	for i, b := range first.feeRecipient {
		c.feeRecipient[i] = ^b
	}
	for i, b := range first.prevRandao {
		c.prevRandao[i] = ^b
	}
	if first.beaconRoot != nil {
		c.beaconRoot = &common.Hash{}
		for i, b := range first.beaconRoot {
			c.beaconRoot[i] = ^b
		}
	}
	if first.baseFee != nil {
		// Odd and even fees take turns.
		rise := new(big.Int).Rsh(first.baseFee, 3)
		c.baseFee = new(big.Int).Add(first.baseFee, rise.SetBit(rise, 0, 1))
	}
	if fees.Priority == nil {
		fees.Priority = new(big.Int).Add(first.priority, big.NewInt(2))
	}
	c.price(fees)
	return c
}

// price sets the fees: those that the transaction names, otherwise the base fee and a tenth of it.
func (c *conditions) price(fees Fees) {
	base := new(big.Int)
	if c.baseFee != nil {
		base = c.baseFee
	}
	c.priority = fees.Priority
	if c.priority == nil {
		c.priority = new(big.Int).Quo(base, big.NewInt(10))
		if c.priority.Cmp(leastPriority) < 0 {
			c.priority = leastPriority
		}
	}
	c.maxFee = fees.Max
	if c.maxFee == nil {
		c.maxFee = new(big.Int).Add(base, c.priority)
	}
	// Nodes refuse a transaction whose fee is below the base fee, or below its own priority fee; it waits for a cheaper block.
	if c.baseFee != nil && c.baseFee.Cmp(c.maxFee) > 0 {
		c.baseFee = c.maxFee
	}
	if c.priority.Cmp(c.maxFee) > 0 {
		c.priority = c.maxFee
	}
}

// overrides returns the block as nodes expect it, with the root of the other chain if they take it.
func (c conditions) overrides(takesRoot bool) map[string]any {
	block := map[string]any{
		"number": hexutil.Uint64(c.number), "time": hexutil.Uint64(c.time), "feeRecipient": c.feeRecipient, "prevRandao": c.prevRandao,
	}
	if c.baseFee != nil {
		block["baseFeePerGas"] = (*hexutil.Big)(c.baseFee)
	}
	if c.blobFee != nil {
		block["blobBaseFee"] = (*hexutil.Big)(c.blobFee)
	}
	if takesRoot && c.beaconRoot != nil {
		block["beaconRoot"] = *c.beaconRoot
	}
	return block
}

// pay adds the gas limit and the fees to a call.
func (c conditions) pay(call map[string]any, gas uint64) {
	call["gas"] = hexutil.Uint64(gas)
	if c.baseFee == nil {
		call["gasPrice"] = (*hexutil.Big)(c.maxFee)
		return
	}
	call["maxFeePerGas"], call["maxPriorityFeePerGas"] = (*hexutil.Big)(c.maxFee), (*hexutil.Big)(c.priority)
}

// random returns a value that no contract can predict.
func random() (h common.Hash) {
	_, _ = rand.Read(h[:])
	return h
}
