package observe_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/trace"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/run"
)

const id = "0123456789abcdef0123456789abcdef"

// service implements GetProject with a function of the test.
type service struct {
	projectsv1.UnimplementedProjectsServiceServer
	get func(context.Context) (*projectsv1.GetProjectResponse, error)
}

func (s service) GetProject(ctx context.Context, _ *projectsv1.GetProjectRequest) (*projectsv1.GetProjectResponse, error) {
	return s.get(ctx)
}

// observed returns a client of the service behind the interceptor, the log of the process, and its private listener.
func observed(t *testing.T, get func(context.Context) (*projectsv1.GetProjectResponse, error)) (projectsv1.ProjectsServiceClient, *bytes.Buffer, http.Handler) {
	t.Helper()
	var log bytes.Buffer
	before := slog.Default()
	tel, err := observe.Setup(t.Context(), observe.Config{Level: "debug", Format: "json"}, observe.Process{Target: "test", Version: "1", Log: &log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		slog.SetDefault(before)
		if err := tel.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	channel := run.Local{Unary: observe.Unary()}
	projectsv1.RegisterProjectsServiceServer(&channel, service{get: get})
	return projectsv1.NewProjectsServiceClient(&channel), &log, tel.Handler(isReady, isReady)
}

func TestUnary(t *testing.T) {
	found := &projectsv1.GetProjectResponse{Project: &projectsv1.Project{Id: id}}

	t.Run("passes an answer on", func(t *testing.T) {
		client, _, _ := observed(t, func(context.Context) (*projectsv1.GetProjectResponse, error) { return found, nil })
		got, err := client.GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: id})
		if err != nil || got.GetProject().GetId() != id {
			t.Errorf("%v, %v", got, err)
		}
	})

	t.Run("passes a fault on unchanged", func(t *testing.T) {
		client, _, _ := observed(t, func(context.Context) (*projectsv1.GetProjectResponse, error) {
			return nil, fault.New(codes.NotFound, faultv1.Reason_REASON_PROJECT_UNKNOWN, "id", "No such project")
		})
		_, err := client.GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: id})
		f := fault.From(err)
		if f.Code != codes.NotFound || f.Reason != faultv1.Reason_REASON_PROJECT_UNKNOWN || f.Field != "id" || f.Public != "No such project" {
			t.Errorf("%+v", f)
		}
	})

	t.Run("hides any other error, and logs it in the caller's trace", func(t *testing.T) {
		client, log, _ := observed(t, func(context.Context) (*projectsv1.GetProjectResponse, error) {
			return nil, errors.New("dial tcp 10.0.0.7:5432: connection refused")
		})
		ctx, traceID := inTrace(t.Context())
		_, err := client.GetProject(ctx, &projectsv1.GetProjectRequest{Id: id})
		wantHidden(t, err)
		wantLogged(t, log, "10.0.0.7", `"trace_id":"`+traceID+`"`)
	})

	t.Run("recovers a panic, and logs where it occurred", func(t *testing.T) {
		client, log, _ := observed(t, func(context.Context) (*projectsv1.GetProjectResponse, error) { panic("index out of range") })
		_, err := client.GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: id})
		wantHidden(t, err)
		wantLogged(t, log, "index out of range", "observe_test.go")
	})

	t.Run("refuses a request that violates the rules of its message", func(t *testing.T) {
		client, _, _ := observed(t, func(context.Context) (*projectsv1.GetProjectResponse, error) {
			t.Error("the service was called")
			return nil, nil
		})
		_, err := client.GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: "nonsense"})
		f := fault.From(err)
		if f.Code != codes.InvalidArgument || f.Reason != faultv1.Reason_REASON_PARAMETER_INVALID || f.Field != "id" {
			t.Errorf("%+v", f)
		}
	})

	t.Run("the handler is in the caller's trace", func(t *testing.T) {
		var got string
		client, _, _ := observed(t, func(ctx context.Context) (*projectsv1.GetProjectResponse, error) {
			got = trace.SpanContextFromContext(ctx).TraceID().String()
			return found, nil
		})
		ctx, traceID := inTrace(t.Context())
		if _, err := client.GetProject(ctx, &projectsv1.GetProjectRequest{Id: id}); err != nil || got != traceID {
			t.Errorf("trace %s, want %s, err %v", got, traceID, err)
		}
	})

	t.Run("measures by method and code", func(t *testing.T) {
		client, _, private := observed(t, func(context.Context) (*projectsv1.GetProjectResponse, error) { return found, nil })
		for _, id := range []string{id, "nonsense"} {
			_, _ = client.GetProject(t.Context(), &projectsv1.GetProjectRequest{Id: id})
		}
		metrics := get(private, "/metrics").Body.String()
		for _, code := range []string{"OK", "InvalidArgument"} {
			want := `hawser_rpc_duration_seconds_count{otel_scope_name="github.com/hawser-dev/hawser",otel_scope_schema_url="",otel_scope_version="",rpc_code="` +
				code + `",rpc_method="/hawser.projects.v1.ProjectsService/GetProject"} 1`
			if !strings.Contains(metrics, want) {
				t.Errorf("no line %s", want)
			}
		}
	})
}

func isReady(context.Context) error { return nil }

