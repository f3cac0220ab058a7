package grant

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
)

var (
	groupTypes    = calldata.Types("(((address,bytes,bytes)[])[])")
	selectedTypes = calldata.Types("((uint256,bytes[]))")
)

// Caveats returns the caveats that enforce the grant: those of every call, followed by those of the kinds of calls. If
// a session has several kinds, they are groups of LogicalOrWrapperEnforcer. nonce is the delegator's nonce at
// NonceEnforcer.
func (g Grant) Caveats(c delegation.Contracts, delegate evm.Address, nonce *big.Int) []delegation.Caveat {
	caveat := func(enforcer string, terms ...[]byte) delegation.Caveat {
		return delegation.Caveat{Enforcer: c.Enforcers[enforcer], Terms: slices.Concat(terms...), Args: []byte{}}
	}
	caveats := []delegation.Caveat{
		caveat(delegation.Timestamp, half(0), half(uint64(g.Expiry))),
		caveat(delegation.LimitedCalls, word(new(big.Int).SetUint64(g.Calls))),
		caveat(delegation.Redeemer, delegate[:]),
		caveat(delegation.Nonce, word(nonce)),
	}
	if g.Native != nil {
		caveats = append(caveats, caveat(delegation.NativePeriod, g.Native.terms()))
	}
	var groups [][]delegation.Caveat
	if g.Native != nil {
		groups = append(groups, []delegation.Caveat{caveat(delegation.ExactCalldata)})
	}
	if g.Token != nil {
		groups = append(groups, []delegation.Caveat{
			caveat(delegation.ERC20Period, g.Token.Token[:], g.Token.terms()), caveat(delegation.ValueLte, word(new(big.Int))),
		})
	}
	for _, f := range g.Functions {
		group := []delegation.Caveat{
			caveat(delegation.AllowedTargets, f.Contract[:]), caveat(delegation.AllowedMethods, f.Selector[:]), caveat(delegation.ValueLte, word(f.Value)),
		}
		for _, r := range f.Rules {
			if r.Operator == Equal {
				group = append(group, caveat(delegation.AllowedCalldata, word(big.NewInt(int64(r.Offset))), r.Value[:]))
			}
		}
		groups = append(groups, group)
	}
	if len(groups) == 1 {
		return append(caveats, groups[0]...)
	}
	encoded := make([]any, len(groups))
	for i, group := range groups {
		members := make([]any, len(group))
		for j, m := range group {
			members[j] = []any{m.Enforcer, m.Terms, m.Args}
		}
		encoded[i] = []any{members}
	}
	return append(caveats, caveat(delegation.LogicalOr, groupTypes.Write(encoded)))
}

func (a Allowance) terms() []byte {
	return slices.Concat(word(a.Amount), word(big.NewInt(int64(a.Period))), word(big.NewInt(int64(a.Start))))
}

// State returns the enforcer of an allowance, the contract whose calls the enforcer counts, and the terms of its
// caveat.
func (g Grant) State(c delegation.Contracts, a Allowance) (enforcer, counted evm.Address, terms []byte) {
	if a.Token == (evm.Address{}) {
		return c.Enforcers[delegation.NativePeriod], c.Manager, a.terms()
	}
	counted = c.Manager
	if g.kinds() > 1 {
		counted = c.Enforcers[delegation.LogicalOr]
	}
	return c.Enforcers[delegation.ERC20Period], counted, slices.Concat(a.Token[:], a.terms())
}

func (g Grant) kinds() int { return len(g.Allowances()) + len(g.Functions) }

// Select returns the caveats with the arguments that select a kind of call.
func (g Grant) Select(caveats []delegation.Caveat, kind int) []delegation.Caveat {
	if g.kinds() == 1 {
		return caveats
	}
	members := 1
	switch i := kind - len(g.Allowances()); {
	case i >= 0:
		members = 3
		for _, r := range g.Functions[i].Rules {
			if r.Operator == Equal {
				members++
			}
		}
	case g.Native == nil || kind == 1:
		members = 2
	}
	args := make([][]byte, members)
	for i := range args {
		args[i] = []byte{}
	}
	selected := slices.Clone(caveats)
	selected[len(selected)-1].Args = selectedTypes.Write([]any{kind, args})
	return selected
}

