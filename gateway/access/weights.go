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

// Weights are how many requests one counts for: about one for each four calls of a node. Those of procedures are options of their protos
// (hawser.options.v1). An answer that the gateway has cached counts for one.
const (
	// logsWeight is that of eth_getLogs: a node reads thousands of blocks for one call.
	logsWeight = 10
	// heavyWeight is that of a JSON-RPC method whose answer may have megabytes, or that has a node run much.
	heavyWeight = 5
	// operationWeight is that of a user operation that is measured, sponsored or sent: about ten calls of a node, of which some run it.
	operationWeight = 10
	// syncWeight is that of a transaction that is sent and waited for: it asks nodes for the receipt about 25 times.
	syncWeight = 10
	// bytesPerWeight is how many bytes of an answer count for one request more.
	bytesPerWeight = 1 << 20
)

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

// methodWeights are the weights of JSON-RPC methods that count for more than one request.
var methodWeights = map[string]int{
	"eth_getLogs": logsWeight, "eth_estimateUserOperationGas": operationWeight, "eth_sendUserOperation": operationWeight,
	"pm_getPaymasterData": operationWeight, "pm_sponsorUserOperation": operationWeight, "eth_sendRawTransactionSync": syncWeight,
	"eth_getBlockReceipts": heavyWeight, "eth_simulateV1": heavyWeight, "eth_getProof": heavyWeight, "eth_createAccessList": heavyWeight,
	"getBlock": heavyWeight, "getBlocks": heavyWeight, "getProgramAccounts": heavyWeight, "getClusterNodes": heavyWeight, "getLeaderSchedule": heavyWeight,
	"getLargestAccounts": heavyWeight, "getSupply": heavyWeight, "getVoteAccounts": heavyWeight, "getTokenLargestAccounts": heavyWeight,
}

// requestWeight returns how many requests a JSON-RPC body counts for in the rate limit: the sum over the calls of a batch. A body that does not
// parse counts as the chains service counts it.
func requestWeight(body []byte) int {
	sum := 0
	for _, item := range jsonrpc.Parse(body).Items {
		sum += callWeight(item.Method)
	}
	return sum
}

func callWeight(method string) int { return max(methodWeights[method], 1) }
