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
)

// guard lets a request through that belongs to an enabled project, comes from a page the project lists, and keeps to its caller's budget.
// It reads headers and query first, so that the body of a refused request is never read.
type guard struct {
	projects          *projectBook
	limiter           limit.Limiter
	limits            Limits
	trustForwardedFor bool
	// localPages lets pages of the visitor's own machine call every project, as development needs.
	localPages bool
}

// pass is what a request was let through with.
type pass struct {
	caller limit.Caller
	rate   limit.Rate
}

// wrap guards what names its project in the query string, or in a header.
func (g *guard) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.serve(w, r, h, namedOutside(r))
	})
}

// wrapDoor guards JSON-RPC, whose calls count one by one.
func (g *guard) wrapDoor(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := namedOutside(r)
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
		g.limiter.Owe(r.Context(), p.caller, p.rate, cost(b.raw)-1)
		h.ServeHTTP(w, g.telling(r, id))
	})
}

// wrapREST guards what may also name its project in a JSON body, as the incumbent's clients do where they post.
func (g *guard) wrapREST(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := namedOutside(r)
		if r.Method != http.MethodPost {
			g.serve(w, r, h, id)
			return
		}
		if id == "" {
			// Whose call it is shows in the body only, so that reading it counts for the address alone.
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
			h.ServeHTTP(w, g.telling(r, id))
			return
		}
		if id, f = namedInside(b.raw); f != nil {
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
	h.ServeHTTP(w, g.telling(r, id))
}

// wrapRPC guards a procedure, and refuses in the protocol the caller speaks.
func (g *guard) wrapRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := namedOutside(r)
		if _, refused := g.check(r, id, 1); refused != nil {
			_ = protocols.Write(w, r, connectError(refused))
			return
		}
		h.ServeHTTP(w, g.telling(r, id))
	})
}

// wrapNamed guards what clients of the incumbent ask without naming a project. Who names one is held to its rules, everyone else to the
// rate of an address.
func (g *guard) wrapNamed(h http.Handler) http.Handler {
	guarded, open := g.wrap(bodied(h)), g.wrapOpen(bodied(h))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if namedOutside(r) != "" {
			guarded.ServeHTTP(w, r)
			return
		}
		open.ServeHTTP(w, r)
	})
}

// bodied has the whole body of a request read, once it was let in, for handlers that say what is wrong with it.
func bodied(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, f := readBody(w, r); f != nil {
			writeFault(w, r, f)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// wrapOpen guards what everyone may ask: it counts against the rate of an address, whatever project is named.
func (g *guard) wrapOpen(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refused := g.admit(r); refused != nil {
			writeFault(w, r, refused)
			return
		}
		h.ServeHTTP(w, g.telling(r, ""))
	})
}

// wrapOpenRPC is wrapOpen for a procedure.
func (g *guard) wrapOpenRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refused := g.admit(r); refused != nil {
			_ = protocols.Write(w, r, connectError(refused))
			return
		}
		h.ServeHTTP(w, g.telling(r, ""))
	})
}

// orderTokens returns the order tokens that a caller sends, or an empty string when the header is longer than is accepted.
func orderTokens(r *http.Request) string {
	if tokens := r.Header.Get(ordersHeader); len(tokens) <= maxOrderTokens {
		return tokens
	}
	return ""
}

// telling is r with whose call it is, for the services behind.
func (g *guard) telling(r *http.Request, project string) *http.Request {
	return r.WithContext(caller.Tell(r.Context(), caller.Caller{
		Project: project, Origin: r.Header.Get("Origin"), Address: g.address(r), OrderTokens: orderTokens(r),
	}))
}

// check lets a request of n calls through, or says why not.
func (g *guard) check(r *http.Request, id string, n int) (pass, *fault.Error) {
	if id == "" {
		return pass{}, missingParameter("projectId")
	}
	if !g.projects.has(id) {
		// Looking up ids that no project has is work, which an address gets a bounded amount of.
		if refused := g.take(r, pass{caller: g.caller(r, ""), rate: g.limits.lookups()}, 1); refused != nil {
			return pass{}, refused
		}
	}
	p, err := g.projects.find(r.Context(), id)
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
	return through, g.take(r, through, n)
}

// rate is how often a caller of a project may call: as the project says, or as the operator says for all.
func (g *guard) rate(p *projectsv1.Project) limit.Rate {
	if p.GetRequestsPerSecond() > 0 {
		return limit.Rate{Name: "requests", PerSecond: p.GetRequestsPerSecond(), Burst: float64(p.GetBurst())}
	}
	return limit.Rate{Name: "requests", PerSecond: g.limits.RequestsPerSecond, Burst: float64(g.limits.Burst)}
}

// admit counts a request that belongs to no project.
func (g *guard) admit(r *http.Request) *fault.Error {
	return g.take(r, pass{caller: g.caller(r, ""), rate: g.limits.open()}, 1)
}

// take counts n calls against a caller's rate.
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

// caller is whose budget a request uses.
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

func namedOutside(r *http.Request) string {
	if id := r.URL.Query().Get("projectId"); id != "" {
		return id
	}
	return r.Header.Get(projectHeader)
}

// namedInside reads the project id of a JSON body.
func namedInside(raw []byte) (string, *fault.Error) {
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
