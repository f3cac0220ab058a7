package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/execution"
)

func TestTheMinimumIsTheOutputLessTheSlippage(t *testing.T) {
	for _, tt := range []struct {
		out, floor, want uint64
		slippageBPS      uint32
	}{
		{out: 1, slippageBPS: 100, want: 1},
		{out: 1, slippageBPS: 5000, want: 1},
		{out: 3, slippageBPS: 5000, want: 2},
		{out: 199, slippageBPS: 100, want: 198},
		{out: 200, slippageBPS: 100, want: 198},
		{out: 200, slippageBPS: 0, want: 200},
		{out: 200, slippageBPS: 100, floor: 199, want: 199},
		{out: 200, slippageBPS: 100, floor: 197, want: 198},
	} {
		s := Swap{SlippageBPS: tt.slippageBPS}
		if tt.floor > 0 {
			s.Floor = uint256.NewInt(tt.floor)
		}
		if got := s.minimum(uint256.NewInt(tt.out)); got.Uint64() != tt.want {
			t.Errorf("%d at %d bps, at least %d: got %d, want %d", tt.out, tt.slippageBPS, tt.floor, got, tt.want)
		}
	}
	most := new(uint256.Int).SetAllOne()
	if got := (Swap{}).minimum(most); !got.Eq(most) {
		t.Errorf("2^256-1 without slippage: got %d", got)
	}
}

func TestAnOverflowingFeeIsTheLargestNumber(t *testing.T) {
	most := new(uint256.Int).SetAllOne()
	gas := GasTerms{Price: most, Expected: most}
	if got := gas.cost(math.MaxUint64); !got.Eq(most) {
		t.Errorf("gas alone costs %d", got)
	}
	var o Offer
	e := &Engine{Gas: rollup{fee: execution.DataFee{Gas: 1, Wei: uint256.NewInt(5)}}}
	if err := e.addNetworkFee(t.Context(), "eip155:10", gas, &o); err != nil || !o.NetworkFee.Eq(most) {
		t.Errorf("with data it costs %d: %v", o.NetworkFee, err)
	}
}

func TestADataFeeThatNodesDoNotTellIsNoSilenceOfNodes(t *testing.T) {
	for name, c := range map[string]struct{ err, want, not error }{
		"the contract reverts": {errors.New("execution reverted"), ErrUnread, ErrUnavailable},
		"no node answers":      {fmt.Errorf("read: %w", context.DeadlineExceeded), ErrUnavailable, ErrUnread},
	} {
		t.Run(name, func(t *testing.T) {
			e := &Engine{Gas: rollup{err: c.err}}
			err := e.addNetworkFee(t.Context(), "eip155:10", GasTerms{Price: uint256.NewInt(1), Expected: uint256.NewInt(1)}, &Offer{})
			if !errors.Is(err, c.want) || errors.Is(err, c.not) || !strings.Contains(err.Error(), "data fee") || !IsUnavailable(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// rollup charges a fee for data.
type rollup struct {
	fee execution.DataFee
	err error
}

func (rollup) On(context.Context, string) (execution.Prices, error) { return execution.Prices{}, nil }

func (r rollup) DataFee(context.Context, string, []execution.Call) (execution.DataFee, error) {
	return r.fee, r.err
}

func TestSlippageWithinKeepsTheFloor(t *testing.T) {
	out := big.NewInt(1_000_000)
	s := Swap{SlippageBPS: 100, Floor: uint256.NewInt(995_000)}
	if bps, err := s.slippageWithin(out); err != nil || bps != 50 {
		t.Errorf("%d bps, %v", bps, err)
	}
	if _, err := s.slippageWithin(big.NewInt(994_999)); !errors.Is(err, ErrPriceMoved) {
		t.Errorf("less than was promised: %v", err)
	}
	s.Floor = nil
	if bps, err := s.slippageWithin(out); err != nil || bps != 100 {
		t.Errorf("nothing was promised: %d bps, %v", bps, err)
	}
}

func TestTheClockOfANodeExtendsADeadlineByTwoMinutesAtMost(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for name, c := range map[string]struct{ block, want time.Time }{
		"a block of a while ago":     {now.Add(-time.Hour), now},
		"a chain a little ahead":     {now.Add(time.Minute), now.Add(time.Minute)},
		"a chain far ahead":          {now.Add(time.Hour), now.Add(2 * time.Minute)},
		"a node with a false answer": {time.Unix(1<<62, 0), now.Add(2 * time.Minute)},
	} {
		if got := chainTime(now, c.block); !got.Equal(c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
