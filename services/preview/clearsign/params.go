package clearsign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
)

// formats are the formats of the standard that this package supports, with their parameters.
var formats = map[string]struct {
	kind   Kind
	params []string
}{
	"raw":         {Text, nil},
	"addressName": {Address, []string{"types", "sources", "senderAddress"}},
	"amount":      {Amount, nil},
	"tokenAmount": {Amount, []string{"token", "tokenPath", "nativeCurrencyAddress", "threshold", "message"}},
	"nftName":     {Collectible, []string{"collection", "collectionPath"}},
	"date":        {Time, []string{"encoding"}},
	"duration":    {Duration, nil},
	"unit":        {Quantity, []string{"base", "decimals"}},
	"enum":        {Text, []string{"$ref"}},
	"tokenTicker": {Token, nil},
	"calldata":    {Called, []string{"callee", "calleePath", "amount", "amountPath", "spender", "spenderPath"}},
}

// formatter reads the format of a field with its parameters, and checks that its values can have it.
func (r *formatReader) formatter(f *field, p parts, above jsonPath, constant *node) error {
	name := "raw"
	if n := p.member("format"); n != nil {
		if name = n.text; n.kind != textNode || formats[name].kind == 0 {
			return n.fault("the format %.40q is not supported: want one of %s", n.text, strings.Join(slices.Sorted(maps.Keys(formats)), ", "))
		}
	}
	f.kind = formats[name].kind
	for _, n := range []*node{p.definition.member("params"), p.own.member("params")} {
		if err := n.object(formats[name].params...); err != nil {
			return err
		}
	}
	if constant != nil {
		v, err := r.constant(constant, name != "raw" && name != "enum")
		if err != nil {
			return err
		}
		f.from.constant = v
	}
	if !f.accepts(name) {
		return p.own.fault("the format %s is not one of the type %s", name, f.from.typeOf())
	}
	f.isNative = name == "amount"
	switch f.kind {
	case Address:
		return r.senders(f, p)
	case Amount:
		return r.amount(f, p, above)
	case Collectible:
		return r.either(&f.collection, p, above, "collection")
	case Time:
		if n := p.param("encoding"); n == nil || n.text != "timestamp" {
			return p.own.fault("the encoding of a date is not timestamp, the only one that is supported")
		}
	case Quantity:
		return f.quantity(p)
	case Text:
		if name == "enum" {
			return r.names(f, p)
		}
	case Called:
		return r.called(f, p, above)
	}
	return nil
}

// typeOf returns the type of a source's values, which is that of bytes for a range of them.
func (s *source) typeOf() *dataType {
	switch {
	case s.constant != nil:
		return s.constant.of
	case s.at.cut != nil:
		return cutBytes
	}
	return s.at.of
}

// accepts reports whether the values of a field can have a format.
func (f *field) accepts(format string) bool {
	t := f.from.typeOf()
	isCut := f.from.at.cut != nil
	switch format {
	case "raw":
		return t.isLeaf()
	case "enum":
		return t.isLeaf() && t.kind != addressType
	case "addressName", "tokenTicker":
		return t.kind == addressType || isCut
	case "calldata":
		return t.kind == bytesType && !isCut
	default:
		return t.integer() || isCut
	}
}

// isAddress reports whether a source has addresses.
func (s *source) isAddress() bool { return s.typeOf().kind == addressType || s.at.cut != nil }

// Types of constants.
var (
	textConstant    = &dataType{kind: stringType, isDynamic: true}
	numberConstant  = &dataType{kind: intType, size: 256 + 8, words: 1}
	addressConstant = &dataType{kind: addressType, words: 1}
)

// constant reads a constant, or a path to one. One that is to be shown in a format is an address or a number.
func (r *formatReader) constant(n *node, isTyped bool) (*value, error) {
	if n.kind == textNode && strings.HasPrefix(n.text, "$.") {
		found, err := r.lookUp(n, "metadata", "constants")
		if err != nil {
			return nil, err
		}
		n = found
	}
	if isTyped {
		if a, err := evm.ParseAddress(n.text); err == nil {
			return &value{of: addressConstant, bytes: a[:]}, nil
		}
		number, ok := parseNumber(n.text)
		if !ok {
			return nil, n.fault("it is neither an address nor an integer")
		}
		return &value{of: numberConstant, number: number}, nil
	}
	text := n.text
	if n.kind == flagNode {
		text = fmt.Sprint(n.flag)
	}
	return &value{of: textConstant, text: plaintext.Text(text, textLimit)}, nil
}

