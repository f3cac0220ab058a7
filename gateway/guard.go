package gateway

import (
	"encoding/json"
	"net/http"
	"time"

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
	projects          *projectcache.Cache
	limiter           limit.Limiter
	limits            Limits
	trustForwardedFor bool
	// localPages allows every project from localhost origins, for development.
	localPages bool
	// wallet is the host of the embedded wallet's pages; empty for none.
	wallet string
	// weight is how many requests one counts for; 0 is one.
	weight int
	// previews reports whether the requests are previews.
	previews bool
}

// weighing returns the guard of requests of which each counts for several.
func (g *guard) weighing(weight int) *guard {
	own := *g
	own.weight = weight
	return &own
}

// forPreviews returns the guard of previews. The previews of the embedded wallet have a rate of their own, which the page that shows it cannot use up.
func (g *guard) forPreviews() *guard {
	own := g.weighing(previewWeight)
	own.previews = true
	return own
}

// pass is the caller and rate under which a request was authorized.
type pass struct {
	caller limit.Caller
	rate   limit.Rate
}

// wrap authorizes requests that have the project id in the query string or a header.
func (g *guard) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.serve(w, r, h, projectIDOf(r))
	})
}

// wrapJSONRPC authorizes JSON-RPC requests; each call of a batch counts against the rate limit.
func (g *guard) wrapJSONRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := projectIDOf(r)
		p, refused := g.check(r, id, 1)
		if refused != nil {
			writeFault(w, r, refused)
			return
		}
		b, f := readBody(w, r)
		if f != nil {
			writeFault(w, r, f)
			return
		}
		g.limiter.Owe(r.Context(), p.caller, p.rate, requestWeight(b.raw)-1)
		h.ServeHTTP(w, g.withCaller(r, id))
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
		if id == "" {
			// The project id is in the body, so reading the body counts against the rate of the address.
			if refused := g.admit(r); refused != nil {
				writeFault(w, r, refused)
				return
			}
		} else if _, refused := g.check(r, id, 1); refused != nil {
			writeFault(w, r, refused)
			return
		}
		b, f := readBody(w, r)
		if f != nil {
			writeFault(w, r, f)
			return
		}
		if id != "" {
			h.ServeHTTP(w, g.withCaller(r, id))
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
	if _, refused := g.check(r, id, 1); refused != nil {
		writeFault(w, r, refused)
		return
	}
	h.ServeHTTP(w, g.withCaller(r, id))
}

// wrapRPC is wrap for an RPC: errors are written in the protocol of the request.
func (g *guard) wrapRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := projectIDOf(r)
		if _, refused := g.check(r, id, 1); refused != nil {
			_ = protocols.Write(w, r, connectError(refused))
			return
		}
		h.ServeHTTP(w, g.withCaller(r, id))
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
		if refused := g.admit(r); refused != nil {
			writeFault(w, r, refused)
			return
		}
		h.ServeHTTP(w, g.withCaller(r, ""))
	})
}

// wrapOpenRPC is wrapOpen for an RPC.
func (g *guard) wrapOpenRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refused := g.admit(r); refused != nil {
			_ = protocols.Write(w, r, connectError(refused))
			return
		}
		h.ServeHTTP(w, g.withCaller(r, ""))
	})
}

// orderTokens returns the order tokens that a caller sends, or an empty string when the header is longer than is accepted.
func orderTokens(r *http.Request) string {
	if tokens := r.Header.Get(ordersHeader); len(tokens) <= maxOrderTokens {
		return tokens
	}
	return ""
}

// withCaller stores project, origin, address and order tokens in the request context, from where they are sent to the services.
func (g *guard) withCaller(r *http.Request, project string) *http.Request {
	return r.WithContext(caller.NewOutgoingContext(r.Context(), caller.Caller{
		Project: project, Origin: r.Header.Get("Origin"), Address: g.address(r), OrderTokens: orderTokens(r),
	}))
}

// check authorizes a request of n calls, or returns the error to answer with.
func (g *guard) check(r *http.Request, id string, n int) (pass, *fault.Error) {
	if id == "" {
		return pass{}, missingParameter("projectId")
	}
	if !g.projects.Has(id) {
		// An unknown id costs a lookup: bound lookups per address.
		if refused := g.take(r, pass{caller: g.caller(r, ""), rate: g.limits.lookups()}, 1); refused != nil {
			return pass{}, refused
		}
	}
	p, err := g.projects.Find(r.Context(), id)
	if err != nil {
		return pass{}, fault.From(err)
	}
	if p == nil || !p.GetEnabled() {
		return pass{}, fault.New(codes.Unauthenticated, faultv1.Reason_REASON_PROJECT_UNKNOWN, "authentication", "We failed to authenticate your request")
	}
	if from := r.Header.Get("Origin"); from != "" && !origin.IsExtension(from) && !origin.Allowed(p.GetAllowedOrigins(), from, g.localPages) {
		return pass{}, fault.New(codes.PermissionDenied, faultv1.Reason_REASON_ORIGIN_REFUSED, "origin", "Origin %s is not on this project's list", clip(from))
	}
	through := pass{caller: g.caller(r, id), rate: g.rate(p)}
	if g.previews && g.wallet != "" && r.Host == g.wallet {
		through.rate.Name = "previews of the wallet"
	}
	return through, g.take(r, through, n*max(g.weight, 1))
}

// rate returns the rate limit of a project's callers: the project's own, or the operator's default.
func (g *guard) rate(p *projectsv1.Project) limit.Rate {
	if p.GetRequestsPerSecond() > 0 {
		return limit.Rate{Name: "requests", PerSecond: p.GetRequestsPerSecond(), Burst: float64(p.GetBurst())}
	}
	return limit.Rate{Name: "requests", PerSecond: g.limits.RequestsPerSecond, Burst: float64(g.limits.Burst)}
}

// admit counts a request without a project against the rate of its address.
func (g *guard) admit(r *http.Request) *fault.Error {
	return g.take(r, pass{caller: g.caller(r, ""), rate: g.limits.open()}, 1)
}

// take counts n calls against a caller's rate, and returns REASON_RATE_LIMITED with a retry delay when the limit is exceeded.
func (g *guard) take(r *http.Request, p pass, n int) *fault.Error {
	delay := g.limiter.Take(r.Context(), p.caller, p.rate, n)
	if delay <= 0 {
		return nil
	}
	f := fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "rate_limited",
		"Requests per second limit exceeded: Rate limit exceeded. Try again at %d", time.Now().Add(delay).Unix()+1)
	f.RetryAfter = delay
	return f
}

// caller returns the key of the rate limiter for a request.
func (g *guard) caller(r *http.Request, project string) limit.Caller {
	return limit.CallerOf(project, g.address(r))
}

// address returns the IP address that a request comes from, or an empty string when it is unknown.
func (g *guard) address(r *http.Request) string {
	addr := limit.Address(r.RemoteAddr, r.Header.Values("X-Forwarded-For"), g.trustForwardedFor)
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
