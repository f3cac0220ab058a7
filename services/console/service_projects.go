package console

import (
	"context"

	"google.golang.org/protobuf/proto"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
)

// projectServer implements ProjectService.
type projectServer struct {
	adminv1.UnimplementedProjectServiceServer
	*server
}

// ListProjects returns a page of the projects.
func (s projectServer) ListProjects(ctx context.Context, r *adminv1.ListProjectsRequest) (*adminv1.ListProjectsResponse, error) {
	found, err := s.deps.ProjectAdmin.ListProjects(ctx, &projectsv1.ListProjectsRequest{Cursor: r.GetCursor()})
	if err != nil {
		return nil, err
	}
	res := &adminv1.ListProjectsResponse{Next: found.GetNext()}
	for _, p := range found.GetProjects() {
		res.Projects = append(res.Projects, projectProto(p))
	}
	return res, nil
}

// GetProject returns one project.
func (s projectServer) GetProject(ctx context.Context, r *adminv1.GetProjectRequest) (*adminv1.GetProjectResponse, error) {
	found, err := s.deps.Projects.GetProject(ctx, &projectsv1.GetProjectRequest{Id: r.GetId()})
	if err != nil {
		return nil, err
	}
	return &adminv1.GetProjectResponse{Project: projectProto(found.GetProject())}, nil
}

// CreateProject creates a project.
func (s projectServer) CreateProject(ctx context.Context, r *adminv1.CreateProjectRequest) (*adminv1.CreateProjectResponse, error) {
	created, err := s.deps.ProjectAdmin.CreateProject(ctx, &projectsv1.CreateProjectRequest{Name: r.GetName(), Origins: originsOf(r.GetOrigins()), Rate: rateOf(r.GetRate())})
	if err != nil {
		return nil, err
	}
	project := projectProto(created.GetProject())
	callOf(ctx).about("project " + project.GetId())
	callOf(ctx).changed(nil, project)
	return &adminv1.CreateProjectResponse{Project: project}, nil
}

// UpdateProject changes a project.
func (s projectServer) UpdateProject(ctx context.Context, r *adminv1.UpdateProjectRequest) (*adminv1.UpdateProjectResponse, error) {
	project, err := s.change(ctx, &projectsv1.ChangeProjectRequest{
		Id: r.GetId(), ChangedAt: proto.Int64(r.GetChangedAt()), Name: r.Name, Origins: originsOf(r.GetOrigins()), Rate: rateOf(r.GetRate()),
	})
	return &adminv1.UpdateProjectResponse{Project: project}, err
}

// EnableProject enables a project.
func (s projectServer) EnableProject(ctx context.Context, r *adminv1.EnableProjectRequest) (*adminv1.EnableProjectResponse, error) {
	project, err := s.change(ctx, &projectsv1.ChangeProjectRequest{Id: r.GetId(), Enabled: proto.Bool(true)})
	return &adminv1.EnableProjectResponse{Project: project}, err
}

// DisableProject disables a project.
func (s projectServer) DisableProject(ctx context.Context, r *adminv1.DisableProjectRequest) (*adminv1.DisableProjectResponse, error) {
	project, err := s.change(ctx, &projectsv1.ChangeProjectRequest{Id: r.GetId(), Enabled: proto.Bool(false)})
	return &adminv1.DisableProjectResponse{Project: project}, err
}

// change changes a project, and records how it was and is.
func (s projectServer) change(ctx context.Context, r *projectsv1.ChangeProjectRequest) (*adminv1.AdminProject, error) {
	changed, err := s.deps.ProjectAdmin.ChangeProject(ctx, r)
	if err != nil {
		return nil, err
	}
	after := projectProto(changed.GetProject())
	callOf(ctx).changed(projectProto(changed.GetBefore()), after)
	return after, nil
}

// DeleteProject deletes a project.
func (s projectServer) DeleteProject(ctx context.Context, r *adminv1.DeleteProjectRequest) (*adminv1.DeleteProjectResponse, error) {
	deleted, err := s.deps.ProjectAdmin.DeleteProject(ctx, &projectsv1.DeleteProjectRequest{Id: r.GetId()})
	if err != nil {
		return nil, err
	}
	callOf(ctx).changed(projectProto(deleted.GetBefore()), nil)
	return &adminv1.DeleteProjectResponse{}, nil
}

func projectProto(p *projectsv1.Project) *adminv1.AdminProject {
	return &adminv1.AdminProject{
		Id: p.GetId(), Name: p.GetName(), AllowedOrigins: p.GetAllowedOrigins(), RequestsPerSecond: p.GetRequestsPerSecond(), Burst: p.GetBurst(), Enabled: p.GetEnabled(),
		CreatedAt: p.GetCreatedAt(), ChangedAt: p.GetChangedAt(),
	}
}

func originsOf(o *adminv1.Origins) *projectsv1.Origins {
	if o == nil {
		return nil
	}
	return &projectsv1.Origins{Patterns: o.GetPatterns()}
}

func rateOf(r *adminv1.Rate) *projectsv1.Rate {
	if r == nil {
		return nil
	}
	return &projectsv1.Rate{RequestsPerSecond: r.GetRequestsPerSecond(), Burst: r.GetBurst()}
}
