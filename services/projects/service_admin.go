package projects

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// pageSize is how many projects a page of the list has.
const pageSize = 200

// adminServer implements ProjectAdminService.
type adminServer struct {
	projectsv1.UnimplementedProjectAdminServiceServer

	registry *Registry
}

// ListProjects returns a page of the projects.
func (s *adminServer) ListProjects(ctx context.Context, r *projectsv1.ListProjectsRequest) (*projectsv1.ListProjectsResponse, error) {
	after, err := readCursor(r.GetCursor())
	if err != nil {
		return nil, err
	}
	found, err := s.registry.ListAfter(ctx, after, pageSize+1)
	if err != nil {
		return nil, err
	}
	res := &projectsv1.ListProjectsResponse{}
	if len(found) > pageSize {
		found = found[:pageSize]
		last := found[pageSize-1]
		res.Next = fmt.Sprintf("%d-%s", last.CreatedAt.UnixMilli(), last.ID)
	}
	for _, p := range found {
		res.Projects = append(res.Projects, toProto(p))
	}
	return res, nil
}

// readCursor reads the cursor of a page; an empty one is that of the first.
func readCursor(cursor string) (Place, error) {
	if cursor == "" {
		return Place{}, nil
	}
	created, id, _ := strings.Cut(cursor, "-")
	milli, err := strconv.ParseInt(created, 10, 64)
	if err == nil {
		_, err = ParseID(id)
	}
	if err != nil {
		return Place{}, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_CURSOR_INVALID, "cursor", "The cursor is not one of this list")
	}
	return Place{CreatedAt: time.UnixMilli(milli), ID: ID(id)}, nil
}

// CreateProject creates a project.
func (s *adminServer) CreateProject(ctx context.Context, r *projectsv1.CreateProjectRequest) (*projectsv1.CreateProjectResponse, error) {
	created, err := s.registry.Create(ctx, Draft{
		Name: r.GetName(), AllowedOrigins: r.GetOrigins().GetPatterns(), RequestsPerSecond: r.GetRate().GetRequestsPerSecond(), Burst: r.GetRate().GetBurst(),
	})
	if err != nil {
		return nil, toFault(err)
	}
	return &projectsv1.CreateProjectResponse{Project: toProto(created)}, nil
}

// ChangeProject changes a project.
func (s *adminServer) ChangeProject(ctx context.Context, r *projectsv1.ChangeProjectRequest) (*projectsv1.ChangeProjectResponse, error) {
	var before Project
	changed, err := s.registry.Change(ctx, ID(r.GetId()), func(p *Project) error {
		before = *p
		if r.ChangedAt != nil && r.GetChangedAt() != p.ChangedAt.UnixMilli() {
			return ErrChanged
		}
		return apply(r, p)
	})
	if err != nil {
		return nil, toFault(err)
	}
	return &projectsv1.ChangeProjectResponse{Before: toProto(before), Project: toProto(changed)}, nil
}

// apply applies what a request has to a project.
func apply(r *projectsv1.ChangeProjectRequest, to *Project) error {
	if r.Name != nil {
		if err := to.Rename(r.GetName()); err != nil {
			return err
		}
	}
	if r.GetOrigins() != nil {
		if err := to.Allow(r.GetOrigins().GetPatterns()); err != nil {
			return err
		}
	}
	if r.Enabled != nil {
		to.Enabled = r.GetEnabled()
	}
	if r.GetRate() == nil {
		return nil
	}
	return to.Restrict(r.GetRate().GetRequestsPerSecond(), r.GetRate().GetBurst())
}

// DeleteProject deletes a project.
func (s *adminServer) DeleteProject(ctx context.Context, r *projectsv1.DeleteProjectRequest) (*projectsv1.DeleteProjectResponse, error) {
	deleted, err := s.registry.Delete(ctx, ID(r.GetId()))
	if err != nil {
		return nil, toFault(err)
	}
	return &projectsv1.DeleteProjectResponse{Before: toProto(deleted)}, nil
}
