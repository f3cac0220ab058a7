package sessions

import (
	"context"
	"math"
	"strconv"
	"strings"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/sessions/record"
)

// adminPage is how many sessions a page of the operator's console has.
const adminPage = 50

// adminServer implements SessionAdminService, for the operator's console.
type adminServer struct {
	sessionsv1.UnimplementedSessionAdminServiceServer
	*server
}

// FindSessions returns a page of sessions as the database has them. No node is asked.
func (s adminServer) FindSessions(ctx context.Context, r *sessionsv1.FindSessionsRequest) (*sessionsv1.FindSessionsResponse, error) {
	by := record.Filter{Project: r.GetProjectId()}
	if text := r.GetAddress(); text != "" {
		var err error
		if by.Account, err = evm.ParseAddress(text); err != nil {
			return nil, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "address", "Invalid parameter: `address` is no address")
		}
	}
	after, err := parseCursor(r.GetCursor())
	if err != nil {
		return nil, err
	}
	list, err := s.records.ListAll(ctx, by, after, adminPage+1)
	if err != nil {
		return nil, err
	}
	res := &sessionsv1.FindSessionsResponse{}
	if len(list) > adminPage {
		list = list[:adminPage]
		last := list[adminPage-1]
		res.Next = strconv.FormatInt(last.CreatedAt.Unix(), 10) + "." + last.PCI
	}
	for _, n := range list {
		described, err := s.recordProto(n)
		if err != nil {
			return nil, err
		}
		res.Sessions = append(res.Sessions, described)
	}
	return res, nil
}

// parseCursor parses the cursor of a page.
func parseCursor(cursor string) (record.Place, error) {
	if cursor == "" {
		return record.Place{CreatedAt: math.MaxInt64}, nil
	}
	seconds, pci, ok := strings.Cut(cursor, ".")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if !ok || err != nil {
		return record.Place{}, request.Invalid(faultv1.Reason_REASON_PARAMETER_INVALID, "cursor", "Invalid parameter: `cursor` is not one of a response")
	}
	return record.Place{CreatedAt: at, PCI: pci}, nil
}

func (s adminServer) recordProto(n record.Session) (*sessionsv1.SessionRecord, error) {
	g, err := n.Grant()
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	p := &sessionsv1.SessionRecord{
		Pci: n.PCI, ProjectId: n.Project, Origin: n.Origin, ChainId: n.ChainID, Account: n.Account.Hex(), State: s.stateOf(n, g, now), Allowances: allowances(g, now),
		CallsAllowed: uint32(g.Calls), CoSigned: s.needsCoSigner(n, g), CreatedAt: n.CreatedAt.UnixMilli(), ExpiresAt: int64(n.Terms.Expiry) * 1000,
	}
	if n.IsActivated() {
		p.CoSigned = s.sessions.IsCoSigned(n)
	}
	for _, item := range n.Terms.Permissions {
		p.Permissions = append(p.Permissions, item.Type)
	}
	if n.IsRevoked() {
		p.RevokedAt = n.RevokedAt.UnixMilli()
	}
	return p, nil
}
