package sessions

import (
	"context"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/delegation"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/sessions/grant"
	"github.com/hawser-dev/hawser/services/sessions/message"
	"github.com/hawser-dev/hawser/services/sessions/onchain"
	"github.com/hawser-dev/hawser/services/sessions/proof"
	"github.com/hawser-dev/hawser/services/sessions/record"
)

// defaultPage is the number of sessions in a response without page_size.
const defaultPage = 50

// ListSessions returns the sessions of an account.
func (s *server) ListSessions(ctx context.Context, r *sessionsv1.ListSessionsRequest) (*sessionsv1.ListSessionsResponse, error) {
	a, err := request.AccountID("account", r.GetAccount())
	if err != nil {
		return nil, err
	}
	if _, ok := s.chain.Contracts(a.ChainID); !ok {
		return &sessionsv1.ListSessionsResponse{}, nil
	}
	after, err := parsePlace(r.GetPageToken())
	if err != nil {
		return nil, err
	}
	if err := s.authorize(ctx, proof.Statement{Kind: proof.List, Account: a}, r.GetProof(), ""); err != nil {
		return nil, explain(err)
	}
	size := int(r.GetPageSize())
	if size == 0 {
		size = defaultPage
	}
	list, err := s.records.List(ctx, a.ChainID, a.Address, after, size+1)
	if err != nil {
		return nil, err
	}
	res := &sessionsv1.ListSessionsResponse{}
	if len(list) > size {
		list = list[:size]
		last := list[size-1]
		next := placeOf(last)
		res.Next = &next
	}
	res.Pcis, err = s.describe(ctx, a.ChainID, list)
	return res, err
}

// placeOf returns the page token for the sessions after a session.
func placeOf(n record.Session) string {
	kind := activated
	if !n.IsActivated() {
		kind = pending
	}
	return kind + "." + strconv.FormatInt(n.CreatedAt.Unix(), 10) + "." + n.PCI
}

// The kinds of places in page tokens.
const activated, pending = "a", "p"

// parsePlace parses a page token.
func parsePlace(token string) (record.Place, error) {
	if token == "" {
		return record.Place{CreatedAt: math.MaxInt64}, nil
	}
	parts := strings.Split(token, ".")
	if len(parts) == 3 && (parts[0] == activated || parts[0] == pending) {
		if n, err := strconv.ParseInt(parts[1], 10, 64); err == nil {
			return record.Place{Pending: parts[0] == pending, CreatedAt: n, PCI: parts[2]}, nil
		}
	}
	return record.Place{}, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "pageToken", "Invalid parameter: `pageToken` is not one of a response")
}

// describe returns sessions with their state on chain.
func (s *server) describe(ctx context.Context, chainID string, list []record.Session) ([]*sessionsv1.Session, error) {
	described := make([]*sessionsv1.Session, len(list))
	var queries []onchain.Query
	var of []int
	for i, n := range list {
		g, err := n.Grant()
		if err != nil {
			return nil, err
		}
		if described[i], err = s.sessionProto(ctx, n, g); err != nil {
			return nil, err
		}
		if n.IsActivated() {
			d, err := delegation.Parse(n.Context)
			if err != nil {
				return nil, err
			}
			described[i].DelegationHash = d.Hash().Hex()
			queries, of = append(queries, onchain.Query{Hash: d.Hash(), Delegator: n.Account, Nonce: n.Nonce, Grant: g}), append(of, i)
		} else if described[i].GetState() == sessionsv1.SessionState_SESSION_STATE_REVOKING && n.Nonce != nil {
			queries, of = append(queries, onchain.Query{Delegator: n.Account, Nonce: n.Nonce}), append(of, i)
		}
	}
	states, err := s.chain.States(ctx, chainID, queries)
	if err != nil {
		// The sessions are listed without their state on chain.
		return described, nil //nolint:nilerr // absent fields say so
	}
	now := s.clock.Now()
	for i, state := range states {
		n, to := list[of[i]], described[of[i]]
		if n.IsActivated() {
			made := uint32(state.Calls)
			to.CallsMade = &made
		}
		for j, a := range queries[i].Grant.Allowances() {
			spent := state.Spent[j]
			if _, _, started := a.Window(now); !started {
				spent = new(big.Int)
			}
			text := spent.String()
			to.Allowances[j].Spent = &text
		}
		if state.Ended && n.EndedAt.IsZero() {
			if err := s.records.End(ctx, n.PCI, now); err != nil {
				return nil, err
			}
			to.State = sessionsv1.SessionState_SESSION_STATE_REVOKED
			if to.RevokedAt == nil {
				at := uint32(now.Unix())
				to.RevokedAt = &at
			}
		}
	}
	return described, nil
}

