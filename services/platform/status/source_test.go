package status_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/status"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestAServerThatHangsIsSaidOfThePartsThatWaitForItAlone(t *testing.T) {
	hangs := func(ctx context.Context) error {
		<-ctx.Done()
		return errors.New("a server hangs")
	}
	// A call to a server that answers fails only if no time is left for it.
	answers := func(ctx context.Context) error { return ctx.Err() }
	probed := make(chan error, 1)
	mesh := &run.Mesh{}
	registers := func(grpc.ServiceRegistrar) {}
	mesh.Host(
		run.Service{Name: "hanging", Register: registers, Ready: hangs},
		run.Service{Name: "sound", Register: registers, Ready: answers},
		run.Service{Name: "probing", Register: registers, Chains: func(ctx context.Context, _ bool) []*statusv1.Chain {
			probed <- ctx.Err()
			return []*statusv1.Chain{{ChainId: "eip155:1"}}
		}},
	)
	source := &status.Source{
		Started: time.Now(), Mesh: mesh, Bus: bustest.Embedded(t), DB: storetest.Open(t, storetest.SQLite(t)),
		Gateway: run.Checks(hangs, mesh.Ready),
	}

	res, err := source.GetStatus(t.Context(), &statusv1.GetStatusRequest{Probe: true})
	if err != nil {
		t.Fatal(err)
	}
	p := res.GetProcess()
	if p.GetBus().GetError() != "" || p.GetDatabase().GetError() != "" {
		t.Errorf("the bus: %q, the database: %q", p.GetBus().GetError(), p.GetDatabase().GetError())
	}
	want := []*statusv1.Service{
		{Name: "gateway", Error: "a server hangs; hanging: a server hangs"}, {Name: "hanging", Error: "a server hangs"}, {Name: "sound", Ready: true}, {Name: "probing", Ready: true},
	}
	for i, got := range p.GetServices() {
		if i >= len(want) || got.GetName() != want[i].GetName() || got.GetReady() != want[i].GetReady() || got.GetError() != want[i].GetError() {
			t.Errorf("%v", got)
		}
	}
	if err := <-probed; err != nil || len(p.GetServices()) != len(want) || len(p.GetChains()) != 1 {
		t.Errorf("%v of the probe, services %v, chains %v", err, p.GetServices(), p.GetChains())
	}
}
