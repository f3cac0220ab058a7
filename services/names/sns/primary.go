package sns

import (
	"context"

	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/onchain/svm"
)

// PrimaryOf returns the primary name of an account, which ends in .sns; empty if it has none, if the name is not
// [resolver.Plain], or if it does not resolve to the account. It returns the errors of [Chain.AddressOf].
func (c Chain) PrimaryOf(ctx context.Context, owner svm.Address) (string, error) {
	found, err := c.read(ctx, primaryAccount(owner))
	if err != nil {
		return "", err
	}
	account, err := parsePrimary(found[0])
	if err != nil {
		return "", nil
	}
	n, ok, err := c.nameOf(ctx, account)
	if err != nil || !ok {
		return "", err
	}
	wallet, ok, err := c.AddressOf(ctx, n)
	if err != nil || !ok || wallet != owner {
		return "", err
	}
	return n.String(), nil
}

// nameOf returns the name of an account of the SPL Name Service; false if it has none, or if its text names another account.
func (c Chain) nameOf(ctx context.Context, account svm.Address) (n Name, ok bool, err error) {
	found, err := c.read(ctx, account)
	if err != nil || found[0] == nil || len(found[0].Data) < headerSize {
		return Name{}, false, err
	}
	n, ok, err = c.labels(ctx, account, svm.NewCursor(found[0].Data, 0).Address())
	if err != nil || !ok || !resolver.Plain(n.String()) {
		return Name{}, false, err
	}
	again, parsed := ParseName(n.String())
	named, _ := n.account()
	return n, parsed && again == n && named == account, nil
}

// labels reads the texts of a name and, if it is a sub-domain, of its parent.
func (c Chain) labels(ctx context.Context, account, parent svm.Address) (n Name, ok bool, err error) {
	if parent == root {
		found, err := c.read(ctx, reverseAccount(account, none))
		if err != nil {
			return Name{}, false, err
		}
		label, err := parseReverse(found[0], none)
		return Name{Label: label, Suffix: SNS}, err == nil, nil
	}
	found, err := c.read(ctx, reverseAccount(account, parent), reverseAccount(parent, none))
	if err != nil {
		return Name{}, false, err
	}
	sub, badSub := parseReverse(found[0], parent)
	label, badLabel := parseReverse(found[1], none)
	return Name{Sub: sub, Label: label, Suffix: SNS}, badSub == nil && badLabel == nil, nil
}
