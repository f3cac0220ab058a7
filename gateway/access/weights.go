package access

import (
	"google.golang.org/protobuf/proto"

	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	balancesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/balances/v1"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	convertv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/convert/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// Weights are how many requests one counts for: about one for each four calls of a node. An answer that the gateway has cached counts for one.
const (
	// logsWeight is that of eth_getLogs: a node reads thousands of blocks for one call.
	logsWeight = 10
	// heavyWeight is that of a JSON-RPC method whose answer may have megabytes, or that has a node run much.
	heavyWeight = 5
	// chainWeight is that of the balances of an account on one chain, and everyChainWeight that on all chains: 15 of them are served by default.
	chainWeight      = 2
	everyChainWeight = 15 * chainWeight
	// bytesPerWeight is how many bytes of an answer count for one request more.
	bytesPerWeight = 1 << 20
	// pricesPerWeight is how many prices count for one request.
	pricesPerWeight = 10
	// listingWeight is that of the NFTs of an account: the service reads the documents of its tokens.
	listingWeight = 5
	// quotesWeight is that of quotes, which look for the pools of eleven pairs.
	quotesWeight = 3
	// previewWeight is that of a preview: it makes about ten calls of a node, of which two run all calls of the request.
	previewWeight = 10
	// operationWeight is that of a user operation that is measured, sponsored or sent: about ten calls of a node, of which some run it.
	operationWeight = 10
	// syncWeight is that of a transaction that is sent and waited for: it asks nodes for the receipt about 25 times.
	syncWeight = 10
	// waitWeight is that of a call that waits for a login: it reads the database about 80 times.
	waitWeight = 20
	// keyWeight is that of a call that uses the key encryption key, which may be in a key management service, or that has a node run a contract of the
	// caller's choice.
	keyWeight = 5
)

// weights are the weights of procedures that count for more than one request, however they are called.
var weights = map[string]func(proto.Message) int{
	chainsv1.NodeService_Forward_FullMethodName: weigh(func(r *chainsv1.ForwardRequest) int { return requestWeight(r.GetBody()) }),
	balancesv1.BalancesService_GetBalance_FullMethodName: weigh(func(r *balancesv1.GetBalanceRequest) int {
		if r.GetChainId() == "" {
			return everyChainWeight
		}
		return chainWeight
	}),
	balancesv1.BalancesService_GetPortfolio_FullMethodName: fixed(everyChainWeight),
	balancesv1.BalancesService_ListPrices_FullMethodName: weigh(func(r *balancesv1.ListPricesRequest) int {
		return (len(r.GetAddresses()) + pricesPerWeight - 1) / pricesPerWeight
	}),
	nftsv1.NftsService_ListNfts_FullMethodName:                  fixed(listingWeight),
	convertv1.ConvertService_ListQuotes_FullMethodName:          fixed(quotesWeight),
	previewv1.PreviewService_Simulate_FullMethodName:            fixed(previewWeight),
	bundlerv1.CallsService_SendCalls_FullMethodName:             fixed(operationWeight),
	bundlerv1.UserOperationService_Forward_FullMethodName:       weigh(func(r *bundlerv1.ForwardRequest) int { return requestWeight(r.GetBody()) }),
	authv1.AuthService_Authenticate_FullMethodName:              fixed(keyWeight),
	sessionsv1.SessionsService_CreateSession_FullMethodName:     fixed(keyWeight),
	sessionsv1.SessionsService_ActivateSession_FullMethodName:   fixed(keyWeight),
	sessionsv1.SessionsService_SignUserOperation_FullMethodName: fixed(keyWeight),
	walletv1.LoginService_StartEmail_FullMethodName:             fixed(keyWeight),
	walletv1.LoginService_StartSocial_FullMethodName:            fixed(keyWeight),
	walletv1.LoginService_StartFarcaster_FullMethodName:         fixed(keyWeight),
	walletv1.WalletService_CreateWallet_FullMethodName:          fixed(keyWeight),
	walletv1.WalletService_GetSealedWallet_FullMethodName:       fixed(keyWeight),
	walletv1.WalletService_AddFactor_FullMethodName:             fixed(keyWeight),
	walletv1.LoginService_WaitForDevice_FullMethodName:          fixed(waitWeight),
	walletv1.LoginService_WaitForSocial_FullMethodName:          fixed(waitWeight),
	walletv1.LoginService_WaitForFarcaster_FullMethodName:       fixed(waitWeight),
}

func fixed(n int) func(proto.Message) int { return func(proto.Message) int { return n } }

func weigh[Req proto.Message](of func(Req) int) func(proto.Message) int {
	return func(m proto.Message) int {
		req, ok := m.(Req)
		if !ok {
			return 1
		}
		return of(req)
	}
}

// weightOf returns how many requests a call counts for.
func weightOf(procedure string, req any) int {
	of, ok := weights[procedure]
	if !ok {
		return 1
	}
	m, _ := req.(proto.Message)
	return of(m)
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
