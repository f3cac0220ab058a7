package console_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	analyticsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/analytics/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/run"
	"github.com/hawser-dev/hawser/services/platform/store"
)

const (
	userID    = "0123456789abcdef0123456789abcdef"
	projectID = "00000000000000000000000000000001"
	email     = "alice@example.org"
	address   = "192.0.2.1"
	origin    = "http://localhost:8090"
)

// services are the other services of a test. They answer with what the test says, and remember what they were asked.
type services struct {
	mu      sync.Mutex
	asked   []proto.Message
	answers map[string]proto.Message
	err     error
	// asks is called before each answer; nil for nothing.
	asks func()
}

// Invoke makes services a connection to each of them.
func (s *services) Invoke(_ context.Context, method string, req, resp any, _ ...grpc.CallOption) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, proto.Clone(req.(proto.Message)))
	if s.asks != nil {
		s.asks()
	}
	if s.err != nil {
		return s.err
	}
	if answer := s.answers[method]; answer != nil {
		proto.Merge(resp.(proto.Message), answer)
	}
	return nil
}

// NewStream is not used: no service that the console calls has a stream.
func (*services) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errors.New("no stream")
}

// count returns how many calls were made.
func (s *services) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// world is a console service, reached as another process would.
type world struct {
	t         *testing.T
	db        *store.DB
	clock     *clocktest.Stopped
	operators *console.Operators
	audit     *audit.Log
	services  *services
	suite     *statusv1.Suite
	work      func(context.Context) error
	// provided is the configuration of a world with an identity provider.
	provided console.Config
	run.Local
}

func newWorld(t *testing.T, db *store.DB) *world {
	t.Helper()
	return newWorldWith(t, db, console.DefaultConfig())
}

