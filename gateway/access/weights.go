package access

import (
	"fmt"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	optionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/options/v1"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// bytesPerWeight is how many bytes of an answer count for one request more. Weights are how many requests one counts for: those of procedures are options
// of their protos (hawser.options.v1), those of JSON-RPC methods [jsonrpc.Weight]. An answer that the gateway has cached counts for one.
const bytesPerWeight = 1 << 20

// weigher returns how many requests a call counts for.
type weigher func(req protoreflect.Message) int

// weights returns the weighers of procedures that may count for more than one request, however they are called.
var weights = sync.OnceValue(func() map[string]weigher {
	all := map[string]weigher{}
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		if !strings.HasPrefix(string(file.Package()), "hawser.") {
			return true
		}
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				m := methods.Get(j)
				if weigh := weigherOf(m); weigh != nil {
					all[fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name())] = weigh
				}
			}
		}
		return true
	})
	return all
})

// weigherOf reads the options of a procedure and of the fields of its request. It returns nil for a procedure that counts for one request.
func weigherOf(m protoreflect.MethodDescriptor) weigher {
	weight, _ := proto.GetExtension(m.Options(), optionsv1.E_Weight).(uint32)
	fields := m.Input().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		if ifSet, _ := proto.GetExtension(field.Options(), optionsv1.E_WeightIfSet).(uint32); ifSet > 0 {
			return func(req protoreflect.Message) int {
				if req.Has(field) {
					return int(ifSet)
				}
				return int(weight)
			}
		}
		if items, _ := proto.GetExtension(field.Options(), optionsv1.E_ItemsPerRequest).(uint32); items > 0 {
			return func(req protoreflect.Message) int { return (req.Get(field).List().Len() + int(items) - 1) / int(items) }
		}
		if isJSONRPC, _ := proto.GetExtension(field.Options(), optionsv1.E_WeighsJsonRpc).(bool); isJSONRPC {
			return func(req protoreflect.Message) int { return requestWeight(req.Get(field).Bytes()) }
		}
	}
	if weight == 0 {
		return nil
	}
	return func(protoreflect.Message) int { return int(weight) }
}

// weightOf returns how many requests a call counts for.
func weightOf(procedure string, req any) int {
	weigh, ok := weights()[procedure]
	if !ok {
		return 1
	}
	m, ok := req.(proto.Message)
	if !ok {
		return 1
	}
	return weigh(m.ProtoReflect())
}

// requestWeight returns how many requests a JSON-RPC body counts for in the rate limit: the sum over the calls of a batch. A body that does not
// parse counts as the chains service counts it.
func requestWeight(body []byte) int {
	sum := 0
	for _, item := range jsonrpc.Parse(body).Items {
		sum += jsonrpc.Weight(item.Method)
	}
	return sum
}
