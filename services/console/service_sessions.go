package console

import (
	"context"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
)

// smartSessionServer implements SmartSessionService.
type smartSessionServer struct {
	adminv1.UnimplementedSmartSessionServiceServer
	*server
}

// FindSmartSessions returns a page of sessions.
func (s smartSessionServer) FindSmartSessions(ctx context.Context, r *adminv1.FindSmartSessionsRequest) (*adminv1.FindSmartSessionsResponse, error) {
	find := &sessionsv1.FindSessionsRequest{Cursor: r.GetCursor()}
	switch by := r.GetBy().(type) {
	case *adminv1.FindSmartSessionsRequest_Address:
		find.By = &sessionsv1.FindSessionsRequest_Address{Address: by.Address}
	case *adminv1.FindSmartSessionsRequest_ProjectId:
		find.By = &sessionsv1.FindSessionsRequest_ProjectId{ProjectId: by.ProjectId}
	}
	found, err := s.deps.Sessions.FindSessions(ctx, find)
	if err != nil {
		return nil, err
	}
	return &adminv1.FindSmartSessionsResponse{Sessions: found.GetSessions(), Next: found.GetNext()}, nil
}
