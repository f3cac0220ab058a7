package console

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// auditTimeout bounds the entry that says how a call ended, which is written also if the caller has left.
const auditTimeout = 5 * time.Second

// What callers may do. A page of the console makes a few calls at once.
var (
	// calls is the rate of an operator.
	calls = limit.Rate{Name: "console calls", PerSecond: 20, Burst: 100}
	// strangers is the rate of an address without a session, and allStrangers that of all.
	strangers    = limit.Rate{Name: "console calls without a session", PerSecond: 1, Burst: 20}
	allStrangers = limit.Rate{Name: "console calls without a session, all", PerSecond: 20, Burst: 200}
	// logins is the rate of logins of an address, and allLogins that of all. A token of 256 bits cannot be guessed at any rate: this keeps the work bounded.
	logins    = limit.Rate{Name: "console logins", PerSecond: 0.2, Burst: 10}
	allLogins = limit.Rate{Name: "console logins, all", PerSecond: 5, Burst: 50}
	// starts and allStarts are those of logins that begin with a challenge or at the identity provider.
	starts    = limit.Rate{Name: "console starts of logins", PerSecond: 0.2, Burst: 10}
	allStarts = limit.Rate{Name: "console starts of logins, all", PerSecond: 5, Burst: 50}
	// auditedStrangers is how often a call without a session that changes nothing is in the audit log, of all addresses; auditedExcess is how often one of an operator is
	// who calls too often.
	auditedStrangers = limit.Rate{Name: "console audit of calls without a session", PerSecond: 1, Burst: 60}
	auditedExcess    = limit.Rate{Name: "console audit of too many calls", PerSecond: 1.0 / 60, Burst: 1}
)

// everybody is the caller whose rates are those of all callers.
var everybody = limit.Caller{Project: "everybody"}

// roles are the roles of the options, beside ROLE_ANYBODY.
var roles = map[optionsv1.Role]Role{
	optionsv1.Role_ROLE_VIEWER:   Viewer,
	optionsv1.Role_ROLE_SUPPORT:  Support,
	optionsv1.Role_ROLE_OPERATOR: Changer,
	optionsv1.Role_ROLE_OWNER:    Owner,
}

// nouns are what the ids in requests of a service are of; those of a call take precedence.
var nouns = map[string]string{
	"ProjectService": "project", "UserService": "user", "CountService": "project", "OrderService": "order", "OperatorService": "operator",
	"OperatorService/EndSession": "session", "PasskeyService": "passkey",
}

// rule is what the options of an RPC say.
type rule struct {
	// call is the name in the audit log: service and method.
	call string
	role optionsv1.Role
	// changes is whether it changes something.
	changes bool
	// noun is what the id in a request is of.
	noun string
}

// ruleOf returns the rule of an RPC. One whose options are missing is one that changes something and that nobody may call.
func ruleOf(service, method string) rule {
	short := service[strings.LastIndexByte(service, '.')+1:]
	r := rule{call: short + "/" + method, changes: true}
	r.noun = cmp.Or(nouns[r.call], nouns[short])
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service + "." + method))
	if err != nil {
		return r
	}
	r.role, _ = proto.GetExtension(found.Options(), optionsv1.E_Role).(optionsv1.Role)
	if proto.HasExtension(found.Options(), optionsv1.E_Changes) {
		r.changes, _ = proto.GetExtension(found.Options(), optionsv1.E_Changes).(bool)
	}
	return r
}

// target returns what a request is about; empty if it names nothing.
func (r rule) target(req any) string {
	m, ok := req.(proto.Message)
	if !ok || r.noun == "" {
		return ""
	}
	for _, name := range []protoreflect.Name{"id", "project_id"} {
		field := m.ProtoReflect().Descriptor().Fields().ByName(name)
		if field == nil || field.Kind() != protoreflect.StringKind {
			continue
		}
		if id := m.ProtoReflect().Get(field).String(); id != "" {
			return r.noun + " " + id
		}
	}
	return ""
}

// guard enforces the roles and writes the audit log.
type guard struct {
	operators *Operators
	log       *audit.Log
	limiter   limit.Limiter
	logger    *slog.Logger
}

// guarded is a registrar whose services answer through the guard.
type guarded struct {
	grpc.ServiceRegistrar

	guard *guard
}

