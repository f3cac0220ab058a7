package pools

import (
	"context"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// feeSource is a program that reads the fee that pools of Algebra V1 charge in the next block. A pool computes its fee
// in the first swap of a block, from the trades of the last day, so that its stored fee is that of the last swap. The
// program begins a swap, reads the fee when the pool calls back for its payment, and reverts the swap.
//
// Input, for each pool: address (20 bytes).
// Output, for each pool: the fee in hundredths of a basis point (32); 2^256-1 for one that does not answer as a pool.
const feeSource = `
	CALLER @payment JUMPI
	CALLDATASIZE 0x00 0x0400 CALLDATACOPY
	CALLDATASIZE 0x0400 ADD =end
	0x0400 =cursor
	$end =out

pool:
	$end $cursor LT ISZERO @finish JUMPI
	$cursor MLOAD 0x60 SHR =pool
	$cursor 0x14 ADD =cursor
	0x128acb08 0xe0 SHL 0x0200 MSTORE        ; swap(address,bool,int256,uint160,bytes)
	ADDRESS 0x0204 MSTORE
	0x01 0x0224 MSTORE                       ; sell token0
	0x01 0x0244 MSTORE                       ; a unit
	0x01000276a4 0x0264 MSTORE               ; down to the lowest price
	0xa0 0x0284 MSTORE
	0x00 0x02a4 MSTORE
	0x01 0x00 SUB $out MSTORE
	0x00 0x00 0xc4 0x0200 0x00 $pool 0x2dc6c0 CALL
	0x20 RETURNDATASIZE EQ ISZERO OR @next JUMPI ; it must fail with one word
	0x20 0x00 $out RETURNDATACOPY
next:
	$out 0x20 ADD =out
	@pool JUMP

finish:
	$end $out SUB $end RETURN

payment:
	0xe76c01e4 0xe0 SHL 0x00 MSTORE          ; globalState()
	0x60 0x20 0x04 0x00 CALLER GAS STATICCALL
	0x60 RETURNDATASIZE LT ISZERO AND @told JUMPI
	0x00 0x00 REVERT
told:
	0x20 0x60 REVERT
`

var feeCode = hexutil.Encode(mustAssembleFees())

func mustAssembleFees() []byte {
	code, err := evm.Assemble(feeSource, []string{"end", "cursor", "out", "pool"})
	if err != nil {
		panic(err)
	}
	return code
}

// NextBlock is how much later than a view's block a swap is assumed to be mined.
const NextBlock = 12 * time.Second

// feePools is how many pools one call of the fee program reads.
const feePools = 100

// noSender is the caller of the program, which distinguishes its call from a pool's.
const noSender = "0x0000000000000000000000000000000000000000"

// charge updates the fees of Algebra pools to the head: they change with time, even without trades. If nodes do not execute programs, these fees stay
// unknown and the pools are not traded.
func (n node) charge(ctx context.Context, w *chainState) error {
	var places []int
	for _, i := range w.charging {
		p, ok := w.entries[i].state.(*position)
		if ok && (p.fee == 0 || w.charged != w.head.hash) {
			places = append(places, i)
		}
	}
	for some := range slices.Chunk(places, feePools) {
		fees, err := n.fees(ctx, w.head, addressesOf(w.entries, some))
		if err != nil {
			return err
		}
		for i, place := range some {
			if p := w.entries[place].state.(*position); p.fee != fees[i] {
				w.set(place, p.charging(fees[i]))
			}
		}
	}
	w.charged = w.head.hash
	return nil
}

func addressesOf(entries []entry, places []int) (packed []byte) {
	for _, place := range places {
		packed = append(packed, entries[place].Address[:]...)
	}
	return packed
}

// fees makes one call of the fee program, at the time of the next block, or at that of the head if the node refuses to
// override the time. A fee of 0 means that it is unknown.
func (n node) fees(ctx context.Context, head header, input []byte) ([]uint32, error) {
	call := []any{
		map[string]string{"from": noSender, "to": programAddress.String(), "data": hexutil.Encode(input)}, quantity(head.number),
		map[string]map[string]string{programAddress.String(): {"code": feeCode}},
	}
	mined := map[string]string{"time": quantity(uint64(head.time) + uint64(NextBlock.Seconds()))}
	results, err := n.send.Batch(ctx,
		chainclient.Call{Method: "eth_call", Params: append(slices.Clone(call), mined)}, chainclient.Call{Method: "eth_call", Params: call})
	if err != nil {
		return nil, err
	}
	fees := make([]uint32, len(input)/len(evm.Address{}))
	out, err := results[0].Bytes()
	if err != nil {
		out, err = results[1].Bytes()
	}
	if err != nil || len(out) != len(fees)*wordSize {
		return fees, nil //nolint:nilerr // a node that does not execute programs was still reached
	}
	r := output{rest: out}
	for i := range fees {
		if fee := r.word(); fee.LtUint64(millionth) {
			fees[i] = uint32(fee.Uint64())
		}
	}
	return fees, nil
}