func (s *server) sessionProto(ctx context.Context, n record.Session, g grant.Grant) (*sessionsv1.Session, error) {
	now := s.clock.Now()
	p := &sessionsv1.Session{
		Pci: n.PCI, Expiry: n.Terms.Expiry, CreatedAt: uint32(n.CreatedAt.Unix()), ChainId: n.ChainID, State: s.stateOf(n, g, now), Project: &sessionsv1.SessionProject{Id: n.Project},
	}
	project, err := s.projects.Find(ctx, n.Project)
	if err != nil {
		return nil, err
	}
	p.Project.Name = project.GetName()
	if n.Origin != "" {
		p.Project.Url = &n.Origin
	}
	for _, item := range n.Terms.Permissions {
		to := &sessionsv1.Permission{Type: item.Type}
		p.Permissions = append(p.Permissions, to)
		if to.Data, err = message.Value(item.Data); err != nil {
			return nil, err
		}
	}
	for _, item := range n.Terms.Policies {
		to := &sessionsv1.Policy{Type: item.Type}
		p.Policies = append(p.Policies, to)
		if to.Data, err = message.Value(item.Data); err != nil {
			return nil, err
		}
	}
	if n.IsRevoked() {
		at := uint32(n.RevokedAt.Unix())
		p.RevokedAt = &at
	}
	p.Allowances = allowances(g, now)
	if !n.IsActivated() {
		p.CoSigned = s.needsCoSigner(n, g)
		p.Delegate = s.sessions.Account(n, p.CoSigned).Address().Hex()
		return p, nil
	}
	text := hexutil.Encode(n.Context)
	p.Context, p.CallsAllowed, p.Delegate, p.CoSigned = &text, uint32(g.Calls), n.Delegate.Hex(), s.sessions.IsCoSigned(n)
	return p, nil
}

// allowances returns what a grant allows to spend, without what was spent.
func allowances(g grant.Grant, now time.Time) (list []*sessionsv1.Allowance) {
	for _, a := range g.Allowances() {
		_, end, _ := a.Window(now)
		to := &sessionsv1.Allowance{Permission: uint32(a.Permission), Allowed: a.Amount.String(), Period: a.Period, RenewsAt: uint32(end.Unix())}
		if a.Token != (evm.Address{}) {
			to.Token = a.Token.Hex()
		}
		list = append(list, to)
	}
	return list
}

// needsCoSigner reports whether a session cannot be activated without the co-signer.
func (s *server) needsCoSigner(n record.Session, g grant.Grant) bool {
	return s.cfg.needsCoSigner(n.Project) || g.NeedsCoSigner()
}

// stateOf returns the state of a session according to the database. A session that was revoked before its activation
// counts as revoked, unless it needs no co-signer: then the site may have a delegation that the service does not have.
func (s *server) stateOf(n record.Session, g grant.Grant, now time.Time) sessionsv1.SessionState {
	switch {
	case !n.EndedAt.IsZero():
		return sessionsv1.SessionState_SESSION_STATE_REVOKED
	case n.IsRevoked() && (n.IsExpired(now) || !n.IsActivated() && s.needsCoSigner(n, g)):
		return sessionsv1.SessionState_SESSION_STATE_REVOKED
	case n.IsRevoked():
		return sessionsv1.SessionState_SESSION_STATE_REVOKING
	case n.IsExpired(now):
		return sessionsv1.SessionState_SESSION_STATE_EXPIRED
	case n.IsActivated():
		return sessionsv1.SessionState_SESSION_STATE_ACTIVE
	}
	return sessionsv1.SessionState_SESSION_STATE_PENDING
}
