package status

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const (
	// partTimeout bounds how long one part of a process may take to describe itself.
	partTimeout = 4 * time.Second
	// gateway is how the gateway, which is no service of the mesh, is listed.
	gateway = "gateway"
)

// Source describes one process, and the processes that it calls.
type Source struct {
	statusv1.UnimplementedStatusServiceServer
	// Target is what the process hosts, Address where its private listener is, and Started when it began.
	Target, Address, Version, Commit string
	Started                          time.Time
	Mesh                             *run.Mesh
	Bus                              *bus.Bus
	// DB is nil in a process that stores nothing.
	DB *store.DB
	// Gateway returns why the gateway is not ready; nil if the process does not host it.
	Gateway func(ctx context.Context) error
	// Relay is the name in the peers of the service that is reached over HTTP alone.
	Relay string
}

// Service returns the RPC for the other processes, to be hosted by the mesh.
func (s *Source) Service() run.Service {
	return run.Service{Name: "status", Register: func(r grpc.ServiceRegistrar) { statusv1.RegisterStatusServiceServer(r, s) }}
}

// GetStatus describes this process.
func (s *Source) GetStatus(ctx context.Context, r *statusv1.GetStatusRequest) (*statusv1.GetStatusResponse, error) {
	return &statusv1.GetStatusResponse{Process: s.own(ctx, r.GetProbe())}, nil
}

// own describes this process.
func (s *Source) own(ctx context.Context, probe bool) *statusv1.Process {
	ctx, cancel := context.WithTimeout(ctx, partTimeout)
	defer cancel()
	p := &statusv1.Process{
		Target: s.Target, Address: s.Address, Version: s.Version, Commit: s.Commit, UptimeSeconds: int64(time.Since(s.Started) / time.Second),
		Bus: s.Bus.Status(ctx), Database: s.database(ctx),
	}
	p.Bus.Error = clean(p.GetBus().GetError())
	if s.Gateway != nil {
		p.Services = append(p.Services, service(gateway, s.Gateway(ctx)))
	}
	for _, hosted := range s.Mesh.Hosted() {
		if isTask(hosted.Name) {
			continue
		}
		var err error
		if hosted.Ready != nil {
			err = hosted.Ready(ctx)
		}
		p.Services = append(p.Services, service(hosted.Name, err))
		if hosted.Chains != nil {
			p.Chains = append(p.Chains, hosted.Chains(ctx, probe)...)
		}
		if hosted.Vendors != nil {
			p.Vendors = append(p.Vendors, hosted.Vendors()...)
		}
	}
	return p
}

// isTask reports whether what is hosted only works for others.
func isTask(name string) bool { return name == "status" || strings.HasPrefix(name, "limits of ") }

func service(name string, err error) *statusv1.Service {
	s := &statusv1.Service{Name: name, Ready: err == nil}
	if err != nil {
		s.Error = clean(err.Error())
	}
	return s
}

// clean makes one line of the text of an error, without what is secret.
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

// ServeHTTP answers `GET /status` with the suite as this process sees it, in JSON; `?probe=true` has nodes asked first. The status is 200 whatever is found.
func (s *Source) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := protojson.Marshal(s.Suite(r.Context(), r.URL.Query().Get("probe") == "true"))
	if err != nil || !json.Valid(raw) {
		http.Error(w, "the status cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(raw)
}
