package jsonrpc

// Weights are how many requests a call counts for: about one for each four calls of a node.
const (
	// logsWeight is that of eth_getLogs: a node reads thousands of blocks for one call.
	logsWeight = 10
	// heavyWeight is that of a method whose answer may have megabytes, or that has a node run much.
	heavyWeight = 5
	// operationWeight is that of a user operation that is measured, sponsored or sent: about ten calls of a node, of which some run it.
	operationWeight = 10
	// syncWeight is that of a transaction that is sent and waited for: it asks nodes for the receipt about 25 times.
	syncWeight = 10
)

// weights are the weights of methods that count for more than one request.
var weights = map[string]int{
	"eth_getLogs": logsWeight, "eth_estimateUserOperationGas": operationWeight, "eth_sendUserOperation": operationWeight,
	"pm_getPaymasterData": operationWeight, "pm_sponsorUserOperation": operationWeight, "eth_sendRawTransactionSync": syncWeight,
	"eth_getBlockReceipts": heavyWeight, "eth_simulateV1": heavyWeight, "eth_getProof": heavyWeight, "eth_createAccessList": heavyWeight,
	"getBlock": heavyWeight, "getBlocks": heavyWeight, "getProgramAccounts": heavyWeight, "getClusterNodes": heavyWeight, "getLeaderSchedule": heavyWeight,
	"getLargestAccounts": heavyWeight, "getSupply": heavyWeight, "getVoteAccounts": heavyWeight, "getTokenLargestAccounts": heavyWeight,
	"debug_traceBlockByHash": heavyWeight, "trace_block": heavyWeight,
}

// Weight returns how many requests a call of a method counts for, at least 1.
func Weight(method string) int { return max(weights[method], 1) }
