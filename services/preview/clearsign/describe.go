package clearsign

import (
	"encoding/hex"
	"math/big"
	"slices"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/plaintext"
	"github.com/hawser-dev/hawser/services/preview/effect"
)

const (
	// maxCalls bounds how deeply calls within calls are described.
	maxCalls = 3
	// bytesLimit is how many bytes of a longer value are shown.
	bytesLimit = 64
	// timeBits is the size of seconds that a page can show as a time.
	timeBits = 42
)

// describer describes one request with the calls within it.
type describer struct {
	descriptors *Descriptors
	is          func(Role, evm.Address) bool
	chain       *big.Int
	// left is how many rows it may still have.
	left int
}

// describe applies a format to data. It returns false for data that does not fit: a part of a description may mislead.
func (d *describer) describe(f *format, of data, depth int) (Description, bool) {
	result := Description{Intent: f.intent}
	rows, ok := d.group(f.fields, of, depth)
	result.Rows = append(slices.Clone(f.heads), rows...)
	if d.left -= len(result.Rows); !ok || d.left < 0 {
		return result, false
	}
	for _, s := range f.sentence {
		if s.field == nil {
			result.Sentence = append(result.Sentence, Part{Text: s.text, Row: -1})
			continue
		}
		isOf := func(row Row) bool { return row.from == s.field }
		i := slices.IndexFunc(result.Rows, isOf)
		if i < 0 || slices.ContainsFunc(result.Rows[i+1:], isOf) {
			result.Sentence = nil
			break
		}
		result.Sentence = append(result.Sentence, Part{Row: i})
	}
	return result, true
}

// group returns the rows of a group in the order in which they are shown.
func (d *describer) group(g group, of data, depth int) ([]Row, bool) {
	// lists are the rows of each entry by the index of the value; a hidden one is nil.
	var lists [][]*Row
	for _, e := range g.entries {
		list, ok := d.entry(e, of, depth)
		if !ok || g.isBundled && len(lists) > 0 && len(list) != len(lists[0]) {
			return nil, false
		}
		lists = append(lists, list)
	}
	var rows []Row
	add := func(row *Row) {
		if row != nil {
			rows = append(rows, *row)
		}
	}
	if !g.isBundled || len(lists) == 0 {
		for _, list := range lists {
			for _, row := range list {
				add(row)
			}
		}
		return rows, len(rows) <= maxRows
	}
	for i := range lists[0] {
		for _, list := range lists {
			add(list[i])
		}
	}
	return rows, len(rows) <= maxRows
}

func (d *describer) entry(e entry, of data, depth int) (list []*Row, ok bool) {
	if e.field != nil {
		return d.field(e.field, of, depth)
	}
	rows, ok := d.group(*e.group, of, depth)
	for i := range rows {
		list = append(list, &rows[i])
	}
	return list, ok
}

// field returns the rows of a field's values; nil for those that are not shown.
func (d *describer) field(f *field, of data, depth int) (list []*Row, ok bool) {
	values, ok := f.from.read(of)
	if !ok {
		return nil, false
	}
	for i, v := range values {
		if f.rule.only != nil && !slices.ContainsFunc(f.rule.only, v.isEqual) {
			return nil, false
		}
		if f.rule.isHidden || slices.ContainsFunc(f.rule.unless, v.isEqual) {
			list = append(list, nil)
			continue
		}
		// A parameter that is a list has one item for each value.
		param := func(s *source) (value, bool) {
			all, ok := s.read(of)
			switch {
			case !ok || s.at.isMany && len(all) != len(values):
				return value{}, false
			case s.at.isMany:
				return all[i], true
			}
			return all[0], true
		}
		row := Row{Label: f.label, Kind: f.kind, from: f}
		if !d.fill(&row, f, v, of, param, depth) {
			return nil, false
		}
		list = append(list, &row)
	}
	return list, true
}

