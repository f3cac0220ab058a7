package onramp

import (
	"context"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
)

// listing is a projects service that returns a project with this list of origins.
type listing struct {
	projectsv1.ProjectsServiceClient
	origins []string
}

func (l listing) GetProject(context.Context, *projectsv1.GetProjectRequest, ...grpc.CallOption) (*projectsv1.GetProjectResponse, error) {
	return &projectsv1.GetProjectResponse{Project: &projectsv1.Project{AllowedOrigins: l.origins}}, nil
}

func TestRedirectsGoToTheCallingPageOrAListedOrigin(t *testing.T) {
	for _, tt := range []struct {
		behaviour, origin string
		listed            []string
		to                string
		allowed           bool
	}{
		{"nowhere", "", nil, "", true},
		{"the calling page's site", "https://shop.example", nil, "https://shop.example/thanks?a=b#c", true},
		{"another site", "https://shop.example", nil, "https://evil.example/", false},
		{"another port", "https://shop.example", nil, "https://shop.example:8443/", false},
		{"another scheme", "https://shop.example", nil, "http://shop.example/", false},
		{"a script", "https://shop.example", nil, "javascript:alert(1)", false},
		{"a path", "https://shop.example", nil, "//evil.example", false},
		{"a site that hides in user info", "https://shop.example", nil, "https://shop.example@evil.example/", false},
		{"a site on the project's list", "", []string{"https://*.shop.example"}, "https://pay.shop.example/", true},
		{"a site that is not on it", "", []string{"https://*.shop.example"}, "https://evil.example/", false},
		{"anywhere, with no list and no page", "", nil, "https://evil.example/", false},
	} {
		md := caller.OutgoingMetadata(caller.NewOutgoingContext(t.Context(), caller.Caller{Project: "p", Origin: tt.origin}))
		ctx := metadata.NewIncomingContext(t.Context(), md)
		s := &server{projects: listing{origins: tt.listed}}
		if err := s.checkReturn(ctx, tt.to); (err == nil) != tt.allowed {
			t.Errorf("%s: %v", tt.behaviour, err)
		}
	}
}
