package sessions

import (
	"context"
	"crypto/rand"
	"errors"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"
	"google.golang.org/grpc"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm/account"
	"github.com/hawser-dev/hawser/services/onchain/evm/userop"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/sessions/grant"
	"github.com/hawser-dev/hawser/services/sessions/message"
	"github.com/hawser-dev/hawser/services/sessions/proof"
	"github.com/hawser-dev/hawser/services/sessions/record"
	"github.com/hawser-dev/hawser/services/sessions/session"
)

// keyType is the type of all keys.
const keyType = "secp256k1"

// accountOf parses an account of a chain on which sessions can be granted.
func (s *server) accountOf(text string) (request.Account, error) {
	a, err := request.AccountID("account", text)
	if err != nil {
		return a, err
	}
	if _, ok := s.chain.Contracts(a.ChainID); !ok {
		return a, request.UnsupportedChain(a.ChainID)
	}
	return a, nil
}

// parsePCI checks that an identifier is a UUID.
func parsePCI(text string) (string, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(id.String()) {
		return "", request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "pci", "Invalid parameter: `pci` is not a UUID")
	}
	return id.String(), nil
}

// CreateSession stores the request of a site.
func (s *server) CreateSession(ctx context.Context, r *sessionsv1.CreateSessionRequest) (*sessionsv1.CreateSessionResponse, error) {
	a, err := s.accountOf(r.GetAccount())
	if err != nil {
		return nil, err
	}
	terms, err := message.Terms(r)
	if err != nil {
		return nil, explain(err)
	}
	key, err := account.NewKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	who := caller.From(ctx)
	n := record.Session{
		PCI: uuid.NewString(), Project: who.Project, Origin: who.Origin, ChainID: a.ChainID, Account: a.Address, CoSigner: key.Address(), Terms: terms,
		CreatedAt: s.clock.Now(),
	}
	if n.SiteKey, err = session.SiteKey(r.GetSigner().GetType(), terms.Signer, n.CoSigner); err != nil {
		return nil, explain(err)
	}
	g, err := n.Grant()
	if err != nil {
		return nil, explain(err)
	}
	if err := errors.Join(g.CheckStart(n.CreatedAt), s.sessions.CheckTargets(n, g)); err != nil {
		return nil, explain(err)
	}
	if err := s.records.Add(ctx, n, key); err != nil {
		return nil, explain(err)
	}
	coSigned := s.needsCoSigner(n, g)
	return &sessionsv1.CreateSessionResponse{
		Pci: n.PCI, CoSigned: coSigned, Delegate: s.sessions.Account(n, coSigned).Address().Hex(),
		Key: &sessionsv1.SessionKey{Type: keyType, PublicKey: message.PublicKey(key, r.GetV())},
	}, nil
}

// GetContext returns the context of a session.
func (s *server) GetContext(ctx context.Context, r *sessionsv1.GetContextRequest) (*sessionsv1.GetContextResponse, error) {
	n, err := s.sessionOf(ctx, r)
	if err != nil {
		return nil, err
	}
	res := &sessionsv1.GetContextResponse{}
	if n.IsActivated() {
		text := hexutil.Encode(n.Context)
		res.Context = &text
	}
	return res, nil
}

// sessionOf returns the session of a request of its project.
func (s *server) sessionOf(ctx context.Context, r interface {
	GetAccount() string
	GetPci() string
}) (record.Session, error) {
	a, err := s.accountOf(r.GetAccount())
	if err != nil {
		return record.Session{}, err
	}
	pci, err := parsePCI(r.GetPci())
	if err != nil {
		return record.Session{}, err
	}
	n, err := s.sessions.Find(ctx, caller.From(ctx).Project, pci, a)
	return n, explain(err)
}

// ActivateSession stores the grant of a session.
func (s *server) ActivateSession(ctx context.Context, r *sessionsv1.ActivateSessionRequest) (*sessionsv1.ActivateSessionResponse, error) {
	n, err := s.sessionOf(ctx, r)
	if err != nil {
		return nil, err
	}
	terms, err := message.Terms(r)
	if err != nil {
		return nil, explain(err)
	}
	context, err := hexutil.Decode(r.GetContext())
	if err != nil {
		return nil, explain(delegation.ErrContext)
	}
	if err := s.sessions.Activate(ctx, n, terms, context); err != nil {
		return nil, explain(err)
	}
	return &sessionsv1.ActivateSessionResponse{Success: true}, nil
}

