// Package session has the rules of smart sessions: when a session is active, and which operations are signed for it.
package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/accounts"

	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/sessions/grant"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
	"github.com/hawser-dev/hawser/services/sessions/record"
)

// Errors of sessions.
var (
	// ErrInactive is returned for a session that the account did not grant.
	ErrInactive = errors.New("the account did not grant the session yet")
	// ErrExpired is returned for a session whose time is over.
	ErrExpired = errors.New("the session is expired")
	// ErrActive is returned for a second activation with another context.
	ErrActive = errors.New("the session is active with another context")
	// ErrContext is returned for a context that does not match the granted terms.
	ErrContext = errors.New("the context belongs to another session")
	// ErrSiteKey is returned for a signature of another key.
	ErrSiteKey = errors.New("the site's key did not sign the hash")
	// ErrPrefix is returned for a signature of the site's key that no contract accepts.
	ErrPrefix = errors.New("the site's key signed with the prefix of EIP-191: sign the hash as it is")
	// ErrOperation is returned for a user operation of another account.
	ErrOperation = errors.New("the user operation belongs to another account than the session's")
	// ErrDenied is returned for a call of an address that the operator denies.
	ErrDenied = errors.New("the address is not one that sessions may call")
)

const secondsPerHour = 3600

// Sessions applies the rules to stored sessions. It is safe for concurrent use.
type Sessions struct {
	Records    *record.Store
	Chain      *onchain.Reader
	Signatures *signature.Verifier
	Clock      clock.Clock
	// NeedsCoSigner reports whether the sessions of a project need the co-signer.
	NeedsCoSigner func(project string) bool
	// Denied are addresses that sessions must not call or pay.
	Denied []evm.Address
	// SignedPerHour is how many operations of one session are signed in an hour; 0 is no limit.
	SignedPerHour int
}

// SiteKey returns the account of the only key of a signer that is not the co-signer's.
func SiteKey(kind string, data []byte, coSigner evm.Address) (evm.Address, error) {
	type key struct {
		Type      string `json:"type"`
		PublicKey string `json:"publicKey"`
	}
	var signer struct {
		key
		Keys []key `json:"keys"`
	}
	if err := json.Unmarshal(data, &signer); err != nil || kind != "keys" && kind != "key" {
		return evm.Address{}, fmt.Errorf("%w: signer is not {type: keys, data: {keys}}", grant.ErrMalformed)
	}
	if kind == "key" {
		signer.Keys = append(signer.Keys, signer.key)
	}
	var found []evm.Address
	for _, k := range signer.Keys {
		if k.Type != "secp256k1" {
			return evm.Address{}, fmt.Errorf("%w: a key of the type %.20q", grant.ErrUnsupported, k.Type)
		}
		owner, err := delegation.PublicKey(k.PublicKey)
		if err != nil {
			return evm.Address{}, fmt.Errorf("%w: %w", grant.ErrMalformed, err)
		}
		if owner != coSigner {
			found = append(found, owner)
		}
	}
	if len(found) != 1 {
		return evm.Address{}, fmt.Errorf("%w: %d keys of the site instead of one", grant.ErrUnsupported, len(found))
	}
	return found[0], nil
}

// Account returns the account of a session, with or without the co-signer as an owner.
func (s *Sessions) Account(n record.Session, coSigned bool) delegation.Account {
	c, _ := s.Chain.Contracts(n.ChainID)
	a := delegation.Account{Factory: c.Factory, Implementation: c.MultiSig, Owners: []evm.Address{n.SiteKey}}
	if coSigned {
		a.Owners = append(a.Owners, n.CoSigner)
	}
	return a
}

// IsCoSigned reports whether the account of an activated session needs the co-signer.
func (s *Sessions) IsCoSigned(n record.Session) bool {
	return n.Delegate == s.Account(n, true).Address()
}

// CheckTargets checks that a grant of a session has no calls that sessions must not make.
func (s *Sessions) CheckTargets(n record.Session, g grant.Grant) error {
	c, _ := s.Chain.Contracts(n.ChainID)
	for _, a := range g.Targets() {
		if slices.Contains(s.Denied, a) {
			return fmt.Errorf("%w: %s is denied", grant.ErrUnsupported, a)
		}
	}
	return g.CheckTargets(c, n.Account)
}

