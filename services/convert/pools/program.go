package pools

import (
	"encoding/binary"
	"errors"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// programSource is a program that is placed at an address by a state override during one eth_call. It reads the whole
// state of pools, for v3 pools with all ticks around the price. Without it, that takes three round trips and thousands
// of calls.
//
// Input, for each pool: address (20 bytes), spacing (4), which is 0 for a v2 pool, and the selectors of the functions
// that return a concentrated pool's price (4) and a word of its tick bitmap (4). Output: number of pools read (32),
// then for each: of a v2 pool its two reserves (32 each); of a concentrated pool the price (32), its tick (32), the
// liquidity (32), the number of ticks (32), and for each tick its index (4), its gross liquidity (16) and its net
// liquidity (16), ascending. A pool that does not answer as one is 2^256-1 (32). The output ends early when the gas
// runs out.
const programSource = `
	CALLDATASIZE 0x00 0x0300 CALLDATACOPY
	CALLDATASIZE 0x0300 ADD =end
	0x0300 =cursor
	$end 0x20 ADD =out
	0x00 =done

pool:
	$end $cursor LT ISZERO @finish JUMPI
	$out =mark
	GAS 0x0f4240 GT @starved JUMPI           ; under 1,000,000 left
	$cursor MLOAD 0x60 SHR =pool
	$cursor 0x14 ADD MLOAD 0xe0 SHR =spacing
	$cursor 0x18 ADD MLOAD 0xe0 SHR =head
	$cursor 0x1c ADD MLOAD 0xe0 SHR =table
	$cursor 0x20 ADD =cursor
	$spacing @concentrated JUMPI

	0x0902f1ac 0xe0 SHL 0x0200 MSTORE        ; getReserves()
	0x40 0x0240 0x04 0x0200 $pool 0x030d40 STATICCALL
	0x40 RETURNDATASIZE LT ISZERO AND ISZERO @absent JUMPI
	0x0240 MLOAD $out MSTORE
	0x0260 MLOAD $out 0x20 ADD MSTORE
	$out 0x40 ADD =out
	@read JUMP

concentrated:
	$head 0xe0 SHL 0x0200 MSTORE             ; slot0() or globalState()
	0x40 0x0240 0x04 0x0200 $pool 0x030d40 STATICCALL
	0x40 RETURNDATASIZE LT ISZERO AND ISZERO @absent JUMPI
	0x0240 MLOAD $out MSTORE
	0x0260 MLOAD =tick
	$tick $out 0x20 ADD MSTORE
	0x1a686502 0xe0 SHL 0x0200 MSTORE        ; liquidity()
	0x20 0x0240 0x04 0x0200 $pool 0x030d40 STATICCALL
	0x20 RETURNDATASIZE LT ISZERO AND ISZERO @absent JUMPI
	0x0240 MLOAD $out 0x40 ADD MSTORE
	0x00 =count
	$out 0x80 ADD =out
	$mark MLOAD ISZERO @counted JUMPI        ; without a price there is no position

	0x00 $spacing $tick SMOD SLT             ; one, when the division below rounds up
	$spacing $tick SDIV SUB 0x08 SAR =middle
	0x14 $middle SUB =place                  ; twenty words to either side
	0x14 $middle ADD =last

word:
	$last $place SGT @counted JUMPI
	GAS 0x03d090 GT @starved JUMPI           ; under 250,000 left, a call would get less than its share
	$table 0xe0 SHL 0x0200 MSTORE            ; tickBitmap(int16) or tickTable(int16)
	$place 0x0204 MSTORE
	0x20 0x0240 0x24 0x0200 $pool 0x030d40 STATICCALL
	0x20 RETURNDATASIZE LT ISZERO AND ISZERO @absent JUMPI
	0x0240 MLOAD =bits
	$place 0x08 SHL =index

bit:
	$bits ISZERO @passed JUMPI
	$bits 0x01 AND ISZERO @next JUMPI
	GAS 0x03d090 GT @starved JUMPI
	0xf30dba93 0xe0 SHL 0x0200 MSTORE        ; ticks(int24)
	$spacing $index MUL 0x0204 MSTORE
	0x40 0x0240 0x24 0x0200 $pool 0x030d40 STATICCALL
	0x40 RETURNDATASIZE LT ISZERO AND ISZERO @absent JUMPI
	0x0204 MLOAD 0xe0 SHL $out MSTORE
	0x0260 MLOAD 0x80 SHL 0x80 SHR
	0x0240 MLOAD 0x80 SHL OR
	$out 0x04 ADD MSTORE
	$out 0x24 ADD =out
	$count 0x01 ADD =count

next:
	$bits 0x01 SHR =bits
	$index 0x01 ADD =index
	@bit JUMP

passed:
	$place 0x01 ADD =place
	@word JUMP

counted:
	$count $mark 0x60 ADD MSTORE
	@read JUMP

absent:
	0x01 0x00 SUB $mark MSTORE
	$mark 0x20 ADD =out

read:
	$done 0x01 ADD =done
	@pool JUMP

starved:
	$mark =out                               ; what was begun is left out

finish:
	$done $end MSTORE
	$end $out SUB $end RETURN
`

// program is the assembled program; its size of reach is wordReach.
var program = mustAssemble()

// programCode is the program in hex, for JSON-RPC.
var programCode = hexutil.Encode(program)

func mustAssemble() []byte {
	code, err := evm.Assemble(programSource, []string{
		"end", "out", "cursor", "mark", "done", "pool", "spacing", "tick", "count", "middle", "place", "last", "bits", "index", "head", "table",
	})
	if err != nil {
		panic(err)
	}
	return code
}

// programAddress is the address at which the program is placed; its private key is not known.
var programAddress = evm.MustAddress("0x4861777365725265616465720000000000000002")

// programPools is how many pools one call reads.
const programPools = 300

// errOutput is the error of an answer that is not the program's output.
var errOutput = errors.New("the node's answer is not the program's output")

func programInput(pools []*entry) []byte {
	var b []byte
	for _, p := range pools {
		b = append(b, p.Address[:]...)
		b = binary.BigEndian.AppendUint32(b, uint32(p.terms().spacing))
		b = append(append(b, selector(headCalls[p.Kind])...), selector(wordCalls[p.Kind])...)
	}
	return b
}

// selector returns the selector of a function, or zeros for an empty signature.
func selector(call []byte) []byte {
	if call == nil {
		return make([]byte, 4)
	}
	return call
}

// readOutput decodes the program's output into states, and returns how many pools it holds.
func readOutput(out []byte, pools []*entry) (int, error) {
	r := output{rest: out}
	done := r.word()
	if done.GtUint64(uint64(len(pools))) {
		return 0, errOutput
	}
	for _, p := range pools[:done.Uint64()] {
		first := r.word()
		switch {
		case first.Eq(&absent):
			p.state = nil
		case p.Kind == V2:
			p.state = checkedReserves(first, r.word())
		default:
			p.state = r.position(first, p.terms().spacing)
		}
	}
	if r.cut || len(r.rest) > 0 {
		return 0, errOutput
	}
	return int(done.Uint64()), nil
}

// absent marks a pool that does not answer as one.
var absent = *new(uint256.Int).Not(new(uint256.Int))

// output is the undecoded rest of the program's output; cut says that it ended too early.
type output struct {
	rest []byte
	cut  bool
}

func (r *output) take(n int) []byte {
	if n > len(r.rest) {
		r.cut = true
		return make([]byte, n)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *output) word() (w uint256.Int) {
	w.SetBytes32(r.take(wordSize))
	return w
}

func (r *output) half() (w uint256.Int) {
	w.SetBytes(r.take(wordSize / 2))
	return w
}

// position decodes the rest of a v3 pool after its price; nil if it is invalid.
func (r *output) position(sqrtPrice uint256.Int, spacing int32) state {
	at, liquidity, count := r.word(), r.word(), r.word()
	if count.GtUint64(uint64(len(r.rest)) / (4 + wordSize)) {
		r.cut = true
		return nil
	}
	s, ok := checkedPosition(sqrtPrice, at, liquidity)
	l := &ladder{ticks: make([]tick, count.Uint64())}
	for i := range l.ticks {
		t := &l.ticks[i]
		t.index = int32(binary.BigEndian.Uint32(r.take(4)))
		t.gross, t.net = r.half(), r.half()
		t.net.ExtendSign(&t.net, uint256.NewInt(wordSize/2-1))
		ok = ok && !t.gross.IsZero()
	}
	if !ok {
		return nil
	}
	first, last := wordOf(-maxTick, spacing), wordOf(maxTick, spacing)
	if !sqrtPrice.IsZero() {
		first, last = words(s.tick, spacing)
	}
	l.low, l.high = span(first, last, spacing)
	s.ladder = l
	return s
}
