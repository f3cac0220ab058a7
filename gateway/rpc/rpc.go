// Package rpc forwards procedures of the services over Connect, gRPC-Web and gRPC, those with streams included.
package rpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/rest"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Server serves the procedures of services at one origin, as the options of their protos say (hawser.options.v1).
type Server struct {
	// Mux gets the procedures with one answer, and Streams those that answer with a stream.
	Mux, Streams *http.ServeMux
	Guard        *access.Guard
	// Fill completes each answer.
	Fill func(ctx context.Context, answer any)
	// Answers keeps the answers that a service allows to keep; nil for none.
	Answers *rest.AnswerCache
	// Wallet is true at the origin of the embedded wallet's pages.
	Wallet bool
	// Console admits the requests at the console's listener, where no other procedures are served than its own; nil elsewhere, where those are not served.
	Console func(http.Handler) http.Handler
	// Stopping is done when the process begins to shut down: streams end.
	Stopping context.Context
}

// Conns are the connections to a service.
type Conns struct {
	Calls, Streams grpc.ClientConnInterface
}

// Serve adds the procedures of a service that are served at this origin, by the name of the service, such as names for hawser.names.v1.
func (s *Server) Serve(name string, conns Conns) error {
	var failure error
	protoregistry.GlobalFiles.RangeFilesByPackage(protoreflect.FullName("hawser."+name+".v1"), func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				failure = errors.Join(failure, s.add(methods.Get(j), conns))
			}
		}
		return true
	})
	return failure
}

// add adds a procedure if it is served at this origin.
func (s *Server) add(m protoreflect.MethodDescriptor, conns Conns) error {
	guarded := s.guarded(m)
	if guarded == nil {
		return nil
	}
	request, err := protoregistry.GlobalTypes.FindMessageByName(m.Input().FullName())
	if err != nil {
		return err
	}
	response, err := protoregistry.GlobalTypes.FindMessageByName(m.Output().FullName())
	if err != nil {
		return err
	}
	p := procedure{
		MethodDescriptor: m, path: fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name()), guarded: guarded,
		newRequest:  func() proto.Message { return request.New().Interface() },
		newResponse: func() proto.Message { return response.New().Interface() },
	}
	if m.IsStreamingServer() {
		s.stream(conns.Streams, p)
	} else {
		s.unary(conns.Calls, p)
	}
	return nil
}

// guarded returns the middleware that admits the requests of a procedure, or nil if it is not served at this origin.
func (s *Server) guarded(m protoreflect.MethodDescriptor) func(http.Handler) http.Handler {
	who, _ := proto.GetExtension(m.Options(), optionsv1.E_Access).(optionsv1.Access)
	if s.Console != nil || who == optionsv1.Access_ACCESS_CONSOLE {
		if who != optionsv1.Access_ACCESS_CONSOLE {
			return nil
		}
		return s.Console
	}
	g := s.Guard
	if rate, _ := proto.GetExtension(m.Options(), optionsv1.E_WalletRate).(string); rate != "" && s.Wallet {
		g = g.WithRate(rate)
	}
	inWallet, _ := proto.GetExtension(m.Options(), optionsv1.E_InWallet).(bool)
	isHere := !s.Wallet || inWallet
	switch {
	case who == optionsv1.Access_ACCESS_OPEN && isHere:
		return g.WrapOpenRPC
	case who == optionsv1.Access_ACCESS_PROJECT && isHere, who == optionsv1.Access_ACCESS_PROJECT_OR_DEVICE && !s.Wallet:
		return g.WrapRPC
	case who == optionsv1.Access_ACCESS_SIGN_IN && isHere:
		return func(h http.Handler) http.Handler { return g.WrapRPC(access.WithTokens(h)) }
	case who == optionsv1.Access_ACCESS_DEVICE && s.Wallet, who == optionsv1.Access_ACCESS_PROJECT_OR_DEVICE:
		return func(h http.Handler) http.Handler { return g.WrapRPC(access.WithDevice(h)) }
	case who == optionsv1.Access_ACCESS_DEVICE_OPEN && s.Wallet:
		return func(h http.Handler) http.Handler { return g.WrapOpenRPC(access.WithDevice(h)) }
	default:
		return nil
	}
}

