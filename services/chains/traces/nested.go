package traces

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// nested reads the answer of geth's callTracer: a frame for each transaction, with those of its calls inside.
func (r *reader) nested() error {
	if !r.is('[') {
		return fmt.Errorf("%w: no list", ErrUntraced)
	}
	for r.enter(); r.next(); {
		if !r.is('{') {
			return fmt.Errorf("%w: no transaction", ErrUntraced)
		}
		if err := r.transaction(); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) transaction() error {
	var hash *common.Hash
	traced := false
	r.begin()
	for r.enter(); r.next(); {
		switch string(r.name()) {
		case "txHash":
			if err := r.decode(&hash); err != nil {
				return err
			}
		case "result":
			if traced || !r.is('{') {
				r.skip()
				continue
			}
			traced = true
			if err := r.frame(0); err != nil {
				return err
			}
		default:
			r.skip()
		}
	}
	if hash == nil || !traced {
		return fmt.Errorf("%w: a transaction without its hash or its trace", ErrUntraced)
	}
	r.end(*hash)
	return nil
}

// frame reads a call, which is at a depth of others, with the calls inside it. That of a transaction is at depth 0.
func (r *reader) frame(depth int) error {
	var kind, from, to, value, failure []byte
	at := len(r.trace.Transfers)
	for r.enter(); r.next(); {
		switch string(r.name()) {
		case "type":
			kind = r.raw()
		case "from":
			from = r.raw()
		case "to":
			to = r.raw()
		case "value":
			value = r.raw()
		case "error":
			failure = r.raw()
		case "calls":
			if err := r.calls(depth + 1); err != nil {
				return err
			}
		default:
			r.skip()
		}
	}
	switch {
	case !isEmpty(failure):
		// Calls inside it were reverted with it.
		r.trace.Transfers = r.trace.Transfers[:at]
		return nil
	case depth == 0 || r.over || !moves(kind) || isEmpty(to) || isEmpty(value):
		return nil
	}
	var payer, payee common.Address
	var amount hexutil.Big
	for _, field := range []struct {
		raw  []byte
		into any
	}{{from, &payer}, {to, &payee}, {value, &amount}} {
		if isEmpty(field.raw) {
			continue
		}
		if err := json.Unmarshal(field.raw, field.into); err != nil {
			return fmt.Errorf("%w: %w", ErrUntraced, err)
		}
	}
	r.add(at, payer, payee, &amount)
	return nil
}

// calls reads the calls of a frame.
func (r *reader) calls(depth int) error {
	r.over = r.over || depth > maxDepth
	if r.over || !r.is('[') {
		r.skip()
		return nil
	}
	for r.enter(); r.next(); {
		if !r.is('{') {
			return fmt.Errorf("%w: no call", ErrUntraced)
		}
		if err := r.frame(depth); err != nil {
			return err
		}
	}
	return nil
}

// decode decodes the next value.
func (r *reader) decode(into any) error {
	if err := json.Unmarshal(r.raw(), into); err != nil {
		return fmt.Errorf("%w: %w", ErrUntraced, err)
	}
	return nil
}

// isEmpty reports whether a member is absent, null or an empty text.
func isEmpty(raw []byte) bool {
	return len(raw) == 0 || string(raw) == "null" || string(raw) == `""`
}

// moves reports whether a call of this type moves its value from the sender to the recipient.
func moves(kind []byte) bool {
	switch strings.ToUpper(string(kind)) {
	case `"CALL"`, `"CREATE"`, `"CREATE2"`, `"SELFDESTRUCT"`:
		return true
	}
	return false
}