// RegisterService registers a service whose every RPC is guarded.
func (g guarded) RegisterService(desc *grpc.ServiceDesc, service any) {
	own := *desc
	own.Methods, own.Streams = slices.Clone(desc.Methods), slices.Clone(desc.Streams)
	for i, m := range desc.Methods {
		r := ruleOf(desc.ServiceName, m.MethodName)
		own.Methods[i].Handler = func(service any, ctx context.Context, decode func(any) error, around grpc.UnaryServerInterceptor) (any, error) {
			return m.Handler(service, ctx, decode, g.guard.unary(r, around))
		}
	}
	for i, s := range desc.Streams {
		r := ruleOf(desc.ServiceName, s.StreamName)
		own.Streams[i].Handler = func(service any, stream grpc.ServerStream) error {
			return g.guard.stream(r, service, stream, s.Handler)
		}
	}
	g.ServiceRegistrar.RegisterService(&own, service)
}

// unary returns the interceptor of a call. The one of the process is around it: it validates the request before the guard sees it, so that a refusal there
// is added to the audit log afterwards.
func (g *guard) unary(r rule, around grpc.UnaryServerInterceptor) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		reached := false
		answer := func(ctx context.Context, req any) (any, error) {
			reached = true
			return g.answer(ctx, r, req, handle)
		}
		if around == nil {
			return answer(ctx, req)
		}
		resp, err := around(ctx, req, info, answer)
		if err != nil && !reached {
			err = fault.From(g.refuseInvalid(ctx, r, err)).GRPCStatus().Err()
		}
		return resp, err
	}
}

// refuseInvalid records a call whose request is not valid, and returns the refusal for the caller.
func (g *guard) refuseInvalid(ctx context.Context, r rule, invalid error) error {
	c, err := g.admit(ctx, r)
	if err != nil {
		return err
	}
	return g.refuse(ctx, c, fault.From(invalid))
}

// answer answers a call.
func (g *guard) answer(ctx context.Context, r rule, req any, handle grpc.UnaryHandler) (_ any, err error) {
	c, err := g.admit(ctx, r)
	if err != nil {
		return nil, err
	}
	c.entry.Target = r.target(req)
	if r.changes {
		start := c.entry
		start.Outcome = audit.Started
		if c.entry.StartedBy, err = g.log.Append(ctx, start); err != nil {
			return nil, unrecorded(err)
		}
	}
	hasReturned := false
	defer func() {
		if !hasReturned {
			_ = g.end(ctx, c, errors.New("panic"))
		}
	}()
	resp, err := handle(context.WithValue(ctx, callKey{}, c), req)
	hasReturned = true
	if failure := g.end(ctx, c, err); failure != nil && err == nil && !r.changes {
		// What was changed is changed, and in the log as started.
		return nil, unrecorded(failure)
	}
	return resp, err
}

// end records how a call ended.
func (g *guard) end(ctx context.Context, c *call, failed error) error {
	if c.operator.ID == "" && !c.entry.Changes && g.limiter.Take(ctx, everybody, auditedStrangers, 1) > 0 {
		// The start of a login, which anybody can make as often as the rates allow. Its end has entries.
		return nil
	}
	e := c.entry
	e.Outcome = audit.Done
	if failed != nil {
		e.Outcome, e.Reason = audit.Failed, reasonOf(failed)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), auditTimeout)
	defer cancel()
	_, err := g.log.Append(ctx, e)
	if err != nil {
		g.logger.ErrorContext(ctx, "the end of a call is not in the audit log", "call", e.Call, "started by", e.StartedBy, "error", err)
	}
	return err
}

// stream answers a stream. Its entry is written when it starts.
func (g *guard) stream(r rule, service any, stream grpc.ServerStream, handle grpc.StreamHandler) error {
	ctx := stream.Context()
	c, err := g.admit(ctx, r)
	if err != nil {
		return err
	}
	e := c.entry
	e.Outcome = audit.Done
	if _, err := g.log.Append(ctx, e); err != nil {
		return unrecorded(err)
	}
	return handle(service, operatorStream{stream, context.WithValue(ctx, callKey{}, c)})
}

// operatorStream is a stream with its call.
type operatorStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context returns the context of the stream with its call.
func (s operatorStream) Context() context.Context { return s.ctx }