func TestAProcessAcceptsCallsFromWhenItCouldAnswer(t *testing.T) {
	tel, err := observe.Setup(t.Context(), observe.DefaultConfig(), observe.Process{Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	away := errors.New("NATS is away")
	notReady := away
	private := tel.Handler(func(context.Context) error { return errors.New("a peer is away") }, func(context.Context) error { return notReady })
	for _, step := range []struct {
		notReady error
		want     int
	}{{away, http.StatusServiceUnavailable}, {nil, http.StatusOK}, {away, http.StatusOK}} {
		notReady = step.notReady
		if w := get(private, "/accepting"); w.Code != step.want {
			t.Errorf("not ready by %v: %d, want %d", notReady, w.Code, step.want)
		}
	}
}

func TestPrivateListener(t *testing.T) {
	tel, err := observe.Setup(t.Context(), observe.DefaultConfig(), observe.Process{Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	var notReady error
	private := tel.Handler(func(context.Context) error { return notReady }, isReady)
	if w := get(private, "/ready"); w.Code != http.StatusOK {
		t.Errorf("/ready: %d", w.Code)
	}
	notReady = errors.New("projects: the database postgres://hawser:hunter2@db is away")
	w := get(private, "/ready")
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "is away") || strings.Contains(w.Body.String(), "hunter2") {
		t.Errorf("/ready: %d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/live", "/accepting", "/metrics"} {
		if w := get(private, path); w.Code != http.StatusOK {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestProfilesAreOffByDefault(t *testing.T) {
	for profiles, want := range map[bool]int{false: http.StatusNotFound, true: http.StatusOK} {
		tel, err := observe.Setup(t.Context(), observe.DefaultConfig(), observe.Process{Log: io.Discard, Profiles: profiles})
		if err != nil {
			t.Fatal(err)
		}
		private := tel.Handler(isReady, isReady)
		for _, path := range []string{"/debug/pprof/", "/debug/pprof/goroutine", "/debug/pprof/cmdline"} {
			if w := get(private, path); w.Code != want {
				t.Errorf("%s with profiles %t: %d, want %d", path, profiles, w.Code, want)
			}
		}
	}
}

// Vendors of nodes have their keys in paths.
func TestKeysInPathsAreNotLogged(t *testing.T) {
	var out bytes.Buffer
	logger, err := observe.NewLogger(&out, observe.Config{Level: "info", Format: "text"})
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{"aB3_dEf-Gh1jKlMnOpQrStUvWxYz0123", "0123456789abcdef0123456789abcdef01234567", "qJ8sW2nR7vK4mX9pL1tZ"}
	logger.Warn("https://eth-mainnet.g.alchemy.com/v2/"+secrets[0]+" refused", "error",
		errors.New(`Post "wss://few-words.quiknode.pro/`+secrets[1]+`/": EOF`), "urls", []string{"https://rpc.example/v1/" + secrets[2] + "/eth?chain=1"})
	for _, secret := range secrets {
		if strings.Contains(out.String(), secret) {
			t.Errorf("logged %s", out.String())
		}
	}
	for _, kept := range []string{"https://eth-mainnet.g.alchemy.com/v2/", "few-words.quiknode.pro", "/eth?chain=1"} {
		if !strings.Contains(out.String(), kept) {
			t.Errorf("%s is not in %s", kept, out.String())
		}
	}
}

func TestLogHoldsNoSecrets(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		var out bytes.Buffer
		logger, err := observe.NewLogger(&out, observe.Config{Level: "info", Format: format})
		if err != nil {
			t.Fatal(err)
		}
		logger.With("email", "ada@example.org").Info("for ada@example.org: project "+id,
			"key", "sk-live-1", "Password", "sk-live-2", "url", "https://user:sk-live-3@node.example/v3?apiKey=sk-live-4&chain=1",
			"error", errors.New("get https://node.example/?token=sk-live-5: refused for ada@example.org"),
			slog.Group("request", "project", id, "api_key", "sk-live-6"), "urls", []string{"https://n.example?key=sk-live-7"},
			"hash", "0x"+id+id)
		line := out.String()
		for _, secret := range []string{"sk-live", "ada@", id + " ", id + `"`} {
			if strings.Contains(strings.ReplaceAll(line, "0x"+id+id, ""), secret) {
				t.Errorf("%s: %q stands in %s", format, secret, line)
			}
		}
		for _, kept := range []string{"01234567…", "node.example", "chain=1", "0x" + id + id} {
			if !strings.Contains(line, kept) {
				t.Errorf("%s: %q does not stand in %s", format, kept, line)
			}
		}
	}
}

func TestLogLevelAndFormat(t *testing.T) {
	for _, bad := range []observe.Config{{Level: "loud", Format: "text"}, {Level: "info", Format: "xml"}} {
		if _, err := observe.NewLogger(io.Discard, bad); err == nil || len(bad.Check()) != 1 {
			t.Errorf("%+v was taken", bad)
		}
	}
	if faults := observe.DefaultConfig().Check(); faults != nil {
		t.Error(faults)
	}
}

func inTrace(ctx context.Context) (context.Context, string) {
	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{7}, SpanID: trace.SpanID{9}, TraceFlags: trace.FlagsSampled})
	return trace.ContextWithSpanContext(ctx, span), span.TraceID().String()
}

func wantHidden(t *testing.T, err error) {
	t.Helper()
	if st := status.Convert(err); st.Code() != codes.Internal || st.Message() != fault.InternalText {
		t.Errorf("the caller sees %v", err)
	}
}

func wantLogged(t *testing.T, logged *bytes.Buffer, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(logged.String(), part) {
			t.Errorf("%q is not in the log: %s", part, logged)
		}
	}
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}
