package pool

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

const (
	// maxTick bounds ticks: the price of a tick is 1.0001 to the power of the tick.
	maxTick = 443_636
	// raydiumTicks and whirlpoolTicks are the numbers of ticks in one array.
	raydiumTicks, whirlpoolTicks = 60, 88
	// TickArraySize is the maximum size of a tick array, in bytes.
	TickArraySize = 10_240
	// arrays is how many tick arrays are read in the direction of a sale.
	arrays = 3
)

var (
	raydiumArray   = svm.KindOf("TickArrayState")
	whirlpoolArray = svm.KindOf("TickArray")
	dynamicArray   = svm.KindOf("DynamicTickArray")
)

// Tick is a price at which the liquidity changes.
type Tick struct {
	Index int32
	// Change is added to the liquidity when the price rises through the tick.
	Change float64
}

// Root returns the square root of a tick's price.
func Root(tick int32) float64 { return math.Pow(1.0001, float64(tick)/2) }

// perArray returns how many tick indexes one array covers.
func (p Pool) perArray() int32 {
	count := int32(raydiumTicks)
	if p.Program == Whirlpool {
		count = whirlpoolTicks
	}
	return count * int32(p.Concentrated.Spacing)
}

// firstArray returns the start of the array that contains the current tick.
func (p Pool) firstArray() int32 {
	return int32(math.Floor(float64(p.Concentrated.Tick)/float64(p.perArray()))) * p.perArray()
}

// TickArrays returns the accounts with the ticks that a sale crosses first: of the first token, which lowers the price,
// or of the second. end is the tick at which the last account ends.
func (p Pool) TickArrays(pool svm.Address, first bool) (accounts []svm.Address, end int32) {
	start, step := p.firstArray(), p.perArray()
	end = start + arrays*step
	if first {
		step = -step
		end = start + (arrays-1)*step
	}
	for range arrays {
		if start > -maxTick-p.perArray() && start <= maxTick {
			accounts = append(accounts, p.tickArray(pool, start))
		}
		start += step
	}
	return accounts, max(-maxTick, min(end, maxTick))
}

func (p Pool) tickArray(pool svm.Address, start int32) svm.Address {
	if p.Program == Whirlpool {
		return svm.Derive(p.Program, []byte("tick_array"), pool[:], strconv.AppendInt(nil, int64(start), 10))
	}
	return svm.Derive(p.Program, []byte("tick_array"), pool[:], binary.BigEndian.AppendUint32(nil, uint32(start)))
}

// ParseTicks parses a tick array of the pool at an address: the ticks at which the liquidity changes, lowest first. The error is [svm.ErrLayout].
func (p Pool) ParseTicks(pool, program svm.Address, data []byte) (ticks []Tick, err error) {
	var of svm.Address
	switch {
	case program != p.Program || p.Concentrated == nil:
		return nil, svm.ErrLayout
	case program == RaydiumCLMM && raydiumArray.Of(data):
		of, ticks, err = p.raydiumTicks(data)
	case program == Whirlpool && whirlpoolArray.Of(data):
		of, ticks, err = p.fixedTicks(data)
	case program == Whirlpool && dynamicArray.Of(data):
		of, ticks, err = p.dynamicTicks(data)
	default:
		return nil, svm.ErrLayout
	}
	if err != nil || of != pool {
		return nil, svm.ErrLayout
	}
	return ticks, nil
}

func (p Pool) raydiumTicks(data []byte) (pool svm.Address, ticks []Tick, err error) {
	c := svm.NewCursor(data, 8)
	pool = c.Address()
	c.Skip(4) // the first tick
	for range raydiumTicks {
		t := Tick{Index: c.Int32(), Change: c.SignedFloat128()}
		gross := c.Float128()
		c.Skip(132) // the fees and rewards outside
		if gross > 0 {
			ticks = append(ticks, t)
		}
	}
	return pool, ticks, c.Err()
}

func (p Pool) fixedTicks(data []byte) (pool svm.Address, ticks []Tick, err error) {
	c := svm.NewCursor(data, 8)
	start := c.Int32()
	for i := range int32(whirlpoolTicks) {
		initialized := c.Uint8()
		t := Tick{Index: start + i*int32(p.Concentrated.Spacing), Change: c.SignedFloat128()}
		c.Skip(96) // the gross liquidity, the fees and rewards outside
		if initialized == 1 {
			ticks = append(ticks, t)
		}
	}
	pool = c.Address()
	return pool, ticks, c.Err()
}

func (p Pool) dynamicTicks(data []byte) (pool svm.Address, ticks []Tick, err error) {
	c := svm.NewCursor(data, 8)
	start := c.Int32()
	pool = c.Address()
	c.Skip(16) // the bitmap of the ticks
	for i := range int32(whirlpoolTicks) {
		if c.Uint8() != 1 {
			continue
		}
		ticks = append(ticks, Tick{Index: start + i*int32(p.Concentrated.Spacing), Change: c.SignedFloat128()})
		c.Skip(96)
	}
	return pool, ticks, c.Err()
}
