// Package access admits or refuses requests before the gateway answers them: by their project, origin and address, by the rate and the memory of their
// caller, and by the deadlines of their bodies. Other packages of the gateway build on it, and it writes the refusals of all of them.
package access

import (
	"encoding/json"
	"net/http"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/origin"
	"github.com/hawser-dev/hawser/services/platform/projectcache"
)

const (
	// projectHeader carries the project id where there is no query string to put it in: Connect, gRPC-Web and gRPC.
	projectHeader = "Hawser-Project-Id"
	// ordersHeader carries the tokens of the caller's purchases, separated by commas: what is in a URL is in logs.
	ordersHeader = "Hawser-Order-Tokens"
	// maxOrderTokens bounds them, in bytes.
	maxOrderTokens = 2 << 10
)

// Guard authorizes requests: the project must be enabled, the origin allowed, and the caller within its rate limit. It checks headers and query
// first, so that the body of a rejected request is never read.
type Guard struct {
	Projects *projectcache.Cache
	// Limiter counts the calls of callers, within Limits.
	Limiter limit.Limiter
	Limits  Limits
	// TrustedHops is how many proxies in front are trusted.
	TrustedHops int
	// LocalPages allows every project from localhost origins, for development.
	LocalPages bool
	// OwnOrigin is the origin of the gateway's own pages, which every project allows; empty if it is not configured.
	OwnOrigin string
	// Memory bounds the bytes that requests hold; nil is no limit.
	Memory *limit.Memory
	// rateName is the name of a rate of their own for the requests; empty for the one that all requests have.
	rateName string
}

// WithRate returns a guard whose requests have a rate of their own, which other requests of the same caller cannot use up.
func (g *Guard) WithRate(name string) *Guard {
	own := *g
	own.rateName = name
	return &own
}

// Wrap authorizes requests that have the project id in the query string or a header.
func (g *Guard) Wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.serve(w, r, h, ProjectIDOf(r))
	})
}

// WrapREST is Wrap for requests that may also have the project id in a JSON body, as POST requests of AppKit do.
func (g *Guard) WrapREST(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := ProjectIDOf(r)
		if r.Method != http.MethodPost {
			g.serve(w, r, h, id)
			return
		}
		var a Admission
		var refused *fault.Error
		if id == "" {
			// The project id is in the body, so reading the body counts against the rate of the address.
			a, refused = g.Admit(r)
		} else {
			a, refused = g.Check(r, id)
		}
		if refused != nil {
			WriteFault(w, r, refused)
			return
		}
		defer a.Close()
		b, f := ReadJSON(w, r)
		if f != nil {
			WriteFault(w, r, f)
			return
		}
		if id != "" {
			h.ServeHTTP(w, g.WithCaller(r, id, a))
			return
		}
		if id, f = projectIDInBody(b.Raw); f != nil {
			WriteFault(w, r, f)
			return
		}
		g.serve(w, r, h, id)
	})
}

func (g *Guard) serve(w http.ResponseWriter, r *http.Request, h http.Handler, id string) {
	a, refused := g.Check(r, id)
	if refused != nil {
		WriteFault(w, r, refused)
		return
	}
	defer a.Close()
	h.ServeHTTP(w, g.WithCaller(r, id, a))
}

// WrapRPC is Wrap for an RPC: errors are written in the protocol of the request.
func (g *Guard) WrapRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := ProjectIDOf(r)
		a, refused := g.Check(r, id)
		if refused != nil {
			WriteRPCFault(w, r, refused)
			return
		}
		defer a.Close()
		h.ServeHTTP(w, g.WithCaller(r, id, a))
	})
}

// WrapOptional is Wrap for paths that clients of AppKit's API also call without a project id: such requests count against the rate of their address.
func (g *Guard) WrapOptional(h http.Handler) http.Handler {
	guarded, open := g.Wrap(WithBody(h)), g.WrapOpen(WithBody(h))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ProjectIDOf(r) != "" {
			guarded.ServeHTTP(w, r)
			return
		}
		open.ServeHTTP(w, r)
	})
}

// WrapOpen limits requests by the rate of their address, whether or not they have a project id.
func (g *Guard) WrapOpen(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, refused := g.Admit(r)
		if refused != nil {
			WriteFault(w, r, refused)
			return
		}
		defer a.Close()
		h.ServeHTTP(w, g.WithCaller(r, "", a))
	})
}

// WrapOpenRPC is WrapOpen for an RPC.
func (g *Guard) WrapOpenRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, refused := g.Admit(r)
		if refused != nil {
			WriteRPCFault(w, r, refused)
			return
		}
		defer a.Close()
		h.ServeHTTP(w, g.WithCaller(r, "", a))
	})
}

// orderTokens returns the order tokens that a caller sends, or an empty string when the header is longer than is accepted.
func orderTokens(r *http.Request) string {
	if tokens := r.Header.Get(ordersHeader); len(tokens) <= maxOrderTokens {
		return tokens
	}
	return ""
}

