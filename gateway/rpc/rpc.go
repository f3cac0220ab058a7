// Package rpc forwards procedures of the services over Connect, gRPC-Web and gRPC, those with streams included.
package rpc

import (
	"context"
	"net/http"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/gateway/rest"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1/chainsv1connect"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/features/v1/featuresv1connect"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1/namesv1connect"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1/nftsv1connect"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Server is what every procedure is served with.
type Server struct {
	mux     *http.ServeMux
	fill    func(ctx context.Context, answer any)
	answers *rest.AnswerCache
}

// New returns what adds procedures to mux. fill completes each answer, and answers keeps those that a service allows to keep.
func New(mux *http.ServeMux, fill func(ctx context.Context, answer any), answers *rest.AnswerCache) *Server {
	return &Server{mux, fill, answers}
}

// message is a request or an answer of any procedure. The generic code of Connect is compiled for it once, instead of for each procedure.
type message struct{ proto.Message }

// Reset clears the message. It is faster than what the proto package does with a message that has no such method.
func (m *message) Reset() { proto.Reset(m.Message) }

// protoMessage is a pointer to T that is a message.
type protoMessage[T any] interface {
	*T
	proto.Message
}

// Forward serves one procedure in Connect, gRPC-Web and gRPC by calling cc, behind a guard. Procedures without side effects are served to
// Connect clients by GET too, which a browser sends to another origin without a preflight and may cache.
func Forward[Req, Resp any, PReq protoMessage[Req], PResp protoMessage[Resp]](rpcs *Server, cc grpc.ClientConnInterface, procedure string, guarded func(http.Handler) http.Handler) {
	rpcs.forward(cc, procedure, guarded, func() proto.Message { return PReq(new(Req)) }, func() proto.Message { return PResp(new(Resp)) })
}

func (s *Server) forward(cc grpc.ClientConnInterface, procedure string, guarded func(http.Handler) http.Handler, newRequest, newResponse func() proto.Message) {
	idempotency := connect.IdempotencyUnknown
	isRead := hasNoSideEffects(procedure)
	if isRead {
		idempotency = connect.IdempotencyNoSideEffects
	}
	var handler http.Handler = connect.NewUnaryHandlerSimple(procedure, func(ctx context.Context, req *message) (*message, error) {
		resp := newResponse()
		if err := cc.Invoke(ctx, procedure, req.Message, resp); err != nil {
			return nil, access.ConnectError(fault.From(err))
		}
		s.fill(ctx, resp)
		return &message{resp}, nil
	}, connect.WithReadMaxBytes(access.BodyLimit), connect.WithIdempotency(idempotency), connect.WithRequestInitializer(func(_ connect.Spec, empty any) error {
		empty.(*message).Message = newRequest()
		return nil
	}))
	s.mux.Handle(procedure, refuseOtherProtocols(guarded(s.answers.Wrap(cachedGet(procedure, handler))), isRead))
}

// hasNoSideEffects reports whether the proto marks a procedure as NO_SIDE_EFFECTS.
func hasNoSideEffects(procedure string) bool {
	name := strings.ReplaceAll(strings.TrimPrefix(procedure, "/"), "/", ".")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		return false
	}
	options, ok := found.Options().(*descriptorpb.MethodOptions)
	return ok && options.GetIdempotencyLevel() == descriptorpb.MethodOptions_NO_SIDE_EFFECTS
}

// cachedGet sets the Cache-Control header of answers to GET: the same as over REST where REST lets callers cache, otherwise no-store.
func cachedGet(procedure string, h http.Handler) http.Handler {
	cached := h
	switch procedure {
	case chainsv1connect.ChainsServiceListSupportedChainsProcedure, chainsv1connect.ChainsServiceListNetworksProcedure,
		featuresv1connect.FeaturesServiceGetFeaturesProcedure:
		cached = rest.Cacheable(h)
	case namesv1connect.NamesServiceGetIdentityProcedure, namesv1connect.NamesServiceGetAvatarProcedure, nftsv1connect.MediaServiceGetMediaProcedure:
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
