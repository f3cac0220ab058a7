package access

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// restStatus is the HTTP status of each reason; a test compares it with the enum.
var restStatus = map[faultv1.Reason]int{
	faultv1.Reason_REASON_INTERNAL:               http.StatusInternalServerError,
	faultv1.Reason_REASON_ROUTE_UNKNOWN:          http.StatusNotFound,
	faultv1.Reason_REASON_PARAMETER_INVALID:      http.StatusBadRequest,
	faultv1.Reason_REASON_BODY_MALFORMED:         http.StatusBadRequest,
	faultv1.Reason_REASON_BODY_INVALID:           http.StatusUnprocessableEntity,
	faultv1.Reason_REASON_BODY_TOO_LARGE:         http.StatusRequestEntityTooLarge,
	faultv1.Reason_REASON_ADDRESS_INVALID:        http.StatusBadRequest,
	faultv1.Reason_REASON_CHAIN_UNSUPPORTED:      http.StatusBadRequest,
	faultv1.Reason_REASON_CHAIN_UNAVAILABLE:      http.StatusServiceUnavailable,
	faultv1.Reason_REASON_NAMESPACE_UNSUPPORTED:  http.StatusBadRequest,
	faultv1.Reason_REASON_IDENTIFIER_INVALID:     http.StatusBadRequest,
	faultv1.Reason_REASON_CURRENCY_UNSUPPORTED:   http.StatusBadRequest,
	faultv1.Reason_REASON_PROJECT_UNKNOWN:        http.StatusUnauthorized,
	faultv1.Reason_REASON_ORIGIN_REFUSED:         http.StatusForbidden,
	faultv1.Reason_REASON_RATE_LIMITED:           http.StatusTooManyRequests,
	faultv1.Reason_REASON_SERVICE_UNAVAILABLE:    http.StatusServiceUnavailable,
	faultv1.Reason_REASON_DEADLINE:               http.StatusGatewayTimeout,
	faultv1.Reason_REASON_CANCELED:               499,
	faultv1.Reason_REASON_UPGRADE_REQUIRED:       http.StatusUpgradeRequired,
	faultv1.Reason_REASON_CURSOR_INVALID:         http.StatusBadRequest,
	faultv1.Reason_REASON_PROVIDER_UNSUPPORTED:   http.StatusBadRequest,
	faultv1.Reason_REASON_MEDIA_UNAVAILABLE:      http.StatusNotFound,
	faultv1.Reason_REASON_READER_SLOW:            http.StatusTooManyRequests,
	faultv1.Reason_REASON_ROUTE_ABSENT:           http.StatusBadRequest,
	faultv1.Reason_REASON_LIQUIDITY_INSUFFICIENT: http.StatusBadRequest,
	faultv1.Reason_REASON_AMOUNT_INVALID:         http.StatusBadRequest,
	faultv1.Reason_REASON_TOKEN_TAKES_FEE:        http.StatusBadRequest,
	faultv1.Reason_REASON_CONVERSION_INVALID:     http.StatusBadRequest,
	faultv1.Reason_REASON_BALANCE_INSUFFICIENT:   http.StatusBadRequest,
	faultv1.Reason_REASON_ALLOWANCE_INSUFFICIENT: http.StatusBadRequest,
	faultv1.Reason_REASON_PRICE_MOVED:            http.StatusBadRequest,
	faultv1.Reason_REASON_PERMIT_UNSUPPORTED:     http.StatusBadRequest,
	faultv1.Reason_REASON_TRANSACTION_REVERTS:    http.StatusBadRequest,
	faultv1.Reason_REASON_NAME_INVALID:           http.StatusBadRequest,
	faultv1.Reason_REASON_NAME_RESERVED:          http.StatusBadRequest,
	faultv1.Reason_REASON_NAME_TAKEN:             http.StatusBadRequest,
	faultv1.Reason_REASON_NAME_UNREGISTERED:      http.StatusBadRequest,
	faultv1.Reason_REASON_NAME_ABSENT:            http.StatusNotFound,
	faultv1.Reason_REASON_COIN_TYPE_UNSUPPORTED:  http.StatusBadRequest,
	faultv1.Reason_REASON_ATTRIBUTE_INVALID:      http.StatusBadRequest,
	faultv1.Reason_REASON_TIMESTAMP_STALE:        http.StatusBadRequest,
	faultv1.Reason_REASON_SIGNATURE_INVALID:      http.StatusUnauthorized,
	faultv1.Reason_REASON_SIGNATURE_USED:         http.StatusUnauthorized,
	faultv1.Reason_REASON_OWNER_MISMATCH:         http.StatusUnauthorized,
	faultv1.Reason_REASON_CHANGES_LIMITED:        http.StatusTooManyRequests,
	faultv1.Reason_REASON_ONRAMP_UNAVAILABLE:     http.StatusServiceUnavailable,
	faultv1.Reason_REASON_ONRAMP_UNSUPPORTED:     http.StatusBadRequest,
	faultv1.Reason_REASON_ONRAMP_LIMIT:           http.StatusBadRequest,
	faultv1.Reason_REASON_ORDER_UNKNOWN:          http.StatusNotFound,
	faultv1.Reason_REASON_RETURN_REFUSED:         http.StatusBadRequest,
	faultv1.Reason_REASON_SIGN_IN_INVALID:        http.StatusBadRequest,
	faultv1.Reason_REASON_NONCE_INVALID:          http.StatusUnauthorized,
	faultv1.Reason_REASON_SESSION_ABSENT:         http.StatusUnauthorized,
	faultv1.Reason_REASON_USER_OPERATION_REFUSED: http.StatusBadRequest,
	faultv1.Reason_REASON_CALLS_ID_USED:          http.StatusConflict,
	faultv1.Reason_REASON_CALLS_UNKNOWN:          http.StatusNotFound,
	faultv1.Reason_REASON_SPONSOR_REFUSED:        http.StatusForbidden,
	faultv1.Reason_REASON_AUTHORIZATION_REFUSED:  http.StatusBadRequest,
	faultv1.Reason_REASON_TRANSACTION_UNKNOWN:    http.StatusNotFound,
	faultv1.Reason_REASON_TRANSACTION_REFUSED:    http.StatusBadRequest,
	faultv1.Reason_REASON_HANDOFF_UNKNOWN:        http.StatusNotFound,
	faultv1.Reason_REASON_HANDOFF_CLAIMED:        http.StatusConflict,
	faultv1.Reason_REASON_SESSION_UNKNOWN:        http.StatusBadRequest,
	faultv1.Reason_REASON_SESSION_REVOKED:        http.StatusBadRequest,
	faultv1.Reason_REASON_SESSION_EXPIRED:        http.StatusBadRequest,
	faultv1.Reason_REASON_SESSION_INACTIVE:       http.StatusBadRequest,
	faultv1.Reason_REASON_SESSION_ACTIVE:         http.StatusBadRequest,
	faultv1.Reason_REASON_PERMISSION_UNSUPPORTED: http.StatusBadRequest,
	faultv1.Reason_REASON_PERMISSION_EXCEEDED:    http.StatusUnauthorized,
	faultv1.Reason_REASON_CONTEXT_INVALID:        http.StatusBadRequest,
	faultv1.Reason_REASON_EMAIL_INVALID:          http.StatusBadRequest,
	faultv1.Reason_REASON_MAIL_UNAVAILABLE:       http.StatusServiceUnavailable,
	faultv1.Reason_REASON_CODE_WRONG:             http.StatusForbidden,
	faultv1.Reason_REASON_CHALLENGE_ENDED:        http.StatusBadRequest,
	faultv1.Reason_REASON_DEVICE_PROOF_INVALID:   http.StatusUnauthorized,
	faultv1.Reason_REASON_SOCIAL_FAILED:          http.StatusBadRequest,
	faultv1.Reason_REASON_SOCIAL_CANCELED:        http.StatusBadRequest,
	faultv1.Reason_REASON_FARCASTER_UNAVAILABLE:  http.StatusBadRequest,
	faultv1.Reason_REASON_FARCASTER_FAILED:       http.StatusBadRequest,
	faultv1.Reason_REASON_WALLET_EXISTS:          http.StatusConflict,
	faultv1.Reason_REASON_WALLET_ABSENT:          http.StatusNotFound,
	faultv1.Reason_REASON_FACTOR_ABSENT:          http.StatusNotFound,
	faultv1.Reason_REASON_FACTOR_LAST:            http.StatusBadRequest,
	faultv1.Reason_REASON_FACTORS_FULL:           http.StatusBadRequest,
	faultv1.Reason_REASON_IDENTITY_PENDING:       http.StatusBadRequest,
	faultv1.Reason_REASON_PASSWORD_WRONG:         http.StatusForbidden,
	faultv1.Reason_REASON_EMAIL_TAKEN:            http.StatusConflict,
	faultv1.Reason_REASON_IDENTITY_TAKEN:         http.StatusConflict,
	faultv1.Reason_REASON_IDENTITY_LAST:          http.StatusBadRequest,
	faultv1.Reason_REASON_WALLET_LOCKED:          http.StatusBadRequest,
	faultv1.Reason_REASON_LOGIN_STALE:            http.StatusBadRequest,
	faultv1.Reason_REASON_CONTACTS_CHANGED:       http.StatusConflict,
	faultv1.Reason_REASON_OPERATOR_ABSENT:        http.StatusUnauthorized,
	faultv1.Reason_REASON_ROLE_MISSING:           http.StatusForbidden,
	faultv1.Reason_REASON_LINK_ENDED:             http.StatusUnauthorized,
	faultv1.Reason_REASON_OPERATOR_UNKNOWN:       http.StatusNotFound,
	faultv1.Reason_REASON_OWNER_LAST:             http.StatusBadRequest,
	faultv1.Reason_REASON_PROJECT_CHANGED:        http.StatusConflict,
	faultv1.Reason_REASON_PROJECT_ENABLED:        http.StatusBadRequest,
	faultv1.Reason_REASON_USER_UNKNOWN:           http.StatusNotFound,
	faultv1.Reason_REASON_USER_CHANGED:           http.StatusBadRequest,
	faultv1.Reason_REASON_PASSKEY_REFUSED:        http.StatusUnauthorized,
	faultv1.Reason_REASON_PASSKEY_UNAVAILABLE:    http.StatusBadRequest,
	faultv1.Reason_REASON_PASSKEY_UNKNOWN:        http.StatusNotFound,
	faultv1.Reason_REASON_PASSKEYS_FULL:          http.StatusBadRequest,
	faultv1.Reason_REASON_OPERATOR_UNLISTED:      http.StatusForbidden,
	faultv1.Reason_REASON_OPERATOR_PROVIDED:      http.StatusBadRequest,
	faultv1.Reason_REASON_LABELS_FULL:            http.StatusBadRequest,
}