// SignUserOperation adds the signature of the co-signer.
func (s *server) SignUserOperation(ctx context.Context, r *sessionsv1.SignUserOperationRequest) (*sessionsv1.SignUserOperationResponse, error) {
	n, err := s.sessionOf(ctx, r)
	if err != nil {
		return nil, err
	}
	o, err := message.ParseOperation(r.GetUserOp())
	if err != nil {
		return nil, explain(err)
	}
	signature, err := s.sessions.Sign(ctx, n, o, o.Signature)
	if err != nil {
		return nil, explain(err)
	}
	return &sessionsv1.SignUserOperationResponse{Signature: hexutil.Encode(signature)}, nil
}

// authorize verifies that the account itself makes a call: by the proof, or by the device proof of its embedded wallet.
func (s *server) authorize(ctx context.Context, statement proof.Statement, p *sessionsv1.AccountProof, text string) error {
	if who := caller.From(ctx); who.Device.Proof != "" {
		path, _ := grpc.Method(ctx)
		// The device proof is forwarded, because the wallet service verifies it.
		res, err := s.owners.GetOwner(caller.NewOutgoingContext(ctx, who), &walletv1.GetOwnerRequest{Path: path})
		if err == nil && !strings.EqualFold(res.GetAddress(), statement.Account.Address.Hex()) {
			err = record.ErrUnknown
		}
		return err
	}
	given, err := message.Proof(p, text)
	if err != nil {
		return err
	}
	return s.proofs.Verify(ctx, statement, given, s.clock.Now())
}

// RevokeSession revokes a session.
func (s *server) RevokeSession(ctx context.Context, r *sessionsv1.RevokeSessionRequest) (*sessionsv1.RevokeSessionResponse, error) {
	a, err := s.accountOf(r.GetAccount())
	if err != nil {
		return nil, err
	}
	pci, err := parsePCI(r.GetPci())
	if err != nil {
		return nil, err
	}
	if err := s.authorize(ctx, proof.Statement{Kind: proof.Revoke, PCI: pci, Account: a}, r.GetProof(), r.GetSignature()); err != nil {
		return nil, explain(err)
	}
	n, err := s.sessions.FindOf(ctx, pci, a)
	if err != nil {
		return nil, explain(err)
	}
	g, err := n.Grant()
	if err != nil {
		return nil, err
	}
	n.RevokedAt = s.clock.Now()
	if err := s.records.Revoke(ctx, pci, s.nonceOf(ctx, a), n.RevokedAt); err != nil {
		return nil, explain(err)
	}
	return &sessionsv1.RevokeSessionResponse{Success: true, State: s.stateOf(n, g, n.RevokedAt)}, s.revoked.Copy(ctx, n.RevokedAt)
}

// nonceOf returns the nonce of an account at NonceEnforcer, and nil if no node returns it, because a revocation does
// not wait for nodes.
func (s *server) nonceOf(ctx context.Context, a request.Account) *big.Int {
	nonce, err := s.chain.Nonce(ctx, a.ChainID, a.Address)
	if err != nil {
		return nil
	}
	return nonce
}

// RevokeAllSessions revokes the sessions of an account.
func (s *server) RevokeAllSessions(ctx context.Context, r *sessionsv1.RevokeAllSessionsRequest) (*sessionsv1.RevokeAllSessionsResponse, error) {
	a, err := s.accountOf(r.GetAccount())
	if err != nil {
		return nil, err
	}
	if err := s.authorize(ctx, proof.Statement{Kind: proof.RevokeAll, Account: a}, r.GetProof(), ""); err != nil {
		return nil, explain(err)
	}
	now := s.clock.Now()
	revoked, err := s.records.RevokeAll(ctx, a.ChainID, a.Address, s.nonceOf(ctx, a), now)
	if err != nil {
		return nil, err
	}
	return &sessionsv1.RevokeAllSessionsResponse{Success: true, Revoked: uint32(revoked)}, s.revoked.Copy(ctx, now)
}

// ListSessionChains returns the chains on which sessions can be granted.
func (s *server) ListSessionChains(ctx context.Context, _ *sessionsv1.ListSessionChainsRequest) (*sessionsv1.ListSessionChainsResponse, error) {
	res := &sessionsv1.ListSessionChainsResponse{}
	for _, id := range s.chain.Served(ctx) {
		c, _ := s.chain.Contracts(id)
		chain := &sessionsv1.SessionChain{
			ChainId: id, DelegationManager: c.Manager.Hex(), Factory: c.Factory.Hex(), Implementation: c.MultiSig.Hex(), EntryPoint: userop.EntryPoint07.Hex(),
			PermissionTypes: grant.Types, Enforcers: map[string]string{},
		}
		for name, enforcer := range c.Enforcers {
			chain.Enforcers[name] = enforcer.Hex()
		}
		res.Chains = append(res.Chains, chain)
	}
	return res, nil
}
