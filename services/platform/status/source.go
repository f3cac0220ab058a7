package status

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const (
	// partTimeout bounds how long the concurrent description of all parts of a process may take.
	partTimeout = 4 * time.Second
	// gateway is the name under which the gateway, which is not a service of the mesh, is listed.
	gateway = "gateway"
)

// Source describes one process, and the processes that it calls.
type Source struct {
	statusv1.UnimplementedStatusServiceServer
	// Target is what the process hosts, Address the address of its private listener, and Started when it started.
	Target, Address, Version, Commit string
	Started                          time.Time
	Mesh                             *run.Mesh
	Bus                              *bus.Bus
	// DB is nil in a process that stores nothing.
	DB *store.DB
	// Gateway returns why the gateway is not ready; nil if the process does not host it.
	Gateway func(ctx context.Context) error
	// Relay is the name in the peers of the service that is reached over HTTP only.
	Relay string
}

// Service returns a service with the RPC for other processes, to be hosted by the mesh.
func (s *Source) Service() run.Service {
	return run.Service{Name: "status", Register: func(r grpc.ServiceRegistrar) { statusv1.RegisterStatusServiceServer(r, s) }}
}

// GetStatus describes this process.
func (s *Source) GetStatus(ctx context.Context, r *statusv1.GetStatusRequest) (*statusv1.GetStatusResponse, error) {
	return &statusv1.GetStatusResponse{Process: s.own(ctx, r.GetProbe())}, nil
}

// own describes this process. Its parts are described concurrently, so that one that waits for a server does not delay
// the others.
func (s *Source) own(ctx context.Context, probe bool) *statusv1.Process {
	ctx, cancel := context.WithTimeout(ctx, partTimeout)
	defer cancel()
	hosted := s.hosted()
	p := &statusv1.Process{
		Target: s.Target, Address: s.Address, Version: s.Version, Commit: s.Commit, UptimeSeconds: int64(time.Since(s.Started) / time.Second),
		Services: make([]*statusv1.Service, len(hosted)),
	}
	chains := make([][]*statusv1.Chain, len(hosted))
	var describing routine.WaitGroup
	describing.Go(ctx, func() { p.Bus = s.bus(ctx) })
	describing.Go(ctx, func() { p.Database = s.database(ctx) })
	for i, h := range hosted {
		describing.Go(ctx, func() { p.Services[i] = service(ctx, h) }, func(err error) { p.Services[i] = notReady(h.Name, err) })
		if h.Chains != nil {
			describing.Go(ctx, func() { chains[i] = h.Chains(ctx, probe) })
		}
		if h.Vendors != nil {
			p.Vendors = append(p.Vendors, h.Vendors()...)
		}
	}
	describing.Wait()
	p.Chains = slices.Concat(chains...)
	return p
}

// hosted returns the services of the process, the gateway first, without those that only serve other processes.
func (s *Source) hosted() (services []run.Service) {
	if s.Gateway != nil {
		services = append(services, run.Service{Name: gateway, Ready: s.Gateway})
	}
	for _, h := range s.Mesh.Hosted() {
		if h.Name != "status" && !strings.HasPrefix(h.Name, "limits of ") {
			services = append(services, h)
		}
	}
	return services
}

func service(ctx context.Context, hosted run.Service) *statusv1.Service {
	if hosted.Ready == nil {
		return &statusv1.Service{Name: hosted.Name, Ready: true}
	}
	if err := hosted.Ready(ctx); err != nil {
		return notReady(hosted.Name, err)
	}
	return &statusv1.Service{Name: hosted.Name, Ready: true}
}

func notReady(name string, err error) *statusv1.Service {
	return &statusv1.Service{Name: name, Error: clean(err.Error())}
}

func (s *Source) bus(ctx context.Context) *statusv1.Bus {
	b := s.Bus.Status(ctx)
	b.Error = clean(b.GetError())
	return b
}

// clean returns the text of an error on one line, without secrets.
func clean(text string) string { return strings.ReplaceAll(observe.Redacted(text), "\n", "; ") }

func (s *Source) database(ctx context.Context) *statusv1.Database {
	if s.DB == nil {
		return nil
	}
	d := &statusv1.Database{Kind: string(s.DB.Dialect())}
	err := s.DB.Ready(ctx)
	var versions []store.Version
	if err == nil {
		versions, err = s.DB.Versions(ctx)
	}
	if err != nil {
		d.Error = clean(err.Error())
	}
	for _, v := range versions {
		d.Migrations = append(d.Migrations, &statusv1.Migrations{Part: v.Part, Applied: v.Applied, Newest: v.Newest})
	}
	return d
}

// ServeHTTP serves `GET /status`: the suite as this process sees it, in JSON. With `?probe=true` nodes are probed
// first. The status is 200 in any case.
func (s *Source) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := protojson.Marshal(s.Suite(r.Context(), r.URL.Query().Get("probe") == "true"))
	if err != nil {
		http.Error(w, "the status cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(raw)
}