// restError is the body of every REST failure.
type restError struct {
	Status  string       `json:"status"`
	Reasons []restReason `json:"reasons"`
	Code    string       `json:"code"`
	// Message repeats the first description on the path whose contract has it.
	Message   string `json:"message,omitempty"`
	RequestID string `json:"requestId"`
}

type restReason struct {
	Field       string `json:"field"`
	Description string `json:"description"`
}

// Paths on which the contract has errors in another form: the first answers 400 to an invalid body, the second has a message beside the code.
const (
	purchaseURLPath   = "/v1/generators/onrampurl"
	sellersQuotesPath = "/v1/onramp/multi/quotes"
)

// WriteFault answers f over REST with the status of its reason.
func WriteFault(w http.ResponseWriter, r *http.Request, f *fault.Error) {
	WriteFaultStatus(w, r, f, statusOf(r, f))
}

// statusOf returns the HTTP status of the reason of f.
func statusOf(r *http.Request, f *fault.Error) int {
	status, ok := restStatus[f.Reason]
	if !ok {
		return http.StatusInternalServerError
	}
	if f.Reason == faultv1.Reason_REASON_BODY_INVALID && r.URL.Path == purchaseURLPath {
		return http.StatusBadRequest
	}
	if f.Reason == faultv1.Reason_REASON_DEADLINE && f.Field == bodyField {
		// 408 (RFC 9110, 15.5.9): the body was late.
		return http.StatusRequestTimeout
	}
	return status
}

