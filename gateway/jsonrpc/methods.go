package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"google.golang.org/grpc/codes"

	"github.com/hawser-dev/hawser/gateway/access"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// Error codes of the wallet's JSON-RPC. Their HTTP status is 400 where the caller can do something about it, and 500 where not.
const (
	codeProject           = -1
	codePrepareCalls      = -2
	codeSendPreparedCalls = -3
	codeGetCallsStatus    = -4
	codeGetAssets         = -5
	codeUnknownMethod     = -32601
	codeInvalidParams     = -32602
	codeInternal          = -32000
)

// method answers one method. Its error is a *methodError.
type method func(ctx context.Context, params json.RawMessage) (any, *methodError)

// methodCall is one JSON-RPC 2.0 request.
type methodCall struct {
	ID      json.RawMessage `json:"id"`
	Version *string         `json:"jsonrpc"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// methodAnswer is one JSON-RPC 2.0 response; exactly one of Result and Error is set.
type methodAnswer struct {
	ID      json.RawMessage `json:"id"`
	Version string          `json:"jsonrpc"`
	Result  any             `json:"result,omitempty"`
	Error   *methodError    `json:"error,omitempty"`
}

// methodError is a failure in JSON-RPC's shape.
type methodError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data"`

	status int
}

func refused(code int, message string) *methodError {
	return &methodError{Code: code, Message: message, status: http.StatusBadRequest}
}

// WalletMethods is the JSON-RPC of wallets: POST /v1/wallet?projectId=… and /v1/json-rpc, one request at a time. Anything else is
// refused in the REST error shape; every other failure in JSON-RPC's.
func WalletMethods(g *access.Guard, fill func(ctx context.Context, answer any), balances balancesv1.BalancesServiceClient, sessions sessionsv1.SessionCallsServiceClient) http.Handler {
	calls := sessionCalls{sessions}
	methods := map[string]method{
		"wallet_getAssets":         heldAssets{balances, fill}.answer,
		"wallet_prepareCalls":      calls.prepare,
		"wallet_sendPreparedCalls": calls.send,
		"wallet_getCallsStatus":    calls.status,
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			access.WriteFaultStatus(w, r, access.RouteUnknown(r), http.StatusMethodNotAllowed)
			return
		}
		id := access.ProjectIDOf(r)
		a, refusal := g.Check(r, id)
		limited := refusal
		if refusal != nil && isProjectRefusal(refusal) {
			// The refusal repeats the id of the call, so the body is read.
			a, limited = g.Admit(r)
		}
		if limited != nil {
			access.WriteFault(w, r, limited)
			return
		}
		defer a.Close()
		call, f := readMethodCall(w, r)
		if f != nil {
			access.WriteFault(w, r, f)
			return
		}
		if refusal != nil {
			call.fail(w, refused(codeProject, refusal.Public))
			return
		}
		method, known := methods[*call.Method]
		if !known {
			call.fail(w, refused(codeUnknownMethod, "Method not found"))
			return
		}
		result, failure := method(g.WithCaller(r, id, a).Context(), call.Params)
		if failure != nil {
			call.fail(w, failure)
			return
		}
		call.write(w, http.StatusOK, methodAnswer{Result: result})
	})
}

// isProjectRefusal reports whether a fault is about the project or origin rather than the request or its rate.
func isProjectRefusal(f *fault.Error) bool {
	return f.Reason == faultv1.Reason_REASON_PROJECT_UNKNOWN || f.Reason == faultv1.Reason_REASON_ORIGIN_REFUSED
}

// readMethodCall decodes and validates a request.
func readMethodCall(w http.ResponseWriter, r *http.Request) (methodCall, *fault.Error) {
	var call methodCall
	b, f := access.ReadJSON(w, r)
	if f != nil {
		return call, f
	}
	if !json.Valid(b.Raw) {
		return call, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_MALFORMED, "", "The request body is not JSON")
	}
	if err := json.Unmarshal(b.Raw, &call); err != nil {
		return call, bodyInvalid("", "Failed to deserialize the JSON body into the target type").Because(err)
	}
	switch {
	case !isRequestID(call.ID):
		return call, missingMember("id")
	case call.Version == nil:
		return call, missingMember("jsonrpc")
	case *call.Version != "2.0":
		return call, bodyInvalid("jsonrpc", "Failed to deserialize the JSON body into the target type: `jsonrpc` must be 2.0")
	case call.Method == nil:
		return call, missingMember("method")
	default:
		return call, nil
	}
}

// isRequestID says whether an id is a number or a string: a request without one wants no response, which HTTP cannot give.
func isRequestID(id json.RawMessage) bool {
	return len(id) > 0 && bytes.IndexByte([]byte(`"-0123456789`), id[0]) >= 0
}

func missingMember(name string) *fault.Error {
	return bodyInvalid(name, "Failed to deserialize the JSON body into the target type: missing field `"+name+"`")
}

func bodyInvalid(field, text string) *fault.Error {
	return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_BODY_INVALID, field, "%s", text)
}

func (c methodCall) fail(w http.ResponseWriter, e *methodError) {
	c.write(w, e.status, methodAnswer{Error: e})
}

func (c methodCall) write(w http.ResponseWriter, status int, a methodAnswer) {
	a.ID, a.Version = c.ID, "2.0"
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(a)
}
