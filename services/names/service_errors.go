package names

import (
	"errors"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/names/registry"
	"github.com/hawser-dev/hawser/services/names/resolver"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/request"
	"github.com/hawser-dev/hawser/services/onchain/signature"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// explain converts an error to the fault for the caller.
func explain(err error) error {
	if f := refusal(err); f != nil {
		return f.Because(err)
	}
	return fault.From(err)
}

// refusal returns the fault of an error that the caller caused; nil for other errors.
func refusal(err error) *fault.Error {
	if e, ok := errors.AsType[*registry.NameError](err); ok {
		return nameRefusal(e)
	}
	if e, ok := errors.AsType[*registry.CoinTypeError](err); ok {
		return request.Invalid(faultv1.Reason_REASON_COIN_TYPE_UNSUPPORTED, "coin_type", "Unsupported coin type: %d", e.CoinType)
	}
	if e, ok := errors.AsType[*registry.StaleError](err); ok {
		return request.Invalid(faultv1.Reason_REASON_TIMESTAMP_STALE, "timestamp", "Signature UNIXTIME timestamp is too old: %d", e.Timestamp)
	}
	if _, ok := errors.AsType[*registry.AttributeError](err); ok {
		return request.Invalid(faultv1.Reason_REASON_ATTRIBUTE_INVALID, "attributes", "Unsupported name attribute in payload")
	}
	if errors.Is(err, registry.ErrMessage) {
		return request.Invalid(faultv1.Reason_REASON_BODY_INVALID, "", "Deserialization error: %s", err)
	}
	for _, known := range refusals {
		if errors.Is(err, known.err) {
			return fault.New(known.code, known.reason, known.field, "%s", known.text)
		}
	}
	return nil
}

// nameRefusals are the texts of errors about a name; the name is appended.
var nameRefusals = []struct {
	err    error
	code   codes.Code
	reason faultv1.Reason
	text   string
}{
	{registry.ErrFormat, codes.InvalidArgument, faultv1.Reason_REASON_NAME_INVALID, "Invalid name format"},
	{registry.ErrLength, codes.InvalidArgument, faultv1.Reason_REASON_NAME_INVALID, "Invalid name length"},
	{ErrNormal, codes.InvalidArgument, faultv1.Reason_REASON_NAME_INVALID, "Names need at least two labels, each in a form that cannot be mistaken for another (ENSIP-15)"},
	{ErrLetters, codes.InvalidArgument, faultv1.Reason_REASON_NAME_INVALID, "Names with other letters than a to z, digits, hyphens and dots are not supported"},
	{registry.ErrZone, codes.InvalidArgument, faultv1.Reason_REASON_NAME_INVALID, "Name is not in the allowed zones"},
	{registry.ErrOther, codes.InvalidArgument, faultv1.Reason_REASON_NAME_INVALID, "The signed message is about another name"},
	{registry.ErrReserved, codes.InvalidArgument, faultv1.Reason_REASON_NAME_RESERVED, "Name is reserved"},
	{registry.ErrTaken, codes.AlreadyExists, faultv1.Reason_REASON_NAME_TAKEN, "Name is already registered"},
	{registry.ErrUnregistered, codes.NotFound, faultv1.Reason_REASON_NAME_UNREGISTERED, "Name is not registered"},
}

// maxShownName bounds how much of a name an error repeats, in characters.
const maxShownName = 128

func nameRefusal(e *registry.NameError) *fault.Error {
	for _, known := range nameRefusals {
		if errors.Is(e.Err, known.err) {
			return fault.New(known.code, known.reason, "name", "%s: %.*s", known.text, maxShownName, e.Name)
		}
	}
	return nil
}

var refusals = []struct {
	err    error
	code   codes.Code
	reason faultv1.Reason
	field  string
	text   string
}{
	{evm.ErrAddress, codes.InvalidArgument, faultv1.Reason_REASON_ADDRESS_INVALID, "address", "The address provided is invalid"},
	{signature.ErrMalformed, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "signature", "Signature validation error: Invalid signature"},
	{signature.ErrWrong, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_INVALID, "signature", "Signature validation error: Signature verification error"},
	{signature.ErrUnavailable, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "coin_type", "Signature validation error: the chain does not answer"},
	{resolver.ErrUnavailable, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "name", "The chain of the name service does not answer"},
	{resolver.ErrGateway, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "name", "The server that resolves the name does not answer"},
	{registry.ErrUsed, codes.Unauthenticated, faultv1.Reason_REASON_SIGNATURE_USED, "signature", "Signature validation error: the signed message was used before"},
	{registry.ErrOtherInstallation, codes.InvalidArgument, faultv1.Reason_REASON_BODY_INVALID, "message", "The signed message is for another installation"},
	{registry.ErrNotOwner, codes.Unauthenticated, faultv1.Reason_REASON_OWNER_MISMATCH, "address", "Name owner validation error"},
	{registry.ErrLimited, codes.ResourceExhausted, faultv1.Reason_REASON_CHANGES_LIMITED, "address", "This account changed too many names within the hour"},
}

// absent returns the error of a lookup without a result.
func absent(field, format string, args ...any) error {
	return fault.New(codes.NotFound, faultv1.Reason_REASON_NAME_ABSENT, field, format, args...)
}