// message is a request or an answer of any procedure. The generic code of Connect is compiled for it once, instead of for each procedure.
type message struct{ proto.Message }

// Reset clears the message. It is faster than what the proto package does with a message that has no such method.
func (m *message) Reset() { proto.Reset(m.Message) }

// procedure is a procedure that is served.
type procedure struct {
	protoreflect.MethodDescriptor
	// path is that of its requests, which is its name for connections too.
	path                    string
	guarded                 func(http.Handler) http.Handler
	newRequest, newResponse func() proto.Message
}

// request makes an empty request of the procedure.
func (p procedure) request() connect.HandlerOption {
	return connect.WithRequestInitializer(func(_ connect.Spec, empty any) error {
		empty.(*message).Message = p.newRequest()
		return nil
	})
}

// hasNoSideEffects reports whether the proto marks a procedure as NO_SIDE_EFFECTS.
func (p procedure) hasNoSideEffects() bool {
	options, ok := p.Options().(*descriptorpb.MethodOptions)
	return ok && options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS
}

// unary serves a procedure in Connect, gRPC-Web and gRPC by calling cc. Procedures without side effects are served to Connect clients by GET too,
// which a browser sends to another origin without a preflight and may cache.
func (s *Server) unary(cc grpc.ClientConnInterface, p procedure) {
	idempotency := connect.IdempotencyUnknown
	isRead := p.hasNoSideEffects()
	if isRead {
		idempotency = connect.IdempotencyNoSideEffects
	}
	var handler http.Handler = connect.NewUnaryHandlerSimple(p.path, func(ctx context.Context, req *message) (*message, error) {
		resp := p.newResponse()
		if err := cc.Invoke(ctx, p.path, req.Message, resp); err != nil {
			return nil, refused(ctx, p, fault.From(err))
		}
		s.Fill(ctx, resp)
		return &message{resp}, nil
	}, bounded(), connect.WithIdempotency(idempotency), p.request())
	handler = cachedGet(p, handler)
	if s.Answers != nil {
		handler = s.Answers.Wrap(handler)
	}
	s.Mux.Handle(p.path, refuseOtherProtocols(p.guarded(handler), isRead))
}

// refused returns the error of a procedure for its caller, and counts it if the call was refused.
func refused(ctx context.Context, p procedure, f *fault.Error) error {
	access.NoteRefusal(ctx, p.path, f)
	return access.ConnectError(f)
}

// cachedGet sets the Cache-Control header of answers to GET: as the options of the procedure say, otherwise no-store.
func cachedGet(p procedure, h http.Handler) http.Handler {
	cached := h
	if seconds, _ := proto.GetExtension(p.Options(), optionsv1.E_CacheSeconds).(uint32); seconds > 0 {
		cached = rest.Cacheable(time.Duration(seconds)*time.Second, h)
	} else if asAnswered, _ := proto.GetExtension(p.Options(), optionsv1.E_CacheAsAnswered).(bool); asAnswered {
		cached = rest.WithMaxAge(h)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			h.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		// A shared cache would hand a compressed body to callers that cannot read it.
		r.Header.Del("Accept-Encoding")
		cached.ServeHTTP(w, r)
	})
}

// protocols classifies RPC requests.
var protocols = connect.NewErrorWriter()

// refuseOtherProtocols refuses requests that use none of the protocols with a body that says why, where connect would send an empty one. A GET is
// accepted for procedures without side effects (https://connectrpc.com/docs/protocol#unary-get-request).
func refuseOtherProtocols(h http.Handler, isRead bool) http.Handler {
	allowed := http.MethodPost
	if isRead {
		allowed = "GET, POST"
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isGet := isRead && r.Method == http.MethodGet && r.URL.Query().Has("encoding")
		if r.Method != http.MethodPost && !isGet {
			w.Header().Set("Allow", allowed)
			access.WriteFaultStatus(w, r, access.RouteUnknown(r), http.StatusMethodNotAllowed)
			return
		}
		if !protocols.IsSupported(r) {
			access.WriteFaultStatus(w, r, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_ROUTE_UNKNOWN, "content-type",
				"This path speaks Connect, gRPC-Web and gRPC; the request's content type is none of theirs"), http.StatusUnsupportedMediaType)
			return
		}
		h.ServeHTTP(w, r)
	})
}