// either reads a parameter that is an address, or the path of one with a name that ends in Path. It leaves an absent one nil.
func (r *formatReader) either(into **source, p parts, above jsonPath, key string) error {
	constant, at := p.param(key), p.param(key+"Path")
	switch {
	case constant != nil && at != nil:
		return at.fault("there is %s as well", key)
	case constant == nil && at == nil:
		return nil
	}
	s := &source{}
	n := constant
	var err error
	if n == nil {
		n = at
	}
	if constant != nil || strings.HasPrefix(n.text, "$.") {
		s.constant, err = r.constant(n, true)
	} else {
		s.at, err = r.located(n, above)
	}
	if err != nil {
		return err
	}
	if !s.isAddress() {
		return n.fault("it is no address")
	}
	*into = s
	return nil
}

// located reads a path of the data.
func (r *formatReader) located(n *node, above jsonPath) (location, error) {
	p, err := r.path(n, above)
	if err != nil {
		return location{}, err
	}
	l, err := p.locate(r.data)
	if err != nil {
		return l, n.fault("%w", err)
	}
	return l, nil
}

// addresses reads one address, or a list of them.
func (r *formatReader) addresses(n *node) (all []evm.Address, err error) {
	if n == nil {
		return nil, nil
	}
	list := []*node{n}
	if n.kind == listNode {
		if err := n.list(maxListed); err != nil {
			return nil, err
		}
		list = n.items
	}
	for _, item := range list {
		v, err := r.constant(item, true)
		if err != nil {
			return nil, err
		}
		a, ok := v.address()
		if !ok {
			return nil, item.fault("it is no address")
		}
		all = append(all, a)
	}
	return all, nil
}

// senders reads the parameters of an address. Names of addresses are not looked up, so that types and sources limit nothing.
func (r *formatReader) senders(f *field, p parts) (err error) {
	f.senders, err = r.addresses(p.param("senderAddress"))
	return err
}

// amount reads the parameters of an amount.
func (r *formatReader) amount(f *field, p parts, above jsonPath) (err error) {
	if err := r.either(&f.token, p, above, "token"); err != nil {
		return err
	}
	if f.natives, err = r.addresses(p.param("nativeCurrencyAddress")); err != nil {
		return err
	}
	if n := p.param("threshold"); n != nil {
		v, err := r.constant(n, true)
		if err != nil {
			return err
		}
		if f.threshold = v.number; f.threshold == nil {
			return n.fault("it is no integer")
		}
	}
	if n := p.param("message"); n != nil {
		if err := n.expect(textNode); err != nil {
			return err
		}
		f.message = plaintext.Text(n.text, labelLimit)
	}
	return nil
}

// quantity reads the parameters of a number with a unit.
func (f *field) quantity(p parts) error {
	base := p.param("base")
	if base == nil || base.kind != textNode {
		return p.own.fault("a unit has no base")
	}
	f.unit = plaintext.Text(base.text, labelLimit)
	if n := p.param("decimals"); n != nil {
		decimals, ok := parseNumber(n.text)
		if !ok || !decimals.IsInt64() || decimals.Int64() < 0 || decimals.Int64() > maxDecimals {
			return n.fault("it is no number from 0 to %d", maxDecimals)
		}
		f.decimals = int(decimals.Int64())
	}
	return nil
}

// names reads the names of the values of an enumeration.
func (r *formatReader) names(f *field, p parts) error {
	ref := p.param("$ref")
	if ref == nil {
		return p.own.fault("an enum has no $ref")
	}
	found, err := r.lookUp(ref, "metadata", "enums")
	if err != nil {
		return err
	}
	if err := found.expect(objectNode); err != nil {
		return err
	}
	f.names = map[string]string{}
	for _, m := range found.members {
		if err := m.expect(textNode); err != nil {
			return err
		}
		f.names[m.key] = plaintext.Text(m.text, textLimit)
	}
	return nil
}

// called reads the parameters of a call within the data.
func (r *formatReader) called(f *field, p parts, above jsonPath) error {
	for key, into := range map[string]**source{"callee": &f.callee, "spender": &f.spender} {
		if err := r.either(into, p, above, key); err != nil {
			return err
		}
	}
	if f.callee == nil {
		return p.own.fault("calldata has no callee")
	}
	constant, at := p.param("amount"), p.param("amountPath")
	var err error
	switch {
	case constant != nil && at != nil:
		return at.fault("there is amount as well")
	case constant != nil:
		f.amount = &source{}
		f.amount.constant, err = r.constant(constant, true)
	case at != nil:
		f.amount = &source{}
		f.amount.at, err = r.located(at, above)
	default:
		return nil
	}
	if err == nil && !f.amount.typeOf().integer() {
		return p.own.fault("the amount of calldata is no integer")
	}
	return err
}