// WriteFaultStatus answers f over REST with a status.
func WriteFaultStatus(w http.ResponseWriter, r *http.Request, f *fault.Error, status int) {
	noteRequestRefusal(r, f, status)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	setRetryAfter(w.Header(), f)
	w.WriteHeader(status)
	refusal := restError{
		Status:    "FAILED",
		Reasons:   []restReason{{f.Field, f.Public}},
		Code:      fault.ReasonName(f.Reason),
		RequestID: requestID(r.Context()),
	}
	if r.URL.Path == sellersQuotesPath {
		refusal.Message = f.Public
	}
	_ = json.NewEncoder(w).Encode(refusal)
}

// NotFound answers that nothing is at the path.
func NotFound() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		WriteFaultStatus(w, r, RouteUnknown(r), http.StatusNotFound)
	})
}

// RouteUnknown returns the error for a path, or a method of it, that nothing answers.
func RouteUnknown(r *http.Request) *fault.Error {
	return fault.New(codes.NotFound, faultv1.Reason_REASON_ROUTE_UNKNOWN, "", "Nothing answers %s at this path", r.Method)
}

// rpcErrors writes errors in the protocol of a request: Connect, gRPC-Web or gRPC.
var rpcErrors = connect.NewErrorWriter()

// WriteRPCFault answers f in the protocol of an RPC.
func WriteRPCFault(w http.ResponseWriter, r *http.Request, f *fault.Error) {
	noteRequestRefusal(r, f, statusOf(r, f))
	_ = rpcErrors.Write(w, r, ConnectError(f))
}

// ConnectError returns f as Connect, gRPC-Web and gRPC carry it.
func ConnectError(f *fault.Error) *connect.Error {
	st := f.GRPCStatus()
	ce := connect.NewError(connect.Code(st.Code()), errorText(st.Message()))
	for _, d := range st.Proto().GetDetails() {
		if detail, err := connect.NewErrorDetail(d); err == nil {
			ce.AddDetail(detail)
		}
	}
	setRetryAfter(ce.Meta(), f)
	return ce
}

// setRetryAfter sets the Retry-After header, in whole seconds (RFC 9110, 10.2.3), if f has a retry delay.
func setRetryAfter(h http.Header, f *fault.Error) {
	if f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64(f.RetryAfter/time.Second)+1, 10))
	}
}

type errorText string

func (e errorText) Error() string { return string(e) }

// Clip shortens text of the caller for an error message.
func Clip(s string) string {
	if len(s) <= 80 {
		return s
	}
	return s[:80] + "…"
}
