// Package statement decodes statements that an account is requested to sign: typed data (EIP-712) and messages.
package statement

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"

	"github.com/hawser-dev/hawser/proto/siwe"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

const (
	// maxMembers and valueLimit bound the parts of typed data that are shown, and maxShown the values that are visited to find them.
	maxMembers = 100
	valueLimit = 512
	maxShown   = 1_000
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
	// Operation is a call that anyone can send with the signature: a user operation of the account (ERC-4337), a transaction
	// of a Safe, or a meta-transaction.
	Operation
	// Authorization lets another account act at a contract, such as one of a lender.
	Authorization
	// Elsewhere moves what the account has at a service beside the chain, or lets another key do so.
	Elsewhere
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
	// Typed is typed data as it was sent; nil for a message.
	Typed *Typed
	// ChainID is the chain of the domain, or nil.
	ChainID *big.Int
	// Approvals are the rights that the signature alone gives.
	Approvals []effect.Approval
	// Changes, Controls and Rights are the other effects of an operation, and what an order would move, as far as they are known.
	Changes  []effect.Change
	Controls []effect.Control
	Rights   []effect.Right
	// Holder is the account that would act, or nil if it is the one that signs. IsForeign is set if a user operation belongs to another account than the one that signs.
	Holder    *evm.Address
	IsForeign bool
	// UnknownCall reports that an operation calls a function that is not known, and UnknownCode is the code that it would
	// run as the holder, or nil.
	UnknownCall bool
	UnknownCode *evm.Address
	// Moves reports whether typed data of an unknown type names an amount and an account, or has more members than are shown, and Blind whether it has hashes
	// only.
	Moves, Blind bool
	// isCut is set if some members are not in Members.
	isCut bool
	// Delegate may act for the account, or receives what it has elsewhere; Enforcers are the contracts of the caveats of a delegation.
	Delegate  *evm.Address
	Enforcers []evm.Address
	// Proceeds reports whether the account would receive anything for an order.
	Proceeds bool
}

// Typed are the types, the domain and the values of typed data, as in its JSON. Values have the members that their types declare.
type Typed struct{ Types, Domain, Values map[string]any }

// ParseTypedData decodes typed data of an account. It finds members as wallets do: by their exact names, the last of
// equal ones. It fails with [ErrMalformed].
func ParseTypedData(account evm.Address, text string) (Statement, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var t object
	err := decoder.Decode(&t)
	_, end := decoder.Token()
	kind, _ := t["primaryType"].(string)
	declared := types{declared: t.object("types"), members: map[string]map[string]string{}}
	m, _ := declared.signed(kind, t["message"]).(map[string]any)
	if err != nil || !errors.Is(end, io.EOF) || kind == "" || m == nil {
		return Statement{}, ErrMalformed
	}
	domain := t.object("domain")
	name, _ := domain["name"].(string)
	s := Statement{
		Kind: TypedData, Domain: plaintext.Text(name, valueLimit), PrimaryType: plaintext.Text(kind, valueLimit),
		Contract: domain.address("verifyingContract"), ChainID: domain.number("chainId"),
		Typed: &Typed{Types: t.object("types"), Domain: domain, Values: m},
	}
	visits := maxShown
	s.flatten("", m, &visits)
	s.classify(account, kind, m)
	if s.Kind == TypedData {
		s.examine()
	}
	return s, nil
}

// types are the types of typed data.
type types struct {
	declared object
	// members has the types of the members of each type by their names, once it was used.
	members map[string]map[string]string
}

// of returns the types of the members of a type by their names; empty for one without a declaration.
func (t types) of(kind string) map[string]string {
	members, ok := t.members[kind]
	if !ok {
		members = map[string]string{}
		for _, d := range t.declared.objects(kind) {
			name, _ := d["name"].(string)
			members[name], _ = d["type"].(string)
		}
		t.members[kind] = members
	}
	return members
}

// signed returns a value of a type with the members that the type declares: wallets leave others out of what they sign.
// Values of types without a declaration are not changed.
func (t types) signed(kind string, value any) any {
	switch v := value.(type) {
	case []any:
		item := kind[:max(0, strings.LastIndexByte(kind, '['))]
		list := make([]any, len(v))
		for i := range v {
			list[i] = t.signed(item, v[i])
		}
		return list
	case map[string]any:
		declared := t.of(kind)
		if len(declared) == 0 {
			return v
		}
		members := map[string]any{}
		for name, member := range v {
			if of, ok := declared[name]; ok {
				members[name] = t.signed(of, member)
			}
		}
		return members
	default:
		return v
	}
}