func newWorldWith(t *testing.T, db *store.DB, cfg console.Config) *world {
	t.Helper()
	w := &world{
		t: t, db: db, clock: clocktest.StoppedAt(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)), services: &services{answers: map[string]proto.Message{}}, suite: &statusv1.Suite{},
	}
	service, err := console.New(t.Context(), cfg, console.Deps{
		DB: db, Projects: projectsv1.NewProjectsServiceClient(w.services), ProjectAdmin: projectsv1.NewProjectAdminServiceClient(w.services),
		Users: walletv1.NewUserAdminServiceClient(w.services), Counts: analyticsv1.NewCountServiceClient(w.services), Orders: onrampv1.NewOrderAdminServiceClient(w.services),
		Names: namesv1.NewNameAdminServiceClient(w.services), Bundler: bundlerv1.NewBundlerAdminServiceClient(w.services),
		Sessions: sessionsv1.NewSessionAdminServiceClient(w.services),
		Suite:    func(context.Context) *statusv1.Suite { return w.suite }, Target: "all", Version: "1.2.3", Commit: "abc",
		Settings: func() ([]config.Setting, error) {
			return []config.Setting{{Key: "store.dsn", Secret: true, Set: true, Source: config.FromVariable, Where: "HAWSER_STORE_DSN", Doc: "a database"}}, nil
		},
		Clock: w.clock, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Unary, w.Stream = observe.Unary(store.Fault), observe.Stream(store.Fault)
	service.Register(&w.Local)
	w.work = service.Work
	w.operators = console.NewOperators(console.DefaultConfig(), console.NewSQLStore(db), w.clock, rand.Reader)
	w.audit = audit.New(db, w.clock)
	return w
}

// operator is somebody at a browser, who may be signed in.
type operator struct {
	w    *world
	from caller.Operator
	id   string
}

// stranger is somebody without a session.
func (w *world) stranger() *operator {
	return &operator{w: w, from: caller.Operator{Address: address, Browser: "Firefox", Origin: origin}}
}

// signedIn is an operator with a role, who has used a link.
func (w *world) signedIn(name string, role console.Role) *operator {
	w.t.Helper()
	token, of, err := w.operators.Invite(w.t.Context(), name, role)
	if err != nil {
		w.t.Fatal(err)
	}
	o := w.stranger()
	o.id = of.ID
	if err := o.login(token); err != nil {
		w.t.Fatal(err)
	}
	return o
}

// login signs in with a link.
func (o *operator) login(token string) error {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	fresh := hex.EncodeToString(raw)
	from := o.from
	from.NewSession = fresh
	err := o.w.Invoke(caller.NewOperatorContext(o.w.t.Context(), from), adminv1.OperatorService_Login_FullMethodName, &adminv1.LoginRequest{Token: token}, &adminv1.LoginResponse{})
	if err == nil {
		o.from.Session = fresh
	}
	return err
}

// call makes a call.
func call[Res any](o *operator, method string, req proto.Message) (*Res, error) {
	res := new(Res)
	err := o.w.Invoke(caller.NewOperatorContext(o.w.t.Context(), o.from), method, req, res)
	return res, err
}

// in makes a call in a context.
func (o *operator) in(ctx context.Context, method string, req, res proto.Message) error {
	return o.w.Invoke(caller.NewOperatorContext(ctx, o.from), method, req, res)
}

// entries returns the audit log, the oldest first.
func (w *world) entries() []audit.Entry {
	w.t.Helper()
	all, err := w.audit.List(w.t.Context(), audit.Filter{Limit: 1000})
	if err != nil {
		w.t.Fatal(err)
	}
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all
}

// since returns the entries after the first n.
func (w *world) since(n int) []audit.Entry {
	w.t.Helper()
	return w.entries()[n:]
}

// method is an RPC of hawser.admin.v1 with a request that is valid.
type method struct {
	name    string // as OperatorService/GetMe
	path    string
	role    optionsv1.Role
	changes bool
	stream  bool
	request proto.Message
}

// requests are valid requests of the calls whose empty request is not.
var requests = map[string]proto.Message{
	"OperatorService/Login":             &adminv1.LoginRequest{Token: strings.Repeat("0", 64)},
	"OperatorService/EndSession":        &adminv1.EndSessionRequest{Id: userID},
	"OperatorService/SetOperatorRole":   &adminv1.SetOperatorRoleRequest{Id: userID, Role: optionsv1.Role_ROLE_VIEWER},
	"OperatorService/RemoveOperator":    &adminv1.RemoveOperatorRequest{Id: userID},
	"PasskeyService/FinishPasskeyLogin": &adminv1.FinishPasskeyLoginRequest{Credential: "{}"},
	"PasskeyService/AddPasskey":         &adminv1.AddPasskeyRequest{Name: "Key", Credential: "{}"},
	"PasskeyService/RemovePasskey":      &adminv1.RemovePasskeyRequest{Id: userID},
	"ProjectService/GetProject":         &adminv1.GetProjectRequest{Id: projectID},
	"ProjectService/CreateProject":      &adminv1.CreateProjectRequest{Name: "Shop", Origins: &adminv1.Origins{}},
	"ProjectService/UpdateProject":      &adminv1.UpdateProjectRequest{Id: projectID},
	"ProjectService/EnableProject":      &adminv1.EnableProjectRequest{Id: projectID},
	"ProjectService/DisableProject":     &adminv1.DisableProjectRequest{Id: projectID},
	"ProjectService/DeleteProject":      &adminv1.DeleteProjectRequest{Id: projectID},
	"UserService/FindUsers":             &adminv1.FindUsersRequest{By: &adminv1.FindUsersRequest_Email{Email: email}},
	"UserService/GetUser":               &adminv1.GetUserRequest{Id: userID},
	"UserService/SignOutUser":           &adminv1.SignOutUserRequest{Id: userID},
	"UserService/ExportUser":            &adminv1.ExportUserRequest{Id: userID},
	"UserService/DeleteUser":            &adminv1.DeleteUserRequest{Id: userID},
	"NameService/FindNames":             &adminv1.FindNamesRequest{By: &adminv1.FindNamesRequest_Name{Name: "alice.hawser.id"}},
	"NameService/TakeName":              &adminv1.TakeNameRequest{Name: "alice.hawser.id"},
	"NameService/BlockLabel":            &adminv1.BlockLabelRequest{Label: "scam"},
	"NameService/UnblockLabel":          &adminv1.UnblockLabelRequest{Label: "scam"},
	"OrderService/FindOrders":           &adminv1.FindOrdersRequest{By: &adminv1.FindOrdersRequest_Address{Address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"}},
	"CountService/ListCounts":           &adminv1.ListCountsRequest{ProjectId: projectID},
}

// methods are all RPCs of hawser.admin.v1.
func methods(t *testing.T) (all []method) {
	t.Helper()
	protoregistry.GlobalFiles.RangeFilesByPackage("hawser.admin.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			service := f.Services().Get(i)
			for j := range service.Methods().Len() {
				m := service.Methods().Get(j)
				found := method{name: string(service.Name()) + "/" + string(m.Name()), path: "/" + string(service.FullName()) + "/" + string(m.Name()), stream: m.IsStreamingServer()}
				found.role, _ = proto.GetExtension(m.Options(), optionsv1.E_Role).(optionsv1.Role)
				found.changes, _ = proto.GetExtension(m.Options(), optionsv1.E_Changes).(bool)
				if found.request = requests[found.name]; found.request == nil {
					kind, err := protoregistry.GlobalTypes.FindMessageByName(m.Input().FullName())
					if err != nil {
						t.Fatal(err)
					}
					found.request = kind.New().Interface()
				}
				all = append(all, found)
			}
		}
		return true
	})
	if len(all) < 20 {
		t.Fatalf("%d calls are found", len(all))
	}
	return all
}

// make makes the call as an operator, of a stream until its first message.
func (m method) make(o *operator) error {
	o.w.t.Helper()
	ctx, cancel := context.WithCancel(caller.NewOperatorContext(o.w.t.Context(), o.from))
	defer cancel()
	kind, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(strings.ReplaceAll(strings.TrimPrefix(m.path, "/"), "/", ".")))
	if err != nil {
		o.w.t.Fatal(err)
	}
	answer, err := protoregistry.GlobalTypes.FindMessageByName(kind.(protoreflect.MethodDescriptor).Output().FullName())
	if err != nil {
		o.w.t.Fatal(err)
	}
	if !m.stream {
		return o.w.Invoke(ctx, m.path, m.request, answer.New().Interface())
	}
	got := errors.New("received a message")
	err = run.ServerStream(ctx, &o.w.Local, m.path, m.request, func() proto.Message { return answer.New().Interface() }, func(proto.Message) error { return got })
	if status := fault.From(err); status.Code == codes.Unknown || status.Code == codes.Internal || errors.Is(err, got) {
		return nil
	}
	return err
}

// reason returns the reason of an error.
func reason(err error) faultv1.Reason {
	if err == nil {
		return faultv1.Reason_REASON_UNSPECIFIED
	}
	return fault.From(err).Reason
}
