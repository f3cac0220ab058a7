package observe

import (
	"errors"
	"strconv"
	"strings"

	"buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	"buf.build/go/protovalidate"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// refusal validates a request against the rules in its proto file, and returns an error that names the first invalid
// field; nil if it is valid.
func refusal(req any) *fault.Error {
	msg, ok := req.(proto.Message)
	if !ok {
		return nil
	}
	err := protovalidate.Validate(msg)
	if err == nil {
		return nil
	}
	broken, ok := errors.AsType[*protovalidate.ValidationError](err)
	if !ok || len(broken.Violations) == 0 {
		return fault.Internal(err)
	}
	first := broken.Violations[0].Proto
	name := wireName(msg.ProtoReflect().Descriptor(), first.GetField())
	return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, name, "Invalid parameter: %s: %s", name, first.GetMessage())
}

// wireName returns the path of a field in JSON: `chainId`, `addresses[2]`.
func wireName(d protoreflect.MessageDescriptor, path *validate.FieldPath) string {
	var name strings.Builder
	for i, step := range path.GetElements() {
		if i > 0 {
			name.WriteByte('.')
		}
		fieldName := step.GetFieldName()
		if d != nil {
			if field := d.Fields().ByNumber(protoreflect.FieldNumber(step.GetFieldNumber())); field != nil {
				fieldName, d = field.JSONName(), field.Message()
			}
		}
		name.WriteString(fieldName)
		if index, ok := step.GetSubscript().(*validate.FieldPathElement_Index); ok {
			name.WriteString("[" + strconv.FormatUint(index.Index, 10) + "]")
		}
	}
	return name.String()
}