// classify recognizes the types of statements that give rights.
func (s *Statement) classify(account evm.Address, kind string, m object) {
	switch kind {
	case "Permit":
		s.permit(m)
	case "TransferWithAuthorization", "ReceiveWithAuthorization":
		s.authorization(m)
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
	case "PermitForAll":
		s.permitForAll(m)
	case "Authorization":
		s.manager(m)
	case "DelegationWithSig":
		s.borrower(m)
	case "Delegation":
		s.delegation(m)
	case "OrderComponents":
		s.seaport(account, m)
	case "BulkOrder":
		s.Kind, s.Proceeds = Order, proceedsOfEach(account, m["tree"])
		s.seaportTree(account, m["tree"])
	case "PackedUserOperation", "UserOperation":
		s.userOperation(account, m)
	case "SafeTx":
		s.safe(m)
	case "SafeOp":
		s.safeOperation(m)
	case "MetaTransaction":
		s.metaTransaction(account, m)
	case "Order":
		if s.Domain == cowDomain {
			s.cow(account, m)
		} else {
			s.limitOrder(account, m)
		}
	case "LimitOrder", "RfqOrder", "OtcOrder", "OrderRFQ":
		s.Kind = Order
		s.limitOrder(account, m)
	default:
		s.forwarded(account, kind, m)
		s.elsewhere(kind, m)
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

// permit2 reads one permit of Permit2. An amount that cannot be read counts as unlimited, because wallets read more forms.
func (s *Statement) permit2(spender *evm.Address, details object) {
	token := details.address("token")
	if spender == nil || token == nil || details["amount"] == nil {
		return
	}
	a := effect.Approval{Asset: effect.Asset{Kind: effect.ERC20, Contract: *token}, Spender: *spender}
	if amount := details.number("amount"); amount != nil {
		a.Amount, a.Revoked = effect.Limit(amount), amount.Sign() == 0
	}
	a.Expires = details.expiry("expiration")
	s.Kind, s.Approvals = Permit2, append(s.Approvals, a)
}

// flatten adds the members of an object, or of a list, in the order of their names, and takes the visited values from visits: empty ones add nothing.
func (s *Statement) flatten(prefix string, value any, visits *int) {
	if *visits--; len(s.Members) >= maxMembers || *visits < 0 {
		s.isCut = true
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
		for _, name := range names[:min(len(names), max(0, *visits)+1)] {
			s.flatten(join(name), v[name], visits)
		}
	case []any:
		for i, item := range v[:min(len(v), max(0, *visits)+1)] {
			s.flatten(join(fmt.Sprint(i)), item, visits)
		}
	default:
		s.Members = append(s.Members, Member{plaintext.Text(prefix, valueLimit), plaintext.Text(fmt.Sprint(v), valueLimit)})
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

// address returns an address, which wallets also read in the forms of a number.
func (o object) address(name string) *evm.Address {
	text := fmt.Sprint(o[name])
	if a, err := evm.ParseAddress(text); err == nil {
		return &a
	}
	n, ok := new(big.Int).SetString(text, 0)
	if !ok || n.Sign() < 0 || n.BitLen() > 8*len(evm.Address{}) {
		return nil
	}
	a := evm.Address(n.FillBytes(make([]byte, len(evm.Address{}))))
	return &a
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

// expiry returns seconds since 1970; 0 for a time that cannot be read or is too far away.
func (o object) expiry(name string) int64 {
	if n := o.number(name); n != nil && n.IsInt64() {
		return n.Int64()
	}
	return 0
}

// ParseMessage decodes the bytes of personal_sign.
func ParseMessage(message []byte) Statement {
	text := string(message)
	if m, err := siwe.Parse(text); err == nil {
		return Statement{Kind: SignIn, Domain: m.Domain, Members: []Member{{"uri", m.URI}, {"statement", plaintext.Text(m.Statement, valueLimit)}, {"expires", m.ExpirationTime}}}
	}
	// The bytes of a hash may be valid text: a site can try inputs until they are.
	if len(message) == hashSize || !utf8.Valid(message) || strings.ContainsFunc(text, plaintext.Hidden) || isHash(text) {
		return Statement{Kind: Bytes}
	}
	s := Statement{Kind: Text, Members: []Member{{"text", plaintext.Text(text, 1<<16)}}}
	// A site may accept a message that is not spelled as the standard requires.
	if m := signInForm.FindStringSubmatch(text); m != nil {
		s.Kind, s.Domain = SignIn, plaintext.Text(m[1], valueLimit)
	}
	return s
}

// signInForm matches the first line of a sign-in message (ERC-4361, CAIP-122).
var signInForm = regexp.MustCompile(`^\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*://)?(\S+)\s+wants you to sign in with your \S+ account`)

// isHash reports whether a text is the hex digits of a hash.
func isHash(text string) bool {
	raw := common.FromHex(text)
	return len(strings.TrimPrefix(text, "0x")) == 2*hashSize && len(raw) == hashSize && common.Bytes2Hex(raw) == strings.ToLower(strings.TrimPrefix(text, "0x"))
}
