// Package statement decodes statements that an account is requested to sign: typed data (EIP-712) and messages.
package statement

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/plain"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

const (
	// maxMembers and valueLimit bound the parts of typed data that are shown.
	maxMembers = 100
	valueLimit = 512
	// hashSize is the size of a hash in bytes.
	hashSize = 32
)

// ErrMalformed is returned for text that is not typed data.
var ErrMalformed = errors.New("the typed data is malformed")

// Kind is the kind of a statement.
type Kind int

// The kinds of statements.
const (
	Permit Kind = iota + 1
	Permit2
	Delegation
	SignIn
	TypedData
	Text
	Bytes
	Order
	// Operation is a user operation of the account (ERC-4337).
	Operation
)

// Member is one value, with the names of nested ones joined by dots.
type Member struct{ Name, Value string }

// Statement is decoded typed data or a decoded message.
type Statement struct {
	Kind        Kind
	Domain      string
	Contract    *evm.Address
	PrimaryType string
	Members     []Member
	// ChainID is the chain of the domain, or nil.
	ChainID *big.Int
	// Approvals are the rights that the signature alone gives.
	Approvals []effect.Approval
	// Delegate may act for the account, and Limited says that the delegation has caveats.
	Delegate *evm.Address
	Limited  bool
	// Proceeds reports whether the account would receive anything for an order.
	Proceeds bool
	// Blind says that the message has the form of a hash.
	Blind bool
}

// typed is the JSON of typed data.
type typed struct {
	PrimaryType string         `json:"primaryType"`
	Domain      domain         `json:"domain"`
	Message     map[string]any `json:"message"`
}

type domain struct {
	Name     string          `json:"name"`
	Contract string          `json:"verifyingContract"`
	ChainID  json.RawMessage `json:"chainId"`
}

// ParseTypedData decodes typed data of an account. It fails with [ErrMalformed].
func ParseTypedData(account evm.Address, text string) (Statement, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var t typed
	if err := decoder.Decode(&t); err != nil || t.Message == nil || t.PrimaryType == "" {
		return Statement{}, ErrMalformed
	}
	s := Statement{Kind: TypedData, Domain: plain.Text(t.Domain.Name, valueLimit), PrimaryType: plain.Text(t.PrimaryType, valueLimit)}
	if a, err := evm.ParseAddress(t.Domain.Contract); err == nil {
		s.Contract = &a
	}
	if n, ok := math.ParseBig256(strings.Trim(string(t.Domain.ChainID), `"`)); ok && len(t.Domain.ChainID) > 0 {
		s.ChainID = n
	}
	s.flatten("", t.Message)
	s.classify(account, t)
	return s, nil
}

// classify recognizes the types of statements that give rights.
func (s *Statement) classify(account evm.Address, t typed) {
	m := object(t.Message)
	switch t.PrimaryType {
	case "Permit":
		s.permit(m)
	case "PermitSingle":
		s.permit2(m.address("spender"), m.object("details"))
	case "PermitBatch":
		for _, d := range m.objects("details") {
			s.permit2(m.address("spender"), d)
		}
	case "PermitTransferFrom", "PermitWitnessTransferFrom":
		s.permit2(m.address("spender"), m.object("permitted"))
	case "PermitBatchTransferFrom", "PermitBatchWitnessTransferFrom":
		for _, d := range m.objects("permitted") {
			s.permit2(m.address("spender"), d)
		}
	case "Delegation":
		s.Kind, s.Limited = Delegation, len(m.objects("caveats")) > 0
		s.Delegate = m.address("delegate")
	case "OrderComponents":
		s.Kind = Order
		s.Proceeds = slices.ContainsFunc(m.objects("consideration"), func(o object) bool {
			to, amount := o.address("recipient"), o.number("startAmount")
			return to != nil && *to == account && amount != nil && amount.Cmp(big.NewInt(1)) > 0
		})
	case "PackedUserOperation":
		if from := m.address("sender"); from != nil && *from == account {
			s.Kind = Operation
		}
	}
}

// permit reads a permit of EIP-2612, or the older one of DAI.
func (s *Statement) permit(m object) {
	spender := m.address("spender")
	if spender == nil || s.Contract == nil {
		return
	}
	a := effect.Approval{Asset: effect.Asset{Kind: effect.ERC20, Contract: *s.Contract}, Spender: *spender}
	if allowed, ok := m["allowed"].(bool); ok {
		a.Revoked = !allowed
	} else if value := m.number("value"); value != nil {
		a.Amount, a.Revoked = effect.Limit(value), value.Sign() == 0
	}
	s.Kind, s.Approvals = Permit, append(s.Approvals, a)
}

func (s *Statement) permit2(spender *evm.Address, details object) {
	token, amount := details.address("token"), details.number("amount")
	if spender == nil || token == nil || amount == nil {
		return
	}
	a := effect.Approval{Asset: effect.Asset{Kind: effect.ERC20, Contract: *token}, Spender: *spender, Amount: effect.Limit(amount), Revoked: amount.Sign() == 0}
	if expires := details.number("expiration"); expires != nil && expires.IsInt64() {
		a.Expires = expires.Int64()
	}
	s.Kind, s.Approvals = Permit2, append(s.Approvals, a)
}

// flatten adds the members of an object, or of a list, in the order of their names.
func (s *Statement) flatten(prefix string, value any) {
	if len(s.Members) >= maxMembers {
		return
	}
	join := func(name string) string {
		if prefix == "" {
			return name
		}
		return prefix + "." + name
	}
	switch v := value.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			s.flatten(join(name), v[name])
		}
	case []any:
		for i, item := range v {
			s.flatten(join(fmt.Sprint(i)), item)
		}
	default:
		s.Members = append(s.Members, Member{plain.Text(prefix, valueLimit), plain.Text(fmt.Sprint(v), valueLimit)})
	}
}

// object is a decoded struct of typed data.
type object map[string]any

func (o object) object(name string) object {
	m, _ := o[name].(map[string]any)
	return m
}

func (o object) objects(name string) (list []object) {
	items, _ := o[name].([]any)
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			list = append(list, m)
		}
	}
	return list
}

func (o object) address(name string) *evm.Address {
	text, _ := o[name].(string)
	if a, err := evm.ParseAddress(text); err == nil {
		return &a
	}
	return nil
}

func (o object) number(name string) *big.Int {
	if o[name] == nil {
		return nil
	}
	n, ok := math.ParseBig256(fmt.Sprint(o[name]))
	if !ok {
		return nil
	}
	return n
}

// ParseMessage decodes the bytes of personal_sign.
func ParseMessage(message []byte) Statement {
	text := string(message)
	if m, err := siwe.Parse(text); err == nil {
		return Statement{Kind: SignIn, Domain: m.Domain, Members: []Member{{"uri", m.URI}, {"statement", plain.Text(m.Statement, valueLimit)}, {"expires", m.ExpirationTime}}}
	}
	if utf8.Valid(message) && !strings.ContainsFunc(text, plain.Hidden) && !isHash(text) {
		return Statement{Kind: Text, Members: []Member{{"text", plain.Text(text, 1<<16)}}}
	}
	return Statement{Kind: Bytes, Blind: true}
}

// isHash reports whether a text is the hex digits of a hash.
func isHash(text string) bool {
	raw := common.FromHex(text)
	return len(strings.TrimPrefix(text, "0x")) == 2*hashSize && len(raw) == hashSize && common.Bytes2Hex(raw) == strings.ToLower(strings.TrimPrefix(text, "0x"))
}
