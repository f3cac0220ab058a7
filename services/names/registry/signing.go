package registry

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature"
)

// Envelope is a signed text as it was received.
type Envelope struct {
	Message string
	// Signature is hex digits after 0x.
	Signature string
	CoinType  CoinType
	// Address is 0x and 40 hex digits of any case.
	Address string
	// Project is that of the site which sends it; empty for none.
	Project string
}

// read parses the signed text. It fails with [ErrMessage], [ErrOtherInstallation], [evm.ErrAddress] or [*StaleError].
func (r *Registry) read(e Envelope, m signed) error {
	if !strings.HasPrefix(e.Message, sentenceStart) {
		if !r.bareJSON {
			return fmt.Errorf("%w: JSON does not say for whom it is", ErrMessage)
		}
		return readMessage(e.Message, m)
	}
	s, err := parseSentence(e.Message)
	if err != nil {
		return err
	}
	if s.Installation != r.Installation {
		return ErrOtherInstallation
	}
	account, err := evm.ParseAddress(e.Address)
	if err != nil {
		return err
	}
	if s.Account != (target{account, e.CoinType.Canonical()}) {
		return fmt.Errorf("%w: it names another account, or is on another chain", ErrMessage)
	}
	if r.Now().After(s.Expires) {
		return &StaleError{uint64(s.Issued.Unix())}
	}
	return m.take(s)
}

// changeOf validates a signed change of an existing name, except for the signature.
func (r *Registry) changeOf(ctx context.Context, text string, signedName *string, e Envelope, m signed, action Action) (Change, error) {
	if _, err := r.chain(ctx, e.CoinType); err != nil {
		return Change{}, err
	}
	record, err := r.Find(ctx, text)
	if err != nil {
		return Change{}, err
	}
	if signedName != nil && *signedName != text {
		return Change{}, &NameError{*signedName, ErrOther}
	}
	now := r.Now()
	if err := r.checkTimestamp(m, now); err != nil {
		return Change{}, err
	}
	return r.sign(ctx, e, Change{Name: record.Name, Action: action, At: now})
}

// sign verifies the signature and adds the signer to a change.
func (r *Registry) sign(ctx context.Context, e Envelope, c Change) (Change, error) {
	account, err := evm.ParseAddress(e.Address)
	if err != nil {
		return c, err
	}
	chainID, err := r.chain(ctx, e.CoinType)
	if err != nil {
		return c, err
	}
	if c.Signature, err = signature.Parse(e.Signature); err != nil {
		return c, err
	}
	proof, err := r.verifier.Verify(ctx, chainID, account, []byte(e.Message), c.Signature)
	c.Message, c.By = e.Message, Signer{account, e.CoinType.Canonical(), proof}
	return c, err
}

// chain returns the CAIP-2 id of a coin type's chain. It fails with [*CoinTypeError] if that is not in the network
// table. The coin type of Ethereum means every EVM chain and is always valid: its chain is empty if Ethereum is not in
// the table.
func (r *Registry) chain(ctx context.Context, c CoinType) (string, error) {
	chainID, ok := c.ChainID()
	if !ok {
		return "", &CoinTypeError{c}
	}
	known, err := r.networks.Serves(ctx, chainID)
	switch {
	case err != nil || known:
		return chainID, err
	case c.Canonical() == Ether:
		return "", nil
	default:
		return "", &CoinTypeError{c}
	}
}

// checkTimestamp fails with [*StaleError] if a text was signed too long ago or in the future.
func (r *Registry) checkTimestamp(m signed, now time.Time) error {
	at := m.timestamp()
	earliest, latest := now.Add(-r.past).Unix(), now.Add(r.ahead).Unix()
	if at > uint64(latest) || int64(at) < earliest {
		return &StaleError{at}
	}
	return nil
}
