package console

import (
	"cmp"
	"context"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	analyticsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
)

// defaultDays is how many days are counted where the request does not say.
const defaultDays = 30

// countServer implements CountService.
type countServer struct {
	adminv1.UnimplementedCountServiceServer
	*server
}

// ListCounts returns the counts of a project.
func (s countServer) ListCounts(ctx context.Context, r *adminv1.ListCountsRequest) (*adminv1.ListCountsResponse, error) {
	found, err := s.deps.Counts.ListCounts(ctx, &analyticsv1.ListCountsRequest{ProjectId: r.GetProjectId(), Days: cmp.Or(r.GetDays(), defaultDays)})
	if err != nil {
		return nil, err
	}
	res := &adminv1.ListCountsResponse{}
	for _, c := range found.GetCounts() {
		res.Counts = append(res.Counts, &adminv1.EventCount{Day: c.GetDay(), Event: c.GetEvent(), Detail: c.GetDetail(), Count: c.GetCount()})
	}
	return res, nil
}