// Spending is what one call spends.
type Spending struct {
	// Kind is the index of the kind of call that allows it: native transfers, then transfers of the token, then the
	// functions.
	Kind int
	// Native is in wei, and Token in base units of the allowance's token.
	Native, Token *big.Int
}

// Allow returns what a call spends and the kind of call that allows it. It fails with [ErrExceeded] if no kind does. It
// does not consider previous calls.
func (g Grant) Allow(c delegation.Call) (Spending, error) {
	s := Spending{Native: c.Value, Token: new(big.Int)}
	if g.Native != nil {
		if len(c.Data) == 0 && c.Value.Cmp(g.Native.Amount) <= 0 {
			return s, nil
		}
		s.Kind++
	}
	if g.Token != nil {
		if amount, ok := transferred(c); ok && c.To == g.Token.Token && amount.Cmp(g.Token.Amount) <= 0 {
			s.Token = amount
			return s, nil
		}
		s.Kind++
	}
	for i, f := range g.Functions {
		if f.allows(c) && (g.Native == nil || c.Value.Cmp(g.Native.Amount) <= 0) {
			s.Kind += i
			return s, nil
		}
	}
	return Spending{}, fmt.Errorf("%w: to %s, value %s", ErrExceeded, c.To, c.Value)
}

func (f Function) allows(c delegation.Call) bool {
	if c.To != f.Contract || !bytes.HasPrefix(c.Data, f.Selector[:]) || c.Value.Cmp(f.Value) > 0 {
		return false
	}
	return !slices.ContainsFunc(f.Rules, func(r Rule) bool { return !r.holds(c.Data) })
}

func (r Rule) holds(data []byte) bool {
	if len(data) < r.Offset+len(r.Value) {
		return false
	}
	order := bytes.Compare(data[r.Offset:r.Offset+len(r.Value)], r.Value[:])
	switch r.Operator {
	case GreaterThan:
		return order > 0
	case LessThan:
		return order < 0
	}
	return order == 0
}

var transfer = calldata.Parse("transfer(address,uint256)")

// receivers are the functions of tokens that pay an account or allow it to take tokens, with the index of that account
// in their arguments.
var receivers = []struct {
	function calldata.Function
	at       int
}{
	{transfer, 0},
	{calldata.Parse("transferFrom(address,address,uint256)"), 1},
	{calldata.Parse("safeTransferFrom(address,address,uint256)"), 1},
	{calldata.Parse("safeTransferFrom(address,address,uint256,bytes)"), 1},
	{calldata.Parse("approve(address,uint256)"), 0},
	{calldata.Parse("increaseAllowance(address,uint256)"), 0},
	{calldata.Parse("setApprovalForAll(address,bool)"), 0},
}

// Receiver returns the account that a call of a token pays, or allows to take tokens (ERC-20, ERC-721).
func Receiver(c delegation.Call) (evm.Address, bool) {
	for _, r := range receivers {
		if v, ok := r.function.Read(c.Data); ok {
			return v.At(r.at).Address(), true
		}
	}
	return evm.Address{}, false
}

// transferred returns the amount of an ERC-20 transfer.
func transferred(c delegation.Call) (*big.Int, bool) {
	const size = 4 + 2*32
	v, ok := transfer.Read(c.Data)
	if !ok || len(c.Data) != size || c.Value.Sign() != 0 {
		return nil, false
	}
	return v.At(1).Int(), true
}

func word(n *big.Int) []byte { return common.LeftPadBytes(n.Bytes(), 32) }

func half(n uint64) []byte { return common.LeftPadBytes(new(big.Int).SetUint64(n).Bytes(), 16) }
