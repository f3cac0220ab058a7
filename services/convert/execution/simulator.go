package execution

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/cache"
)

// trialTimeout bounds all requests of one trial.
const trialTimeout = 3 * time.Second

// Simulator simulates swaps by eth_call at a block. It is safe for concurrent use.
//
// One eth_call makes all calls, approvals first, from the sender's address, where a state override puts a small program. So the sender needs no
// approval, and, if the token's storage layout is found, no balance. The recipient's balance before and after is read in the same request.
type Simulator struct {
	connect func(chainID string) chainclient.Transport
	slots   *slotFinder
	// undated are the chains, by CAIP-2 id, whose nodes refuse an override of the block time.
	undated *cache.Cache[string, bool]
}

// NewSimulator returns a simulator that reaches the nodes of a CAIP-2 chain through connect.
func NewSimulator(connect func(chainID string) chainclient.Transport) *Simulator {
	return &Simulator{connect: connect, slots: newSlotFinder(), undated: cache.New(cache.Options[string, bool]{
		MaxEntries: knownChains, Lifetime: unknownLifetime,
	})}
}

// Try simulates a trial on the chain with a CAIP-2 id. It takes one round trip, and one or two more the first time that a token is sold by an account
// without a balance. A swap that fails is an outcome; the error is for nodes that do not answer.
func (s *Simulator) Try(ctx context.Context, chainID string, t Trial) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, trialTimeout)
	defer cancel()
	a := &attempt{Trial: t, chainID: chainID, send: s.connect(chainID), slots: s.slots, undated: s.undated}
	if !runsPrograms(chainID) {
		return a.plain(ctx)
	}
	return a.measured(ctx)
}

// runsPrograms says whether a chain executes EVM bytecode: ZKsync does not.
func runsPrograms(chainID string) bool { return chainID != "eip155:324" && chainID != "eip155:300" }

// attempt is one trial in progress.
type attempt struct {
	Trial
	chainID string
	send    chainclient.Transport
	slots   *slotFinder
	undated *cache.Cache[string, bool]
}

func (a *attempt) measured(ctx context.Context) (Outcome, error) {
	funding, known := a.funding()
	before, after, err := a.round(ctx, funding, false)
	if errors.Is(err, errProgram) {
		return a.plain(ctx)
	}
	if err != nil {
		return Outcome{}, err
	}
	if before.sold.Lt(a.Amount) && !known {
		if funding, err = a.search(ctx); err != nil {
			return Outcome{}, err
		}
		if before, after, err = a.round(ctx, funding, false); err != nil {
			return Outcome{}, err
		}
	}
	if before.sold.Lt(a.Amount) {
		return Outcome{Cause: BalanceLow, Why: "the account does not hold the amount, and it is not known where the token keeps balances"}, nil
	}
	reset := a.refusesChange(after)
	if reset {
		if before, after, err = a.round(ctx, funding, true); err != nil {
			return Outcome{}, err
		}
	}
	outcome := a.judge(before, after)
	outcome.Reset = reset
	if outcome.Confirmed {
		return outcome, nil
	}
	return a.explain(ctx, funding, outcome)
}

// funding returns the state override that gives the sender the sold amount, if the token's layout was found; known is false if it was not searched yet.
func (a *attempt) funding() (funding overrides, known bool) {
	if a.Sold == evm.Native {
		return nil, true
	}
	place, known := a.slots.cached(a.chainID, a.Sold, a.Sender)
	if place == nil {
		return nil, known
	}
	return place.holding(a.Amount), true
}

func (a *attempt) search(ctx context.Context) (overrides, error) {
	place, err := a.slots.find(ctx, a.send, a.chainID, a.Sold, a.Sender, a.Block)
	if place == nil || err != nil {
		return nil, err
	}
	return place.holding(a.Amount), nil
}

// round reads the balances without and with the calls, at the same state.
func (a *attempt) round(ctx context.Context, funding overrides, reset bool) (before, after counted, err error) {
	approvals := a.approvalCalls(reset)
	calls := a.run(funding, approvals, a.Calls)
	_, refused := a.undated.Get(a.chainID)
	dated := !refused && !a.Mined.IsZero()
	if dated {
		calls = minedAt(calls, a.Mined)
	}
	results, err := a.send.Batch(ctx, a.run(funding), calls)
	if err != nil {
		return counted{}, counted{}, err
	}
	if dated && results[0].Err() == nil && results[1].Err() != nil {
		a.undated.Set(a.chainID, true)
		return a.round(ctx, funding, reset)
	}
	if before, err = readProgram(0, results[0]); err != nil {
		return counted{}, counted{}, err
	}
	after, err = readProgram(len(approvals)+len(a.Calls), results[1])
	return before, after, err
}

func readProgram(calls int, r chainclient.Result) (counted, error) {
	out, err := r.Bytes()
	if err != nil {
		return counted{}, fmt.Errorf("%w: %w", errProgram, err)
	}
	return decodeProgram(calls, out)
}

// refusesChange reports whether an approval failed: the token requires a reset first, or refuses it.
func (a *attempt) refusesChange(after counted) bool {
	for _, made := range after.calls[:len(a.Approvals)] {
		if !made.approved() {
			return true
		}
	}
	return false
}

// approved reports whether an approval succeeded: it did not revert or return false.
func (m madeCall) approved() bool {
	return m.ok && (len(m.answer) == 0 || len(m.answer) >= wordSize && !new(uint256.Int).SetBytes(m.answer[:wordSize]).IsZero())
}

// judge compares the paid amount with the expected one.
func (a *attempt) judge(before, after counted) Outcome {
	approvals := after.calls[:len(after.calls)-len(a.Calls)]
	for _, made := range approvals {
		if !made.approved() {
			return Outcome{Refused: true, Why: "the token refuses the approval" + reason(made.answer)}
		}
	}
	swaps := after.calls[len(approvals):]
	for _, made := range swaps {
		if !made.ok {
			return Outcome{Refused: true, Why: "the swap fails" + reason(made.answer)}
		}
	}
	o := Outcome{Gas: a.swapGas(swaps)}
	if before.bought.Eq(unknownBalance) || after.bought.Eq(unknownBalance) || after.bought.Lt(before.bought) {
		o.Cause, o.Why = Uncounted, "balanceOf of the bought token fails"
		return o
	}
	o.Paid = new(uint256.Int).Sub(after.bought, before.bought)
	if spent, over := new(uint256.Int).SubOverflow(before.sold, after.sold); !over && spent.Gt(a.Amount) {
		o.Refused, o.Why = true, fmt.Sprintf("the swap takes %s, not %s", spent, a.Amount)
		return o
	}
	o.Confirmed = !o.Paid.Lt(leastOf(a.Expected))
	if !o.Confirmed {
		o.Refused, o.Why = true, fmt.Sprintf("the swap pays %s, not %s", o.Paid, a.Expected)
	}
	return o
}

// leastOf returns the amount less one basis point.
func leastOf(expected *uint256.Int) *uint256.Int {
	tolerance := new(uint256.Int).Div(expected, uint256.NewInt(basis))
	return tolerance.Sub(expected, tolerance)
}
