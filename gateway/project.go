package gateway

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/origin"
)

const (
	// projectHeader carries the project id where there is no query string to put it in: Connect, gRPC-Web and gRPC.
	projectHeader = "Hawser-Project-Id"
	// projectsKept and projectLifetime bound the copy of projects; a change is told by event long before.
	projectsKept    = 10_000
	projectLifetime = 5 * time.Minute
	// projectPatience bounds how long a project is looked for.
	projectPatience = 5 * time.Second
	// callersKept bounds how many callers' rates are counted at once.
	callersKept = 100_000
	// callerLifetime is how long an idle caller is remembered; a full bucket says no more than a new one.
	callerLifetime = 10 * time.Minute
)

var projectIDForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// projectBook is the gateway's copy of projects. A nil project stands for an id that nobody has.
type projectBook struct {
	client projectsv1.ProjectsServiceClient
	known  *otter.Cache[string, *projectsv1.Project]
}

func newProjectBook(client projectsv1.ProjectsServiceClient) *projectBook {
	return &projectBook{client: client, known: otter.Must(&otter.Options[string, *projectsv1.Project]{
		MaximumSize:      projectsKept,
		ExpiryCalculator: otter.ExpiryWriting[string, *projectsv1.Project](projectLifetime),
	})}
}

// find returns the project, or nil when there is none. One caller asks, the others of the same moment wait for it.
func (b *projectBook) find(ctx context.Context, id string) (*projectsv1.Project, error) {
	if !projectIDForm.MatchString(id) {
		return nil, nil
	}
	return b.known.Get(ctx, id, otter.LoaderFunc[string, *projectsv1.Project](func(ctx context.Context, id string) (*projectsv1.Project, error) {
		// Others wait for this answer too: the one who asked first may leave.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), projectPatience)
		defer cancel()
		res, err := b.client.GetProject(ctx, &projectsv1.GetProjectRequest{Id: id})
		if err == nil {
			return res.GetProject(), nil
		}
		f := fault.From(err)
		if f.Reason == faultv1.Reason_REASON_PROJECT_UNKNOWN {
			return nil, nil
		}
		return nil, f
	}))
}

func (b *projectBook) forget(id string) { b.known.Invalidate(id) }

// callerLimits counts each caller's rate against its project's limit, in this process: N replicas let N times as much through.
type callerLimits struct {
	buckets *otter.Cache[string, *rate.Limiter]
}

func newCallerLimits() *callerLimits {
	return &callerLimits{buckets: otter.Must(&otter.Options[string, *rate.Limiter]{
		MaximumSize:      callersKept,
		ExpiryCalculator: otter.ExpiryAccessing[string, *rate.Limiter](callerLifetime),
	})}
}

// wait takes one token and returns how long to wait for it; 0 means go. What a request costs beyond that is taken too, as a debt that
// the caller's next requests wait for.
func (c *callerLimits) wait(p *projectsv1.Project, caller string, now time.Time, cost func() int) time.Duration {
	if p.GetRequestsPerSecond() <= 0 {
		return 0
	}
	limit, burst := rate.Limit(p.GetRequestsPerSecond()), max(1, int(p.GetBurst()))
	key := p.GetId() + " " + caller
	bucket, ok := c.buckets.GetIfPresent(key)
	if !ok || bucket.Limit() != limit || bucket.Burst() != burst {
		bucket = rate.NewLimiter(limit, burst)
		c.buckets.Set(key, bucket)
	}
	reservation := bucket.ReserveN(now, 1)
	delay := reservation.DelayFrom(now)
	if delay > 0 {
		reservation.CancelAt(now)
		return delay
	}
	for debt := cost() - 1; debt > 0; debt -= burst {
		bucket.ReserveN(now, min(debt, burst))
	}
	return 0
}

// guard lets a request through that belongs to an enabled project, comes from a page the project lists, and keeps to its rate.
type guard struct {
	projects          *projectBook
	callers           *callerLimits
	trustForwardedFor bool
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
		b, f := readBody(w, r)
		if f != nil {
			writeFault(w, r, f)
			return
		}
		f, retryAfter := g.check(r, namedOutside(r), func() int { return cost(b.raw) })
		if f != nil {
			setRetryAfter(w, retryAfter)
			writeFault(w, r, f)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// wrapREST guards what may also name its project in a JSON body, as the incumbent's clients do where they post.
func (g *guard) wrapREST(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := namedOutside(r)
		if r.Method == http.MethodPost {
			b, f := readBody(w, r)
			if f == nil && id == "" {
				id, f = namedInside(b.raw)
			}
			if f != nil {
				writeFault(w, r, f)
				return
			}
		}
		g.serve(w, r, h, id)
	})
}

func (g *guard) serve(w http.ResponseWriter, r *http.Request, h http.Handler, id string) {
	f, retryAfter := g.check(r, id, one)
	if f != nil {
		setRetryAfter(w, retryAfter)
		writeFault(w, r, f)
		return
	}
	h.ServeHTTP(w, g.telling(r, id))
}

// telling is r, with whose call it is for the services behind.
func (g *guard) telling(r *http.Request, project string) *http.Request {
	return r.WithContext(caller.Tell(r.Context(), caller.Caller{Project: project, Origin: r.Header.Get("Origin"), Address: g.caller(r)}))
}

// wrapRPC guards a procedure, and refuses in the protocol the caller speaks.
func (g *guard) wrapRPC(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := namedOutside(r)
		f, retryAfter := g.check(r, id, one)
		if f == nil {
			h.ServeHTTP(w, g.telling(r, id))
			return
		}
		setRetryAfter(w, retryAfter)
		_ = protocols.Write(w, r, connectError(f))
	})
}

// check lets a request through, or says why not, and for how long where that is a matter of time. cost is what it counts for, and
// asked only where a rate is kept.
func (g *guard) check(r *http.Request, id string, cost func() int) (*fault.Error, time.Duration) {
	if id == "" {
		return missingParameter("projectId"), 0
	}
	p, err := g.projects.find(r.Context(), id)
	if err != nil {
		return fault.From(err), 0
	}
	if p == nil || !p.GetEnabled() {
		return fault.New(codes.Unauthenticated, faultv1.Reason_REASON_PROJECT_UNKNOWN, "authentication", "We failed to authenticate your request"), 0
	}
	if from := r.Header.Get("Origin"); from != "" && !origin.Allowed(p.GetAllowedOrigins(), from) {
		return fault.New(codes.PermissionDenied, faultv1.Reason_REASON_ORIGIN_REFUSED, "origin", "Origin %s is not on this project's list", clip(from)), 0
	}
	return g.limit(p, r, time.Now(), cost)
}

// limit holds a caller to the rate of a project.
func (g *guard) limit(p *projectsv1.Project, r *http.Request, now time.Time, cost func() int) (*fault.Error, time.Duration) {
	if delay := g.callers.wait(p, g.caller(r), now, cost); delay > 0 {
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "rate_limited",
			"Requests per second limit exceeded: Rate limit exceeded. Try again at %d", now.Add(delay).Unix()+1), delay
	}
	return nil, 0
}

// caller is the address a request comes from.
func (g *guard) caller(r *http.Request) string {
	if g.trustForwardedFor {
		hops := strings.Split(r.Header.Get("X-Forwarded-For"), ",")
		if last := strings.TrimSpace(hops[len(hops)-1]); last != "" {
			return last
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
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

func setRetryAfter(w http.ResponseWriter, delay time.Duration) {
	if delay > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(delay/time.Second)+1))
	}
}
