// Package grant has the rules of what a session may do: it parses permissions, compares what was granted with what was
// requested, creates the caveats that enforce the grant, and checks single calls.
package grant

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

const (
	// maxLifetime is the longest lifetime of a session.
	maxLifetime = 30 * 24 * time.Hour
	// defaultCalls is the number of calls of a session without the policy call-limit, and maxCalls the highest that the policy can allow.
	defaultCalls, maxCalls = 1_000, 1_000_000
	// maxFunctions bounds the functions of a session, because each of them is a group of caveats.
	maxFunctions = 32
	// maxStarted is how long before a request an allowance may have started.
	maxStarted = 10 * time.Minute
	// maxPeriod bounds the period of an allowance, in seconds.
	maxPeriod = 366 * 24 * 60 * 60
)

// Errors of requests.
var (
	// ErrUnsupported is returned for a permission that neither contracts nor the co-signer can enforce.
	ErrUnsupported = errors.New("the permission is not supported")
	// ErrMalformed is returned for a request that is not in the documented form.
	ErrMalformed = errors.New("the request is malformed")
	// ErrWider is returned for a grant that allows more than its request.
	ErrWider = errors.New("the grant is wider than the request")
	// ErrExceeded is returned for a call that is not granted.
	ErrExceeded = errors.New("the call is not granted")
)

// Grant is what a session may do.
type Grant struct {
	// Expiry is in Unix seconds.
	Expiry uint32
	// Calls is the number of calls.
	Calls uint64
	// Native and Token are nil if they are not granted.
	Native, Token *Allowance
	Functions     []Function
}

// Allowance is what may be spent in each period.
type Allowance struct {
	// Permission is the index of the permission.
	Permission int
	// Token is the zero address for the native currency.
	Token evm.Address
	// Amount is in wei or base units.
	Amount *big.Int
	// Start is in Unix seconds, and Period in seconds.
	Start, Period uint32
}

// Window returns the number of the period at a time, from 0, and when it ends. ok is false before the first period,
// which begins at end.
func (a Allowance) Window(now time.Time) (number int64, end time.Time, ok bool) {
	since := now.Unix() - int64(a.Start)
	if since < 0 {
		return 0, time.Unix(int64(a.Start), 0), false
	}
	number = since / int64(a.Period)
	return number, time.Unix(int64(a.Start)+(number+1)*int64(a.Period), 0), true
}

// Function is a function of a contract that may be called.
type Function struct {
	Contract evm.Address
	Selector [4]byte
	// Value is the highest value of one call, in wei.
	Value *big.Int
	Rules []Rule
}

// Rule limits one word of the arguments of a call.
type Rule struct {
	// Offset is the offset of the word in the call's data, in bytes.
	Offset   int
	Operator Operator
	Value    [32]byte
}

// Operator compares an argument with the value of a rule.
type Operator string

// The operators. Numbers are compared as unsigned.
const (
	Equal       Operator = "EQUAL"
	GreaterThan Operator = "GREATER_THAN"
	LessThan    Operator = "LESS_THAN"
)

// NeedsCoSigner reports whether a rule is enforced by no contract.
func (g Grant) NeedsCoSigner() bool {
	return slices.ContainsFunc(g.Functions, func(f Function) bool {
		return slices.ContainsFunc(f.Rules, func(r Rule) bool { return r.Operator != Equal })
	})
}

// codes are the codes, in the salt, of the operators that no contract enforces.
var codes = map[Operator]byte{GreaterThan: 1, LessThan: 2}

// saltPrefix is the prefix of the salt of a delegation that binds rules. A random salt does not have this prefix.
const saltPrefix = "hwsrules"

