package pool

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// The programs of the exchanges.
var (
	RaydiumV4   = svm.MustAddress("675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8")
	RaydiumCPMM = svm.MustAddress("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C")
	RaydiumCLMM = svm.MustAddress("CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK")
	Whirlpool   = svm.MustAddress("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc")
)

// FeeScale is a fee of 100 %: fees are in hundredths of a basis point.
const FeeScale = 1_000_000

// Size bounds how many bytes of a pool's account are parsed.
const Size = 752

var (
	raydiumPool   = svm.KindOf("PoolState")
	raydiumConfig = svm.KindOf("AmmConfig")
	whirlpool     = svm.KindOf("Whirlpool")
)

// Pool is a pool of two tokens.
type Pool struct {
	Program svm.Address
	// Mints are the tokens, Vaults the token accounts that hold them.
	Mints, Vaults [2]svm.Address
	// Owed are the units in the vaults that do not belong to the pool: fees and profit that have not been collected.
	Owed [2]uint64
	// Config is the account with the fee; zero if Fee is set.
	Config svm.Address
	Fee    uint32
	// Open is false if the pool does not swap.
	Open bool
	// Concentrated is nil for a constant-product pool.
	Concentrated *Concentrated
}

// Concentrated is the state of a pool with concentrated liquidity, for the display of prices.
type Concentrated struct {
	// Liquidity is the liquidity at the current price.
	Liquidity float64
	// Root is the square root of the price: units of the second token for one of the first.
	Root    float64
	Tick    int32
	Spacing uint16
}

// Parse parses the account of a pool, at least its first [Size] bytes if it has as many. The error is [svm.ErrLayout].
func Parse(program svm.Address, data []byte) (Pool, error) {
	var p Pool
	var err error
	switch {
	case program == RaydiumV4:
		p, err = parseV4(data)
	case program == RaydiumCPMM && raydiumPool.Of(data):
		p, err = parseCPMM(data)
	case program == RaydiumCLMM && raydiumPool.Of(data):
		p, err = parseCLMM(data)
	case program == Whirlpool && whirlpool.Of(data):
		p, err = parseWhirlpool(data)
	default:
		return Pool{}, svm.ErrLayout
	}
	if err != nil || p.Mints[0] == p.Mints[1] || p.Fee >= FeeScale || p.Concentrated != nil && !p.Concentrated.valid() {
		return Pool{}, svm.ErrLayout
	}
	p.Program = program
	return p, nil
}

func (c Concentrated) valid() bool {
	return c.Root > 0 && !math.IsInf(c.Root, 0) && c.Spacing > 0 && c.Tick >= -maxTick && c.Tick <= maxTick
}

// openV4 contains the states in which a pool of AMM v4 swaps: 1 with its order book, 6 without, and 7 from a time that
// has usually passed.
var openV4 = []uint64{1, 6, 7}

func parseV4(data []byte) (Pool, error) {
	if len(data) != Size {
		return Pool{}, svm.ErrLayout
	}
	open := slices.Contains(openV4, svm.NewCursor(data, 0).Uint64())
	fee := svm.NewCursor(data, 176)
	numerator, denominator := fee.Uint64(), fee.Uint64()
	if denominator == 0 || numerator >= denominator {
		return Pool{}, svm.ErrLayout
	}
	c := svm.NewCursor(data, 336)
	p := Pool{
		Owed: [2]uint64{fee.Uint64(), fee.Uint64()}, Open: open, Fee: uint32(float64(numerator) / float64(denominator) * FeeScale),
		Vaults: [2]svm.Address{c.Address(), c.Address()}, Mints: [2]svm.Address{c.Address(), c.Address()},
	}
	return p, c.Err()
}

// statusNoSwap is the bit of a CPMM pool's status that disables swaps, and statusNoSwapCLMM that of a CLMM pool's
// status.
const statusNoSwap, statusNoSwapCLMM = 1 << 2, 1 << 4