// WithCaller stores project, origin, address and order tokens in the request context, from where they are sent to the services, and what pays for it.
func (g *Guard) WithCaller(r *http.Request, project string, a Admission) *http.Request {
	return r.WithContext(caller.NewOutgoingContext(a.In(r.Context()), caller.Caller{
		Project: project, Origin: r.Header.Get("Origin"), Address: g.Address(r), OrderTokens: orderTokens(r),
	}))
}

// Check authorizes a request, or returns the error to answer with. The bytes of the admission must be closed.
func (g *Guard) Check(r *http.Request, id string) (Admission, *fault.Error) {
	if id == "" {
		return Admission{}, MissingParameter("projectId")
	}
	if !g.Projects.Has(id) {
		// An unknown id costs a lookup: bound lookups per address.
		if refused := g.admission(r, "", g.Limits.lookups()).take(r.Context(), 1); refused != nil {
			return Admission{}, refused
		}
	}
	p, err := g.Projects.Find(r.Context(), id)
	if err != nil {
		return Admission{}, fault.From(err)
	}
	if p == nil || !p.GetEnabled() {
		return Admission{}, fault.New(codes.Unauthenticated, faultv1.Reason_REASON_PROJECT_UNKNOWN, "authentication", "We failed to authenticate your request")
	}
	if from := r.Header.Get("Origin"); from != "" && from != g.OwnOrigin && !origin.IsExtension(from) && !origin.Allowed(p.GetAllowedOrigins(), from, g.LocalPages) {
		return Admission{}, fault.New(codes.PermissionDenied, faultv1.Reason_REASON_ORIGIN_REFUSED, "origin", "Origin %s is not on this project's list", Clip(from))
	}
	rate := g.rate(p)
	if g.rateName != "" {
		rate.Name = g.rateName
	}
	return g.open(r, g.admission(r, id, rate))
}

// open takes one request from the rate of an admission, and then the bytes of the body as they are read.
func (g *Guard) open(r *http.Request, a Admission) (Admission, *fault.Error) {
	if refused := a.take(r.Context(), 1); refused != nil {
		return Admission{}, refused
	}
	if err := a.hold(r); err != nil {
		return Admission{}, BytesFault(err)
	}
	return a, nil
}

// admission returns what pays for a request of a project.
func (g *Guard) admission(r *http.Request, project string, rate limit.Rate) Admission {
	who := g.Caller(r, project)
	return Admission{caller: who, rate: rate, limiter: g.Limiter, bytes: g.Memory.Hold(who)}
}

// rate returns the rate limit of a project's callers: the project's own, or the operator's default.
func (g *Guard) rate(p *projectsv1.Project) limit.Rate {
	if p.GetRequestsPerSecond() > 0 {
		return limit.Rate{Name: "requests", PerSecond: p.GetRequestsPerSecond(), Burst: float64(p.GetBurst())}
	}
	return limit.Rate{Name: "requests", PerSecond: g.Limits.RequestsPerSecond, Burst: float64(g.Limits.Burst)}
}

// Admit counts a request without a project against the rate of its address.
func (g *Guard) Admit(r *http.Request) (Admission, *fault.Error) {
	return g.open(r, g.admission(r, "", g.Limits.open()))
}

// Caller returns the key of the rate limiter for a request.
func (g *Guard) Caller(r *http.Request, project string) limit.Caller {
	return limit.CallerOf(project, g.Address(r))
}

// Address returns the IP address that a request comes from, or an empty string when it is unknown.
func (g *Guard) Address(r *http.Request) string {
	addr := limit.AddressBehind(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), g.TrustedHops)
	if !addr.IsValid() {
		return ""
	}
	return addr.String()
}

// ProjectIDOf returns the project id from the query string or the header, or an empty string.
func ProjectIDOf(r *http.Request) string {
	if id, _ := Parameter(r, "projectId"); id != "" {
		return id
	}
	return r.Header.Get(projectHeader)
}

// projectIDInBody returns the projectId of a JSON body.
func projectIDInBody(raw []byte) (string, *fault.Error) {
	if !json.Valid(raw) {
		return "", fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_MALFORMED, "", "The request body is not JSON")
	}
	var named struct {
		ProjectID *string `json:"projectId"`
	}
	if err := json.Unmarshal(raw, &named); err != nil || named.ProjectID == nil {
		return "", fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_INVALID, "projectId",
			"Failed to deserialize the JSON body into the target type: missing field `projectId`")
	}
	return *named.ProjectID, nil
}

// WithAddress passes requests on with the address of the caller as that of the connection, and as the only one in X-Forwarded-For.
func (g *Guard) WithAddress(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := g.Address(r)
		r = r.Clone(r.Context())
		r.Header.Del("X-Forwarded-For")
		if address != "" {
			r.RemoteAddr = address
			r.Header.Set("X-Forwarded-For", address)
		}
		h.ServeHTTP(w, r)
	})
}
