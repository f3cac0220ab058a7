package gateway

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

// guard authorizes requests: the project must be enabled, the origin allowed, and the caller within its rate limit. It checks headers and query
// first, so that the body of a rejected request is never read.
type guard struct {
	projects *projectcache.Cache
	limiter  limit.Limiter
	limits   Limits
	// trustedHops is how many proxies in front are trusted.
	trustedHops int
	// localPages allows every project from localhost origins, for development.
	localPages bool
	// wallet is the host of the embedded wallet's pages; empty for none.
	wallet string
	// memory bounds the bytes that requests hold; nil is no limit.
	memory *limit.Memory
	// previews reports whether the requests are previews.
	previews bool
}

// forPreviews returns the guard of previews. The previews of the embedded wallet have a rate of their own, which the page that shows it cannot use up.
func (g *guard) forPreviews() *guard {
	own := *g
	own.previews = true
	return &own
}

// wrap authorizes requests that have the project id in the query string or a header.
func (g *guard) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.serve(w, r, h, projectIDOf(r))
	})
}

// wrapREST is wrap for requests that may also have the project id in a JSON body, as POST requests of AppKit do.
func (g *guard) wrapREST(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := projectIDOf(r)
		if r.Method != http.MethodPost {
			g.serve(w, r, h, id)
			return
		}
		var a admission
		var refused *fault.Error
		if id == "" {
			// The project id is in the body, so reading the body counts against the rate of the address.
			a, refused = g.admit(r)
		} else {
			a, refused = g.check(r, id)
		}
		if refused != nil {
			writeFault(w, r, refused)
			return
		}
		defer a.bytes.Close()
		b, f := readBody(w, r)
		if f != nil {
			writeFault(w, r, f)
			return
		}
		if id != "" {
			h.ServeHTTP(w, g.withCaller(r, id, a))
			return
		}
		if id, f = projectIDInBody(b.raw); f != nil {
			writeFault(w, r, f)
			return
		}
		g.serve(w, r, h, id)
	})
}

func (g *guard) serve(w http.ResponseWriter, r *http.Request, h http.Handler, id string) {
	a, refused := g.check(r, id)
	if refused != nil {
		writeFault(w, r, refused)
		return
	}
	defer a.bytes.Close()
	h.ServeHTTP(w, g.withCaller(r, id, a))
}

// wrapRPC is wrap for an RPC: errors are written in the protocol of the request.
func (g *guard) wrapRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := projectIDOf(r)
		a, refused := g.check(r, id)
		if refused != nil {
			_ = protocols.Write(w, r, connectError(refused))
			return
		}
		defer a.bytes.Close()
		h.ServeHTTP(w, g.withCaller(r, id, a))
	})
}

// wrapOptional is wrap for paths that clients of AppKit's API also call without a project id: such requests count against the rate of their address.
func (g *guard) wrapOptional(h http.Handler) http.Handler {
	guarded, open := g.wrap(withBody(h)), g.wrapOpen(withBody(h))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if projectIDOf(r) != "" {
			guarded.ServeHTTP(w, r)
			return
		}
		open.ServeHTTP(w, r)
	})
}

// withBody reads the whole body before h runs, for handlers that report what is wrong with it.
func withBody(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, f := readBody(w, r); f != nil {
			writeFault(w, r, f)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// wrapOpen limits requests by the rate of their address, whether or not they have a project id.
func (g *guard) wrapOpen(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, refused := g.admit(r)
		if refused != nil {
			writeFault(w, r, refused)
			return
		}
		defer a.bytes.Close()
		h.ServeHTTP(w, g.withCaller(r, "", a))
	})
}

// wrapOpenRPC is wrapOpen for an RPC.
func (g *guard) wrapOpenRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, refused := g.admit(r)
		if refused != nil {
			_ = protocols.Write(w, r, connectError(refused))
			return
		}
		defer a.bytes.Close()
		h.ServeHTTP(w, g.withCaller(r, "", a))
	})
}

