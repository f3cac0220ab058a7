package rpc

import (
	"net/http"

	"google.golang.org/grpc"

	"github.com/hawser-dev/hawser/gateway/access"
	bitcoinv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/bitcoin/v1/bitcoinv1connect"
	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1/bundlerv1connect"
	previewv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/preview/v1/previewv1connect"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1/sessionsv1connect"
)

// ForwardBitcoin serves accounts of Bitcoin networks.
func ForwardBitcoin(rpcs *Server, cc grpc.ClientConnInterface, g *access.Guard) {
	Forward[bitcoinv1.GetBalanceRequest, bitcoinv1.GetBalanceResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceGetBalanceProcedure, g.WrapRPC)
	Forward[bitcoinv1.ListUnspentRequest, bitcoinv1.ListUnspentResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceListUnspentProcedure, g.WrapRPC)
	Forward[bitcoinv1.ListTransactionsRequest, bitcoinv1.ListTransactionsResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceListTransactionsProcedure, g.WrapRPC)
	Forward[bitcoinv1.GetTransactionRequest, bitcoinv1.GetTransactionResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceGetTransactionProcedure, g.WrapRPC)
	Forward[bitcoinv1.GetFeeRatesRequest, bitcoinv1.GetFeeRatesResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceGetFeeRatesProcedure, g.WrapRPC)
	Forward[bitcoinv1.SendTransactionRequest, bitcoinv1.SendTransactionResponse](rpcs, cc, bitcoinv1connect.BitcoinServiceSendTransactionProcedure, g.WrapRPC)
}

// ForwardCalls serves the calls of accounts, which the gateway and the embedded wallet's origin have.
func ForwardCalls(rpcs *Server, cc grpc.ClientConnInterface, g *access.Guard) {
	Forward[bundlerv1.SendCallsRequest, bundlerv1.SendCallsResponse](rpcs, cc, bundlerv1connect.CallsServiceSendCallsProcedure, g.WrapRPC)
	Forward[bundlerv1.GetCallsRequest, bundlerv1.GetCallsResponse](rpcs, cc, bundlerv1connect.CallsServiceGetCallsProcedure, g.WrapRPC)
	Forward[bundlerv1.ListAccountChainsRequest, bundlerv1.ListAccountChainsResponse](rpcs, cc, bundlerv1connect.CallsServiceListAccountChainsProcedure, g.WrapRPC)
}

// ForwardPreview serves previews of requests to sign, which the gateway and the embedded wallet's origin have.
func ForwardPreview(rpcs *Server, cc grpc.ClientConnInterface, g *access.Guard) {
	Forward[previewv1.SimulateRequest, previewv1.SimulateResponse](rpcs, cc, previewv1connect.PreviewServiceSimulateProcedure, g.ForPreviews().WrapRPC)
}

// ForwardSessions serves smart sessions, which the gateway and the embedded wallet's origin have. with is the middleware behind the guard.
func ForwardSessions(rpcs *Server, cc grpc.ClientConnInterface, g *access.Guard, with func(http.Handler) http.Handler) {
	wrap := func(h http.Handler) http.Handler { return g.WrapRPC(with(h)) }
	Forward[sessionsv1.CreateSessionRequest, sessionsv1.CreateSessionResponse](rpcs, cc, sessionsv1connect.SessionsServiceCreateSessionProcedure, wrap)
	Forward[sessionsv1.ListSessionsRequest, sessionsv1.ListSessionsResponse](rpcs, cc, sessionsv1connect.SessionsServiceListSessionsProcedure, wrap)
	Forward[sessionsv1.GetContextRequest, sessionsv1.GetContextResponse](rpcs, cc, sessionsv1connect.SessionsServiceGetContextProcedure, wrap)
	Forward[sessionsv1.ActivateSessionRequest, sessionsv1.ActivateSessionResponse](rpcs, cc, sessionsv1connect.SessionsServiceActivateSessionProcedure, wrap)
	Forward[sessionsv1.SignUserOperationRequest, sessionsv1.SignUserOperationResponse](rpcs, cc, sessionsv1connect.SessionsServiceSignUserOperationProcedure, wrap)
	Forward[sessionsv1.RevokeSessionRequest, sessionsv1.RevokeSessionResponse](rpcs, cc, sessionsv1connect.SessionsServiceRevokeSessionProcedure, wrap)
	Forward[sessionsv1.RevokeAllSessionsRequest, sessionsv1.RevokeAllSessionsResponse](rpcs, cc, sessionsv1connect.SessionsServiceRevokeAllSessionsProcedure, wrap)
	Forward[sessionsv1.ListSessionChainsRequest, sessionsv1.ListSessionChainsResponse](rpcs, cc, sessionsv1connect.SessionsServiceListSessionChainsProcedure, wrap)
}