// Find returns a session of a project and an account.
func (s *Sessions) Find(ctx context.Context, project, pci string, account request.Account) (record.Session, error) {
	n, err := s.FindOf(ctx, pci, account)
	if err == nil && n.Project != project {
		err = record.ErrUnknown
	}
	return n, err
}

// FindOf returns a session of an account.
func (s *Sessions) FindOf(ctx context.Context, pci string, account request.Account) (record.Session, error) {
	n, err := s.Records.Find(ctx, pci)
	if err == nil && (n.ChainID != account.ChainID || n.Account != account.Address) {
		err = record.ErrUnknown
	}
	return n, err
}

// Usable returns why a session cannot be used; nil if it can.
func Usable(n record.Session, now time.Time) error {
	switch {
	case n.IsRevoked():
		return record.ErrRevoked
	case n.IsExpired(now):
		return ErrExpired
	case !n.IsActivated():
		return ErrInactive
	}
	return nil
}

// Activate checks that a context matches the granted terms, and that these are not wider than requested, and stores
// them.
func (s *Sessions) Activate(ctx context.Context, n record.Session, terms record.Terms, context []byte) error {
	if n.IsRevoked() {
		return record.ErrRevoked
	}
	if n.IsExpired(s.Clock.Now()) {
		return ErrExpired
	}
	if n.IsActivated() {
		if bytes.Equal(n.Context, context) {
			return nil
		}
		return ErrActive
	}
	requested, err := n.Grant()
	if err != nil {
		return err
	}
	granted, err := grant.Parse(terms.Expiry, terms.Permissions, terms.Policies, s.Clock.Now())
	if err != nil {
		return err
	}
	if err := granted.Within(requested); err != nil {
		return err
	}
	if err := s.CheckTargets(n, granted); err != nil {
		return err
	}
	if err := s.checkContext(ctx, &n, granted, context); err != nil {
		return err
	}
	terms.Signer = n.Terms.Signer
	n.Terms, n.Context = terms, context
	activated, err := s.Records.Activate(ctx, n, s.Clock.Now())
	if err == nil && !activated {
		err = ErrActive
	}
	return err
}

// checkContext checks that a context is a delegation of the session with the caveats of the grant, signed by the
// account. It sets the session's delegate and nonce.
func (s *Sessions) checkContext(ctx context.Context, n *record.Session, granted grant.Grant, context []byte) error {
	d, err := delegation.Parse(context)
	if err != nil {
		return err
	}
	if !bytes.Equal(d.Context(), context) {
		return delegation.ErrContext
	}
	coSigned := s.Account(*n, true).Address()
	needed := s.NeedsCoSigner(n.Project) || granted.NeedsCoSigner()
	if d.Delegator != n.Account || d.Delegate != coSigned && (needed || d.Delegate != s.Account(*n, false).Address()) {
		return fmt.Errorf("%w: it belongs to another account, or is for another one", ErrContext)
	}
	n.Delegate = d.Delegate
	if n.Nonce, err = s.Chain.Nonce(ctx, n.ChainID, n.Account); err != nil {
		return err
	}
	c, _ := s.Chain.Contracts(n.ChainID)
	expected := granted.Caveats(c, d.Delegate, n.Nonce)
	if len(expected) != len(d.Caveats) {
		return fmt.Errorf("%w: it has %d caveats instead of %d", ErrContext, len(d.Caveats), len(expected))
	}
	for i, e := range expected {
		if got := d.Caveats[i]; got.Enforcer != e.Enforcer || !bytes.Equal(got.Terms, e.Terms) || len(got.Args) > 0 {
			return fmt.Errorf("%w: caveat %d is not that of the permissions", ErrContext, i)
		}
	}
	if !granted.Binds(d.Salt) {
		return fmt.Errorf("%w: the salt is not that of the rules", ErrContext)
	}
	_, err = s.Signatures.VerifyHash(ctx, n.ChainID, n.Account, d.SigningHash(c.Manager, onchain.Number(n.ChainID)), d.Signature)
	return err
}