// fill fills a row with a value in the format of its field.
func (d *describer) fill(row *Row, f *field, v value, of data, param func(*source) (value, bool), depth int) bool {
	switch f.kind {
	case Text:
		return f.raw(row, v)
	case Address:
		a, ok := v.address()
		if slices.Contains(f.senders, a) {
			a = of.from
		}
		row.Address = a
		return ok
	case Token:
		a, ok := v.address()
		row.Asset = effect.Asset{Kind: effect.ERC20, Contract: a}
		return ok
	case Called:
		return d.called(row, f, v, of, param, depth)
	}
	number, ok := v.integer()
	row.Number = number
	if !ok {
		return false
	}
	switch f.kind {
	case Amount:
		return f.amountOf(row, param)
	case Collectible:
		row.Kind = Number
		if f.collection == nil {
			return true
		}
		of, ok := param(f.collection)
		a, isAddress := of.address()
		row.Kind, row.Asset = Collectible, effect.Asset{Kind: effect.ERC721, Contract: a, ID: number}
		return ok && isAddress
	case Time, Duration:
		// Others are shown as numbers.
		if number.Sign() < 0 || number.BitLen() > timeBits {
			row.Kind = Number
		}
	case Quantity:
		row.Unit, row.Decimals = f.unit, f.decimals
	}
	return true
}

// raw fills a row with a value as it is, or with its name in an enumeration.
func (f *field) raw(row *Row, v value) bool {
	if f.names != nil {
		key := v.text
		switch {
		case v.number != nil && v.of.kind == boolType:
			key = v.flagText()
		case v.number != nil:
			key = v.number.String()
		case v.of.kind != stringType:
			key = "0x" + hex.EncodeToString(v.bytes)
		}
		name, ok := f.names[key]
		row.Text = name
		if ok {
			return true
		}
	}
	switch v.of.kind {
	case stringType:
		row.Text = plaintext.Text(v.text, textLimit)
	case boolType:
		row.Kind, row.Number = Flag, v.number
	case uintType, intType:
		row.Kind, row.Number = Number, v.number
	case addressType:
		row.Kind, row.Address = Address, evm.Address(v.bytes)
	default:
		row.Kind, row.Text = Bytes, hexText(v.bytes)
	}
	return true
}

// hexText returns bytes in hex; of long ones the first.
func hexText(b []byte) string {
	if len(b) > bytesLimit {
		return "0x" + hex.EncodeToString(b[:bytesLimit]) + "…"
	}
	return "0x" + hex.EncodeToString(b)
}

// amountOf fills a row with an amount. One of no token is a number.
func (f *field) amountOf(row *Row, param func(*source) (value, bool)) bool {
	if f.threshold != nil && row.Number.Cmp(f.threshold) >= 0 {
		row.IsOver, row.Message = true, f.message
	}
	if row.Asset = (effect.Asset{Kind: effect.Native}); f.isNative {
		return row.Number.Sign() >= 0
	}
	if f.token == nil {
		row.Kind = Number
		return true
	}
	v, ok := param(f.token)
	token, isAddress := v.address()
	switch {
	case !ok || !isAddress || row.Number.Sign() < 0:
		return false
	case slices.Contains(f.natives, token):
	case token == (evm.Address{}):
		row.Kind = Number
	default:
		row.Asset = effect.Asset{Kind: effect.ERC20, Contract: token}
	}
	return true
}

// called fills a row with a call within the data, which has a description of its own if there is a descriptor.
func (d *describer) called(row *Row, f *field, v value, of data, param func(*source) (value, bool), depth int) bool {
	callee, ok := param(f.callee)
	to, isAddress := callee.address()
	if !ok || !isAddress {
		return false
	}
	inner := Call{Chain: d.chain, Account: of.from, To: to, Value: new(big.Int), Data: v.bytes}
	if f.spender != nil {
		spender, ok := param(f.spender)
		if inner.Account, isAddress = spender.address(); !ok || !isAddress {
			return false
		}
	}
	if f.amount != nil {
		amount, ok := param(f.amount)
		if inner.Value = amount.number; !ok || amount.number == nil {
			return false
		}
	}
	row.Address = to
	if depth >= maxCalls {
		return true
	}
	if described, ok := d.call(inner, depth+1); ok {
		row.Inner = &described
	}
	return d.left >= 0
}
