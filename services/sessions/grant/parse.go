package grant

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// Types of permissions.
const (
	ContractCall    = "contract-call"
	NativeAllowance = "native-token-recurring-allowance"
	TokenAllowance  = "erc20-recurring-allowance"
)

// Types are all types of permissions.
var Types = []string{ContractCall, NativeAllowance, TokenAllowance}

const callLimit = "call-limit"

// Item is a permission or a policy in the form that sites send.
type Item struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// Parse parses a request or a grant. It fails with [ErrMalformed] or [ErrUnsupported].
func Parse(expiry uint32, permissions, policies []Item, now time.Time) (Grant, error) {
	g := Grant{Expiry: expiry, Calls: defaultCalls}
	if end := time.Unix(int64(expiry), 0); !end.After(now) || end.After(now.Add(maxLifetime)) {
		return g, fmt.Errorf("%w: expiry is not within the next 30 days", ErrMalformed)
	}
	if len(permissions) == 0 {
		return g, fmt.Errorf("%w: permissions is empty", ErrMalformed)
	}
	for i, p := range permissions {
		if err := g.add(i, p); err != nil {
			return g, fmt.Errorf("permissions[%d]: %w", i, err)
		}
	}
	if len(g.Functions) > maxFunctions {
		return g, fmt.Errorf("%w: more than %d functions", ErrUnsupported, maxFunctions)
	}
	for i, p := range policies {
		if p.Type != callLimit {
			return g, fmt.Errorf("policies[%d]: %w: %.40q", i, ErrUnsupported, p.Type)
		}
		var data struct {
			Count uint64 `json:"count"`
		}
		if err := json.Unmarshal(p.Data, &data); err != nil || data.Count == 0 || data.Count > maxCalls {
			return g, fmt.Errorf("policies[%d]: %w: count is not 1 to %d", i, ErrMalformed, maxCalls)
		}
		g.Calls = data.Count
	}
	return g, nil
}

func (g *Grant) add(position int, p Item) error {
	switch p.Type {
	case ContractCall:
		functions, err := parseFunctions(p.Data)
		g.Functions = append(g.Functions, functions...)
		return err
	case NativeAllowance:
		return addAllowance(&g.Native, position, p.Data, false)
	case TokenAllowance:
		return addAllowance(&g.Token, position, p.Data, true)
	}
	return fmt.Errorf("%w: %.60q", ErrUnsupported, p.Type)
}

func addAllowance(to **Allowance, position int, raw json.RawMessage, token bool) error {
	if *to != nil {
		return fmt.Errorf("%w: a second allowance of this type", ErrUnsupported)
	}
	var data struct {
		Token     string `json:"token"`
		Allowance string `json:"allowance"`
		Start     uint32 `json:"start"`
		Period    uint32 `json:"period"`
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		return fmt.Errorf("%w: data is not {allowance, start, period} with times in seconds", ErrMalformed)
	}
	a := &Allowance{Permission: position, Start: data.Start, Period: data.Period}
	var err error
	if a.Amount, err = quantity(data.Allowance); err != nil || a.Amount.Sign() == 0 {
		return fmt.Errorf("%w: allowance is not 0x and the hex digits of a number over 0", ErrMalformed)
	}
	if data.Start == 0 || data.Period == 0 || data.Period > maxPeriod {
		return fmt.Errorf("%w: start or period is 0 or too large", ErrMalformed)
	}
	if token {
		if a.Token, err = evm.ParseAddress(data.Token); err != nil || a.Token == (evm.Address{}) {
			return fmt.Errorf("%w: token is not an address", ErrMalformed)
		}
	}
	*to = a
	return nil
}

// quantity parses a uint256 in hex.
func quantity(text string) (*big.Int, error) {
	digits, ok := strings.CutPrefix(text, "0x")
	n, valid := new(big.Int).SetString(digits, 16)
	if !ok || !valid || n.Sign() < 0 || n.BitLen() > 256 {
		return nil, ErrMalformed
	}
	return n, nil
}

type functionData struct {
	Name       string      `json:"functionName"`
	Args       []*ruleData `json:"args"`
	ValueLimit string      `json:"valueLimit"`
	Operation  any         `json:"operation"`
}

type ruleData struct {
	Operator Operator `json:"operator"`
	Value    string   `json:"value"`
}

func parseFunctions(raw json.RawMessage) ([]Function, error) {
	var data struct {
		Address   string         `json:"address"`
		ABI       []described    `json:"abi"`
		Functions []functionData `json:"functions"`
	}
	if err := json.Unmarshal(raw, &data); err != nil || len(data.Functions) == 0 {
		return nil, fmt.Errorf("%w: data is not {address, abi, functions}", ErrMalformed)
	}
	if len(data.Functions) > maxFunctions {
		return nil, fmt.Errorf("%w: more than %d functions", ErrUnsupported, maxFunctions)
	}
	contract, err := evm.ParseAddress(data.Address)
	if err != nil {
		return nil, fmt.Errorf("%w: address is not one", ErrMalformed)
	}
	functions := make([]Function, len(data.Functions))
	for i, f := range data.Functions {
		if functions[i], err = f.parse(contract, data.ABI); err != nil {
			return nil, fmt.Errorf("%.60q: %w", f.Name, err)
		}
	}
	return functions, nil
}

func (d functionData) parse(contract evm.Address, abi []described) (Function, error) {
	f := Function{Contract: contract, Value: new(big.Int)}
	inputs, selector, err := findFunction(abi, d.Name)
	if err != nil {
		return f, err
	}
	// 0 is a call, and 1 a delegate call, which would run another contract's code as the account.
	if d.Operation != nil && d.Operation != "Call" && d.Operation != float64(0) {
		return f, fmt.Errorf("%w: operation is not Call", ErrUnsupported)
	}
	if d.ValueLimit != "" {
		if f.Value, err = quantity(d.ValueLimit); err != nil {
			return f, fmt.Errorf("%w: valueLimit is not 0x and hex digits", ErrMalformed)
		}
	}
	f.Selector = selector
	if len(d.Args) > len(inputs) {
		return f, fmt.Errorf("%w: more args than the function has", ErrMalformed)
	}
	offset := len(f.Selector)
	for i, input := range inputs {
		if i < len(d.Args) && d.Args[i] != nil {
			rule, err := d.Args[i].parse(input.Type, offset)
			if err != nil {
				return f, fmt.Errorf("args[%d]: %w", i, err)
			}
			f.Rules = append(f.Rules, rule)
		}
		offset = min(offset+input.headSize(), maxOffset+1)
	}
	return f, nil
}

var oneWord = regexp.MustCompile(`^(u?int\d+|address|bool|bytes32)$`)

func (d ruleData) parse(kind string, offset int) (Rule, error) {
	if !oneWord.MatchString(kind) || offset > maxOffset {
		return Rule{}, fmt.Errorf("%w: a rule on the type %.60q, or on one of a position over %d bytes", ErrUnsupported, kind, maxOffset)
	}
	if !slices.Contains([]Operator{Equal, GreaterThan, LessThan}, d.Operator) {
		return Rule{}, fmt.Errorf("%w: the operator %.20q", ErrUnsupported, d.Operator)
	}
	if !strings.HasPrefix(kind, "uint") && d.Operator != Equal {
		return Rule{}, fmt.Errorf("%w: %s of the type %s", ErrUnsupported, d.Operator, kind)
	}
	n, err := quantity(d.Value)
	if err != nil {
		return Rule{}, fmt.Errorf("%w: value is not 0x and at most 64 hex digits", ErrMalformed)
	}
	return Rule{offset, d.Operator, common.BigToHash(n)}, nil
}