// Redeem returns the call with which the session's account makes calls on behalf of the account that granted the
// session.
func (s *Sessions) Redeem(n record.Session, calls []delegation.Call) ([]byte, error) {
	g, err := n.Grant()
	if err != nil {
		return nil, err
	}
	d, err := delegation.Parse(n.Context)
	if err != nil {
		return nil, err
	}
	uses := make([]delegation.Use, len(calls))
	for i, c := range calls {
		spending, err := s.allow(g, c)
		if err != nil {
			return nil, err
		}
		selected := d
		selected.Caveats = g.Select(d.Caveats, spending.Kind)
		uses[i] = delegation.Use{Delegation: selected, Call: c}
	}
	return delegation.Redeem(uses), nil
}

// allow returns what a call spends. It fails if the grant or the operator does not allow the call.
func (s *Sessions) allow(g grant.Grant, c delegation.Call) (grant.Spending, error) {
	receiver, isTransfer := grant.Receiver(c)
	if slices.Contains(s.Denied, c.To) || isTransfer && slices.Contains(s.Denied, receiver) {
		return grant.Spending{}, ErrDenied
	}
	return g.Allow(c)
}

// Sign decodes and counts an operation that the site's key signed, and returns its complete signature.
func (s *Sessions) Sign(ctx context.Context, n record.Session, o *userop.Operation, signature []byte) ([]byte, error) {
	now := s.Clock.Now()
	if err := Usable(n, now); err != nil {
		return nil, err
	}
	coSigned := s.IsCoSigned(n)
	account := s.Account(n, coSigned)
	deploys := len(o.Factory) > 0
	if o.Sender != n.Delegate || o.Authorization != nil ||
		deploys && (!bytes.Equal(o.Factory, account.Factory[:]) || !bytes.Equal(o.FactoryData, account.FactoryData())) {
		return nil, ErrOperation
	}
	hash := delegation.SigningHash(o, onchain.Number(n.ChainID))
	if signer, ok := delegation.Signer(hash, signature); !ok || signer != n.SiteKey {
		if signer, ok := delegation.Signer([32]byte(accounts.TextHash(hash[:])), signature); ok && signer == n.SiteKey {
			return nil, ErrPrefix
		}
		return nil, ErrSiteKey
	}
	spent, err := s.decode(n, o, now)
	if err != nil {
		return nil, err
	}
	if !coSigned {
		return delegation.Signature(signature), nil
	}
	key, err := s.Records.Key(ctx, n)
	if err != nil {
		return nil, err
	}
	if err := s.Records.Spend(ctx, n.PCI, hash, spent); err != nil {
		return nil, err
	}
	return delegation.CoSign(key, hash, n.SiteKey, signature), nil
}

// decode checks every call of an operation and returns what they spend.
func (s *Sessions) decode(n record.Session, o *userop.Operation, now time.Time) ([]record.Spent, error) {
	g, err := n.Grant()
	if err != nil {
		return nil, err
	}
	granted, err := delegation.Parse(n.Context)
	if err != nil {
		return nil, err
	}
	uses, err := delegation.ParseRedeem(o.CallData)
	if err != nil {
		return nil, err
	}
	native, token := new(big.Int), new(big.Int)
	for _, u := range uses {
		if u.Delegation.Hash() != granted.Hash() {
			return nil, ErrOperation
		}
		spending, err := s.allow(g, u.Call)
		if err != nil {
			return nil, err
		}
		native.Add(native, spending.Native)
		token.Add(token, spending.Token)
	}
	spent := []record.Spent{{Kind: "calls", Amount: big.NewInt(int64(len(uses))), Limit: new(big.Int).SetUint64(g.Calls)}}
	if s.SignedPerHour > 0 {
		spent = append(spent, record.Spent{
			Kind: "signatures", Period: now.Unix() / secondsPerHour, Amount: big.NewInt(1), Limit: big.NewInt(int64(s.SignedPerHour)),
		})
	}
	for _, a := range g.Allowances() {
		next := record.Spent{Kind: "native", Amount: native, Limit: a.Amount}
		if a.Token != (evm.Address{}) {
			next.Kind, next.Amount = "token", token
		}
		number, _, started := a.Window(now)
		if !started && next.Amount.Sign() > 0 {
			return nil, fmt.Errorf("%w: the first period has not started", grant.ErrExceeded)
		}
		next.Period = number
		spent = append(spent, next)
	}
	return spent, nil
}
