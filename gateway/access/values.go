package access

import (
	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// MaxValues is how many values a request may have, the objects and lists that hold others included: once it is decoded a value takes up to 200 bytes,
// even if its text has two.
const MaxValues = 30_000

// TooManyValues reports whether a JSON text has more than [MaxValues] values. For text that is not JSON it reports either.
func TooManyValues(raw []byte) bool {
	n, isString := 1, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case isString && c == '\\':
			i++
		case c == '"':
			isString = !isString
		case !isString && (c == ',' || c == '{' || c == '['):
			n++
		}
	}
	return n > MaxValues
}

func valuesFault() *fault.Error {
	return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_BODY_TOO_LARGE, "", "The request body has over %d values", MaxValues)
}