// admit returns the call of a caller who may make it. Otherwise it records the refusal and returns it.
func (g *guard) admit(ctx context.Context, r rule) (*call, error) {
	from := caller.OperatorFrom(ctx)
	c := &call{from: from, entry: audit.Entry{Call: r.call, Changes: r.changes, Address: from.Address}}
	session, operator, err := g.operators.Authenticate(ctx, from.Session)
	switch {
	case err == nil:
		c.session = session
		c.as(operator)
	case !errors.Is(err, ErrAbsent):
		return nil, err
	}
	if wait := g.take(ctx, r, c); wait > 0 {
		return nil, g.refuse(ctx, c, limit.Refusal("calls", wait))
	}
	switch {
	case from.CrossSite:
		return nil, g.refuse(ctx, c, fault.New(codes.PermissionDenied, faultv1.Reason_REASON_ORIGIN_REFUSED, "origin", "Only the pages of the console call it"))
	case r.role == optionsv1.Role_ROLE_ANYBODY:
		return c, nil
	case c.operator.ID == "":
		return nil, g.refuse(ctx, c, fault.New(codes.Unauthenticated, faultv1.Reason_REASON_OPERATOR_ABSENT, "", "Sign in first: run `hawser console login`"))
	case !c.operator.Role.Allows(roles[r.role]):
		return nil, g.refuse(ctx, c, fault.New(codes.PermissionDenied, faultv1.Reason_REASON_ROLE_MISSING, "", "This needs the role %s; yours is %s", cmp.Or(roles[r.role], "of nobody"), c.operator.Role))
	}
	return c, nil
}

// take counts a call for its caller, and returns how long to wait if there were too many.
func (g *guard) take(ctx context.Context, r rule, c *call) time.Duration {
	own, all := strangers, allStrangers
	switch {
	case r.role == optionsv1.Role_ROLE_ANYBODY && r.changes:
		own, all = logins, allLogins
	case r.role == optionsv1.Role_ROLE_ANYBODY:
		own, all = starts, allStarts
	case c.operator.ID != "":
		return g.limiter.Take(ctx, operatorOf(c.operator), calls, 1)
	}
	// An address that is refused uses up nothing of all.
	if wait := g.limiter.Take(ctx, limit.CallerOf("", c.from.Address), own, 1); wait > 0 {
		return wait
	}
	return g.limiter.Take(ctx, everybody, all, 1)
}

// operatorOf returns the caller whose rates are those of an operator.
func operatorOf(o Operator) limit.Caller { return limit.Caller{Project: "operator " + o.ID} }

// refuse records a refused call, unless there are too many of its kind, and returns the refusal. A refusal that cannot be recorded stays one.
func (g *guard) refuse(ctx context.Context, c *call, refusal *fault.Error) error {
	who, rate := everybody, auditedStrangers
	if c.operator.ID != "" {
		who, rate = operatorOf(c.operator), limit.Rate{}
		if refusal.Reason == faultv1.Reason_REASON_RATE_LIMITED {
			rate = auditedExcess
		}
	}
	if g.limiter.Take(ctx, who, rate, 1) > 0 {
		return refusal
	}
	e := c.entry
	e.Outcome, e.Reason = audit.Refused, fault.ReasonName(refusal.Reason)
	if _, err := g.log.Append(ctx, e); err != nil {
		g.logger.ErrorContext(ctx, "a refused call is not in the audit log", "call", e.Call, "reason", e.Reason, "error", err)
	}
	return refusal
}

// unrecorded returns the error of a call that is not in the audit log.
func unrecorded(cause error) error {
	return fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "The audit log cannot be written").Because(cause)
}

// reasonOf returns the reason of an error for the audit log.
func reasonOf(err error) string {
	f := fault.From(err)
	if f.Reason != faultv1.Reason_REASON_UNSPECIFIED {
		return fault.ReasonName(f.Reason)
	}
	return f.Code.String()
}

// call is a call that is made.
type call struct {
	from     caller.Operator
	operator Operator
	session  Session
	entry    audit.Entry
}

type callKey struct{}

// callOf returns the call of a context, which [guard] made.
func callOf(ctx context.Context) *call {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		// A handler that is reached without the guard must not answer.
		panic("console: a call without a guard")
	}
	return c
}

// browser returns where a session begins that the call starts.
func (c *call) browser() Browser {
	return Browser{Previous: c.from.Session, Fresh: c.from.NewSession, Address: c.from.Address, Name: c.from.Browser}
}

// as names the operator of the call.
func (c *call) as(o Operator) {
	c.operator = o
	c.entry.OperatorID, c.entry.OperatorName, c.entry.Role = o.ID, o.Name, string(o.Role)
}

// about names what the call is about.
func (c *call) about(target string) { c.entry.Target = target }

// changed records the state before and after the call: messages or values without secrets, or nil.
func (c *call) changed(before, after any) {
	c.entry.Before, c.entry.After = stateOf(before), stateOf(after)
}

// stateOf returns a value as JSON; empty for nil.
func stateOf(v any) string {
	var raw []byte
	var err error
	switch v := v.(type) {
	case nil:
		return ""
	case proto.Message:
		raw, err = protojson.Marshal(v)
	default:
		raw, err = json.Marshal(v)
	}
	if err != nil {
		return ""
	}
	return string(raw)
}