// Salt returns the salt that the delegation must have, because it binds the rules that no contract enforces to what the
// account signs. It is nil if there are no such rules. It is a prefix of 8 bytes and the last 24 bytes of the hash of a
// text and, for each function with such rules, of its contract, its selector and the rules.
func (g Grant) Salt() *big.Int {
	if !g.NeedsCoSigner() {
		return nil
	}
	encoded := []byte("hawser session rules")
	for _, f := range g.Functions {
		var rules []byte
		for _, r := range f.Rules {
			if code, ok := codes[r.Operator]; ok {
				rules = slices.Concat(rules, word(big.NewInt(int64(r.Offset))), []byte{code}, r.Value[:])
			}
		}
		if len(rules) > 0 {
			encoded = slices.Concat(encoded, f.Contract[:], f.Selector[:], rules)
		}
	}
	hash := crypto.Keccak256(encoded)
	return new(big.Int).SetBytes(append([]byte(saltPrefix), hash[len(saltPrefix):]...))
}

// Binds reports whether a salt is that of these rules.
func (g Grant) Binds(salt *big.Int) bool {
	if own := g.Salt(); own != nil {
		return own.Cmp(salt) == 0
	}
	return !bytes.HasPrefix(word(salt), []byte(saltPrefix))
}

// CheckStart returns [ErrMalformed] if an allowance starts long before a time, because then the rest of one period and
// the whole next period could be spent at once.
func (g Grant) CheckStart(now time.Time) error {
	for _, a := range g.Allowances() {
		if time.Unix(int64(a.Start), 0).Before(now.Add(-maxStarted)) {
			return fmt.Errorf("%w: start is over %s ago", ErrMalformed, maxStarted)
		}
	}
	return nil
}

// Allowances returns the allowances that are granted.
func (g Grant) Allowances() (list []Allowance) {
	for _, a := range []*Allowance{g.Native, g.Token} {
		if a != nil {
			list = append(list, *a)
		}
	}
	return list
}

// Targets returns the contracts that the grant calls.
func (g Grant) Targets() []evm.Address {
	targets := make([]evm.Address, len(g.Functions))
	for i, f := range g.Functions {
		targets[i] = f.Contract
	}
	if g.Token != nil {
		targets = append(targets, g.Token.Token)
	}
	return targets
}

// CheckTargets returns [ErrUnsupported] if a function or the token is the delegator itself, one of the contracts of the framework, or the zero address:
// a call of the account to itself has no limits.
func (g Grant) CheckTargets(c delegation.Contracts, delegator evm.Address) error {
	for _, a := range g.Targets() {
		if a == delegator || a == (evm.Address{}) || c.Includes(a) {
			return fmt.Errorf("%w: calls of %s", ErrUnsupported, a)
		}
	}
	return nil
}

// Within returns [ErrWider] if the grant allows more than its request. The request may have more permissions.
func (g Grant) Within(requested Grant) error {
	if g.Expiry > requested.Expiry {
		return fmt.Errorf("%w: it ends later", ErrWider)
	}
	if g.Calls > requested.Calls {
		return fmt.Errorf("%w: it allows more calls", ErrWider)
	}
	if !g.Native.within(requested.Native) || !g.Token.within(requested.Token) {
		return fmt.Errorf("%w: it allows to spend more, or in other periods", ErrWider)
	}
	for _, f := range g.Functions {
		if g.Native == nil && requested.Native != nil && f.Value.Sign() > 0 {
			return fmt.Errorf("%w: without the allowance, calls of %s can spend more", ErrWider, f.Contract)
		}
		if !slices.ContainsFunc(requested.Functions, f.within) {
			return fmt.Errorf("%w: it allows other calls of %s", ErrWider, f.Contract)
		}
	}
	return nil
}

func (a *Allowance) within(requested *Allowance) bool {
	if a == nil {
		return true
	}
	return requested != nil && a.Token == requested.Token && a.Start == requested.Start && a.Period == requested.Period && a.Amount.Cmp(requested.Amount) <= 0
}

func (f Function) within(requested Function) bool {
	return f.Contract == requested.Contract && f.Selector == requested.Selector && f.Value.Cmp(requested.Value) <= 0 &&
		!slices.ContainsFunc(requested.Rules, func(r Rule) bool { return !slices.Contains(f.Rules, r) })
}
