package access

import (
	"bytes"
	"context"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// delegationPrefix is what the code of an account that delegates begins with; the address of the code follows (EIP-7702).
var delegationPrefix = []byte{0xef, 0x01, 0x00}

// delegate returns the address that the code of an account delegates to; false if it does not delegate.
func delegate(code []byte) (evm.Address, bool) {
	target, delegates := bytes.CutPrefix(code, delegationPrefix)
	if !delegates || len(target) != len(evm.Address{}) {
		return evm.Address{}, false
	}
	return evm.Address(target), true
}

// codes reads the code of accounts.
func (l *lister) codes(ctx context.Context, chainID string, accounts []evm.Address) ([][]byte, error) {
	calls := make([]chainclient.Call, len(accounts))
	for i, a := range accounts {
		calls[i] = chainclient.Call{Method: "eth_getCode", Params: []any{a, "latest"}}
	}
	results, err := l.connect(chainID).Batch(ctx, calls...)
	if err != nil {
		return nil, unavailable(chainID, err)
	}
	codes := make([][]byte, len(accounts))
	for i, r := range results {
		if codes[i], err = r.Bytes(); err != nil {
			return nil, unavailable(chainID, err)
		}
	}
	return codes, nil
}

// delegation reads the code that an account delegates to; nil for none.
func (l *lister) delegation(ctx context.Context, chainID string, owner evm.Address) (*Delegation, error) {
	codes, err := l.codes(ctx, chainID, []evm.Address{owner})
	if err != nil {
		return nil, err
	}
	target, delegates := delegate(codes[0])
	if !delegates {
		return nil, nil
	}
	name, _ := l.names.Name(chainID, target)
	return &Delegation{ID: chainID + ":" + target.String(), Name: name}, nil
}

// withoutCode returns the spenders of rights that a key alone controls: those without code, and those that delegate, because their key can sign as well.
// Contracts with a name are known to have code.
func (l *lister) withoutCode(ctx context.Context, chainID string, rights []right) (map[evm.Address]bool, error) {
	bare := map[evm.Address]bool{}
	var unknown []evm.Address
	for _, r := range rights {
		_, asked := bare[r.Spender]
		if _, named := l.names.Name(chainID, r.Spender); !asked && !named {
			bare[r.Spender] = true
			unknown = append(unknown, r.Spender)
		}
	}
	codes, err := l.codes(ctx, chainID, unknown)
	if err != nil {
		return nil, err
	}
	for i, a := range unknown {
		_, delegates := delegate(codes[i])
		bare[a] = len(codes[i]) == 0 || delegates
	}
	return bare, nil
}