// orderTokens returns the order tokens that a caller sends, or an empty string when the header is longer than is accepted.
func orderTokens(r *http.Request) string {
	if tokens := r.Header.Get(ordersHeader); len(tokens) <= maxOrderTokens {
		return tokens
	}
	return ""
}

// withCaller stores project, origin, address and order tokens in the request context, from where they are sent to the services, and what pays for it.
func (g *guard) withCaller(r *http.Request, project string, a admission) *http.Request {
	return r.WithContext(caller.NewOutgoingContext(a.in(r.Context()), caller.Caller{
		Project: project, Origin: r.Header.Get("Origin"), Address: g.address(r), OrderTokens: orderTokens(r),
	}))
}

// check authorizes a request, or returns the error to answer with. The bytes of the admission must be closed.
func (g *guard) check(r *http.Request, id string) (admission, *fault.Error) {
	if id == "" {
		return admission{}, missingParameter("projectId")
	}
	if !g.projects.Has(id) {
		// An unknown id costs a lookup: bound lookups per address.
		if refused := g.admission(r, "", g.limits.lookups()).take(r.Context(), 1); refused != nil {
			return admission{}, refused
		}
	}
	p, err := g.projects.Find(r.Context(), id)
	if err != nil {
		return admission{}, fault.From(err)
	}
	if p == nil || !p.GetEnabled() {
		return admission{}, fault.New(codes.Unauthenticated, faultv1.Reason_REASON_PROJECT_UNKNOWN, "authentication", "We failed to authenticate your request")
	}
	if from := r.Header.Get("Origin"); from != "" && !origin.IsExtension(from) && !origin.Allowed(p.GetAllowedOrigins(), from, g.localPages) {
		return admission{}, fault.New(codes.PermissionDenied, faultv1.Reason_REASON_ORIGIN_REFUSED, "origin", "Origin %s is not on this project's list", clip(from))
	}
	rate := g.rate(p)
	if g.previews && g.wallet != "" && r.Host == g.wallet {
		rate.Name = "previews of the wallet"
	}
	return g.open(r, g.admission(r, id, rate))
}

// open takes one request from the rate of an admission, and then the bytes of the body as they are read.
func (g *guard) open(r *http.Request, a admission) (admission, *fault.Error) {
	if refused := a.take(r.Context(), 1); refused != nil {
		return admission{}, refused
	}
	a.holdBody(r)
	return a, nil
}

// admission returns what pays for a request of a project.
func (g *guard) admission(r *http.Request, project string, rate limit.Rate) admission {
	who := g.caller(r, project)
	return admission{caller: who, rate: rate, limiter: g.limiter, bytes: g.memory.Hold(who)}
}

// rate returns the rate limit of a project's callers: the project's own, or the operator's default.
func (g *guard) rate(p *projectsv1.Project) limit.Rate {
	if p.GetRequestsPerSecond() > 0 {
		return limit.Rate{Name: "requests", PerSecond: p.GetRequestsPerSecond(), Burst: float64(p.GetBurst())}
	}
	return limit.Rate{Name: "requests", PerSecond: g.limits.RequestsPerSecond, Burst: float64(g.limits.Burst)}
}

// admit counts a request without a project against the rate of its address.
func (g *guard) admit(r *http.Request) (admission, *fault.Error) {
	return g.open(r, g.admission(r, "", g.limits.open()))
}

// caller returns the key of the rate limiter for a request.
func (g *guard) caller(r *http.Request, project string) limit.Caller {
	return limit.CallerOf(project, g.address(r))
}

// address returns the IP address that a request comes from, or an empty string when it is unknown.
func (g *guard) address(r *http.Request) string {
	addr := limit.AddressBehind(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), g.trustedHops)
	if !addr.IsValid() {
		return ""
	}
	return addr.String()
}

// projectIDOf returns the project id from the query string or the header, or an empty string.
func projectIDOf(r *http.Request) string {
	if id := r.URL.Query().Get("projectId"); id != "" {
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