func parseCPMM(data []byte) (Pool, error) {
	c := svm.NewCursor(data, 8)
	p := Pool{Config: c.Address()}
	c.Skip(32) // the creator
	p.Vaults = [2]svm.Address{c.Address(), c.Address()}
	c.Skip(32) // the mint of shares
	p.Mints = [2]svm.Address{c.Address(), c.Address()}
	status := svm.NewCursor(data, 329)
	p.Open = status.Uint8()&statusNoSwap == 0
	owed := svm.NewCursor(data, 341)
	protocol0, protocol1, fund0, fund1 := owed.Uint64(), owed.Uint64(), owed.Uint64(), owed.Uint64()
	p.Owed = [2]uint64{protocol0 + fund0, protocol1 + fund1}
	return p, owed.Err()
}

func parseCLMM(data []byte) (Pool, error) {
	c := svm.NewCursor(data, 9)
	p := Pool{Config: c.Address()}
	c.Skip(32) // the creator
	p.Mints = [2]svm.Address{c.Address(), c.Address()}
	p.Vaults = [2]svm.Address{c.Address(), c.Address()}
	c.Skip(32 + 2) // the observations and the decimals
	p.Concentrated = &Concentrated{Spacing: c.Uint16(), Liquidity: c.Float128(), Root: math.Ldexp(c.Float128(), -64), Tick: c.Int32()}
	status := svm.NewCursor(data, 389)
	p.Open = status.Uint8()&statusNoSwapCLMM == 0
	return p, status.Err()
}

func parseWhirlpool(data []byte) (Pool, error) {
	c := svm.NewCursor(data, 41)
	p := Pool{Open: true, Concentrated: &Concentrated{Spacing: c.Uint16()}}
	c.Skip(2) // the fee tier
	p.Fee = uint32(c.Uint16())
	c.Skip(2) // the protocol's share
	p.Concentrated.Liquidity, p.Concentrated.Root, p.Concentrated.Tick = c.Float128(), math.Ldexp(c.Float128(), -64), c.Int32()
	p.Owed = [2]uint64{c.Uint64(), c.Uint64()}
	p.Mints[0], p.Vaults[0] = c.Address(), c.Address()
	c.Skip(16) // the fees so far
	p.Mints[1], p.Vaults[1] = c.Address(), c.Address()
	return p, c.Err()
}

// ConfigSize is how many bytes of a fee configuration are parsed.
const ConfigSize = 64

// ParseFee parses the fee configuration of CPMM or CLMM pools: the fee in hundredths of a basis point. The error is [svm.ErrLayout].
func ParseFee(program svm.Address, data []byte) (uint32, error) {
	offsets := map[svm.Address]int{RaydiumCPMM: 12, RaydiumCLMM: 47}
	offset, known := offsets[program]
	c := svm.NewCursor(data, offset)
	var fee uint64
	if program == RaydiumCPMM {
		fee = c.Uint64()
	} else {
		fee = uint64(c.Uint32())
	}
	if !known || !raydiumConfig.Of(data) || c.Err() != nil || fee >= FeeScale {
		return 0, svm.ErrLayout
	}
	return uint32(fee), nil
}

// Exchange is a program whose pools' addresses are derived from their tokens.
type Exchange struct {
	Program svm.Address
	// Configs are the fee configurations: indexes for Raydium, tick spacings for Orca.
	Configs []uint16
	// Root is the account of Orca to which its pools belong.
	Root svm.Address
}

// Candidates returns the possible addresses of the pools of two tokens.
func (e Exchange) Candidates(a, b svm.Address) []svm.Address {
	if bytes.Compare(a[:], b[:]) > 0 {
		a, b = b, a
	}
	list := make([]svm.Address, len(e.Configs))
	for i, config := range e.Configs {
		if e.Program == Whirlpool {
			list[i] = svm.Derive(e.Program, []byte("whirlpool"), e.Root[:], a[:], b[:], binary.LittleEndian.AppendUint16(nil, config))
			continue
		}
		account := svm.Derive(e.Program, []byte("amm_config"), binary.BigEndian.AppendUint16(nil, config))
		list[i] = svm.Derive(e.Program, []byte("pool"), account[:], a[:], b[:])
	}
	return list
}
