package frame_test

import (
	"net/http"
	"slices"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/proto"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
)

func TestThePageThatShowsTheWalletCannotUseUpItsPreviews(t *testing.T) {
	p := accesstest.Enabled()
	p.AllowedOrigins = []string{"https://shop.example.org"}
	p.RequestsPerSecond, p.Burst = 0.001, 2
	services := accesstest.Conn{
		projectsv1.ProjectsService_GetProject_FullMethodName: (&accesstest.Book{Project: p}).Get,
		previewv1.PreviewService_Simulate_FullMethodName: func(proto.Message) (proto.Message, error) {
			return &previewv1.SimulateResponse{Outcome: previewv1.Outcome_OUTCOME_MESSAGE}, nil
		},
	}
	cfg, deps := gateway.DefaultConfig(), gatewaytest.Deps(t)
	cfg.Frame.Origin = gatewaytest.WalletOrigin
	deps.FramePages = fstest.MapFS{"index.html": {Data: []byte("<!doctype html><title>Wallet</title><!--config-->")}, "manifest.json": {Data: []byte("{}")}}
	g, err := gateway.New(gateway.Conns{Services: accesstest.Services(services, "chains", "preview", "projects")}, cfg, deps)
	if err != nil {
		t.Fatal(err)
	}
	const path = "/hawser.preview.v1.PreviewService/Simulate?projectId=" + accesstest.Known
	page := func() int {
		return accesstest.Ask(g, http.MethodPost, "https://gateway.example.org"+path, "{}", "Content-Type", "application/json", "Origin", "https://shop.example.org").Code
	}
	wallet := func() int {
		return accesstest.Ask(g.Frame, http.MethodPost, gatewaytest.WalletOrigin+path, "{}", "Content-Type", "application/json", "Origin", gatewaytest.WalletOrigin, "Hawser-Page-Origin", "https://shop.example.org").Code
	}
	if got := []int{page(), page()}; !slices.Equal(got, []int{200, 429}) {
		t.Errorf("the previews of a page: %v: one costs more than a request", got)
	}
	if got := []int{wallet(), wallet()}; !slices.Equal(got, []int{200, 429}) {
		t.Errorf("the previews of the wallet: %v", got)
	}
}
