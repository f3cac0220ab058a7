package console

import (
	"cmp"
	"context"
	"strconv"

	"google.golang.org/grpc/codes"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// auditPage is how many entries a page has where the request does not say.
const auditPage = 50

// outcomes are the outcomes of the proto.
var outcomes = map[adminv1.AuditOutcome]audit.Outcome{
	adminv1.AuditOutcome_AUDIT_OUTCOME_STARTED: audit.Started,
	adminv1.AuditOutcome_AUDIT_OUTCOME_DONE:    audit.Done,
	adminv1.AuditOutcome_AUDIT_OUTCOME_REFUSED: audit.Refused,
	adminv1.AuditOutcome_AUDIT_OUTCOME_FAILED:  audit.Failed,
}

// auditServer implements AuditService.
type auditServer struct {
	adminv1.UnimplementedAuditServiceServer
	*server
}

// ListAudit returns a page of the audit log.
func (s auditServer) ListAudit(ctx context.Context, r *adminv1.ListAuditRequest) (*adminv1.ListAuditResponse, error) {
	f := audit.Filter{
		OperatorID: r.GetOperatorId(), Target: r.GetTarget(), Call: r.GetCall(), ChangesOnly: r.GetChangesOnly(),
		From: timeOf(r.GetFrom()), Until: timeOf(r.GetUntil()), Limit: cmp.Or(int(r.GetLimit()), auditPage),
	}
	for _, o := range r.GetOutcomes() {
		f.Outcomes = append(f.Outcomes, outcomes[o])
	}
	if r.GetCursor() != "" {
		before, err := strconv.ParseInt(r.GetCursor(), 10, 64)
		if err != nil || before < 1 {
			return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_CURSOR_INVALID, "cursor", "The cursor is not one of this list")
		}
		f.Before = before
	}
	size := f.Limit
	f.Limit++
	found, err := s.audit.List(ctx, f)
	if err != nil {
		return nil, err
	}
	res := &adminv1.ListAuditResponse{}
	if len(found) > size {
		found = found[:size]
		res.Next = strconv.FormatInt(found[size-1].ID, 10)
	}
	for _, e := range found {
		res.Entries = append(res.Entries, entryProto(e))
	}
	return res, nil
}

func entryProto(e audit.Entry) *adminv1.AuditEntry {
	out := &adminv1.AuditEntry{
		Id: e.ID, StartedBy: e.StartedBy, At: e.At.UnixMilli(), OperatorId: e.OperatorID, OperatorName: e.OperatorName, Role: roleProto(Role(e.Role)),
		Call: e.Call, Changes: e.Changes, Target: e.Target, Before: e.Before, After: e.After, Address: e.Address, Reason: e.Reason,
	}
	for value, outcome := range outcomes {
		if outcome == e.Outcome {
			out.Outcome = value
		}
	}
	return out
}
